package bff_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
)

// meRow is a route of the account API, written by hand beside the table of the package.
type meRow struct{ row, scope, body string }

func meRows() []meRow {
	const methods = "/authentication-methods"
	return []meRow{
		{"GET /factors", "read:me:factors", ""},
		{"GET " + methods, "read:me:authentication_methods", ""},
		{"POST " + methods, "create:me:authentication_methods", `{"type":"passkey"}`},
		{"GET " + methods + "/passkey%7CAb_-9", "read:me:authentication_methods", ""},
		{"GET " + methods + "/password%7Cown", "read:me:authentication_methods", ""},
		{"PATCH " + methods + "/totp%7Cx", "update:me:authentication_methods", `{"name":"Phone"}`},
		{"DELETE " + methods + "/recovery-code%7Cx", "delete:me:authentication_methods", ""},
		{"POST " + methods + "/passkey%7Cnew/verify", "create:me:authentication_methods", `{"auth_session":"x"}`},
		{"GET /consents", "read:me:consents", ""},
		{"GET /consents/client-1", "read:me:consents", ""},
		{"DELETE /consents/client-1", "delete:me:consents", ""},
		{"GET /sessions", "read:me:sessions", ""},
		{"DELETE /sessions", "delete:me:sessions", ""},
		{"DELETE /sessions/" + strings.Repeat("a", 43), "delete:me:sessions", ""},
	}
}

func meScopes() []string {
	var out []string
	for _, r := range meRows() {
		if !slices.Contains(out, r.scope) {
			out = append(out, r.scope)
		}
	}
	return out
}

// Each route goes to the same path of the account API, with a token of its audience that is fetched once,
// and only with the header that no other site can send.
func TestAccountForward(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, x := range meRows() {
		method, path, _ := strings.Cut(x.row, " ")
		before := w.called()
		if g := b.app(method, "/bff/api/me"+path, x.body); g.status != 200 || strings.TrimSpace(g.body) != `{"id":"ap_1"}` ||
			g.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s", x.row, g.status, g.body)
		}
		if n := w.called() - before; n != 1 {
			t.Errorf("%s: %d calls", x.row, n)
			continue
		}
		r := w.seen[before]
		if got := r.Method + " " + strings.TrimPrefix(r.URL.EscapedPath(), "/me/v1"); got != x.row || r.URL.RawQuery != "" ||
			w.bodies[before] != x.body || r.Header.Get("Authorization") != "Bearer access-token-2" {
			t.Errorf("%s: called %s with %q and %v", x.row, got, w.bodies[before], r.Header)
		}
		if g := b.do(method, "/bff/api/me"+path, x.body, "Origin", w.editor, "Sec-Fetch-Site", "same-origin"); g.status != 403 ||
			g.code() != "csrf" {
			t.Errorf("30: %s without the header: got %d %s", x.row, g.status, g.body)
		}
		if g := b.app(method, "/bff/api/me"+path+"?type=passkey", x.body); g.status != 400 || g.code() != "invalid_query" {
			t.Errorf("%s with a query: got %d %s", x.row, g.status, g.body)
		}
		if g := w.browser().app(method, "/bff/api/me"+path, x.body); g.status != 401 || g.code() != "session_expired" {
			t.Errorf("%s signed out: got %d %s", x.row, g.status, g.body)
		}
		if n := w.called() - before; n != 1 {
			t.Errorf("%s: %d calls after the refused ones", x.row, n)
		}
	}
	f := w.forms[len(w.forms)-1]
	if len(w.forms) != 2 || f.Get("grant_type") != "refresh_token" || f.Get("audience") != meAudience ||
		f.Get("refresh_token") != "refresh-token-1" || f.user != "editor" || f.Get("redirect_uri") != "" || f.Get("code") != "" {
		t.Errorf("%d token requests, the last: %v", len(w.forms), f)
	}
	asked := strings.Fields(f.Get("scope"))
	if slices.Sort(asked); !slices.Equal(asked, slices.Sorted(slices.Values(meScopes()))) {
		t.Errorf("asked for %v", asked)
	}
	// The token for the management API is a different one, before and after.
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 ||
		w.seen[w.called()-1].Header.Get("Authorization") != "Bearer access-token-1" {
		t.Errorf("forms: got %d with %s", g.status, w.seen[w.called()-1].Header.Get("Authorization"))
	}
	w.clock.Move(10 * time.Minute)
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 ||
		w.seen[w.called()-1].Header.Get("Authorization") != "Bearer access-token-3" || w.forms[2].Has("audience") {
		t.Errorf("forms later: got %d, token request %v", g.status, w.forms[2])
	}
	for _, event := range []string{
		"enrolment_begun", "method_renamed", "method_deleted", "method_enrolled", "consent_deleted",
		"signed_out_everywhere", "sign_in_ended",
	} {
		if !strings.Contains(w.log.String(), `"event":"`+event+`"`) {
			t.Errorf("no audit of %s", event)
		}
	}
}

