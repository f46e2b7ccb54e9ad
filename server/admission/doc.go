// Package admission decides what a signed-in person may do in front of a remote tenant: nothing, look at forms, or edit them. It judges the
// claims of a sign-in by rules that the configuration lists. It knows no sessions, tokens or requests.
package admission
