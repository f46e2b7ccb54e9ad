package httpx

import (
	"net/http"
	"sync/atomic"
)

// Drain lets a server leave the proxies in front of it before it ends. Once it has begun, GET /readyz answers 503, so that proxies send new
// requests elsewhere, and every other request is answered as before, on a connection that is then closed: a request that arrived on an idle
// connection at the moment when the server closes it would fail, and a proxy may repeat only those that change nothing. Drain is safe for
// concurrent use.
type Drain struct{ begun atomic.Bool }

// Begin begins the drain.
func (d *Drain) Begin() { d.begun.Store(true) }

// Handler returns the handler of a listener that takes part in the drain.
func (d *Drain) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.begun.Load() {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Connection", "close") // with HTTP/2, net/http tells the client to open another connection
		if r.URL.Path == "/readyz" && safe(r.Method) {
			writeHealth(w, http.StatusServiceUnavailable, "ending\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}
