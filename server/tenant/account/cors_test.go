package account_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/account"
)

// page sends a request as a page of an origin does, "" for no page.
func (f *fixture) page(method, path, origin, token string) *http.Response {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, account.Prefix+path, nil)
	r.Header.Set("Origin", origin)
	r.Header.Set("Access-Control-Request-Method", "DELETE")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Result()
}

// Applications in browsers may call the API for their people: pages of the origins that the client of the token
// lists read the answers, errors too, and no others do.
func TestPagesOfOtherOrigins(t *testing.T) {
	f := newFixture(t)
	const app, stranger = "https://app.test", "https://stranger.test"
	storetest.ChangeClient(t, f.store, "other", func(c *store.Client) { c.WebOrigins = []string{app} })
	token := f.token(by("other"))
	for _, tt := range []struct {
		name, method, path, origin, auth string
		status                           int
		want                             string
	}{
		{"list", "GET", "/factors", app, token, 200, app},
		{"nothing there", "GET", "/nothing", app, token, 404, app},
		{"method", "PUT", "/factors", app, token, 405, app},
		{"another origin", "GET", "/factors", stranger, token, 200, ""},
		{"no origin", "GET", "/factors", "", token, 200, ""},
		{"another client", "GET", "/factors", app, f.token(), 200, ""},
		{"no token", "GET", "/factors", app, "", 401, ""},
		{"no token of ours", "GET", "/factors", app, "x", 401, ""},
	} {
		a := f.page(tt.method, tt.path, tt.origin, tt.auth)
		if a.StatusCode != tt.status || a.Header.Get("Access-Control-Allow-Origin") != tt.want || a.Header.Get("Vary") != "Origin" ||
			a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %d %v, want %d for %q", tt.name, a.StatusCode, a.Header, tt.status, tt.want)
		}
	}
	f.wait(time.Hour)
	if a := f.page("GET", "/factors", app, token); a.StatusCode != http.StatusUnauthorized ||
		a.Header.Get("Access-Control-Allow-Origin") != app || !strings.Contains(a.Header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
		t.Errorf("token that expired: %d %v, want 401 that the application reads", a.StatusCode, a.Header)
	}
	for origin, want := range map[string]string{app: app, stranger: "", "null": "", "": ""} {
		a := f.page(http.MethodOptions, "/authentication-methods", origin, "")
		if a.StatusCode != http.StatusNoContent || a.Header.Get("Access-Control-Allow-Origin") != want || a.Header.Get("Vary") != "Origin" ||
			(want != "") != (a.Header.Get("Access-Control-Allow-Methods") == "GET, POST, PATCH, DELETE") {
			t.Errorf("preflight from %q: %d %v, want it allowed for %q", origin, a.StatusCode, a.Header, want)
		}
	}
}
