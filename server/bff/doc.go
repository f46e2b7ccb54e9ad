// Package bff is the editor's backend-for-frontend (RFC 10017): it signs people
// in at the tenant, keeps their tokens on this side, forwards the few compiled-in
// routes of the management API, and serves the pages.
//
// It knows the tenant only by its protocol, and must not know whether that runs
// in this process. It must not know what a form is beyond strict JSON.
package bff
