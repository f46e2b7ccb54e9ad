package bff_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/issuer"
)

func TestSignIn(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	asked := b.begin("?return_to=/forms/ap_1")
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "editor", "redirect_uri": w.editor + "/bff/callback", "audience": audience,
		"code_challenge_method": "S256", "scope": strings.Join(bff.Scopes(), " "),
	} {
		if got := asked.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(asked.Get(name)) != 43 {
			t.Errorf("%s = %q", name, asked.Get(name))
		}
	}
	g := b.do("GET", w.consent(asked), "")
	if g.status != http.StatusSeeOther || g.header.Get("Location") != "/forms/ap_1" || g.header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d %v", g.status, g.header)
	}
	if f := w.forms[0]; f.user != "editor" || f.password != clientSecret || len(f.Get("code_verifier")) != 43 {
		t.Errorf("token request: %v", f)
	}
	g = b.app("GET", "/bff/user", "")
	var user map[string]any
	if err := json.Unmarshal([]byte(g.body), &user); err != nil {
		t.Fatal(err)
	}
	if user["sub"] != "user_1" || user["name"] != "Ana" || user["email"] != "ana@example.org" || user["expires_in"] != 3600.0 ||
		user["logout_url"] != "/bff/logout" || len(user["scopes"].([]any)) != len(bff.Scopes()) {
		t.Errorf("got %s", g.body)
	}
}

// A callback for another browser, sign-in, issuer or time creates no session.
func TestLoginRefused(t *testing.T) {
	with := func(address string, change func(url.Values)) string {
		u, _ := url.Parse(address)
		q := u.Query()
		change(q)
		u.RawQuery = q.Encode()
		return u.String()
	}
	for _, x := range []struct {
		name    string
		address func(w *world, b *browser) string
		code    string
		tokens  int // calls of the token endpoint
		revoked bool
	}{
		{"1: no transaction", func(*world, *browser) string { return "/bff/callback?code=a&state=b&iss=x" }, "login_state", 0, false},
		{"2: state of another browser", func(w *world, b *browser) string {
			b.begin("")
			return w.consent(w.browser().begin(""))
		}, "login_state", 0, false},
		{"2: state of this browser, ten minutes ago", func(w *world, b *browser) string {
			a := w.consent(b.begin(""))
			w.clock.Move(10 * time.Minute)
			return a
		}, "login_state", 0, false},
		{"4: code of another sign-in", func(w *world, b *browser) string {
			stolen, _ := url.Parse(w.consent(w.browser().begin("")))
			return with(w.consent(b.begin("")), func(q url.Values) { q.Set("code", stolen.Query().Get("code")) })
		}, "login_code", 1, false},
		{"5: other nonce", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"nonce": "other"} })
			return w.consent(b.begin(""))
		}, "nonce", 1, true},
		{"5: no nonce", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"nonce": ""} })
			return w.consent(b.begin(""))
		}, "nonce", 1, true},
		{"6: other iss", func(w *world, b *browser) string {
			return with(w.consent(b.begin("")), func(q url.Values) { q.Set("iss", "https://evil.example") })
		}, "issuer", 0, false},
		{"6: no iss though advertised", func(w *world, b *browser) string {
			return with(w.consent(b.begin("")), func(q url.Values) { q.Del("iss") })
		}, "issuer", 0, false},
		{"8: denied", func(w *world, b *browser) string {
			return with(w.consent(b.begin("")), func(q url.Values) {
				q.Del("code")
				q.Set("error", "access_denied")
				q.Set("error_description", "<script>alert(1)</script>\r\n\x1b[31m")
			})
		}, "login_denied", 0, false},
		{"9: code and error", func(w *world, b *browser) string {
			return with(w.consent(b.begin("")), func(q url.Values) { q.Set("error", "x") })
		}, "login_request", 0, false},
		{"9: code twice", func(w *world, b *browser) string { return w.consent(b.begin("")) + "&code=x" }, "login_request", 0, false},
		{"9: state twice", func(w *world, b *browser) string { return w.consent(b.begin("")) + "&state=x" }, "login_request", 0, false},
		{"9: neither", func(w *world, b *browser) string {
			return with(w.consent(b.begin("")), func(q url.Values) { q.Del("code") })
		}, "login_request", 0, false},
		{"9: no query", func(*world, *browser) string { return "/bff/callback" }, "login_request", 0, false},
		{"ID token of another client", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"aud": "other"} })
			return w.consent(b.begin(""))
		}, "login_token", 1, true},
		{"ID token of another issuer", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"iss": "https://evil.example"} })
			return w.consent(b.begin(""))
		}, "login_token", 1, true},
		{"ID token made for another party", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"azp": "other"} })
			return w.consent(b.begin(""))
		}, "login_token", 1, true},
		{"access token of another ID token", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.claims = map[string]any{"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"} })
			return w.consent(b.begin(""))
		}, "login_token", 1, true},
		{"52: tenant 5 min ahead", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.skew = 5 * time.Minute })
			return w.consent(b.begin(""))
		}, "clock_skew", 1, true},
		{"52: tenant 5 min behind", func(w *world, b *browser) string {
			w.bend(func(s *stub) { s.skew = -5 * time.Minute })
			return w.consent(b.begin(""))
		}, "clock_skew", 1, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			b := w.browser()
			g := b.do("GET", x.address(w, b), "")
			if g.status != http.StatusBadRequest || g.code() != x.code {
				t.Errorf("got %d %s, want 400 %s", g.status, g.body, x.code)
			}
			if strings.Contains(g.body, "alert") || strings.Contains(w.log.String(), "\x1b") {
				t.Error("the tenant's words are shown, or not escaped")
			}
			if n := w.count("/oauth/token"); n != x.tokens {
				t.Errorf("%d token calls, want %d", n, x.tokens)
			}
			if (len(w.revoked) == 1) != x.revoked {
				t.Errorf("revoked %v", w.revoked)
			}
			if b.signedIn() {
				t.Error("somebody is signed in")
			}
		})
	}
}

