// Package web holds the files that the browser loads and serves them: static
// are those we write, dist those `make wasm` builds, pages the templates of the
// documents around them. Addresses carry the hash of a file's content, so that
// an answer can be kept for ever and a new build is seen at once.
//
// It must not know who asks: every answer is the same for everybody.
package web
