package guard_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// limitShare is the required rate of requests, as a share of the rate at which only the signatures are checked.
const limitShare = 0.75

// proofsMade is how many proofs are prepared, since each counts once and making one takes as long as a check. After that many, the memory
// is replaced by a new one.
const proofsMade = 4096

// BenchmarkGuard checks requests, alternating with bare checks of the same signatures, than which no guard can be cheaper. share is the
// achieved part of that limit.
func BenchmarkGuard(b *testing.B) {
	f := newFixture(b, guard.Allowed)
	sum := sha256.Sum256([]byte("a token of common length, hashed once"))
	rs, err := rsa.SignPKCS1v15(rand.Reader, rsaKey(), crypto.SHA256, sum[:])
	if err != nil {
		b.Fatal(err)
	}
	ec := newEC(elliptic.P256())
	es, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
	if err != nil {
		b.Fatal(err)
	}
	checkRSA := func() {
		if rsa.VerifyPKCS1v15(&rsaKey().PublicKey, crypto.SHA256, sum[:], rs) != nil {
			b.Fatal("no signature")
		}
	}
	run := func(b *testing.B, g *guard.Guard, bare func(), request func(i int) *http.Request, renew func() *guard.Guard) {
		b.Helper()
		var limit, took time.Duration
		for i := 0; b.Loop(); i++ {
			if i%proofsMade == 0 && renew != nil {
				g = renew()
			}
			r := request(i)
			from := time.Now()
			bare()
			between := time.Now()
			_, refused := g.Check(r)
			took += time.Since(between)
			limit += between.Sub(from)
			if refused != nil {
				b.Fatal(refused)
			}
		}
		b.ReportMetric(float64(b.N)/took.Seconds(), "requests/s")
		share := limit.Seconds() / took.Seconds()
		b.ReportMetric(share, "share")
		if share < limitShare {
			b.Logf("below the budget: %.2f of what the signatures let, want at least %.2f", share, limitShare)
		}
	}
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/api/private", nil)
	r.Header.Set("Authorization", "Bearer "+f.bearer(nil))
	b.Run("bearer", func(b *testing.B) { run(b, f.Guard, checkRSA, func(int) *http.Request { return r }, nil) })
	b.Run("dpop", func(b *testing.B) {
		token := f.bound(nil)
		var requests []*http.Request
		for range proofsMade {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/api/private", nil)
			r.Header.Set("Authorization", "DPoP "+token)
			r.Header.Set("DPoP", f.proof(token, "/api/private", nil, object{"jti": strconv.Itoa(f.count) + " of a common length"}))
			requests = append(requests, r)
		}
		fresh := func() *guard.Guard {
			g, err := guard.New(guard.Config{
				Domain: domain, Audience: audience, PublicURL: publicURL, Transport: f.tenant, Now: f.clock, Seen: &dpop.Memory{},
			})
			if err != nil {
				b.Fatal(err)
			}
			warm := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "/api/private", nil)
			warm.Header.Set("Authorization", "Bearer "+f.bearer(nil))
			if _, refused := g.Check(warm); refused != nil { // the keys are fetched
				b.Fatal(refused)
			}
			return g
		}
		run(b, nil, func() {
			checkRSA()
			if !ecdsa.VerifyASN1(&ec.PublicKey, sum[:], es) {
				b.Fatal("no signature")
			}
		}, func(i int) *http.Request { return requests[i%proofsMade] }, fresh)
	})
}
