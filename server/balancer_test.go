package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
)

// balancer is a reverse proxy as it stands in front of replicas. It sends each request to the next replica, with connections that it keeps.
// If a connection cannot be opened, it tries another replica. It repeats a request that was sent only if that is a read.
type balancer struct {
	url string

	mu      sync.Mutex
	targets []string        // addresses
	away    map[string]bool // those that are not ready
	turn    int
	client  *http.Transport
}

// checkEvery is how often a balancer asks whether its targets are ready.
const checkEvery = 100 * time.Millisecond

// newBalancer returns a balancer of the targets. Whether a target is ready, it asks at the address in checks with the same index.
func newBalancer(t *testing.T, targets, checks []string) *balancer {
	t.Helper()
	b := &balancer{targets: targets, away: map[string]bool{}, client: &http.Transport{MaxIdleConnsPerHost: 100}}
	s := httptest.NewServer(b)
	b.url = "http://localhost:" + mustURL(t, s.URL).Port()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for i, target := range targets {
		wg.Go(func() { b.watch(ctx, target, checks[i]) })
	}
	t.Cleanup(func() {
		cancel()
		wg.Wait()
		s.Close()
		b.client.CloseIdleConnections()
	})
	return b
}

// watch checks a target until ctx ends.
func (b *balancer) watch(ctx context.Context, target, check string) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		ready := isReady(ctx, check)
		b.mu.Lock()
		b.away[target] = !ready
		b.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// isReady reports whether the replica whose editor is at an address is ready.
func isReady(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, waittest.Limit(5*time.Second))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	return errors.Join(res.Body.Close()) == nil && res.StatusCode == http.StatusOK
}

// order returns all targets: first the next one that is ready, last those that are not.
func (b *balancer) order() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	var ready, away []string
	for i := range b.targets {
		target := b.targets[(b.turn+i)%len(b.targets)]
		if b.away[target] {
			away = append(away, target)
		} else {
			ready = append(ready, target)
		}
	}
	return append(ready, away...)
}

// ServeHTTP implements http.Handler.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, target := range b.order() {
		var res *http.Response
		if res, err = b.send(r, target, body); err == nil {
			defer res.Body.Close() //nolint:errcheck // it was read
			maps.Copy(w.Header(), res.Header)
			w.WriteHeader(res.StatusCode)
			_, _ = io.Copy(w, res.Body) // the client sees that it is cut
			return
		}
		var dial *net.OpError
		opened := !errors.As(err, &dial) || dial.Op != "dial"
		if opened && r.Method != http.MethodGet {
			break
		}
	}
	http.Error(w, "balancer: "+err.Error(), http.StatusBadGateway)
}

func (b *balancer) send(r *http.Request, target string, body []byte) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.URL.Scheme, out.URL.Host, out.RequestURI = "http", target, ""
	// A reader of an unknown type, so that the transport does not repeat the request by itself.
	out.Body, out.GetBody, out.ContentLength = http.NoBody, nil, int64(len(body))
	if len(body) > 0 {
		out.Body = io.NopCloser(bytes.NewReader(body))
	}
	out.Header.Set("X-Forwarded-For", strings.Split(r.RemoteAddr, ":")[0])
	return b.client.RoundTrip(out)
}
