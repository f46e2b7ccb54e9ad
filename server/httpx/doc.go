// Package httpx is the edge of every listener of the server: request ids, the
// access log, recovery, security headers, body limits, the cross-site gate and
// the one writer of errors. It must not know what is served behind it.
package httpx