func TestClockNearby(t *testing.T) {
	for _, skew := range []time.Duration{-30 * time.Second, 30 * time.Second} {
		w := newWorld(t)
		w.skew = skew
		w.browser().signIn()
	}
}

// The second callback redirects if there is a session, and is refused otherwise.
func TestCallbackTwice(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	address := w.consent(b.begin(""))
	thief := w.browser()
	here, _ := url.Parse(w.editor)
	thief.client.Jar.SetCookies(here, b.client.Jar.Cookies(here))
	b.do("GET", address, "")
	if g := b.do("GET", address, ""); g.status != http.StatusSeeOther || g.header.Get("Location") != "/" {
		t.Errorf("signed in: got %d %s", g.status, g.body)
	}
	if g := thief.do("GET", address, ""); g.code() != "login_state" {
		t.Errorf("with the same cookie and no session: got %d %s", g.status, g.body)
	}
	if n := w.count("/oauth/token"); n != 1 {
		t.Errorf("%d token calls, want 1", n)
	}
}

// Metadata of another issuer, malformed or missing, is refused.
func TestDiscovery(t *testing.T) {
	for _, x := range []struct {
		name  string
		bend  func(*stub)
		start bool // the start must be refused
		code  string
	}{
		{"7: other issuer", func(s *stub) { s.metadata = map[string]any{"issuer": "https://evil.example"} }, true, "login_configuration"},
		{"7: issuer with a slash more", func(s *stub) { s.metadata = map[string]any{"issuer": s.url + "/"} }, true, "login_configuration"},
		{
			"7: keys elsewhere on http", func(s *stub) { s.metadata = map[string]any{"jwks_uri": "http://evil.example/jwks"} }, true,
			"login_configuration",
		},
		{
			"7: token endpoint elsewhere on http", func(s *stub) { s.metadata = map[string]any{"token_endpoint": "http://evil.example/token"} },
			true, "login_configuration",
		},
		{
			"7: script for a sign-out page", func(s *stub) { s.metadata = map[string]any{"end_session_endpoint": "javascript:alert(1)"} }, true,
			"login_configuration",
		},
		{"20: HTML", func(s *stub) {
			s.discovery = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>login")) }
		}, false, "upstream_unavailable"},
		{"20: 500", func(s *stub) {
			s.discovery = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
		}, false, "upstream_unavailable"},
		{"20: 10 MiB", func(s *stub) {
			// Correct except for its size.
			s.metadata = map[string]any{"padding": strings.Repeat("a", 10<<20)}
		}, false, "upstream_unavailable"},
		{"20: redirect", func(s *stub) {
			s.discovery = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/jwks", http.StatusFound) }
		}, false, "upstream_unavailable"},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			w.bend(x.bend)
			err := bff.NewIdentity(w.ic).Check(t.Context())
			if err == nil || errors.Is(err, issuer.ErrMisconfigured) != x.start {
				t.Errorf("at the start: %v", err)
			}
			b := w.browser()
			g := b.do("GET", "/bff/login", "")
			if g.status != http.StatusServiceUnavailable || g.code() != x.code || g.header.Get("Retry-After") == "" {
				t.Errorf("got %d %s", g.status, g.body)
			}
			g = b.do("GET", "/bff/login", "", "Accept", "text/html,*/*")
			if g.status != http.StatusFailedDependency || !strings.HasPrefix(g.body, "<page>Sign-in is not possible right now") ||
				!strings.Contains(g.body, "/bff/login") {
				t.Errorf("page: got %d %s", g.status, g.body)
			}
			// Once it is fixed, the same process can sign people in.
			w.bend(func(s *stub) { s.metadata, s.discovery = nil, nil })
			b.signIn()
		})
	}
}

