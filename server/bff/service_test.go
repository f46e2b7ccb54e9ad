package bff_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/admission"
)

// The calls of the editor, with the scope that each needs.
var editorCalls = []struct{ method, path, body, scope string }{
	{"GET", "/bff/api/forms", "", "read:forms"},
	{"GET", "/bff/api/forms/ap_1", "", "read:forms"},
	{"GET", "/bff/api/flows", "", "read:flows"},
	{"POST", "/bff/api/forms", `{"name":"x"}`, "create:forms"},
	{"PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "update:forms"},
	{"DELETE", "/bff/api/forms/ap_1", "", "delete:forms"},
}

func TestServiceSignInConcernsThePersonOnly(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	asked := b.begin("")
	if asked.Get("scope") != "openid profile email" || asked.Has("audience") || asked.Get("code_challenge_method") != "S256" {
		t.Errorf("asked %v", asked)
	}
	if g := b.do("GET", w.consent(asked), ""); g.status != http.StatusSeeOther {
		t.Fatalf("callback: %d %s", g.status, g.body)
	}
	// The session outlives the person's tokens, which nobody refreshes.
	for range 3 {
		if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
			t.Fatalf("forms: %d %s", g.status, g.body)
		}
		w.clock.Move(50 * time.Minute)
	}
	for _, r := range w.seen {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer service-token-") {
			t.Errorf("called with %v", r.Header)
		}
	}
	if len(w.forms) != 1 || len(w.seen) != 3 {
		t.Errorf("%d token requests of people, %d calls", len(w.forms), len(w.seen))
	}
	b.app("POST", "/bff/logout", "")
	if len(w.revoked) != 0 || b.signedIn() {
		t.Errorf("revoked %q after the sign-out", w.revoked)
	}
}

func TestWhoMayUseTheEditor(t *testing.T) {
	rules := admission.Rules{
		Edit: []admission.Rule{
			must(admission.Email("ana@example.org")), must(admission.EmailDomain("example.com")),
			must(admission.Claim("https://example.com/roles=editor")), must(admission.Subject("user_9")),
		},
		View: []admission.Rule{must(admission.Claim("groups=support")), must(admission.EmailDomain("example.net"))},
	}
	for _, tt := range []struct {
		name     string
		claims   map[string]any // of the ID token, which names ana@example.org
		userInfo map[string]any
		want     []string
	}{
		{"e-mail of unknown state", nil, nil, nil},
		{"verified e-mail", map[string]any{"email_verified": true}, nil, editScopes},
		{"unverified e-mail", map[string]any{"email_verified": false}, nil, nil},
		{"verified in user info", nil, map[string]any{"email_verified": true}, editScopes},
		{"the ID token wins", map[string]any{"email_verified": false}, map[string]any{"email_verified": true}, nil},
		{"domain in user info", map[string]any{"email": nil}, map[string]any{"email": "x@example.com", "email_verified": true}, nil},
		{"domain", map[string]any{"email": "x@EXAMPLE.com", "email_verified": true}, nil, editScopes},
		{"subdomain", map[string]any{"email": "x@a.example.com", "email_verified": true}, nil, nil},
		{"look-alike domain", map[string]any{"email": "x@badexample.com", "email_verified": true}, nil, nil},
		{"role", map[string]any{"https://example.com/roles": []string{"a", "editor"}}, nil, editScopes},
		{"another role", map[string]any{"https://example.com/roles": []string{"viewer"}}, nil, nil},
		{"role in user info", nil, map[string]any{"https://example.com/roles": "editor"}, editScopes},
		{"subject", map[string]any{"sub": "user_9"}, nil, editScopes},
		{"viewer", map[string]any{"groups": []string{"support"}}, nil, viewScopes},
		{"viewer by domain", map[string]any{"email": "x@example.net", "email_verified": true}, nil, viewScopes},
		{"edit beats view", map[string]any{"groups": "support", "sub": "user_9"}, nil, editScopes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newServiceWorld(t, rules)
			w.claims = tt.claims
			if tt.userInfo != nil {
				w.userInfo(func(rw http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Authorization") != "Bearer access-token-1" {
						t.Errorf("user info with %v", r.Header)
					}
					tt.userInfo["sub"] = "user_1"
					writeJSON(rw, 200, tt.userInfo)
				})
				w.restart()
			}
			b := w.browser()
			g := b.arrive()
			if tt.want == nil {
				w.refused(b, g)
				return
			}
			if g.status != http.StatusSeeOther || g.header.Get("Location") != "/forms/ap_1" {
				t.Fatalf("callback: %d %s", g.status, g.body)
			}
			if got := b.scopes(); !slices.Equal(got, tt.want) {
				t.Errorf("scopes %v, want %v", got, tt.want)
			}
			for _, c := range editorCalls {
				before := w.called()
				g := b.app(c.method, c.path, c.body)
				switch allowed := slices.Contains(tt.want, c.scope); {
				case allowed && g.status != 200:
					t.Errorf("%s %s: %d %s", c.method, c.path, g.status, g.body)
				case !allowed && (g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, c.scope) || w.called() != before):
					t.Errorf("%s %s: %d %s after %d calls", c.method, c.path, g.status, g.body, w.called()-before)
				}
			}
		})
	}
}

