// Package web contains and serves the files that the browser loads. The folder
// static has our own files, dist those built by `make wasm`, and pages the
// templates of the documents around them. Addresses contain the hash of a
// file's content, so that answers can be cached forever and a new build takes
// effect at once.
//
// The package must not depend on the client: every answer is the same for
// everybody.
//
// The server does not link go-app. The page is a static file, and nothing is
// prerendered, so it contains no data of a person and the
// Content-Security-Policy needs no exception. There is no service worker.
package web
