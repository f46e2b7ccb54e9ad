package tenant_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
)

// The same address is used for obtaining a token, setting its audience and calling the endpoint.
func TestDomainAudiences(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for _, from := range []*world{f.world, f.custom} {
		browser := from.browser()
		for _, api := range []struct {
			name, own, path string
			audiences       []string
			ask             func(audience string) (token, refused string)
		}{
			{
				"me", from.url + "/me/", "/me/v1/factors",
				[]string{
					issuer + "/me/", customURL + "/me/", strings.Replace(issuer, "http:", "https:", 1) + "/me/",
					strings.Replace(customURL, "http:", "https:", 1) + "/me/",
				},
				func(audience string) (string, string) {
					back := from.authorize(browser, "audience", audience)
					if back.Get("iss") != from.url {
						t.Errorf("%s for %s: back with iss %s", from.url, audience, back.Get("iss"))
					}
					if e := back.Get("error"); e != "" {
						return "", e
					}
					return from.exchange(back.Get("code")).member("access_token"), ""
				},
			},
			{
				"management", from.url + "/api/v2/", "/api/v2/forms",
				[]string{issuer + "/api/v2/", customURL + "/api/v2/", "/api/v2/"},
				func(audience string) (string, string) {
					a := from.machineToken(audience)
					return a.member("access_token"), a.member("error")
				},
			},
		} {
			for _, audience := range api.audiences {
				what := api.name + " at " + from.url + " for " + audience
				host := strings.TrimPrefix(from.url, "http://") + "/"
				good := audience == "/api/v2/" || strings.Contains(audience, "://"+host)
				token, refused := api.ask(audience)
				if !good {
					if refused != "invalid_target" || token != "" {
						t.Errorf("%s: %q, want invalid_target", what, refused)
					}
					continue
				}
				if refused != "" {
					t.Errorf("%s: refused with %s", what, refused)
					continue
				}
				if c := claimsOf(t, token); c.Issuer != from.url || c.Audience != api.own {
					t.Errorf("%s: token of %s for %v", what, c.Issuer, c.Audience)
				}
				for _, at := range []*world{f.world, f.custom} {
					want := http.StatusUnauthorized
					if at.url == from.url {
						want = http.StatusOK
					}
					if a := at.call(token, http.MethodGet, api.path, ""); a.status != want {
						t.Errorf("%s, called at %s: %d %s, want %d", what, at.url, a.status, a.body, want)
					}
				}
			}
		}
	}
}

// go-oidc, which compares issuers character by character, works with each address and with no mix of them.
func TestDomainDiscovery(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for _, at := range []*world{f.world, f.custom} {
		ctx := oidc.ClientContext(t.Context(), at.plain())
		provider, err := oidc.NewProvider(ctx, at.url)
		if err != nil {
			t.Fatal(err)
		}
		var meta map[string]any
		if err := provider.Claims(&meta); err != nil {
			t.Fatal(err)
		}
		for name, v := range meta {
			if s, ok := v.(string); ok && s != at.url && !strings.HasPrefix(s, at.url+"/") {
				t.Errorf("%s: %s is %s, at another address", at.url, name, s)
			}
		}
		got := at.exchange(at.authorize(at.browser(), "nonce", "no").Get("code"))
		verifier := provider.Verifier(&oidc.Config{ClientID: at.editor.ID, Now: f.net.clock})
		id, err := verifier.Verify(ctx, got.member("id_token"))
		if err != nil || id.Issuer != at.url || id.Nonce != "no" {
			t.Errorf("ID token at %s = %+v, %v", at.url, id, err)
		}
		info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: got.member("access_token")}))
		if err != nil || info.Subject != id.Subject {
			t.Errorf("user info at %s = %+v, %v", at.url, info, err)
		}
		if c := claimsOf(t, got.member("access_token")); c.Audience != at.url+"/userinfo" {
			t.Errorf("audience of no API at %s = %v", at.url, c.Audience)
		}
		for _, other := range []*world{f.world, f.custom} {
			want := http.StatusUnauthorized
			if other == at {
				want = http.StatusOK
			}
			if a := other.call(got.member("access_token"), http.MethodGet, "/userinfo", ""); a.status != want {
				t.Errorf("user info at %s with a token of %s: %d, want %d", other.url, at.url, a.status, want)
			}
			// The parameters of a sign-out also belong to its issuer.
			if want = http.StatusBadRequest; other == at {
				want = http.StatusOK
			}
			if a := other.do(other.plain(), http.MethodGet, other.url+"/oidc/logout?id_token_hint="+got.member("id_token"), "",
				""); a.status != want {
				t.Errorf("sign-out at %s with an ID token of %s: %d, want %d", other.url, at.url, a.status, want)
			}
		}
	}
}

