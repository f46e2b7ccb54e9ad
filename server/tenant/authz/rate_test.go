package authz_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz"
)

// spend sends wrong codes from an address until the client's requests are used up.
func (f *fixture) spend(from, client, secret string) {
	f.t.Helper()
	f.peer = from
	for range 30 {
		pairs := []string{
			"grant_type", "authorization_code", "client_id", client, "code", "made-up", "redirect_uri", callback,
			"code_verifier", verifier,
		}
		if secret != "" {
			pairs = append(pairs, "client_secret", secret)
		}
		if f.ask(pairs...).StatusCode == http.StatusTooManyRequests {
			return
		}
	}
	f.t.Fatalf("30 requests of %s are not too many", client)
}

func TestPublicClientIsLimitedByNetwork(t *testing.T) {
	f := newFixture(t)
	f.spend("198.51.100.1", "spa", "")
	f.peer = "192.0.2.10"
	a := f.ask("grant_type", "authorization_code", "client_id", "spa", "code", f.code("client_id", "spa"), "redirect_uri",
		callback, "code_verifier", verifier)
	a.want(t, "a person of the client elsewhere", http.StatusOK, "")
}

func TestRelayIsLimitedByNetwork(t *testing.T) {
	f := newFixture(t)
	f.rebuild(func(c *authz.Config) { c.Relays = []string{"web"} })
	f.spend("198.51.100.1", "web", "web-secret")
	f.peer = "192.0.2.10"
	f.exchange(f.code()).want(t, "another browser", http.StatusOK, "")
}

func TestConfidentialClientIsLimitedAsAWhole(t *testing.T) {
	f := newFixture(t)
	f.spend("198.51.100.1", "web", "web-secret")
	f.peer = "192.0.2.10"
	f.exchange("x").want(t, "from elsewhere", http.StatusTooManyRequests, "too_many_requests")
}

func TestWrongSecretDoesNotCountAgainstTheClient(t *testing.T) {
	f := newFixture(t)
	f.spend("198.51.100.1", "web", "wrong")
	f.exchange(f.code()).want(t, "the client, from the same address", http.StatusOK, "")
}

func TestUserInfoIsLimitedByPerson(t *testing.T) {
	f := newFixture(t)
	token := f.exchange(f.code()).text("access_token")
	for i := range 20 {
		if a := f.send(http.MethodGet, "/userinfo", "", "Authorization", "Bearer "+token); a.StatusCode != http.StatusOK {
			t.Fatalf("request %d = %d", i, a.StatusCode)
		}
	}
	a := f.send(http.MethodGet, "/userinfo", "", "Authorization", "Bearer "+token)
	if a.want(t, "one more", http.StatusTooManyRequests, "too_many_requests"); a.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q, want 1", a.Header.Get("Retry-After"))
	}
}

// Pushed requests of a public client are limited by network, far below what is kept for the client.
func TestPushedRequestsAreLimitedByNetwork(t *testing.T) {
	f := newFixture(t)
	push := func(from string) answer {
		f.peer = from
		return f.send(http.MethodPost, "/oauth/par", query("client_id", "spa"), "Content-Type", formType)
	}
	for i := range 20 {
		f.wait(100 * time.Millisecond) // within the client's own rate
		if a := push("198.51.100.1"); i < 18 && a.StatusCode != http.StatusCreated {
			t.Fatalf("request %d = %d %s", i, a.StatusCode, a.body)
		}
	}
	for range 6 {
		f.wait(100 * time.Millisecond)
		push("198.51.100.1")
	}
	push("198.51.100.1").want(t, "one more", http.StatusTooManyRequests, "too_many_requests")
	if a := push("192.0.2.10"); a.StatusCode != http.StatusCreated {
		t.Errorf("from another network: %d %s", a.StatusCode, a.body)
	}
}

// A callback becomes part of a policy: a host that would change the policy is left out.
func TestCallbackAddsNothingToThePolicy(t *testing.T) {
	for _, host := range []string{"a;sandbox", "a,default-src", "a'unsafe-inline'"} {
		f := newFixture(t)
		callback := "https://" + host + "/cb"
		must(t, f.store.CreateClient(t.Context(), store.Client{
			ID: "odd", Name: "Odd", Public: true, FirstParty: true,
			GrantTypes: []string{"authorization_code"}, Callbacks: []string{callback},
		}))
		a := f.browser().send(http.MethodGet, "/authorize?"+query("client_id", "odd", "redirect_uri", callback), "")
		if csp := a.Header.Get("Content-Security-Policy"); a.StatusCode != http.StatusOK ||
			!strings.Contains(csp, "form-action 'self'; base-uri") {
			t.Errorf("%s: %d, policy %s", host, a.StatusCode, csp)
		}
	}
}
