// Package httpx is the edge of every listener of the server. It has request IDs, the access log, recovery, security headers, body limits,
// the cross-site gate, and the only writer of errors. It does not know which handlers it wraps.
package httpx
