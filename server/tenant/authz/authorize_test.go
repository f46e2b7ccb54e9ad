package authz_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/tenant/authz"
)

func TestDiscovery(t *testing.T) {
	f := newFixture(t)
	m := f.send(http.MethodGet, "/.well-known/openid-configuration", "").json()
	if m["issuer"] != issuer {
		t.Errorf("issuer = %v, want %s", m["issuer"], issuer)
	}
	for k, want := range map[string][]any{
		"grant_types_supported": {
			"authorization_code", "client_credentials", "implicit", "password", "refresh_token",
			authz.DefaultPasskeyGrant,
		},
		"code_challenge_methods_supported":      {"S256"},
		"response_types_supported":              {"code", "id_token"},
		"response_modes_supported":              {"query", "form_post"},
		"id_token_signing_alg_values_supported": {"RS256"},
	} {
		if got, _ := m[k].([]any); !slices.Equal(got, want) {
			t.Errorf("%s = %v, want %v", k, m[k], want)
		}
	}
	if m["authorization_response_iss_parameter_supported"] != true {
		t.Error("the iss parameter is not advertised")
	}
	if a, b := f.send(http.MethodGet, "/.well-known/oauth-authorization-server", ""), f.send(http.MethodGet,
		"/.well-known/openid-configuration", ""); a.body != b.body || a.StatusCode != http.StatusOK {
		t.Errorf("RFC 8414's document is %d %s, want that of OpenID Connect", a.StatusCode, a.body)
	}
	// Every address that it names is served.
	for _, k := range []string{
		"authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "revocation_endpoint",
		"end_session_endpoint", "pushed_authorization_request_endpoint",
	} {
		path := strings.TrimPrefix(m[k].(string), issuer)
		get, post := f.send(http.MethodGet, path, "").StatusCode, f.send(http.MethodPost, path, "").StatusCode
		if get == http.StatusNotFound && post == http.StatusNotFound {
			t.Errorf("%s leads nowhere", k)
		}
	}
	for _, k := range []string{"introspection_endpoint", "registration_endpoint"} {
		if _, ok := m[k]; ok {
			t.Errorf("%s is advertised and does not exist", k)
		}
	}
}

// Faults that the person must see, never by redirect.
func TestAuthorizeNeverRedirects(t *testing.T) {
	f := newFixture(t)
	for name, q := range map[string]string{
		"no client":         query("client_id", "-"),
		"unknown client":    query("client_id", "nobody"),
		"no redirect":       query("redirect_uri", "-"),
		"suffix":            query("redirect_uri", callback+"/x"),
		"query added":       query("redirect_uri", callback+"?y=1"),
		"port":              query("redirect_uri", "http://editor.test:81/bff/callback"),
		"path":              query("redirect_uri", "http://editor.test/bff/../bff/callback"),
		"case":              query("redirect_uri", "http://editor.test/BFF/callback"),
		"host case":         query("redirect_uri", "http://EDITOR.test/bff/callback"),
		"user info":         query("redirect_uri", "http://u@editor.test/bff/callback"),
		"fragment":          query("redirect_uri", callback+"#x"),
		"other scheme":      query("redirect_uri", "https://editor.test/bff/callback"),
		"repeated state":    query() + "&state=2",
		"repeated redirect": query() + "&redirect_uri=" + url.QueryEscape(callback),
		"bad escape":        query() + "&x=%zz",
		"semicolon":         query() + ";x=1",
		"not UTF-8":         query() + "&x=%ff",
		"request address":   query("request_uri", "http://x"),
		"request unknown":   query("request_uri", "urn:ietf:params:oauth:request_uri:x"),
		"too long":          query("state", strings.Repeat("x", 9<<10)),
	} {
		a := f.send(http.MethodGet, "/authorize?"+q, "")
		if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" || !strings.Contains(a.body, `role="alert"`) {
			t.Errorf("%s: %d to %q, want a page with 400", name, a.StatusCode, a.Header.Get("Location"))
		}
	}
}