// IDs of methods contain a bar; an ID of any other shape is refused before anything is called.
func TestAccountIDs(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, id := range []string{
		"passkey", "passkey%7C", "passkey%7c1", "%7Cx", "passkey%7Cx%7Cy", "passkey%7C..", "passkey%7C%2e%2e", "passkey%7Ca%2Fb",
		"passkey%7Ca%00",
		"passkey%257Ca", "other%7Cx", "password%7Cx", "xpasskey%7Cx", "passkey-x", "passkey%7C" + strings.Repeat("a", 31), "passkey%7Ca;v=2",
		"%70asskey%7Ca",
		"passkey%7Cü",
	} {
		for _, method := range []string{"GET", "PATCH", "DELETE"} {
			if g := b.app(method, "/bff/api/me/authentication-methods/"+id, `{}`); g.status != 400 || g.code() != "invalid_id" {
				t.Errorf("%s %s: got %d %s", method, id, g.status, g.body)
			}
		}
	}
	for _, id := range []string{"passkey%7Ca", "password%7Cown", "new", "other%7Cnew", "passkey%7Cnewer"} {
		if g := b.app("POST", "/bff/api/me/authentication-methods/"+id+"/verify", `{}`); g.status != 400 || g.code() != "invalid_id" {
			t.Errorf("verify %s: got %d %s", id, g.status, g.body)
		}
	}
	for _, id := range []string{"a%7Cb", "a%2Fb", "a.b", strings.Repeat("a", 65), ".."} {
		for _, of := range []string{"consents", "sessions"} {
			if g := b.app("DELETE", "/bff/api/me/"+of+"/"+id, ""); g.status != 400 && g.status != 404 {
				t.Errorf("%s %s: got %d %s", of, id, g.status, g.body)
			}
		}
	}
	for _, path := range []string{"forms/passkey%7Ca", "admin/users/auth0%7Ca"} {
		if g := b.app("GET", "/bff/api/"+path, ""); g.status != 400 || g.code() != "invalid_id" {
			t.Errorf("%s: got %d %s", path, g.status, g.body)
		}
	}
	if w.called() != 0 {
		t.Errorf("%d calls", w.called())
	}
	big := `{"name":"` + strings.Repeat("a", 64<<10) + `"}`
	if g := b.app("PATCH", "/bff/api/me/authentication-methods/passkey%7Ca", big); g.status != 413 || g.code() != "too_large" ||
		w.called() != 0 {
		t.Errorf("64 KiB: got %d %s", g.status, g.body)
	}
	if g := b.app("PATCH", "/bff/api/me/authentication-methods/passkey%7Ca", `{"name":"a","name":"b"}`); g.status != 400 ||
		g.code() != "invalid_body" || w.called() != 0 {
		t.Errorf("68: got %d %s", g.status, g.body)
	}
}

