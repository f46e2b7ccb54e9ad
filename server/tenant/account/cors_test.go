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
func (f *fixture) page(method, path, origin, token string) (status int, h http.Header) {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, account.Prefix+path, nil)
	r.Header.Set("Origin", origin)
	r.Header.Set("Access-Control-Request-Method", "DELETE")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w.Code, w.Header()
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
		{"a token of somebody else", "GET", "/factors", app, "x", 401, ""},
	} {
		status, h := f.page(tt.method, tt.path, tt.origin, tt.auth)
		if status != tt.status || h.Get("Access-Control-Allow-Origin") != tt.want || h.Get("Vary") != "Origin" ||
			h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %d %v, want %d for %q", tt.name, status, h, tt.status, tt.want)
		}
	}
	f.wait(time.Hour)
	if status, h := f.page("GET", "/factors", app, token); status != http.StatusUnauthorized ||
		h.Get("Access-Control-Allow-Origin") != app || !strings.Contains(h.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
		t.Errorf("token that expired: %d %v, want 401 that the application reads", status, h)
	}
	for origin, want := range map[string]string{app: app, stranger: "", "null": "", "": ""} {
		status, h := f.page(http.MethodOptions, "/authentication-methods", origin, "")
		if status != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != want || h.Get("Vary") != "Origin" ||
			(want != "") != (h.Get("Access-Control-Allow-Methods") == "GET, POST, PATCH, DELETE") {
			t.Errorf("preflight from %q: %d %v, want it allowed for %q", origin, status, h, want)
		}
	}
}
