package bff_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/bff"
)

// adminRows are the administration's routes, written by hand, with the scopes that they need. The ID in all of them is x.
func adminRows() map[string]string {
	rows := map[string]string{
		"POST /clients/x/rotate-secret": "update:client_keys", "POST /users/x/tickets": "create:user_tickets",
		"GET /users/x/authentication-methods":             "read:authentication_methods",
		"DELETE /users/x/authentication-methods":          "delete:authentication_methods",
		"GET /users/x/authentication-methods/totp%7Cx":    "read:authentication_methods",
		"DELETE /users/x/authentication-methods/totp%7Cx": "delete:authentication_methods",
		"DELETE /users/x/authenticators":                  "delete:authentication_methods",
		"GET /logs":                                       "read:logs", "GET /logs/x": "read:logs", "GET /roles/x/users": "read:roles",
		"POST /roles/x/users": "update:roles",
	}
	for _, path := range []string{"clients", "client-grants", "resource-servers", "users", "roles"} {
		noun := strings.ReplaceAll(path, "-", "_")
		for verb, of := range map[string]string{"GET ": "read:", "POST ": "create:"} {
			rows[verb+"/"+path] = of + noun
		}
		for verb, of := range map[string]string{"GET ": "read:", "PATCH ": "update:", "DELETE ": "delete:"} {
			rows[verb+"/"+path+"/x"] = of + noun
		}
	}
	for _, sub := range []string{"/users/x/roles", "/users/x/permissions", "/roles/x/permissions"} {
		noun, _, _ := strings.Cut(sub[1:], "/")
		rows["GET "+sub], rows["POST "+sub], rows["DELETE "+sub] = "read:"+noun, "update:"+noun, "update:"+noun
	}
	return rows
}

// The sign-in requests the editor's scopes and every scope of a route.
func TestScopesAskedFor(t *testing.T) {
	want := map[string]bool{}
	for s := range strings.FieldsSeq("openid profile email offline_access read:forms create:forms update:forms delete:forms read:flows") {
		want[s] = true
	}
	for _, s := range adminRows() {
		want[s] = true
	}
	for _, s := range meScopes() {
		want[s] = true
	}
	got := bff.Scopes()
	for _, s := range got {
		if !want[s] {
			t.Errorf("asks for %s, which nothing needs", s)
		}
	}
	if len(got) != len(want) {
		t.Errorf("asks for %d scopes, want %d", len(got), len(want))
	}
}

// Each route goes to the same name at the management API, with its body and the session's token, and only
// with its scope and the header that no other site can send.
func TestAdminForward(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for row := range adminRows() {
		method, path, _ := strings.Cut(row, " ")
		body := ""
		if method == "POST" || method == "PATCH" || method == "DELETE" && strings.Count(path, "/") == 3 {
			body = `{"name":"x"}`
		}
		if strings.HasSuffix(path, "rotate-secret") || strings.Contains(path, "/authenticat") {
			body = ""
		}
		before := w.called()
		if g := b.app(method, "/bff/api/admin"+path, body); g.status != 200 || strings.TrimSpace(g.body) != `{"id":"ap_1"}` ||
			g.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s", row, g.status, g.body)
		}
		if n := w.called() - before; n != 1 {
			t.Errorf("%s: %d calls", row, n)
			continue
		}
		r := w.seen[before]
		if got := r.Method + " " + strings.TrimPrefix(r.URL.RequestURI(), "/api/v2"); got != row || w.bodies[before] != body ||
			r.Header.Get("Authorization") != "Bearer access-token-1" {
			t.Errorf("%s: called %s with %q and %v", row, got, w.bodies[before], r.Header)
		}
		if g := b.do(method, "/bff/api/admin"+path, body, "Origin", w.editor, "Sec-Fetch-Site", "same-origin"); g.status != 403 ||
			g.code() != "csrf" {
			t.Errorf("30: %s without the header: got %d %s", row, g.status, g.body)
		}
		if g := w.browser().app(method, "/bff/api/admin"+path, body); g.status != 401 || g.code() != "session_expired" {
			t.Errorf("%s signed out: got %d %s", row, g.status, g.body)
		}
		if n := w.called() - before; n != 1 {
			t.Errorf("%s: %d calls after the refused ones", row, n)
		}
	}
}

