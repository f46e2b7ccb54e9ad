package bff_test

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/bff"
)

// remoteWorld is a world in front of a remote tenant that is called with people's own tokens.
func remoteWorld(t *testing.T, account bool) *world {
	t.Helper()
	w := newWorld(t)
	w.adjust = func(c *bff.Config) {
		if c.Remote = true; !account {
			c.Account = nil
		}
	}
	w.h = w.handler(w.ic)
	return w
}

func TestRoutesOfARemoteTenant(t *testing.T) {
	for name, tt := range map[string]struct {
		w                *world
		admin, account   bool
		scopes, audience string
	}{
		"embedded": {newWorld(t), true, true, strings.Join(bff.Scopes(), " "), audience},
		"remote": {
			remoteWorld(t, false), false, false,
			"openid profile email offline_access read:forms create:forms update:forms delete:forms read:flows", audience,
		},
		"remote with an account API": {
			remoteWorld(t, true), false, true,
			"openid profile email offline_access read:forms create:forms update:forms delete:forms read:flows " + strings.Join(meScopes(), " "), audience,
		},
		"service client": {newServiceWorld(t, admission.Rules{Edit: subjectRule()}).world, false, false, "openid profile email", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := tt.w.browser()
			b.signIn()
			is := func(exists bool, path string) {
				t.Helper()
				if g := b.app("GET", path, ""); (g.status != 404) != exists {
					t.Errorf("%s: %d %s", path, g.status, g.body)
				}
			}
			for _, path := range []string{"/", "/forms", "/forms/ap_1", "/bff/user", "/bff/api/forms", "/bff/api/forms/ap_1", "/bff/api/flows"} {
				is(true, path)
			}
			for _, path := range []string{"/admin", "/bff/api/admin/clients", "/bff/api/admin/users/x", "/bff/api/admin/logs"} {
				is(tt.admin, path)
			}
			for _, path := range []string{"/account", "/bff/api/me/factors", "/bff/api/me/sessions"} {
				is(tt.account, path)
			}
			for _, path := range []string{"/bff/api/users", "/bff/api/clients", "/bff/api/flows/af_1", "/bff/api/forms/ap_1/x", "/bff/api/actions"} {
				is(false, path)
			}
			for path, known := range map[string]bool{"/admin": tt.admin, "/account": tt.account, "/forms/ap_1": true} {
				asked := b.begin("?return_to=" + path)
				if to := b.do("GET", tt.w.consent(asked), "").header.Get("Location"); (to == path) != known {
					t.Errorf("return to %s: %s", path, to)
				}
				if got := strings.Fields(asked.Get("scope")); !slices.Equal(slices.Sorted(slices.Values(got)),
					slices.Sorted(slices.Values(strings.Fields(tt.scopes)))) || asked.Get("audience") != tt.audience {
					t.Errorf("asked for %v of %q", got, asked.Get("audience"))
				}
			}
		})
	}
}

// claiming is an access token that claims scopes.
func claiming(claims string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256"}`)) + "." + enc([]byte(claims)) + "." + enc([]byte("sig"))
}

// Some tenants name no scope in their answers although they granted less than was requested.
func TestScopesOfATenantThatNamesNone(t *testing.T) {
	for name, tt := range map[string]struct {
		access string
		want   []string // of forms and flows
	}{
		"opaque token":      {"opaque", editScopes},
		"claim scope":       {claiming(`{"scope":"openid read:forms"}`), []string{"read:forms"}},
		"claim permissions": {claiming(`{"scope":"openid","permissions":["read:forms","read:flows"]}`), viewScopes},
		"no claim":          {claiming(`{"sub":"x"}`), editScopes},
	} {
		t.Run(name, func(t *testing.T) {
			w := remoteWorld(t, false)
			w.bend(func(s *stub) { s.scope, s.access = "", tt.access })
			b := w.browser()
			b.signIn()
			forms := func() []string {
				return slices.DeleteFunc(b.scopes(), func(s string) bool { return !strings.Contains(s, ":") })
			}
			if got := forms(); !slices.Equal(got, tt.want) {
				t.Errorf("scopes %v, want %v", got, tt.want)
			}
			w.clock.Move(20 * time.Minute) // a refresh
			if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
				t.Errorf("forms: %d %s", g.status, g.body)
			}
			if got := forms(); !slices.Equal(got, tt.want) {
				t.Errorf("scopes after a refresh %v, want %v", got, tt.want)
			}
		})
	}
}

func TestRefusedScopeIsNoLongerClaimed(t *testing.T) {
	w := remoteWorld(t, false)
	w.bend(func(s *stub) { s.scope = "" })
	b := w.browser()
	b.signIn()
	has := func(scope string) bool { return slices.Contains(b.scopes(), scope) }
	patch := func() got { return b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`) }
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 403, map[string]any{"errorCode": "plan_limit"})
	}
	if patch(); !has("update:forms") {
		t.Error("a refusal for another reason took the scope")
	}
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 403, map[string]any{"message": "Forbidden"})
	}
	if g := patch(); g.status != 403 || g.code() != "scope" || has("update:forms") || !has("read:forms") {
		t.Errorf("got %d %s, scopes %v", g.status, g.body, b.scopes())
	}
	w.clock.Move(20 * time.Minute)
	if patch(); has("update:forms") { // with a refreshed token
		t.Error("a refresh that names no scope brought it back")
	}
	w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 500, map[string]any{}) }
	if patch(); has("update:forms") {
		t.Error("a failure of the tenant brought it back")
	}
	w.api = nil
	if g := patch(); g.status != 200 || !has("update:forms") {
		t.Errorf("granted: %d, scopes %v", g.status, b.scopes())
	}
	// The scope in an answer of the tenant replaces what its API has refused.
	w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 403, map[string]any{}) }
	patch()
	w.bend(func(s *stub) { s.scope = "read:forms update:forms" })
	w.clock.Move(20 * time.Minute)
	w.api = nil
	if b.app("GET", "/bff/api/forms", ""); !has("update:forms") || has("create:forms") {
		t.Errorf("after a refresh that names scopes: %v", b.scopes())
	}
}