// Faults that the application learns by redirect.
func TestAuthorizeErrors(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct{ name, query, want string }{
		{"no response type", query("response_type", "-"), "invalid_request"},
		{"token", query("response_type", "token"), "unsupported_response_type"},
		{"fragment", query("response_mode", "fragment"), "invalid_request"},
		{"fragment with a form", query("response_mode", "form_post fragment"), "invalid_request"},
		{"hybrid", query("response_type", "code id_token"), "unsupported_response_type"},
		{"two resources", query("audience", "-") + "&resource=" + url.QueryEscape(api) + "&resource=" + url.QueryEscape(other), "invalid_target"},
		{"resource and another audience", query("resource", other), "invalid_target"},
		{"resource that is no URI", query("audience", "-", "resource", "/api/v2/"), "invalid_target"},
		{"resource with a fragment", query("audience", "-", "resource", api+"#x"), "invalid_target"},
		{"request object", query("request", "x"), "request_not_supported"},
		{"plain (attack 10)", query("code_challenge_method", "plain"), "invalid_request"},
		{"no method", query("code_challenge_method", "-"), "invalid_request"},
		{"method alone", query("code_challenge", "-"), "invalid_request"},
		{"short challenge", query("code_challenge", "abc"), "invalid_request"},
		{"challenge with padding", query("code_challenge", challenge(verifier)[:42]+"="), "invalid_request"},
		{
			"public without challenge (attack 10)", query("client_id", "spa", "code_challenge", "-", "code_challenge_method", "-"),
			"invalid_request",
		},
		{"key", query("dpop_jkt", "short"), "invalid_request"},
		{"prompt", query("prompt", "none login"), "invalid_request"},
		{"max_age", query("max_age", "-1"), "invalid_request"},
		{"max_age text", query("max_age", "x"), "invalid_request"},
		{"scope with quote", query("scope", `openid "x"`), "invalid_scope"},
		{"many scopes", query("scope", words(101)), "invalid_scope"},
		{"nonce", query("nonce", strings.Repeat("n", 513)), "invalid_request"},
		{"nobody is signed in (attack 23)", query("prompt", "none"), "login_required"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.send(http.MethodGet, "/authorize?"+tt.query, "")
			v := a.location()
			if a.StatusCode != http.StatusSeeOther || v.Get("error") != tt.want || v.Get("state") != "s t&a+te" ||
				v.Get("iss") != issuer || v.Get("code") != "" {
				t.Errorf("%d with %v, want a redirect with %s, state and iss", a.StatusCode, v, tt.want)
			}
		})
	}
	if v := f.send(http.MethodGet, "/authorize?"+query("state", strings.Repeat("s", 3<<10)),
		"").location(); v.Get("error") != "invalid_request" || v.Has("state") {
		t.Errorf("a long state comes back as %v, want an error without it", v)
	}
}

// words returns n different words.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "s%d ", i)
	}
	return b.String()
}

