package tenant_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
)

// Pages of other origins call the shared routes at both addresses of the tenant, and nothing beside them: above
// all not the management API, whatever a client lists.
func TestSharedRoutesAtBothAddresses(t *testing.T) {
	f := startDomains(t, customURL, wide())
	const app = "https://app.test"
	storetest.ChangeClient(t, f.store, f.editor.ID, func(c *store.Client) { c.AllowedOrigins = []string{app} })
	storetest.ChangeClient(t, f.store, f.first.Management.ID, func(c *store.Client) { c.AllowedOrigins = []string{app} })
	for _, at := range []*world{f.world, f.custom} {
		send := func(method, path string, header ...string) http.Header {
			t.Helper()
			r := httptest.NewRequestWithContext(t.Context(), method, at.url+path, strings.NewReader("client_id="+at.editor.ID))
			r.Header.Set("Content-Type", formType)
			r.Header.Set("Origin", app)
			for i := 0; i < len(header); i += 2 {
				r.Header.Set(header[i], header[i+1])
			}
			w := httptest.NewRecorder()
			at.handler.ServeHTTP(w, r)
			return w.Header()
		}
		read := func(h http.Header) string { return h.Get("Access-Control-Allow-Origin") }
		for _, path := range []string{"/oauth/token", "/oauth/token/", "/oauth/revoke", "/oauth/par", "/passkey/challenge"} {
			if got := read(send("OPTIONS", path)) + " " + read(send("POST", path)); got != app+" "+app {
				t.Errorf("%s%s is read by %q", at.url, path, got)
			}
		}
		if got := read(send("OPTIONS", "/me/v1/factors")); got != app {
			t.Errorf("%s/me/v1/factors is called by %q", at.url, got)
		}
		for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/.well-known/jwks.json"} {
			if got := read(send("GET", path)); got != "*" {
				t.Errorf("%s%s is read by %q", at.url, path, got)
			}
		}
		access := at.machineToken("/api/v2/").member("access_token")
		for _, path := range []string{
			"/api/v2", "/api/v2/forms", "/api/v2/clients", "/healthz", "/readyz", "/", "/authorize", "/oidc/logout",
			"/me/v2",
		} {
			for _, method := range []string{"OPTIONS", "GET", "PATCH"} {
				for name := range send(method, path, "Authorization", "Bearer "+access) {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s %s%s answers %s", method, at.url, path, name)
					}
				}
			}
		}
	}
}