// A session without a route's scope does not reach the tenant through it, not even with the first token.
func TestAccountScope(t *testing.T) {
	w := newWorld(t)
	for _, missing := range meScopes() {
		t.Run(missing, func(t *testing.T) {
			held := []string{missing + "X"}
			for _, s := range meScopes() {
				if s != missing {
					held = append(held, s)
				}
			}
			w.bend(func(s *stub) { s.meScope, s.forms = strings.Join(held, " "), nil })
			b := w.browser()
			b.signIn()
			for range 2 { // before there is a token of the audience, and with it
				for _, x := range meRows() {
					if x.scope != missing {
						continue
					}
					method, path, _ := strings.Cut(x.row, " ")
					if g := b.app(method, "/bff/api/me"+path, x.body); g.status != 403 || g.code() != "scope" ||
						!strings.Contains(g.body, `"scope":"`+missing+`"`) {
						t.Errorf("%s: got %d %s", x.row, g.status, g.body)
					}
				}
			}
			if w.called() != 0 || len(w.forms) != 2 || !b.signedIn() {
				t.Errorf("%d calls, %d token requests", w.called(), len(w.forms))
			}
		})
	}
	w.bend(func(s *stub) { s.meScope = "" }) // RFC 6749, section 5.1: all that was asked for
	b := w.browser()
	b.signIn()
	for range 2 {
		if g := b.app("GET", "/bff/api/me/factors", ""); g.status != 200 {
			t.Errorf("no scope named: got %d %s", g.status, g.body)
		}
	}
}

// A tenant that issues no token for the account API does not end the session; a revoked sign-in does.
func TestAccountAudienceRefused(t *testing.T) {
	w := newWorld(t)
	for _, x := range []struct {
		status      int
		body        string
		want        int
		code        string
		alive, mine bool // whether calls about forms and the account still work
	}{
		{400, `{"error":"invalid_target"}`, 403, "scope", true, true},
		{403, `{"error":"access_denied","error_description":"refresh-token-1"}`, 403, "scope", true, true},
		{400, `{"error":"unauthorized_client"}`, 403, "scope", true, true},
		{400, `{"error":"invalid_scope"}`, 403, "scope", true, true},
		{400, `{"error":"invalid_request"}`, 403, "scope", true, true},
		{400, `{"error":"invalid_grant"}`, 401, "session_expired", false, false},
		{500, `{"error":"access_denied"}`, 503, "upstream_unavailable", true, true},
		{401, `{"error":"invalid_client"}`, 503, "upstream_unavailable", true, true},
	} {
		t.Run(x.body, func(t *testing.T) {
			w.bend(func(s *stub) { s.token, s.seen, s.bodies = nil, nil, nil })
			b := w.browser()
			b.signIn()
			w.bend(func(s *stub) {
				s.token = func(rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Content-Type", "application/json")
					rw.WriteHeader(x.status)
					_, _ = rw.Write([]byte(x.body))
				}
			})
			g := b.app("GET", "/bff/api/me/factors", "")
			if g.status != x.want || g.code() != x.code || w.called() != 0 || strings.Contains(g.body+w.log.String(), "refresh-token-") {
				t.Errorf("got %d %s after %d calls", g.status, g.body, w.called())
			}
			if x.code == "scope" && !strings.Contains(g.body, "An administrator can allow it") {
				t.Errorf("got %s", g.body)
			}
			if b.signedIn() != x.alive {
				t.Errorf("lives: %v", !x.alive)
			}
			if g := b.app("GET", "/bff/api/forms", ""); (g.status == 200) != x.mine {
				t.Errorf("forms: got %d %s", g.status, g.body)
			}
		})
	}
	ic := w.ic
	ic.MeAudience = ""
	w.h = w.handler(ic)
	w.bend(func(s *stub) { s.token, s.seen, s.forms = nil, nil, nil })
	b := w.browser()
	b.signIn()
	if g := b.app("GET", "/bff/api/me/factors", ""); g.status != 403 || g.code() != "scope" || len(w.forms) != 1 || w.called() != 0 {
		t.Errorf("no such audience: got %d %s", g.status, g.body)
	}
}

// Without a management audience, the token of the sign-in and that of the account API must not be confused.
func TestAccountHasItsOwnToken(t *testing.T) {
	w := newWorld(t)
	ic := w.ic
	ic.Audience = ""
	w.h = w.handler(ic)
	b := w.browser()
	b.signIn()
	b.app("GET", "/bff/api/me/factors", "")
	b.app("GET", "/bff/api/forms", "")
	if n := w.called(); n != 2 || w.seen[0].Header.Get("Authorization") != "Bearer access-token-2" ||
		w.seen[1].Header.Get("Authorization") != "Bearer access-token-1" {
		t.Errorf("%d calls: %v", n, w.seen)
	}
}

