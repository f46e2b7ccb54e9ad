// Package httpx is the edge of every listener of the server: request IDs, the access log, recovery, security headers, limits
// of bodies, the cross-site gate, and the only writer of errors. It does not know what is served behind it.
package httpx
