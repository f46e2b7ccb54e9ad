package authz_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
)

func TestDPoPTokens(t *testing.T) {
	f := newFlows(t)
	p := f.prover()
	robot := []string{"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api}
	native := []string{
		"grant_type", "password", "client_id", "native", "username", "ana@example.com", "password", password,
		"audience", api, "scope", "read:forms",
	}
	for name, request := range map[string][]string{
		"code, public": f.spaCode(), "code, confidential": f.webCode(),
		"client credentials": robot, "password": native,
	} {
		a := p.ask(request...)
		if a.StatusCode != http.StatusOK || a.text("token_type") != "DPoP" || keyOf(t, a.text("access_token")) != p.thumbprint() {
			t.Errorf("%s with a proof = %d %s, want a token bound to %s", name, a.StatusCode, a.body, p.thumbprint())
		}
	}
	if a := f.post("/oauth/token", robot); a.text("token_type") != "Bearer" || keyOf(t, a.text("access_token")) != "" {
		t.Errorf("without a proof = %s, want a bearer token", a.body)
	}
}

// An invalid proof does not use up the code. A valid one works once.
func TestDPoPRefused(t *testing.T) {
	f := newFlows(t)
	p := f.prover()
	request := f.spaCode()
	used := p.proof("POST", "/oauth/token")
	f.post("/oauth/token", []string{
		"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret",
		"audience", api,
	}, "DPoP", used)
	for name, header := range map[string][]string{
		"exp is past":          {"DPoP", p.proof("POST", "/oauth/token", "exp", f.clock().Unix()-31)},
		"nbf is in the future": {"DPoP", p.proof("POST", "/oauth/token", "nbf", f.clock().Unix()+40)},
		"text":                 {"DPoP", "x"},
		"empty":                {"DPoP", ""},
		"two":                  {"DPoP", p.proof("POST", "/oauth/token"), "DPoP", p.proof("POST", "/oauth/token")},
		"method":               {"DPoP", p.proof("GET", "/oauth/token")},
		"address":              {"DPoP", p.proof("POST", "/oauth/par")},
		"old":                  {"DPoP", p.proof("POST", "/oauth/token", "iat", f.clock().Unix()-301)},
		"replay":               {"DPoP", used},
		"address of request":   {"DPoP", p.proof("POST", "/oauth/token", "htu", "http://example.com/oauth/token")},
	} {
		f.wait(100 * time.Millisecond)
		a := f.post("/oauth/token", request, header...)
		a.want(t, name, http.StatusBadRequest, "invalid_dpop_proof")
		said := a.text("error_description")
		if strings.Contains(name, " is ") && said != "the proof is not accepted: "+name || !strings.Contains(f.log.String(), said) {
			t.Errorf("%s: the client is told %q, and the log is %s", name, said, f.log.String())
		}
	}
	if strings.Contains(f.log.String(), used) {
		t.Error("a proof is in the log")
	}
	if a := p.ask(request...); a.StatusCode != http.StatusOK {
		t.Errorf("afterwards = %d %s, want 200", a.StatusCode, a.body)
	}
	// The endpoint with a trailing slash is another address.
	robot := []string{"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api}
	if a := f.post("/oauth/token/", robot, "DPoP", p.proof("POST", "/oauth/token/")); a.StatusCode != http.StatusOK {
		t.Errorf("with a slash = %d %s, want 200", a.StatusCode, a.body)
	}
}

// A public client's refresh token stays bound to its key.
func TestDPoPRefresh(t *testing.T) {
	f := newFlows(t)
	p, thief := f.prover(), f.prover()
	token := p.ask(f.spaCode()...).text("refresh_token")
	thief.ask(spaRefresh(token)...).want(t, "another key", http.StatusBadRequest, "invalid_dpop_proof")
	f.post("/oauth/token", spaRefresh(token)).want(t, "no key", http.StatusBadRequest, "invalid_dpop_proof")
	for range 2 {
		a := p.ask(spaRefresh(token)...)
		if a.StatusCode != http.StatusOK || a.text("token_type") != "DPoP" || keyOf(t, a.text("access_token")) != p.thumbprint() {
			t.Fatalf("its key = %d %s, want 200", a.StatusCode, a.body)
		}
		token = a.text("refresh_token")
	}
	thief.ask(spaRefresh(token)...).want(t, "another key after rotation", http.StatusBadRequest, "invalid_dpop_proof")

	bearer := f.post("/oauth/token", f.spaCode()).text("refresh_token")
	p.ask(spaRefresh(bearer)...).want(t, "start of proofs at refresh", http.StatusBadRequest, "invalid_dpop_proof")
	if a := f.post("/oauth/token", spaRefresh(bearer)); a.StatusCode != http.StatusOK {
		t.Errorf("the bearer token afterwards = %d %s, want 200", a.StatusCode, a.body)
	}

	// A client with a secret may change its keys.
	token = p.ask(f.webCode()...).text("refresh_token")
	a := thief.ask(webRefresh(token)...)
	if a.StatusCode != http.StatusOK || keyOf(t, a.text("access_token")) != thief.thumbprint() {
		t.Errorf("confidential client with another key = %d %s, want 200", a.StatusCode, a.body)
	}
	if a = f.post("/oauth/token", webRefresh(a.text("refresh_token"))); a.text("token_type") != "Bearer" {
		t.Errorf("confidential client without a key = %d %s, want a bearer token", a.StatusCode, a.body)
	}
}

// A code that was requested with a key needs a proof of that key.
func TestDPoPCode(t *testing.T) {
	f := newFlows(t)
	p, thief := f.prover(), f.prover()
	for name, tt := range map[string]struct {
		send func(...string) answer
		want int
	}{
		"its key":     {p.ask, http.StatusOK},
		"another key": {thief.ask, http.StatusBadRequest},
		"no key":      {func(pairs ...string) answer { return f.post("/oauth/token", pairs) }, http.StatusBadRequest},
	} {
		a := tt.send(f.webCode("dpop_jkt", p.thumbprint())...)
		if a.StatusCode != tt.want || tt.want != http.StatusOK && a.text("error") != "invalid_dpop_proof" {
			t.Errorf("%s: %d %s, want %d", name, a.StatusCode, a.body, tt.want)
		}
	}
}

func TestDPoPRequired(t *testing.T) {
	f := newFlows(t)
	storetest.ChangeClient(t, f.store, "spa", func(c *store.Client) { c.RequireDPoP = true })
	request := f.spaCode()
	f.post("/oauth/token", request).want(t, "without a proof", http.StatusBadRequest, "invalid_dpop_proof")
	if a := f.prover().ask(request...); a.StatusCode != http.StatusOK {
		t.Errorf("with a proof = %d %s, want 200 and the code unused before", a.StatusCode, a.body)
	}
}

func TestDPoPNonce(t *testing.T) {
	f := newFlows(t)
	f.rebuild(func(c *authz.Config) { c.Tokens.NonceKeys = [][]byte{{1}} })
	p := f.prover()
	request := f.spaCode()
	a := p.ask(request...)
	a.want(t, "without a nonce", http.StatusBadRequest, "use_dpop_nonce")
	nonce := a.Header.Get("DPoP-Nonce")
	if nonce == "" {
		t.Fatal("no nonce to use")
	}
	a = f.post("/oauth/token", request, "DPoP", p.proof("POST", "/oauth/token", "nonce", nonce))
	if a.StatusCode != http.StatusOK || a.Header.Get("DPoP-Nonce") == "" {
		t.Errorf("with the nonce = %d %s, want 200 and the next nonce", a.StatusCode, a.body)
	}
	f.wait(5 * time.Minute)
	f.post("/oauth/token", spaRefresh(a.text("refresh_token")), "DPoP", p.proof("POST", "/oauth/token", "nonce", nonce)).
		want(t, "with an old nonce", http.StatusBadRequest, "use_dpop_nonce")
	if a := f.post("/oauth/token", request); a.text("error") == "use_dpop_nonce" {
		t.Error("a request without a proof is asked for a nonce")
	}
}

func TestDPoPUserInfo(t *testing.T) {
	f := newFlows(t)
	p, thief := f.prover(), f.prover()
	token := p.ask(f.spaCode("scope", "openid")...).text("access_token")
	sum := sha256.Sum256([]byte(token))
	ath := base64.RawURLEncoding.EncodeToString(sum[:])
	for _, tt := range []struct {
		name   string
		header []string
		status int
		want   string
	}{
		{"its key", []string{"Authorization", "DPoP " + token, "DPoP", p.proof("GET", "/userinfo", "ath", ath)}, 200, "ana"},
		{"as bearer (attack 84)", []string{"Authorization", "Bearer " + token}, 401, "invalid_token"},
		{"no proof", []string{"Authorization", "DPoP " + token}, 401, "invalid_dpop_proof"},
		{"another key", []string{"Authorization", "DPoP " + token, "DPoP", thief.proof("GET", "/userinfo", "ath", ath)}, 401, "invalid_token"},
		{"proof of no token", []string{"Authorization", "DPoP " + token, "DPoP", p.proof("GET", "/userinfo")}, 401, "invalid_dpop_proof"},
		{
			"proof beside bearer",
			[]string{"Authorization", "Bearer " + token, "DPoP", p.proof("GET", "/userinfo", "ath", ath)},
			400,
			"invalid_request",
		},
	} {
		a := f.send(http.MethodGet, "/userinfo", "", tt.header...)
		if a.StatusCode != tt.status || !strings.Contains(a.body, tt.want) || (tt.status != 200) != (a.Header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s: %d %s, want %d %s", tt.name, a.StatusCode, a.body, tt.status, tt.want)
		}
	}
}