// A sign-in creates a new session, whatever cookie the browser sent.
func TestFixation(t *testing.T) {
	w := newWorld(t)
	attacker, victim := w.browser(), w.browser()
	attacker.signIn()
	here, _ := url.Parse(w.editor)
	victim.client.Jar.SetCookies(here, attacker.client.Jar.Cookies(here))
	victim.signIn()
	if attacker.signedIn() {
		t.Error("the planted session must be gone")
	}
	if !victim.signedIn() {
		t.Error("the victim must be signed in")
	}
}

// No return address redirects to another origin.
func TestReturnTo(t *testing.T) {
	w := newWorld(t)
	for _, x := range returnTargets() {
		w.clock.Move(100 * time.Millisecond) // callbacks are limited
		b := w.browser()
		g := b.do("GET", w.consent(b.begin("?return_to="+url.QueryEscape(x.given))), "")
		if to := g.header.Get("Location"); g.status != http.StatusSeeOther || to != x.want {
			t.Errorf("%q leads to %q, want %q", x.given, to, x.want)
		}
	}
}

type returnTarget struct{ given, want string }

// returnTargets combines its list of tricks from parts, so that it contains more of them than anybody would write down.
func returnTargets() []returnTarget {
	out := []returnTarget{
		{"/", "/"},
		{"/forms", "/forms"},
		{"/forms/ap_1", "/forms/ap_1"},
		{"/forms?page=2", "/forms?page=2"},
		{"", "/"},
		{"/nowhere", "/"},
		{"/bff/logout", "/"},
		{"/bff/login", "/"},
		{"/forms/" + strings.Repeat("a", 31), "/"},
		{"/forms?x=" + strings.Repeat("a", 3<<10), "/"},
	}
	lead := []string{
		"", "/", "//", "///", "////", "\\", "/\\", "\\\\", "/./", "/../", "/;/", "/%09/", "/%2f", "/%5c", "/\t/", "/\n", " /",
		"\x00/", "/\u3002", "//\u2215", "/forms//", "/forms/../", "/forms\\..\\",
	}
	scheme := []string{"", "http:", "https://", "https:/", "hTTps:\\\\", "javascript:", "data:text/html,"}
	host := []string{"evil.example", "localhost@evil.example/forms", "evil%00.example", "evil.example#/forms"}
	for _, l := range lead {
		for _, s := range scheme {
			for _, h := range host {
				out = append(out, returnTarget{l + s + h, "/"})
			}
		}
	}
	return some(out, 10)
}

