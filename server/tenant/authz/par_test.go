package authz_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
)

// push pushes a valid request of client web, changed by pairs as query is.
func (f *fixture) push(pairs []string, header ...string) answer {
	f.t.Helper()
	return f.send(http.MethodPost, "/oauth/par", query(pairs...)+"&client_secret=web-secret",
		append([]string{"Content-Type", formType}, header...)...)
}

// pushed returns the query that names a pushed request.
func (f *fixture) pushed(pairs ...string) string {
	f.t.Helper()
	a := f.push(pairs)
	uri := a.text("request_uri")
	if a.StatusCode != http.StatusCreated || uri == "" {
		f.t.Fatalf("push = %d %s, want 201", a.StatusCode, a.body)
	}
	return url.Values{"client_id": {"web"}, "request_uri": {uri}}.Encode()
}

func TestPush(t *testing.T) {
	f := newFixture(t)
	a := f.push(nil)
	if a.StatusCode != http.StatusCreated || !strings.HasPrefix(a.text("request_uri"), "urn:ietf:params:oauth:request_uri:") ||
		a.json()["expires_in"] != 90.0 || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("push = %d %s", a.StatusCode, a.body)
	}
	b := f.browser()
	// Other parameters of the browser are ignored.
	q := f.pushed() + "&scope=openid&state=other&redirect_uri=http://evil.test/&prompt=none"
	page := b.send(http.MethodGet, "/authorize?"+q, "")
	action, _ := f.page(page)
	if !strings.Contains(action, "request_uri=") || strings.Contains(action, "scope") || strings.Contains(page.body, "web-secret") {
		t.Errorf("the page leads to %s, want the request by its name alone", action)
	}
	if a := b.submit(page, "ana@example.com", "wrong"); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, `role="alert"`) {
		t.Errorf("wrong password = %d, want the page again", a.StatusCode)
	}
	a = b.submit(page, "ana@example.com", password)
	v := a.location()
	if v.Get("code") == "" || v.Get("state") != "s t&a+te" || !strings.HasPrefix(a.Header.Get("Location"), callback) {
		t.Fatalf("sign-in leads to %s, want the callback with code and state", a.Header.Get("Location"))
	}
	if a := f.exchange(v.Get("code")); a.StatusCode != http.StatusOK || !strings.Contains(a.text("scope"), "update:forms") {
		t.Errorf("exchange = %d %s, want the pushed scope", a.StatusCode, a.body)
	}
	// It is used up: neither the page nor the address works again.
	for name, a := range map[string]answer{
		"page again":    b.submit(page, "ana@example.com", password),
		"address again": b.send(http.MethodGet, "/authorize?"+q, ""),
	} {
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
			t.Errorf("%s: %d to %q, want 400 and no redirect", name, a.StatusCode, a.Header.Get("Location"))
		}
	}
	// A signed-in person gets a code at once, and the application learns an error by redirect.
	if v := b.send(http.MethodGet, "/authorize?"+f.pushed(), "").location(); v.Get("code") == "" {
		t.Errorf("signed in = %v, want a code", v)
	}
	if v := f.send(http.MethodGet, "/authorize?"+f.pushed("prompt", "none"), "").location(); v.Get("error") != "login_required" {
		t.Errorf("prompt=none = %v, want login_required", v)
	}
}

// For another client's request, or one that comes too late, the person sees a page and is not redirected.
func TestPushedRefused(t *testing.T) {
	f := newFixture(t)
	shown := f.pushed()
	f.send(http.MethodGet, "/authorize?"+shown, "")
	for _, tt := range []struct {
		name, query string
		wait        time.Duration
	}{
		{"second browser", shown, 0},
		{"other client", strings.Replace(f.pushed(), "client_id=web", "client_id=spa", 1), 0},
		{"no client", strings.Replace(f.pushed(), "client_id=web", "", 1), 0},
		{"repeated", f.pushed() + "&client_id=web", 0},
		{"too late", f.pushed(), 91 * time.Second},
		{"unknown", "client_id=web&request_uri=urn:ietf:params:oauth:request_uri:x", 0},
		{"address", "client_id=web&request_uri=" + url.QueryEscape("https://evil.test/request"), 0},
	} {
		f.wait(tt.wait)
		a := f.send(http.MethodGet, "/authorize?"+tt.query, "")
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.body, `role="alert"`) {
			t.Errorf("%s: %d to %q, want a page with 400", tt.name, a.StatusCode, a.Header.Get("Location"))
		}
	}
	last := f.pushed()
	f.wait(90 * time.Second)
	if a := f.send(http.MethodGet, "/authorize?"+last, ""); a.StatusCode != http.StatusOK {
		t.Errorf("after 90 s = %d, want the page", a.StatusCode)
	}
	// A page that stays open expires after the time for the sign-in, code and consent pages.
	b := f.browser()
	page := b.send(http.MethodGet, "/authorize?"+f.pushed(), "")
	f.wait(25*time.Minute + time.Second)
	if a := b.submit(page, "ana@example.com", password); a.StatusCode != http.StatusBadRequest {
		t.Errorf("after 25 minutes = %d, want 400", a.StatusCode)
	}
}