// TestAccountRefusals maps the errors of the account API: only their text for people is passed on.
func TestAccountRefusals(t *testing.T) {
	w := newWorld(t)
	const pre = `{"type":"urn:formgraph:error:`
	for _, x := range []struct {
		name      string
		status    int
		challenge string
		body      string
		want      int
		code      string
		text      string
		calls     int
	}{
		{
			"step-up", 401, `Bearer realm="me", error="insufficient_user_authentication", max_age="300"`,
			pre + `insufficient_user_authentication","detail":"A more recent sign-in is needed"}`, 401, "fresh_sign_in", "Confirm your identity",
			1,
		},
		{"step-up without quotes", 401, `Bearer error=insufficient_user_authentication`, `{}`, 401, "fresh_sign_in", "Confirm", 1},
		{
			"401", 401, `Bearer realm="me", error="invalid_token"`, pre + `unauthorized","detail":"The token is over"}`, 401, "upstream_refused", "",
			2,
		},
		{"403 with the words of a step-up", 403, `Bearer error="insufficient_user_authentication"`, `{}`, 403, "scope", "", 1},
		{
			"scope", 403, `Bearer error="insufficient_scope"`, pre + `insufficient_scope","detail":"Insufficient scope, expected: x"}`, 403, "scope",
			`"scope":"create:me:authentication_methods"`, 1,
		},
		{
			"verification", 403, ``, pre + `verification_failed","detail":"The verification was not accepted: start again"}`, 403,
			"verification_failed", "start again", 1,
		},
		{
			"last way in", 409, ``, pre + `conflict","detail":"It is the last way to sign in: add another one first"}`, 409, "conflict",
			"last way to sign in", 1,
		},
		{
			"rules", 400, ``, pre + `invalid_body","detail":"Invalid request payload input","validation_errors":[{"pointer":"/new_password",` +
				`"detail":"must be at least 8 characters, is 3"},{"pointer":"/a~1b","detail":"y"}]}`,
			400, "invalid_body", `"problems":[{"path":"new_password","code":"value","detail":"must be at least 8 characters, is 3"},{"path":"a/b"`,
			1,
		},
		{"400 of another shape", 400, ``, `["stack trace"]`, 400, "invalid_body", "refused this", 1},
		{"404", 404, ``, `{}`, 404, "not_found", "no such way to sign in", 1},
		{"429", 429, ``, `{}`, 429, "rate_limited", "", 2},
		{"503", 503, ``, pre + `service_unavailable","detail":"stack trace"}`, 503, "upstream_unavailable", "retry_after", 1},
		{"503 of another shape", 503, ``, `{"type":"about:blank"}`, 502, "upstream_unavailable", "", 1},
		{"disk full", 503, ``, pre + `storage_full"}`, 503, "upstream_unavailable", "not_saved", 1},
		{"500 HTML", 500, ``, `<html>stack trace`, 502, "upstream_unavailable", "", 1},
		{"token in the words", 409, ``, pre + `conflict","detail":"TOKEN"}`, 502, "upstream_unavailable", "", 1},
		{"long words", 409, ``, pre + `conflict","detail":"` + strings.Repeat("ü", 2000) + `"}`, 409, "conflict", "ü", 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			b := w.browser()
			b.signIn()
			w.bend(func(s *stub) {
				s.seen, s.bodies = nil, nil
				s.api = func(rw http.ResponseWriter, r *http.Request) {
					rw.Header().Set("Content-Type", "application/problem+json")
					if strings.HasPrefix(x.body, "<") {
						rw.Header().Set("Content-Type", "text/html")
					}
					if x.challenge != "" {
						rw.Header().Set("WWW-Authenticate", x.challenge)
					}
					rw.WriteHeader(x.status)
					_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
					_, _ = rw.Write([]byte(strings.ReplaceAll(x.body, "TOKEN", token)))
				}
			})
			g := b.app("POST", "/bff/api/me/authentication-methods/passkey%7Cnew/verify", `{"auth_session":"x"}`)
			if g.status != x.want || g.code() != x.code || !strings.Contains(g.body, x.text) || g.header.Get("WWW-Authenticate") != "" {
				t.Errorf("got %d %s", g.status, g.body)
			}
			if strings.Contains(g.body, "stack trace") || strings.Contains(g.body, "access-token") || len(g.body) > 1500 {
				t.Errorf("the tenant's inside is shown: %s", g.body)
			}
			if w.called() != x.calls || !b.signedIn() {
				t.Errorf("%d calls, want %d", w.called(), x.calls)
			}
		})
	}
	b := w.browser()
	b.signIn()
	w.bend(func(s *stub) {
		s.seen = nil
		s.api = func(rw http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(rw).Hijack(); err == nil {
				_ = conn.Close()
			}
		}
	})
	if g := b.app("DELETE", "/bff/api/me/sessions", ""); g.status != 502 || g.code() != "upstream_unavailable" || w.called() != 1 ||
		!strings.Contains(w.log.String(), `"outcome":"failed"`) {
		t.Errorf("tenant down: got %d %s after %d calls", g.status, g.body, w.called())
	}
}