// some returns all of a list of tricks; with -short the first n, and every 11th of the others, so that each part of a trick is tried.
func some[E any](list []E, n int) []E {
	out := slices.Clone(list[:n])
	for i := n; i < len(list); i += sizetest.Of(0, 11, 1) {
		out = append(out, list[i])
	}
	return out
}

// Each of several tabs that sign in at once has its own transaction.
func TestTabs(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	var answers []string
	for range 6 {
		answers = append(answers, w.consent(b.begin("")))
		w.clock.Move(time.Second)
	}
	if g := b.do("GET", answers[0], ""); g.code() != "login_state" {
		t.Errorf("the oldest: got %d %s", g.status, g.body)
	}
	for _, a := range answers[1:] {
		if g := b.do("GET", a, ""); g.status != http.StatusSeeOther {
			t.Errorf("got %d %s", g.status, g.body)
		}
	}
}

// A sign-in without a prompt comes back without a session and is tried once.
func TestSilent(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	asked := b.begin("?prompt=none&return_to=/forms")
	if asked.Get("prompt") != "none" {
		t.Errorf("got %v", asked)
	}
	q := url.Values{"error": {"login_required"}, "state": {asked.Get("state")}, "iss": {w.url}}
	if g := b.do("GET", "/bff/callback?"+q.Encode(), ""); g.status != http.StatusSeeOther || g.header.Get("Location") != "/forms" {
		t.Errorf("got %d %s", g.status, g.body)
	}
	asked = b.begin("")
	q.Set("state", asked.Get("state"))
	if g := b.do("GET", "/bff/callback?"+q.Encode(), ""); g.code() != "login_denied" {
		t.Errorf("not asked to be silent: got %d %s", g.status, g.body)
	}
}

func TestPopup(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.do("GET", w.consent(b.begin("?display=popup&return_to=/forms")), ""); g.status != 200 ||
		!strings.HasPrefix(g.body, "<page>You are signed in") || !strings.HasSuffix(g.body, "|/forms|true") {
		t.Errorf("got %d %s", g.status, g.body)
	}
	if !b.signedIn() {
		t.Error("must be signed in")
	}
}

// A refusal or fault of the token endpoint creates no session and is not retried.
func TestTokenEndpointAtLogin(t *testing.T) {
	answer := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	for _, x := range []struct {
		name   string
		h      http.HandlerFunc
		status int
		code   string
	}{
		{"50: wrong secret", answer(401, "application/json", `{"error":"invalid_client"}`), 502, "login_client"},
		{"500", answer(500, "text/plain", "boom"), 503, "upstream_unavailable"},
		{"HTML", answer(200, "text/html", "<html>"), 503, "upstream_unavailable"},
		{"no access token", answer(200, "application/json", `{"token_type":"Bearer"}`), 503, "upstream_unavailable"},
		{"no ID token", answer(200, "application/json", `{"access_token":"access-token-x","token_type":"Bearer"}`), 400, "login_token"},
		{"2 MiB", answer(200, "application/json", `{"access_token":"`+strings.Repeat("a", 2<<20)+`"}`), 503, "upstream_unavailable"},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			w.token = x.h
			b := w.browser()
			g := b.do("GET", w.consent(b.begin("")), "")
			if g.status != x.status || g.code() != x.code {
				t.Errorf("got %d %.300s", g.status, g.body)
			}
			if n := w.count("/oauth/token"); n != 1 {
				t.Errorf("%d token requests, want exactly one", n)
			}
			if strings.Contains(w.log.String(), "access-token-x") || strings.Contains(w.log.String(), "boom") {
				t.Errorf("the answer stands in the log: %s", w.log.String())
			}
		})
	}
}

func TestAuthStyleFollowsMetadata(t *testing.T) {
	w := newWorld(t)
	w.metadata = map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}
	b := w.browser()
	b.signIn()
	if f := w.forms[0]; f.user != "" || f.Get("client_secret") != clientSecret {
		t.Errorf("got %v", f)
	}
	if g := b.app("POST", "/bff/logout", ""); g.status != 200 || !slices.Equal(w.revoked, []string{"refresh-token-1"}) {
		t.Errorf("got %d, revoked %v", g.status, w.revoked)
	}
}
