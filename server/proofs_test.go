package main

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/sample/guard"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// issuing is a tenant with one key, for guards that fetch it.
type issuing struct{ key *rsa.PrivateKey }

func newIssuing(tb testing.TB) *issuing {
	tb.Helper()
	return &issuing{keystest.RSA(tb)}
}

func (i *issuing) RoundTrip(r *http.Request) (*http.Response, error) {
	var v any = map[string]string{"issuer": "http://localhost:8081", "jwks_uri": "http://localhost:8081/keys"}
	if r.URL.Path == "/keys" {
		v = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &i.key.PublicKey, KeyID: "k"}}}
	}
	w := httptest.NewRecorder()
	err := json.NewEncoder(w).Encode(v)
	return w.Result(), err
}

// replica is a sample API over a file that others may also have open.
func (i *issuing) replica(tb testing.TB, seen func(*sqlite.DB) dpop.Seen, file string) http.Handler {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), file)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return i.replicaWith(tb, seen(db))
}

// replicaWith is a sample API that remembers proofs in seen.
func (i *issuing) replicaWith(tb testing.TB, seen dpop.Seen) http.Handler {
	tb.Helper()
	c := guard.Config{Domain: "localhost:8081", Audience: sampleAudience, PublicURL: "http://localhost:8082", Transport: i, Seen: seen}
	h, err := newSample(c, config.Proofs{Mode: "ALLOWED", Past: dpop.DefaultPast, Future: dpop.DefaultFuture}, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

func shared(db *sqlite.DB) dpop.Seen {
	return sharedProofs(db)
}

// bound returns a maker of requests with a token that is bound to one key, each with a proof of its own.
func (i *issuing) bound(tb testing.TB) func() *http.Request {
	tb.Helper()
	p := tokenstest.New(tb)
	options := (&jose.SignerOptions{}).WithType("at+jwt").WithHeader("kid", "k")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: i.key}, options)
	if err != nil {
		tb.Fatal(err)
	}
	now := time.Now()
	token, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": "http://localhost:8081", "aud": sampleAudience, "sub": "ana", "exp": now.Unix() + 3600,
		"cnf": map[string]string{"jkt": p.Thumbprint()},
	}).Serialize()
	if err != nil {
		tb.Fatal(err)
	}
	return func() *http.Request {
		r := httptest.NewRequestWithContext(context.WithoutCancel(tb.Context()), http.MethodGet, "/api/private", nil)
		r.Header.Set("Authorization", "DPoP "+token)
		r.Header.Set("DPoP", p.Proof(http.MethodGet, "http://localhost:8082/api/private", token, time.Now()))
		return r
	}
}

// If two replicas get the same proof at the same time, one accepts it; later neither does.
func TestReplicasShareProofs(t *testing.T) {
	i := newIssuing(t)
	file := filepath.Join(t.TempDir(), "formgraph.db")
	t.Run("SQLite", func(t *testing.T) { i.replay(t, i.replica(t, shared, file), i.replica(t, shared, file)) })
	t.Run("PostgreSQL", func(t *testing.T) {
		url := postgrestest.URL(t)
		one, other := postgrestest.OpenURL(t, url), postgrestest.OpenURL(t, url)
		i.replay(t, i.replicaWith(t, sharedProofs(one)), i.replicaWith(t, sharedProofs(other)))
	})
}

// replay sends each of some proofs to the replicas several times at once.
func (i *issuing) replay(t *testing.T, replicas ...http.Handler) {
	t.Helper()
	next := i.bound(t)
	for range 20 {
		r := next()
		codes := make(chan int, 8)
		var wg sync.WaitGroup
		for n := range cap(codes) {
			wg.Go(func() {
				w := httptest.NewRecorder()
				replicas[n%2].ServeHTTP(w, r.Clone(context.WithoutCancel(t.Context())))
				codes <- w.Code
			})
		}
		wg.Wait()
		close(codes)
		seen := map[int]int{}
		for c := range codes {
			seen[c]++
		}
		if seen[200] != 1 || seen[401] != cap(codes)-1 {
			t.Errorf("one proof at two replicas: %v, want one 200", seen)
		}
	}
}

// While the store fails no proof is accepted, and the answer says to try again.
func TestProofsWithoutStore(t *testing.T) {
	i := newIssuing(t)
	closed := func(db *sqlite.DB) dpop.Seen {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		return shared(db)
	}
	h := i.replica(t, closed, filepath.Join(t.TempDir(), "formgraph.db"))
	next := i.bound(t)
	for range 2 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, next())
		if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
			t.Errorf("%d %v, want 503 with Retry-After", w.Code, w.Header())
		}
	}
}

// BenchmarkProofs calls the sample API with a new proof each time, remembered in its process or in the database for all
// replicas, by one client and by many. It shows what sharing costs.
func BenchmarkProofs(b *testing.B) {
	i := newIssuing(b)
	for _, kind := range []struct {
		name string
		seen func(*sqlite.DB) dpop.Seen
	}{
		{"memory", func(*sqlite.DB) dpop.Seen { return &dpop.Memory{} }},
		{"shared", shared},
	} {
		// Proofs are made outside of what is measured, and so few that a memory holds them.
		const made = 2000
		var requests []*http.Request
		next := i.bound(b)
		for range made {
			requests = append(requests, next())
		}
		for _, clients := range []int{1, 32} {
			b.Run(fmt.Sprintf("%s/clients=%d", kind.name, clients), func(b *testing.B) {
				var took time.Duration
				done := 0
				for b.Loop() {
					// A new database and memory take each proof once more.
					h := i.replica(b, kind.seen, filepath.Join(b.TempDir(), "formgraph.db"))
					var at atomic.Int64
					var wg sync.WaitGroup
					from := time.Now()
					for range clients {
						wg.Go(func() {
							for n := at.Add(1) - 1; n < made; n = at.Add(1) - 1 {
								w := httptest.NewRecorder()
								if h.ServeHTTP(w, requests[n].Clone(b.Context())); w.Code != http.StatusOK {
									b.Error(w.Code)
								}
							}
						})
					}
					wg.Wait()
					took += time.Since(from)
					done += made
				}
				b.ReportMetric(float64(done)/took.Seconds(), "requests/s")
			})
		}
	}
}
