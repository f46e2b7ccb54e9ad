// Package bff is the editor's backend-for-frontend (RFC 10017). It signs people in at the tenant, keeps their tokens on the server,
// forwards a fixed list of routes to the tenant's APIs, and serves the pages.
//
// The package knows the tenant only by its protocols, and not whether the tenant runs in this process. Of a form it knows only that it is
// strict JSON; package atlas draws it.
package bff
