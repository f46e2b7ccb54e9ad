package httpx_test

import (
	"net/http"
	"testing"

	"github.com/formgraph/formgraph/server/httpx"
)

// A server that drains answers requests, but is not ready and keeps no connections.
func TestDrain(t *testing.T) {
	var d httpx.Drain
	h := d.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	for _, x := range []struct {
		begin, method, path string
		status              int
		connection          string
	}{
		{"", "GET", "/readyz", 200, ""},
		{"", "PATCH", "/form", 200, ""},
		{"yes", "GET", "/readyz", 503, "close"},
		{"", "HEAD", "/readyz", 503, "close"},
		{"", "GET", "/healthz", 200, "close"},
		{"", "PATCH", "/form", 200, "close"},
	} {
		if x.begin != "" {
			d.Begin()
		}
		w := serve(h, x.method, x.path)
		if got := w.Header().Get("Connection"); w.Code != x.status || got != x.connection {
			t.Errorf("%s %s = %d with Connection %q, want %d with %q", x.method, x.path, w.Code, got, x.status, x.connection)
		}
	}
}