// refused checks that a person with a session may do nothing but sign out. arrival is the answer of the callback.
func (w *serviceWorld) refused(b *browser, arrival got) {
	w.t.Helper()
	if arrival.status != 403 || !strings.Contains(arrival.body, "|not_allowed|") {
		w.t.Errorf("callback: %d %s", arrival.status, arrival.body)
	}
	before := w.called()
	for _, path := range []string{"/bff/user", "/bff/draft-keys"} {
		if g := b.app("GET", path, ""); g.status != 403 || g.code() != "not_allowed" {
			w.t.Errorf("%s: %d %s", path, g.status, g.body)
		}
	}
	for _, c := range editorCalls {
		if g := b.app(c.method, c.path, c.body); g.status != 403 || g.code() != "not_allowed" {
			w.t.Errorf("%s %s: %d %s", c.method, c.path, g.status, g.body)
		}
	}
	if w.called() != before || w.asked != 0 {
		w.t.Errorf("%d calls, %d requests for the service token", w.called()-before, w.asked)
	}
	for _, path := range []string{"/", "/forms", "/forms/ap_1"} {
		if g := b.do("GET", path, ""); g.status != 200 || g.body != "<shell>" {
			w.t.Errorf("page %s: %d %s", path, g.status, g.body)
		}
	}
	if g := b.app("POST", "/bff/logout", ""); g.status != 200 || !strings.Contains(g.body, "/oidc/logout") {
		w.t.Errorf("sign-out: %d %s", g.status, g.body)
	}
	if g := b.app("GET", "/bff/user", ""); g.status != 401 {
		w.t.Errorf("after the sign-out: %d %s", g.status, g.body)
	}
}

func TestNotAllowedPageNamesThePersonAndAWayOut(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: []admission.Rule{must(admission.Subject("other"))}})
	for _, tt := range []struct {
		claims map[string]any
		name   string
	}{{nil, "ana@example.org"}, {map[string]any{"email": nil}, "user_1"}} {
		w.claims = tt.claims
		b := w.browser()
		g := b.arrive()
		again := "/bff/login?" + url.Values{"return_to": {"/forms/ap_1"}, "prompt": {"select_account"}}.Encode()
		if g.status != 403 || !strings.Contains(g.body, tt.name) || !strings.Contains(g.body, "|not_allowed|"+again+"|false|sign out") {
			t.Errorf("page: %d %s", g.status, g.body)
		}
		if g := b.app("GET", "/bff/user", ""); !strings.Contains(g.body, tt.name) {
			t.Errorf("/bff/user: %s", g.body)
		}
		if asked := b.begin(strings.TrimPrefix(again, "/bff/login")); asked.Get("prompt") != "select_account" {
			t.Errorf("asked %v", asked)
		}
	}
	if got := w.browser().do("GET", w.consent(w.browser().begin("")), ""); got.status != 400 {
		t.Errorf("callback of another browser: %d", got.status)
	}
	if !strings.Contains(w.log.String(), `"event":"not_allowed"`) {
		t.Error("no audit")
	}
	w.metadata = map[string]any{"prompt_values_supported": []string{"none", "login"}}
	w.restart()
	if asked := w.browser().begin("?prompt=select_account"); asked.Get("prompt") != "login" {
		t.Errorf("asked %v of an issuer without select_account", asked)
	}
	// A script gets a problem instead of a page.
	b := w.browser()
	if g := b.do("GET", w.consent(b.begin("")), ""); g.status != 403 || g.code() != "not_allowed" {
		t.Errorf("callback: %d %s", g.status, g.body)
	}
}

