package upstream_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/upstream"
)

// guarded is an API that accepts bound tokens only. Each of its nonces is good for one key and for as many proofs as uses says.
type guarded struct {
	t       *testing.T
	checker dpop.Checker

	mu     sync.Mutex
	uses   int // of a nonce; 0 requires none
	nonces map[string]int
	made   int
	refuse string // a token that is refused
	calls  []call
}

type call struct {
	token, jkt, body string
	status           int
}

func newGuarded(t *testing.T, uses int) *guarded {
	t.Helper()
	g := &guarded{t: t, uses: uses, nonces: map[string]int{}}
	g.checker = dpop.Checker{
		Now: func() time.Time { return now }, Seen: &dpop.Memory{}, Past: dpop.DefaultPast, Future: dpop.DefaultFuture, Nonce: g.nonce,
	}
	return g
}

var errNonce = errors.New("nonce")

func (g *guarded) nonce(nonce string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.uses > 0 && g.nonces[nonce] == 0 {
		return errNonce
	}
	g.nonces[nonce]--
	return nil
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		g.t.Error(err)
	}
	token, bound := strings.CutPrefix(r.Header.Get("Authorization"), "DPoP ")
	key, err := g.checker.Check(r.Context(), r.Header.Get("DPoP"), r.Method, "http://"+r.Host+r.URL.EscapedPath(), token)
	status, challenge := 200, ""
	switch {
	case errors.Is(err, errNonce):
		status, challenge = 401, `Bearer, DPoP error="use_dpop_nonce"`
	case err != nil || !bound:
		status, challenge = 401, `DPoP error="invalid_dpop_proof"`
	case token == g.refuse:
		status, challenge = 401, `DPoP error="invalid_token"`
	}
	g.mu.Lock()
	g.calls = append(g.calls, call{token, key, string(body), status})
	if challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	if errors.Is(err, errNonce) {
		g.made++
		nonce := fmt.Sprint("nonce-", g.made)
		g.nonces[nonce] = g.uses
		w.Header().Set("DPoP-Nonce", nonce)
	}
	g.mu.Unlock()
	answer(status, `{}`)(w, r)
}

func (g *guarded) statuses() (out []int) {
	for _, c := range g.calls {
		out = append(out, c.status)
	}
	g.calls = nil
	return out
}