// A session without a route's scope does not reach the tenant through it, and a 403 of the tenant stays a 403.
func TestAdminScope(t *testing.T) {
	rows := adminRows()
	all := map[string]bool{}
	for _, scope := range rows {
		all[scope] = true
	}
	w := newWorld(t)
	for missing := range all {
		var held []string
		for scope := range all {
			if scope != missing {
				held = append(held, scope, missing+"X")
			}
		}
		w.bend(func(s *stub) { s.scope = strings.Join(held, " ") })
		b := w.browser()
		b.signIn()
		for row, scope := range rows {
			if scope != missing {
				continue
			}
			method, path, _ := strings.Cut(row, " ")
			body := ""
			if method != "GET" {
				body = `{}`
			}
			if g := b.app(method, "/bff/api/admin"+path, body); g.status != 403 || g.code() != "scope" ||
				!strings.Contains(g.body, `"scope":"`+scope+`"`) {
				t.Errorf("%s without %s: got %d %s", row, scope, g.status, g.body)
			}
		}
		if w.called() != 0 {
			t.Errorf("without %s: %d calls", missing, w.called())
		}
	}
	w.bend(func(s *stub) {
		s.scope = ""
		s.api = func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, 403, map[string]string{"errorCode": "insufficient_scope"})
		}
	})
	b := w.browser()
	b.signIn()
	if g := b.app("GET", "/bff/api/admin/users", ""); g.status != 403 || g.code() != "scope" || !b.signedIn() {
		t.Errorf("403 of the tenant: got %d %s", g.status, g.body)
	}
}

func TestAdminQueryAndRefusals(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for target, good := range map[string]bool{
		"/users?page=1&per_page=5&include_totals=true":      true,
		"/logs?type=fp&user_id=user_1&client_id=c-1&page=0": true,
		"/client-grants?client_id=c&subject_type=user":      true,
		"/users?take=5&from=dXNlcnM-_&q=Zo%C3%AB%20x":       true,
		"/roles/r/users?q=a&take=1":                         true,
		"/users/u/roles?q=a":                                false,
		"/users?q=%FF":                                      false,
		"/users?q=a%0Ab":                                    false,
		"/users?q=a&q=b":                                    false,
		"/users?from=a/b":                                   false,
		"/users?take=x":                                     false,
		"/users?type=s":                                     false,
		"/logs?type=a%20b":                                  false,
		"/logs?type=":                                       false,
		"/logs?type=s&type=fp":                              false,
		"/logs?page=s":                                      false,
		"/logs/x?page=1":                                    false,
		"/client-grants?audience=https://":                  false,
		"/client-grants?include_names=true&take=5":          true,
		"/client-grants/g?include_names=true":               true,
		"/client-grants/g?take=5":                           false,
		"/clients?include_names=true":                       false,
	} {
		want := 400
		if good {
			want = 200
		}
		if g := b.app("GET", "/bff/api/admin"+target, ""); g.status != want {
			t.Errorf("%s: got %d %s, want %d", target, g.status, g.body, want)
		}
	}
	// 55: the ID of a way to sign in, below that of a person.
	before := w.called()
	for _, id := range []string{"..", "%2e%2e", "totp%7Cx%2F..", "totp%7c", "x", "totp%7Cx%00", "totp%257Cx", "password%7Cother"} {
		if g := b.app("DELETE", "/bff/api/admin/users/x/authentication-methods/"+id, ""); g.status != 400 || g.code() != "invalid_id" {
			t.Errorf("id %s: got %d %s", id, g.status, g.body)
		}
	}
	if g := b.app("DELETE", "/bff/api/admin/users/a%2Fb/authentication-methods/totp%7Cx", ""); g.status != 400 {
		t.Errorf("id of a person: got %d %s", g.status, g.body)
	}
	if n := w.called() - before; n != 0 {
		t.Errorf("55: %d calls", n)
	}
	for status, text := range map[int]string{
		409: `"detail":"Another user has this e-mail address"`, 400: `"detail":"Another user has this e-mail address"`,
		404: `"detail":"There is no such client grant. It may have been deleted."`,
	} {
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, _ *http.Request) {
				writeJSON(rw, status, map[string]string{"message": "Another user has this e-mail address"})
			}
		})
		if g := b.app("PATCH", "/bff/api/admin/client-grants/x", `{}`); g.status != status || !strings.Contains(g.body, text) {
			t.Errorf("%d: got %d %s", status, g.status, g.body)
		}
	}
	for code, text := range map[string]string{
		"insufficient_permissions": "you lack read:logs",
		"insufficient_scope":       "it lacks update:client_grants",
	} {
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, _ *http.Request) {
				writeJSON(rw, http.StatusForbidden, map[string]string{"message": "Not yours: you lack read:logs", "errorCode": code})
			}
		})
		if g := b.app("PATCH", "/bff/api/admin/client-grants/x", `{}`); g.status != http.StatusForbidden || g.code() != "scope" ||
			!strings.Contains(g.body, text) {
			t.Errorf("%s: got %d %s, want %q", code, g.status, g.body, text)
		}
	}
	if log := w.log.String(); !strings.Contains(log, `"event":"client_grant_changed"`) {
		t.Error("a change is not in the audit log")
	}
}
