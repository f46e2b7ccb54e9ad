// Package upstream calls the tenant for the editor's backend: the management
// API under one base address, with a token it is handed for each call, and the
// round trippers under which all calls to the tenant run. Destinations come
// from the configuration, never from a request.
//
// It must not know who is signed in, nor what a form is.
package upstream