func key(t *testing.T) *dpop.Key {
	t.Helper()
	k, err := dpop.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestBoundTokenIsProved(t *testing.T) {
	g := newGuarded(t, 2)
	s := start(t, g.ServeHTTP)
	c, k := client(t, s.url, nil), key(t)
	patch := patch
	patch.Query = map[string][]string{"page": {"1"}}
	res, err := c.Do(t.Context(), patch, &tokens{key: k})
	if err != nil || res.Status != 200 {
		t.Fatalf("got %v, %v", res, err)
	}
	for _, c := range g.calls {
		if c.token != "token-1" || c.body != string(patch.Body) || c.status == 200 && c.jkt != k.Thumbprint() {
			t.Errorf("call %+v", c)
		}
	}
	if got := g.statuses(); !slices.Equal(got, []int{401, 200}) {
		t.Errorf("without a nonce: statuses %v", got)
	}
	// The nonce is known now, then it ends, and the next is known.
	for i, want := range [][]int{{200}, {401, 200}, {200}} {
		if _, err := c.Do(t.Context(), patch, &tokens{key: k}); err != nil {
			t.Fatal(err)
		}
		if got := g.statuses(); !slices.Equal(got, want) {
			t.Errorf("call %d: statuses %v, want %v", i, got, want)
		}
	}
}

func TestManyCallsWithoutANonce(t *testing.T) {
	g := newGuarded(t, 100)
	s := start(t, g.ServeHTTP)
	c, k := client(t, s.url, nil), key(t)
	var wait sync.WaitGroup
	for range 20 {
		wait.Go(func() {
			if res, err := c.Do(t.Context(), patch, &tokens{key: k}); err != nil || res.Status != 200 {
				t.Errorf("got %v, %v", res, err)
			}
		})
	}
	wait.Wait()
}

// A server may give a nonce to one client or for one key only. The answer to another call must not replace it.
func TestNonceOfAnotherCallIsLeftToIt(t *testing.T) {
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		claims, err := base64.RawURLEncoding.DecodeString(strings.Split(r.Header.Get("DPoP"), ".")[1])
		if err != nil || !strings.Contains(string(claims), `"nonce":"`+r.URL.Path+`"`) {
			answer(401, `{}`, "WWW-Authenticate", `DPoP error="use_dpop_nonce"`, "DPoP-Nonce", r.URL.Path)(w, r)
			return
		}
		answer(200, `{}`)(w, r)
	})
	other := patch
	other.Path = []string{"other"}
	transport := upstream.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	src := &tokens{key: key(t)}
	var c *upstream.Client
	calls := 0
	c, err := upstream.NewClient(upstream.Config{BaseURL: s.url, Transport: transport, Now: func() time.Time {
		if calls++; calls == 2 { // the first answer has arrived
			if res, err := c.Do(t.Context(), other, src); err != nil || res.Status != 200 {
				t.Errorf("other call: %v, %v", res, err)
			}
		}
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	if res, err := c.Do(t.Context(), patch, src); err != nil || res.Status != 200 {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestRefusedProofs(t *testing.T) {
	challenge := func(status int, challenge string, h ...string) http.HandlerFunc {
		return answer(status, `{}`, append(h, "WWW-Authenticate", challenge)...)
	}
	invalid, nonce := challenge(401, `DPoP error=invalid_dpop_proof`), challenge(401, `DPoP error="use_dpop_nonce"`, "DPoP-Nonce", "n")
	expired := challenge(401, `DPoP error="invalid_token"`)
	limited, done := answer(429, `{}`), answer(200, `{}`)
	for _, x := range []struct {
		name    string
		answers []http.HandlerFunc
		asked   []string // refused tokens
		status  int
		refused bool
	}{
		{"once", []http.HandlerFunc{invalid, done}, []string{""}, 200, false},
		{"twice", []http.HandlerFunc{invalid, invalid}, []string{""}, 401, true},
		{"nonce that does not help", []http.HandlerFunc{nonce, nonce}, []string{""}, 401, true},
		{"token after its nonce", []http.HandlerFunc{nonce, expired, done}, []string{"", "token-1"}, 200, false},
		{"nonce for the next token", []http.HandlerFunc{nonce, expired, nonce, done}, []string{"", "token-1"}, 200, false},
		{"two tokens", []http.HandlerFunc{expired, expired}, []string{"", "token-1"}, 401, false},
		{"rate limit", []http.HandlerFunc{limited, nonce, done}, []string{""}, 200, false},
		{"rate limit twice", []http.HandlerFunc{limited, nonce, limited}, []string{""}, 429, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			calls, proofs := 0, map[string]bool{}
			s := start(t, func(w http.ResponseWriter, r *http.Request) {
				if p := r.Header.Get("DPoP"); p == "" || proofs[p] {
					t.Errorf("call %d has the proof %q", calls, p)
				}
				proofs[r.Header.Get("DPoP")] = true
				x.answers[calls](w, r)
				calls++
			})
			src := &tokens{key: key(t)}
			res, err := client(t, s.url, nil).Do(t.Context(), patch, src)
			if err != nil || res.Status != x.status || res.ProofRefused != x.refused ||
				calls != len(x.answers) || !slices.Equal(src.asked, x.asked) {
				t.Errorf("got %+v, %v after %d calls; refused tokens %q", res, err, calls, src.asked)
			}
		})
	}
}

// A bound token whose key is lost is refused as a bearer token. Only another token helps.
func TestBearerTokenIsReplacedAfterARefusedProof(t *testing.T) {
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token-2" || r.Header.Get("DPoP") != "" {
			answer(401, `{}`, "WWW-Authenticate", `DPoP error="invalid_dpop_proof"`, "DPoP-Nonce", "n")(w, r)
			return
		}
		answer(200, `{}`)(w, r)
	})
	src := &tokens{}
	if res, err := client(t, s.url, nil).Do(t.Context(), patch, src); err != nil || res.Status != 200 || len(src.asked) != 2 {
		t.Errorf("got %+v, %v with %q", res, err, src.asked)
	}
}