// Errors that appear after the sign-in: a client asks for an audience that it may not have.
func TestAuthorizeAudience(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct{ name, query, want string }{
		{"unknown", query("audience", "http://nowhere/"), "invalid_target"},
		{"without the slash", query("audience", issuer+"/api/v2"), "invalid_target"},
		{"no grant", query("client_id", "online"), "access_denied"},
	} {
		b := f.browser()
		a := b.submit(b.send(http.MethodGet, "/authorize?"+tt.query, ""), "ana@example.com", password)
		if got := a.location().Get("error"); got != tt.want {
			t.Errorf("%s: error = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSilentSignIn(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	ask := func(name string, want string, pairs ...string) {
		t.Helper()
		a := b.send(http.MethodGet, "/authorize?"+query(pairs...), "")
		got := "page"
		if v := a.location(); v.Get("code") != "" {
			got = "code"
		} else if e := v.Get("error"); e != "" {
			got = e
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	ask("again", "code")
	ask("without a page", "code", "prompt", "none")
	ask("consent", "code", "prompt", "consent")
	ask("asked again", "page", "prompt", "login")
	ask("another account", "page", "prompt", "select_account")
	f.wait(time.Minute)
	ask("young enough", "code", "max_age", "60")
	ask("too old", "page", "max_age", "59")
	ask("too old without a page", "login_required", "max_age", "59", "prompt", "none")
	f.wait(12*time.Hour - time.Minute - time.Second)
	ask("just before its end", "code")
	f.wait(time.Second)
	ask("at its end", "page")
}

// A redirect URI with a query keeps it.
func TestRedirectKeepsQuery(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	a := b.submit(b.send(http.MethodGet, "/authorize?"+query("redirect_uri", callback+"?x=1"), ""), "ana@example.com", password)
	if v := a.location(); v.Get("x") != "1" || v.Get("code") == "" || v.Get("state") != "s t&a+te" {
		t.Errorf("back with %v, want x, code and state", v)
	}
	if a.Header.Get("Referrer-Policy") != "no-referrer" || a.Header.Get("Cache-Control") != "no-store" {
		t.Error("the redirect with the code may be cached or named as referrer")
	}
}

func TestLogout(t *testing.T) {
	f := newFixture(t)
	signIn := func() (*browser, string) {
		t.Helper()
		b := f.browser()
		code := b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password).location().Get("code")
		return b, f.exchange(code).text("id_token")
	}
	signedIn := func(b *browser) bool {
		t.Helper()
		return b.send(http.MethodGet, "/authorize?"+query("prompt", "none"), "").location().Get("code") != ""
	}
	_, foreign := signIn()
	for _, tt := range []struct {
		name, query string
		status      int
		to          string
		ends        bool
	}{
		{"nothing", "", http.StatusOK, "", true},
		{
			"client and address", "client_id=web&post_logout_redirect_uri=http://editor.test/&state=a%26b", http.StatusSeeOther,
			"http://editor.test/?state=a%26b", true,
		},
		{"hint and address", "id_token_hint=HINT&post_logout_redirect_uri=http://editor.test/", http.StatusSeeOther, "http://editor.test/", true},
		{"hint of another sign-in", "id_token_hint=" + foreign, http.StatusOK, "", false},
		{"hint of another client", "id_token_hint=HINT&client_id=spa", http.StatusBadRequest, "", false},
		{"forged hint", "id_token_hint=x.y.z", http.StatusBadRequest, "", false},
		{"address of nobody", "post_logout_redirect_uri=http://editor.test/", http.StatusBadRequest, "", false},
		{"address of another", "client_id=spa&post_logout_redirect_uri=http://editor.test/", http.StatusBadRequest, "", false},
		{"address not registered", "client_id=web&post_logout_redirect_uri=http://evil.test/", http.StatusBadRequest, "", false},
		{"repeated", "client_id=web&client_id=web", http.StatusBadRequest, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.wait(time.Second) // the token endpoint counts requests
			b, hint := signIn()
			q := strings.Replace(tt.query, "HINT", hint, 1)
			a := b.send(http.MethodGet, "/oidc/logout?"+q, "")
			if a.StatusCode != tt.status || a.Header.Get("Location") != tt.to {
				t.Errorf("%d to %q, want %d to %q", a.StatusCode, a.Header.Get("Location"), tt.status, tt.to)
			}
			if got := signedIn(b); got == tt.ends {
				t.Errorf("signed in afterwards = %v, want %v", got, !tt.ends)
			}
		})
	}
	b, _ := signIn()
	if a := b.send(http.MethodPost, "/oidc/logout", "client_id=web", "Content-Type", formType); a.StatusCode != http.StatusOK || signedIn(b) {
		t.Errorf("POST = %d, want 200 and signed out", a.StatusCode)
	}
}