func TestPushErrors(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		name, body, want string
		status           int
	}{
		{"wrong secret", query() + "&client_secret=x", "invalid_client", 401},
		{"no secret", query(), "invalid_client", 401},
		{"unknown client", query("client_id", "x") + "&client_secret=web-secret", "invalid_client", 401},
		{"names another", query("request_uri", "urn:x") + "&client_secret=web-secret", "invalid_request", 400},
		{"address not registered", query("redirect_uri", "http://evil.test/") + "&client_secret=web-secret", "invalid_request", 400},
		{"no address", query("redirect_uri", "-") + "&client_secret=web-secret", "invalid_request", 400},
		{"no response type", query("response_type", "-") + "&client_secret=web-secret", "invalid_request", 400},
		{"response type", query("response_type", "token") + "&client_secret=web-secret", "unsupported_response_type", 400},
		{"scope", query("scope", `"`) + "&client_secret=web-secret", "invalid_scope", 400},
		{"plain", query("code_challenge_method", "plain") + "&client_secret=web-secret", "invalid_request", 400},
		{"key", query("dpop_jkt", "x") + "&client_secret=web-secret", "invalid_request", 400},
		{"grant", query("client_id", "robot") + "&client_secret=robot-secret", "invalid_request", 400},
		{"public without challenge", query("client_id", "spa", "code_challenge", "-", "code_challenge_method", "-"), "invalid_request", 400},
		{"long", query("login_hint", strings.Repeat("x", 9<<10)) + "&client_secret=web-secret", "invalid_request", 400},
		{"repeated", query() + "&client_secret=web-secret&state=2", "invalid_request", 400},
	} {
		f.wait(time.Second)
		f.send(http.MethodPost, "/oauth/par", tt.body, "Content-Type", formType).want(t, tt.name, tt.status, tt.want)
	}
	// As JSON, with Basic.
	a := f.send(http.MethodPost, "/oauth/par", `{"response_type":"code","redirect_uri":"`+callback+`","offline_access":true}`,
		"Content-Type", "application/json", "Authorization", basic("web", "web-secret"))
	if a.StatusCode != http.StatusCreated {
		t.Errorf("as JSON = %d %s, want 201", a.StatusCode, a.body)
	}
}

func TestRequirePushed(t *testing.T) {
	f := newFixture(t)
	storetest.ChangeClient(t, f.store, "web", func(c *store.Client) { c.RequirePushed = true })
	b := f.browser()
	if v := b.send(http.MethodGet, "/authorize?"+query(), "").location(); v.Get("error") != "invalid_request" {
		t.Errorf("straight = %v, want invalid_request", v)
	}
	if v := b.submit(b.send(http.MethodGet, "/authorize?"+f.pushed(), ""), "ana@example.com", password).location(); v.Get("code") == "" {
		t.Errorf("pushed = %v, want a code", v)
	}
}

// A proof with the pushed request binds the code. RFC 9449, section 10.1.
func TestPushDPoP(t *testing.T) {
	f := newFixture(t)
	p, thief := f.prover(), f.prover()
	f.push([]string{"dpop_jkt", thief.thumbprint()}, "DPoP", p.proof("POST", "/oauth/par")).want(t, "two keys",
		http.StatusBadRequest, "invalid_dpop_proof")
	f.push(nil, "DPoP", p.proof("POST", "/oauth/token")).want(t, "proof of another address", http.StatusBadRequest, "invalid_dpop_proof")
	for _, pairs := range [][]string{nil, {"dpop_jkt", p.thumbprint()}} {
		for key, want := range map[*prover]int{p: http.StatusOK, thief: http.StatusBadRequest} {
			a := f.push(pairs, "DPoP", p.proof("POST", "/oauth/par"))
			b := f.browser()
			q := url.Values{"client_id": {"web"}, "request_uri": {a.text("request_uri")}}.Encode()
			code := b.submit(b.send(http.MethodGet, "/authorize?"+q, ""), "ana@example.com", password).location().Get("code")
			a = key.ask("grant_type", "authorization_code", "client_id", "web", "client_secret", "web-secret", "code", code,
				"redirect_uri", callback, "code_verifier", verifier)
			if a.StatusCode != want {
				t.Errorf("exchange by the pusher %v = %d %s, want %d", key == p, a.StatusCode, a.body, want)
			}
		}
	}
}
