package clientip_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/formgraph/formgraph/server/clientip"
)

func TestPeer(t *testing.T) {
	proxies, err := clientip.ParseProxies("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		from, peer string
		trusted    bool
		client     string
	}{
		{"10.1.2.3:4", "10.1.2.3", true, "203.0.113.9"},
		{"198.51.100.1:4", "198.51.100.1", false, "198.51.100.1"},
		{"not an address", "", false, ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = x.from
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		clientip.Locate(proxies, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			peer, trusted := clientip.Peer(r.Context())
			if peer != x.peer || trusted != x.trusted || clientip.From(r.Context()) != x.client {
				t.Errorf("%s: got %q, %v, %q", x.from, peer, trusted, clientip.From(r.Context()))
			}
		})).ServeHTTP(httptest.NewRecorder(), r)
	}
}
