//go:build e2e && !js

package e2e

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/porttest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// balancer sends each request to one of several servers, at random.
type balancer struct {
	url string

	mu      sync.Mutex
	targets []string // addresses
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	b := &balancer{}
	s := httptest.NewServer(b)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	b.url = "http://localhost:" + u.Port()
	return b
}

// ServeHTTP implements http.Handler.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	target := b.targets[rand.IntN(len(b.targets))]
	b.mu.Unlock()
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: "http", Host: target})
			p.Out.Host = p.In.Host
			p.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	proxy.ServeHTTP(w, r)
}

func (b *balancer) add(target string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.targets = append(b.targets, target)
}

// removeFirst removes the oldest server.
func (b *balancer) removeFirst() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.targets = b.targets[1:]
}

// Browsers edit one form together at replicas on one database: any request of any page goes to any of them. One replica is killed, and another
// joins. Nothing is lost.
func TestReplicasEditTogether(t *testing.T) {
	nightly(t) // server and server/live test replicas without a browser (TestReplicasShareEverything); TestTwoPagesEditTogether edits at one
	t.Parallel()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 7))
	database := postgrestest.URL(t)
	keys := filepath.Join(t.TempDir(), "keys")
	editor, tenant := newBalancer(t), newBalancer(t)
	var first []byte
	add := func() *server {
		data := filepath.Join(t.TempDir(), "data")
		if first != nil { // only the first replica creates the first account, and knows its password
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(data, "first-start.json"), first, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		at := []string{porttest.Address(t), porttest.Address(t)}
		s := start(t, data, "--database", database, "--keys", keys, "--public-url", editor.url, "--tenant-url", tenant.url,
			"--listen", at[0], "--tenant-listen", at[1], "--trusted-proxy", "127.0.0.0/8")
		editor.add(at[0])
		tenant.add(at[1])
		return s
	}
	oldest := add()
	var err error
	if first, err = os.ReadFile(filepath.Join(oldest.data, "first-start.json")); err != nil {
		t.Fatal(err)
	}
	s := add()
	id := s.create(raceForm())
	browsers, edits := *browsersFlag, *editsOfEach
	all := meet(t, s, id, browsers)
	for i := range browsers * edits {
		all[i%len(all)].edit(rng)
		if rng.IntN(10) == 0 {
			all[rng.IntN(len(all))].decide(rng)
		}
		switch i {
		case browsers * edits / 3:
			oldest.kill() // half of all requests fail until the proxy notices
		case browsers * edits / 2:
			editor.removeFirst()
			tenant.removeFirst()
		case browsers * edits * 2 / 3:
			add()
		}
	}
	for _, p := range all {
		eval[int](p.page, `window.lossy = false; 0`)
	}
	finishTogether(t, all, rng)
	nothingLost(t, all, s.form(id))
	undoTogether(t, all)
}
