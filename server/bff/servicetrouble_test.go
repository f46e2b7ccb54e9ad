package bff_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/admission"
)

func TestServiceClientThatHoldsLess(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	w.answer = map[string]any{"scope": "read:forms update:forms openid"}
	b := w.browser()
	b.signIn()
	if got := b.scopes(); !slices.Equal(got, editScopes) {
		t.Errorf("before the first token: %v", got)
	}
	for _, c := range editorCalls {
		before := w.called()
		g := b.app(c.method, c.path, c.body)
		switch c.scope {
		case "read:forms", "update:forms":
			if g.status != 200 {
				t.Errorf("%s %s: %d %s", c.method, c.path, g.status, g.body)
			}
		default:
			if g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, "service client lacks "+c.scope) || w.called() != before {
				t.Errorf("%s %s: %d %s", c.method, c.path, g.status, g.body)
			}
		}
	}
	if got := b.scopes(); !slices.Equal(got, []string{"read:forms", "update:forms"}) {
		t.Errorf("scopes %v", got)
	}
}

func TestServiceClientLearnsFromRefusals(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	b.signIn()
	refuse := func(body map[string]any) {
		w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 403, body) }
	}
	patch := func() got { return b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`) }
	refuse(map[string]any{"statusCode": 403, "errorCode": "feature_not_enabled"})
	if g := patch(); g.status != 403 || !slices.Equal(b.scopes(), editScopes) {
		t.Errorf("for another reason: %d %s, scopes %v", g.status, g.body, b.scopes())
	}
	refuse(map[string]any{"statusCode": 403, "errorCode": "insufficient_scope"})
	if g := patch(); g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, "service client lacks update:forms") {
		t.Errorf("got %d %s", g.status, g.body)
	}
	if got := b.scopes(); slices.Contains(got, "update:forms") || len(got) != 4 {
		t.Errorf("scopes %v", got)
	}
	w.api = nil
	if g := patch(); g.status != 200 || !slices.Equal(b.scopes(), editScopes) {
		t.Errorf("granted again: %d, scopes %v", g.status, b.scopes())
	}
}

func TestServiceClientThatIsNotSetUp(t *testing.T) {
	for _, tt := range []struct {
		name         string
		status       int
		answer       map[string]any
		code         string
		says, remedy string // to people; in the log
	}{
		{
			"power over the tenant", 200,
			map[string]any{"scope": "read:forms update:client_grants"},
			"management_client",
			"An administrator must check", "update:client_grants",
		},
		{"no read:forms", 200, map[string]any{"scope": "read:flows"}, "management_client", "lacks read:forms", "grant the client"},
		{"wrong secret", 401, map[string]any{"error": "invalid_client"}, "management_client", "An administrator must check", "--management-client-id"},
		{"no grant", 403, map[string]any{"error": "access_denied"}, "management_client", "An administrator must check", "audience"},
		{"down", 503, map[string]any{"error": "server_error"}, "upstream_unavailable", "cannot be reached", "503"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
			w.answer, w.status = tt.answer, tt.status
			b := w.browser()
			b.signIn()
			for range 5 {
				if g := b.app("GET", "/bff/api/forms", ""); g.status != 502 || g.code() != tt.code || !strings.Contains(g.body, tt.says) {
					t.Errorf("got %d %s", g.status, g.body)
				}
			}
			if w.asked != 1 || w.called() != 0 {
				t.Errorf("%d requests for a token, %d calls", w.asked, w.called())
			}
			if !strings.Contains(w.log.String(), tt.remedy) || strings.Contains(w.log.String(), serviceSecret) {
				t.Errorf("log: %s", w.log.String())
			}
			// Now the tenant issues a token.
			w.answer, w.status = nil, 0
			w.clock.Move(time.Second)
			if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
				t.Errorf("later: %d %s", g.status, g.body)
			}
		})
	}
}

func TestRefusedServiceTokenIsReplaced(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	b.signIn()
	b.app("GET", "/bff/api/forms", "")
	w.clock.Move(time.Minute)
	w.api = func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer service-token-1" {
			writeJSON(rw, 401, map[string]any{"message": "expired"})
			return
		}
		writeJSON(rw, 200, []any{})
	}
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 || w.asked != 2 {
		t.Errorf("got %d %s after %d token requests", g.status, g.body, w.asked)
	}
}

// The tenant repeats the token in its answers, and the browser sends everything that another server might believe.
func TestServiceTokenStaysOnTheServer(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	b.signIn()
	echo := func(status int, kind string) {
		w.api = func(rw http.ResponseWriter, r *http.Request) {
			token := r.Header.Get("Authorization")
			rw.Header().Set("Content-Type", kind)
			rw.Header().Set("X-Token", token)
			rw.Header().Set("WWW-Authenticate", token)
			rw.Header().Set("Set-Cookie", "token="+token)
			rw.WriteHeader(status)
			_, _ = fmt.Fprintf(rw, `{"id":"ap_1","message":%q}`, token)
		}
	}
	for _, status := range []int{200, 400, 401, 403, 404, 409, 412, 429, 500} {
		for _, kind := range []string{"application/json", "text/plain"} {
			echo(status, kind)
			for _, c := range editorCalls {
				b.app(c.method, c.path, c.body)
			}
			w.clock.Move(time.Minute)
		}
	}
	b.scopes()
	for name, text := range map[string]string{"browser": b.all.String(), "log": w.log.String()} {
		for _, secret := range []string{"service-token", serviceSecret, clientSecret, "access-token-", "refresh-token-"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: %s", name, secret)
			}
		}
	}
	if w.called() < 20 || w.asked < 2 {
		t.Errorf("%d calls, %d tokens: the test is void", w.called(), w.asked)
	}
}

func TestForgedHeadersChangeNothing(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{View: subjectRule(), Edit: []admission.Rule{must(admission.Email("boss@example.org"))}})
	viewer, stranger := w.browser(), w.browser()
	viewer.signIn()
	forged := []string{
		"Authorization", "Bearer service-token-1", "X-Forwarded-User", "boss@example.org", "X-Forwarded-Email", "boss@example.org",
		"X-Original-URL", "/api/v2/users", "X-Rewrite-URL", "/api/v2/users", "X-Original-Method", "DELETE", "X-HTTP-Method-Override", "DELETE",
		"X-Auth-Request-Email", "boss@example.org", "X-Remote-User", "boss@example.org", "Forwarded", "for=127.0.0.1;host=evil.test",
		"X-Forwarded-Host", "evil.test", "DPoP", "x", "Scope", "update:forms",
	}
	if g := viewer.app("GET", "/bff/api/forms", "", forged...); g.status != 200 || w.called() != 1 {
		t.Fatalf("viewer: %d %s", g.status, g.body)
	}
	r := w.seen[0]
	if r.Method != http.MethodGet || r.URL.Path != "/api/v2/forms" || r.Header.Get("Authorization") != "Bearer service-token-1" ||
		!strings.HasPrefix(w.url, "http://"+r.Host) || r.Header.Get("Cookie") != "" {
		t.Errorf("called %s %s at %s with %v", r.Method, r.URL, r.Host, r.Header)
	}
	for name := range r.Header {
		if !slices.Contains([]string{"Authorization", "Accept", "User-Agent"}, name) {
			t.Errorf("the tenant got %s", name)
		}
	}
	if g := viewer.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, forged...); g.status != 403 || g.code() != "scope" {
		t.Errorf("viewer saves: %d %s", g.status, g.body)
	}
	for _, c := range editorCalls {
		if g := stranger.app(c.method, c.path, c.body, append(forged, "Cookie", "__Host-Http-fg=x")...); g.status != 401 {
			t.Errorf("stranger: %d %s", g.status, g.body)
		}
	}
	if w.called() != 1 {
		t.Errorf("%d calls", w.called())
	}
}

func TestAuditOfChanges(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	b := w.browser()
	b.signIn()
	last := func() string {
		lines := strings.Split(w.log.String(), "\n")
		for _, line := range slices.Backward(lines) {
			if strings.Contains(line, `"msg":"audit"`) {
				return line
			}
		}
		return ""
	}
	const who = `"sub":"user_1","email":"ana@example.org"`
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "If-Match", `"v1"`)
	if want := who + `,"object":"form","id":"ap_1","before":"\"v1\"","after":"\"v2\"","outcome":"answered","status":200`; !strings.Contains(last(), want) {
		t.Errorf("saved: %s, want %s", last(), want)
	}
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("ETag", `"n1"`)
		writeJSON(rw, 201, map[string]any{"id": "ap_new"})
	}
	b.app("POST", "/bff/api/forms", `{"name":"x"}`)
	if want := who + `,"object":"form","id":"ap_new","after":"\"n1\"","outcome":"answered","status":201`; !strings.Contains(last(), want) {
		t.Errorf("created: %s, want %s", last(), want)
	}
	w.api = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusNoContent) }
	b.app("DELETE", "/bff/api/forms/ap_1", "")
	if want := who + `,"object":"form","id":"ap_1","outcome":"answered","status":204`; !strings.Contains(last(), want) {
		t.Errorf("deleted: %s, want %s", last(), want)
	}
	before := last()
	b.app("GET", "/bff/api/forms", "")
	if last() != before {
		t.Errorf("a read is in the audit: %s", last())
	}
	w.rules = admission.Rules{View: subjectRule()}
	w.restart()
	b.app("DELETE", "/bff/api/forms/ap_1", "")
	if want := who + `,"object":"form","id":"ap_1","outcome":"refused","status":403`; !strings.Contains(last(), want) {
		t.Errorf("refused: %s, want %s", last(), want)
	}
}
