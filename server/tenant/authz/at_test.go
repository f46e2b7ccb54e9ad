package authz_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/tenant/authz"
)

// Two addresses share their limits and the queue of notices. Each has its own issuer.
func TestAt(t *testing.T) {
	f := newFixture(t)
	const login = "http://login.localhost:8081"
	at := f.At(authz.Address{Issuer: login, Store: f.store, Tokens: f.config.Tokens.At(login)})
	if !at.SharesWith(f.Handler) {
		t.Error("the addresses have limits of their own")
	}
	next, err := authz.New(f.config)
	if err != nil {
		t.Fatal(err)
	}
	if at.SharesWith(next) {
		t.Error("another server shares them too: the check proves nothing")
	}
	for h, want := range map[*authz.Handler]string{at: login, f.Handler: issuer} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/openid-configuration", nil))
		if !strings.Contains(w.Body.String(), `"issuer":"`+want+`"`) {
			t.Errorf("discovery: %s, want issuer %s", w.Body, want)
		}
	}
}

// A limit that is used up at one address is used up at the other.
func TestAddressesShareLimits(t *testing.T) {
	const login = "http://login.localhost:8081"
	for name, x := range map[string]struct {
		use  func(f *fixture) answer
		most int
	}{
		"token requests": {func(f *fixture) answer { return f.exchange("x") }, 20},
		"challenges": {func(f *fixture) answer {
			return f.send(http.MethodPost, "/passkey/challenge", `{"client_id":"native"}`, "Content-Type", "application/json")
		}, 10},
		"passwords": {func(f *fixture) answer {
			b := f.browser()
			return b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", tooLong)
		}, 5},
		"pushed requests": {func(f *fixture) answer {
			f.wait(50 * time.Millisecond) // within the rate of the client
			return f.send(http.MethodPost, "/oauth/par", query("client_id", "spa"), "Content-Type", formType)
		}, 24},
	} {
		f := newFlows(t)
		first := f.Handler
		for range x.most {
			x.use(f)
		}
		f.Handler = first.At(authz.Address{Issuer: login, Store: f.store, Tokens: f.config.Tokens.At(login)})
		if a := x.use(f); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s at the second address = %d %s, want 429", name, a.StatusCode, a.body)
		}
	}
}