func TestRulesJudgeEveryRequest(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	b.signIn()
	for _, step := range []struct {
		rules admission.Rules
		want  []string
	}{
		{admission.Rules{View: subjectRule()}, viewScopes},
		{admission.Rules{Edit: subjectRule()}, editScopes},
		{admission.Rules{Edit: []admission.Rule{must(admission.Subject("other"))}}, nil},
		{admission.Rules{}, nil},
		// A claim that no rule named at the sign-in.
		{admission.Rules{View: []admission.Rule{must(admission.Claim("name=Ana"))}}, viewScopes},
	} {
		w.rules = step.rules
		w.restart()
		if got := b.scopes(); !slices.Equal(got, step.want) {
			t.Errorf("%+v: scopes %v, want %v", step.rules, got, step.want)
		}
		want := 200
		if step.want == nil {
			want = 403
		}
		if g := b.app("GET", "/bff/api/forms", ""); g.status != want {
			t.Errorf("%+v: forms %d %s", step.rules, g.status, g.body)
		}
	}
}

// Claims of another issuer prove nothing here, and a session with tokens has no claims.
func TestSessionsOfAnotherConfigurationEnd(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	byService, adjust := w.browser(), w.adjust
	byService.signIn()
	w.adjust = nil
	w.token = nil
	w.restart()
	byUser := w.browser()
	byUser.signIn()
	if g := byService.app("GET", "/bff/api/forms", ""); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("session without tokens: %d %s", g.status, g.body)
	}
	w.adjust = adjust
	w.restart()
	if g := byUser.app("GET", "/bff/user", ""); g.status != 401 || g.code() != "session_expired" || len(g.header["Set-Cookie"]) != 1 {
		t.Errorf("session without claims: %d %s", g.status, g.body)
	}

	other := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := other.browser()
	b.signIn()
	elsewhere := newStub(t, other.clock)
	other.ic.Issuer = elsewhere.url
	other.restart()
	if g := b.app("GET", "/bff/user", ""); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("claims of another issuer: %d %s", g.status, g.body)
	}
}

func TestUserInfoIsChecked(t *testing.T) {
	role := admission.Rules{Edit: []admission.Rule{must(admission.Claim("role=editor"))}}
	raw := func(status int, kind, body string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", kind)
			rw.WriteHeader(status)
			_, _ = fmt.Fprint(rw, body)
		}
	}
	const good = `{"sub":"user_1","role":"editor"}`
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		status int // of the callback
	}{
		{"good", raw(200, "application/json; charset=utf-8", good), 303},
		{"another subject", raw(200, "application/json", `{"sub":"user_2","role":"editor"}`), 403},
		{"no subject", raw(200, "application/json", `{"role":"editor"}`), 403},
		{"not JSON by its type", raw(200, "text/html", good), 403},
		{"a list", raw(200, "application/json", `[`+good+`]`), 403},
		{"refused", raw(401, "application/json", good), 403},
		{"redirect", func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/elsewhere", http.StatusFound) }, 424},
		{"too large", raw(200, "application/json", `{"sub":"user_1","role":"editor","x":"`+strings.Repeat("x", 2<<20)+`"}`), 424},
		{"down", raw(503, "application/json", good), 424},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newServiceWorld(t, role)
			w.userInfo(tt.answer)
			w.restart()
			b := w.browser()
			if g := b.arrive(); g.status != tt.status {
				t.Errorf("callback: %d %s, want %d", g.status, g.body, tt.status)
			}
			if tt.status != 303 && b.scopes() != nil {
				t.Error("somebody was let in")
			}
		})
	}
	// Where a rule fits the ID token, the user info does not matter.
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	w.userInfo(raw(503, "application/json", good))
	w.restart()
	if g := w.browser().arrive(); g.status != 303 {
		t.Errorf("callback: %d %s", g.status, g.body)
	}
}

func TestSessionKeepsFewClaims(t *testing.T) {
	var groups []string
	for i := range 3000 {
		groups = append(groups, fmt.Sprint("group-", i))
	}
	w := newServiceWorld(t, admission.Rules{Edit: []admission.Rule{must(admission.Claim("groups=group-2999"))}})
	w.claims = map[string]any{"groups": groups, "email_verified": true}
	b := w.browser()
	b.signIn()
	if got := b.scopes(); !slices.Equal(got, editScopes) {
		t.Errorf("scopes %v", got)
	}
	if !strings.Contains(w.log.String(), "too many for a session") {
		t.Error("no line in the log")
	}
	w.rules = admission.Rules{Edit: []admission.Rule{must(admission.Claim("groups=group-1"))}}
	w.restart()
	if got := b.scopes(); got != nil {
		t.Errorf("by a claim that was not kept: scopes %v", got)
	}
	w.rules = admission.Rules{Edit: []admission.Rule{must(admission.Email("ana@example.org"))}}
	w.restart()
	if got := b.scopes(); !slices.Equal(got, editScopes) {
		t.Errorf("by the verified e-mail: scopes %v", got)
	}
}