// The Host of a request selects the domain and must match as a whole; any other value, and headers that claim another host, mean the
// canonical domain.
func TestDomainHost(t *testing.T) {
	s := sqlitetest.Open(t)
	for _, tt := range []struct {
		custom, host, header, value string
		isCustom                    bool
	}{
		{customURL, "login.localhost:8081", "", "", true},
		{customURL, "LOGIN.localhost:8081", "", "", true},
		{customURL, "login.localhost", "", "", false},
		{customURL, "login.localhost:8082", "", "", false},
		{customURL, "login.localhost:80810", "", "", false},
		{customURL, "login.localhost.:8081", "", "", false},
		{customURL, "a.login.localhost:8081", "", "", false},
		{customURL, "xlogin.localhost:8081", "", "", false},
		{customURL, "localhost:8081", "", "", false},
		{customURL, "evil.example", "", "", false},
		{customURL, "", "", "", false},
		{customURL, "localhost:8081", "X-Forwarded-Host", "login.localhost:8081", false},
		{customURL, "localhost:8081", "Forwarded", "host=login.localhost:8081", false},
		{customURL, "localhost:8081", "X-Original-Host", "login.localhost:8081", false},
		{customURL, "login.localhost:8081", "X-Forwarded-Host", "localhost:8081", true},
		{"https://login.example", "login.example", "", "", true},
		{"https://login.example", "login.example:443", "", "", true},
		{"https://login.example", "login.example:80", "", "", false},
		{"http://login.localhost/", "login.localhost:80", "", "", true},
		{"http://login.localhost", "login.localhost:443", "", "", false},
		{"", "login.localhost:8081", "", "", false},
	} {
		f := tenantAt(t, s, tt.custom)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/openid-configuration", nil)
		if r.Host = tt.host; tt.header != "" {
			r.Header.Set(tt.header, tt.value)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		var meta struct{ Issuer string }
		if err := json.Unmarshal(w.Body.Bytes(), &meta); err != nil {
			t.Fatal(err)
		}
		want := issuer
		if tt.isCustom {
			want = strings.TrimSuffix(tt.custom, "/")
		}
		if meta.Issuer != want {
			t.Errorf("Host %q, %s %s with custom domain %q: issuer %s, want %s", tt.host, tt.header, tt.value, tt.custom, meta.Issuer, want)
		}
	}
}

// tenantAt returns a tenant for requests that need no data.
func tenantAt(t *testing.T, s *sqlite.DB, custom string) http.Handler {
	t.Helper()
	set, err := oneSet()
	if err != nil {
		t.Fatal(err)
	}
	h, err := tenant.New(tenant.Config{Issuer: issuer, Custom: custom, Store: s, Keys: set, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Cookies and passkeys are bound to hosts, not ports.
func TestDomainsNeedTwoHosts(t *testing.T) {
	set, err := oneSet()
	if err != nil {
		t.Fatal(err)
	}
	s := sqlitetest.Open(t)
	for _, custom := range []string{issuer, issuer + "/", "http://localhost:9000", "https://LOCALHOST"} {
		if _, err := tenant.New(tenant.Config{Issuer: issuer, Custom: custom, Store: s, Keys: set}); err == nil {
			t.Errorf("New with custom domain %s = nil, want an error", custom)
		}
	}
}
