// Package upstream calls the tenant for the editor's backend. It has a client of the management API at one base address, which
// gets a token for each call, and the round trippers of all calls to the tenant. Destinations come from the configuration,
// never from a request.
//
// It does not know who is signed in or what a form is.
package upstream
