// Package upstream calls the tenant for the editor's backend. It contains a client of the management API at one base address, which gets a
// token for each call, and the round trippers for all calls to the tenant. Destinations come from the configuration, never from a request.
//
// The package does not know who is signed in or what a form is.
package upstream