// A sign-in that must be fresh asks the tenant for a new one, and an earlier one is not accepted.
func TestFresh(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	asked := b.begin("?fresh=1&return_to=/account?then=passkey&prompt=none")
	if asked.Get("prompt") != "login" || asked.Get("max_age") != "0" {
		t.Errorf("asked with %v", asked)
	}
	if plain := b.begin("?fresh=0"); plain.Has("max_age") || plain.Has("prompt") {
		t.Errorf("a plain sign-in asks with %v", plain)
	}
	w.bend(func(s *stub) { s.claims = map[string]any{"auth_time": w.clock.Now().Unix()} })
	if g := b.do("GET", w.consent(asked), ""); g.status != 303 || g.header.Get("Location") != "/account?then=passkey" {
		t.Errorf("got %d %v", g.status, g.header)
	}
	// Nothing uses the tokens of the previous sign-in.
	if !slices.Equal(w.revoked, []string{"refresh-token-1"}) || !b.signedIn() {
		t.Errorf("revoked %v", w.revoked)
	}
	for name, at := range map[string]any{"an earlier one": w.clock.Now().Add(-2 * time.Minute).Unix(), "not given": nil} {
		w.bend(func(s *stub) { s.claims = map[string]any{"auth_time": at}; s.revoked = nil })
		if g := b.do("GET", w.consent(b.begin("?fresh=1")), ""); g.status != 400 || g.code() != "login_token" ||
			!strings.Contains(g.body, "did not ask you to sign in again") {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
		if len(w.revoked) != 1 || !b.signedIn() {
			t.Errorf("%s: revoked %v, and the session must stay", name, w.revoked)
		}
	}
	w.bend(func(s *stub) { s.claims = map[string]any{"auth_time": w.clock.Now().Add(-30 * time.Second).Unix()} })
	if g := b.do("GET", w.consent(b.begin("?fresh=1")), ""); g.status != 303 {
		t.Errorf("52: clocks half a minute apart: got %d %s", g.status, g.body)
	}
}

// A tenant that cannot be reached to revoke an old token does not prevent a new sign-in.
func TestSignInAgainWhileRevocationFails(t *testing.T) {
	w := newWorld(t)
	w.metadata = map[string]any{"revocation_endpoint": "http://127.0.0.1:1/revoke"}
	b := w.browser()
	b.signIn()
	b.signIn()
	if !b.signedIn() || !strings.Contains(w.log.String(), "revoke refresh token") {
		t.Error("must be signed in, and the log say what failed")
	}
	var u map[string]any
	if err := json.Unmarshal([]byte(b.app("GET", "/bff/user", "").body), &u); err != nil || len(u["scopes"].([]any)) != len(bff.Scopes()) {
		t.Errorf("user %v, %v", u, err)
	}
}
