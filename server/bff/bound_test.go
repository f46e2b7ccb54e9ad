package bff_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
)

// boundWorld is a world whose remote tenant offers bound tokens. Its answers have this type.
func boundWorld(t *testing.T, tokenType string) *world {
	t.Helper()
	w := remoteWorld(t, true)
	w.metadata, w.tokenType = map[string]any{"dpop_signing_alg_values_supported": []string{"ES256"}}, tokenType
	w.ic.DPoP = true
	w.h = w.handler(w.ic)
	return w
}

// proves checks a proof for a request and returns the thumbprint of its key.
func (w *world) proves(proof, method, address, token string) string {
	w.t.Helper()
	c := dpop.Checker{Now: w.clock.Now, Seen: &dpop.Memory{}, Past: time.Hour, Future: time.Hour}
	key, err := c.Check(w.t.Context(), proof, method, address, token)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, address, err)
	}
	return key
}

// last returns the header of the latest call of an API and the key that it proved.
func (w *world) last() (scheme, key string) {
	w.t.Helper()
	r := w.seen[len(w.seen)-1]
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if r.Header.Get("DPoP") == "" {
		return scheme, ""
	}
	return scheme, w.proves(r.Header.Get("DPoP"), r.Method, w.url+r.URL.Path, token)
}

func TestTokensOfASignInHaveOneKey(t *testing.T) {
	w := boundWorld(t, "dpop")
	one := w.browser()
	one.signIn()
	first := w.proves(w.proofs[0], "POST", w.url+"/oauth/token", "")
	for range 2 {
		for _, path := range []string{"/bff/api/forms", "/bff/api/me/factors"} {
			if g := one.app("GET", path, ""); g.status != 200 {
				t.Errorf("%s: %d %s", path, g.status, g.body)
			}
			if scheme, key := w.last(); scheme != "DPoP" || key != first {
				t.Errorf("%s: %s with the key %q, want %q", path, scheme, key, first)
			}
		}
		w.clock.Move(20 * time.Minute) // refreshes
	}
	if len(w.proofs) != 4 { // the sign-in, the other audience, and a refresh for each
		t.Errorf("%d token requests", len(w.proofs))
	}
	w.browser().signIn()
	for i, proof := range w.proofs {
		if key := w.proves(proof, "POST", w.url+"/oauth/token", ""); (key == first) != (i < 4) {
			t.Errorf("token request %d proves the key %q; that of the first sign-in is %q", i, key, first)
		}
	}
	if strings.Contains(w.log.String()+one.all.String(), "eyJhbGciOi") {
		t.Error("a proof is in the log or in an answer")
	}
}

func TestBearerTokensWhereDPoPIsOffered(t *testing.T) {
	for name, tt := range map[string]struct{ on, proved bool }{"answer": {true, true}, "off": {false, false}} {
		t.Run(name, func(t *testing.T) {
			w := boundWorld(t, "bearer")
			w.ic.DPoP = tt.on
			w.h = w.handler(w.ic)
			b := w.browser()
			b.signIn()
			for range 2 {
				if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
					t.Errorf("forms: %d %s", g.status, g.body)
				}
				if scheme, key := w.last(); scheme != "Bearer" || key != "" {
					t.Errorf("%s with the key %q", scheme, key)
				}
				w.clock.Move(20 * time.Minute)
			}
			if len(w.proofs) != 2 || (w.proofs[0] != "") != tt.proved || (w.proofs[1] != "") != tt.proved {
				t.Errorf("proofs of token requests: %q", w.proofs)
			}
		})
	}
}

// A new token would be refused as well, so nothing is refreshed, and the log has the remedy.
func TestRefusedProofs(t *testing.T) {
	w := boundWorld(t, "DPoP")
	b := w.browser()
	b.signIn()
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("WWW-Authenticate", `DPoP error="invalid_dpop_proof"`)
		writeJSON(rw, 401, map[string]any{})
	}
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 401 || g.code() != "upstream_refused" || w.called() != 2 || len(w.proofs) != 1 {
		t.Errorf("got %d %s after %d calls and %d token requests", g.status, g.body, w.called(), len(w.proofs))
	}
	if !strings.Contains(w.log.String(), "--upstream-dpop off") {
		t.Errorf("log: %s", w.log)
	}
	w.token = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 400, map[string]any{"error": "invalid_dpop_proof"})
	}
	g := w.browser()
	if g := g.do("GET", w.consent(g.begin("")), ""); g.status != 502 || !strings.Contains(g.body, "login_configuration") {
		t.Errorf("sign-in: %d %s", g.status, g.body)
	}
}

// A token that was bound is of no use without its key. It is replaced by one that needs none.
func TestSessionContinuesWithoutItsKey(t *testing.T) {
	w := boundWorld(t, "DPoP")
	b := w.browser()
	b.signIn()
	w.ic.DPoP = false
	w.h = w.handler(w.ic)
	w.bend(func(s *stub) { s.tokenType = "Bearer" })
	w.api = func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer access-token-1" {
			rw.Header().Set("WWW-Authenticate", `DPoP error="invalid_dpop_proof"`)
			writeJSON(rw, 401, map[string]any{})
			return
		}
		writeJSON(rw, 200, []any{})
	}
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 || w.called() != 2 {
		t.Errorf("got %d %s after %d calls", g.status, g.body, w.called())
	}
}
