package account_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// routes are all operations with a request that is good when its parts are there.
func routes() []struct{ method, path, scope string } {
	const m = ":me:authentication_methods"
	return []struct{ method, path, scope string }{
		{http.MethodGet, "/factors", "read:me:factors"},
		{http.MethodGet, methodsPath, "read" + m},
		{http.MethodPost, methodsPath, "create" + m},
		{http.MethodGet, methodsPath + "/totp%7Cx", "read" + m},
		{http.MethodPatch, methodsPath + "/totp%7Cx", "update" + m},
		{http.MethodDelete, methodsPath + "/totp%7Cx", "delete" + m},
		{http.MethodPost, methodsPath + "/totp%7Cnew/verify", "create" + m},
		{http.MethodGet, "/consents", "read:me:consents"},
		{http.MethodGet, "/consents/c", "read:me:consents"},
		{http.MethodDelete, "/consents/c", "delete:me:consents"},
		{http.MethodGet, "/sessions", "read:me:sessions"},
		{http.MethodDelete, "/sessions", "delete:me:sessions"},
		{http.MethodDelete, "/sessions/s", "delete:me:sessions"},
	}
}

// Every route wants its own scope: with all others it is 403, with it alone it is not.
func TestScopes(t *testing.T) {
	f := newFixture(t)
	for _, r := range routes() {
		f.wait(time.Minute)
		name := r.method + " " + r.path
		without := slices.DeleteFunc(access.SelfServiceScopes(), func(s string) bool { return s == r.scope })
		if len(without) != len(access.SelfServiceScopes())-1 {
			t.Fatalf("%s is not a scope of the API", r.scope)
		}
		without = append(without, r.scope+"X", "x"+r.scope, r.scope+"\tx")
		a := f.do(f.token(func(a *tokens.Access) { a.Scope = without }), r.method, r.path, object{})
		a.want(t, name, http.StatusForbidden, "insufficient_scope")
		if got := a.Header.Get("WWW-Authenticate"); !strings.Contains(got, `scope="`+r.scope+`"`) {
			t.Errorf("%s: challenge = %s", name, got)
		}
		a = f.do(f.token(func(a *tokens.Access) { a.Scope = []string{r.scope} }), r.method, r.path, object{})
		if a.StatusCode == http.StatusForbidden || a.StatusCode == http.StatusUnauthorized || a.StatusCode >= 500 {
			t.Errorf("%s with its scope: %d %s", name, a.StatusCode, a.body)
		}
	}
}

func TestTokens(t *testing.T) {
	f := newFixture(t)
	set := func(change func(*tokens.Access)) string { return f.token(change) }
	ok := f.do(f.token(), http.MethodGet, "/factors", nil)
	ok.want(t, "good", http.StatusOK, "")
	if ok.Header.Get("Cache-Control") != "no-store" || ok.Header.Get("X-RateLimit-Limit") == "" {
		t.Errorf("headers = %v", ok.Header)
	}
	for name, token := range map[string]string{
		"none":                  "",
		"garbage":               "x",
		"other audience":        set(func(a *tokens.Access) { a.Audience = issuer + "/api/v2/" }),
		"audience without /":    set(func(a *tokens.Access) { a.Audience = issuer + "/me" }),
		"other host":            set(func(a *tokens.Access) { a.Audience = "http://custom.example/me/" }),
		"client credentials 86": set(func(a *tokens.Access) { a.Subject = "editor@clients" }),
		"nobody":                set(as("gone")),
	} {
		a := f.do(token, http.MethodGet, "/factors", nil)
		a.want(t, name, http.StatusUnauthorized, "unauthorized")
		if got := a.Header.Get("WWW-Authenticate"); strings.Contains(got, "invalid_token") != (token != "") {
			t.Errorf("%s: challenge = %s", name, got)
		}
	}
	token := f.token()
	for name, headers := range map[string][]string{
		"two": {"Bearer " + token, "Bearer " + token}, "basic": {"Basic " + token},
		"DPoP": {"DPoP " + token}, "bare": {token},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/me/v1/factors", nil)
		r.Header["Authorization"] = headers
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		want := http.StatusUnauthorized
		if name == "two" {
			want = http.StatusBadRequest // RFC 6750, section 2: one method a request
		}
		if w.Code != want || w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("%s: %d, want %d and a challenge", name, w.Code, want)
		}
	}
	// A person who is blocked is out at once, and in again.
	for _, blocked := range []bool{true, false} {
		if err := f.store.SetBlocked(t.Context(), "ana", blocked); err != nil {
			t.Fatal(err)
		}
		if a := f.do(token, http.MethodGet, "/factors", nil); (a.StatusCode == http.StatusUnauthorized) != blocked {
			t.Errorf("blocked is %v: %d", blocked, a.StatusCode)
		}
	}
	f.wait(11 * time.Minute)
	f.do(token, http.MethodGet, "/factors", nil).want(t, "expired", http.StatusUnauthorized, "unauthorized")
}

func TestPaths(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{
		"", "/", "/x", "/factors/", "/factors/x", "/authentication-methods/", "/authentication-methods/..%2f..", "/authentication-methods/a%00",
		"/authentication-methods/totp%7Cnew/verify/x", "/authentication-methods/totp%7Cnew/other", "/authentication-methods/totp%7Cx/verify",
		"/authentication-methods/nothing%7Cnew/verify", "/authentication-methods//verify", "/authentication-methods/" + strings.Repeat("a", 101),
		"//factors",
		"/authentication%2Dmethods", "/consents/a/b", "/consents/nobody", "/sessions/nobody",
	} {
		f.wait(time.Second)
		method := http.MethodGet
		switch {
		case strings.Contains(path, "verify"):
			method = http.MethodPost
		case strings.HasPrefix(path, "/sessions/"):
			method = http.MethodDelete
		}
		f.do(f.token(), method, path, object{"auth_session": "x", "otp_code": "x"}).want(t, method+" "+path, http.StatusNotFound, "not_found")
	}
	a := f.do(f.token(), http.MethodPut, methodsPath, nil)
	a.want(t, "PUT", http.StatusMethodNotAllowed, "method_not_allowed")
	if a.Header.Get("Allow") != "GET, POST" {
		t.Errorf("Allow = %q", a.Header.Get("Allow"))
	}
}

func TestBodies(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		name, body, pointer string
		status              int
	}{
		{"empty", ``, "", 400},
		{"not JSON", `{`, "", 400},
		{"array", `[]`, "", 400},
		{"two values", `{"type":"totp"}{}`, "", 400},
		{"no type", `{}`, "/type", 400},
		{"unknown type", `{"type":"phone"}`, "/type", 400},
		{"number", `{"type":1}`, "/type", 400},
		{"another member", `{"type":"totp","a/b~":1}`, "/a~1b~0", 400},
		{"other case", `{"Type":"totp"}`, "/Type", 400},
		{"twice", `{"type":"totp","type":"totp"}`, "/type", 400},
		{"large", `{"type":"` + strings.Repeat("x", 64<<10) + `"}`, "", 413},
		{"vendor's members", `{"type":"totp","connection":"c","identity_user_id":"i"}`, "", 202},
	} {
		f.wait(time.Second)
		a := f.do(f.token(), http.MethodPost, methodsPath, tt.body)
		if a.StatusCode != tt.status || tt.pointer != "" && !strings.Contains(a.body, `"pointer":"`+tt.pointer+`"`) {
			t.Errorf("%s: %d %s, want %d at %q", tt.name, a.StatusCode, a.body, tt.status, tt.pointer)
		}
	}
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/me/v1"+methodsPath, strings.NewReader(`{"type":"totp"}`))
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Authorization", "Bearer "+f.token())
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != http.StatusUnsupportedMediaType {
			t.Errorf("content type %q: %d, want 415", kind, w.Code)
		}
	}
	if a := f.do(f.token(), http.MethodPost, methodsPath, `{}`); a.Header.Get("Content-Type") != "application/problem+json" ||
		a.text("title") != "Validation Error" || a.json()["status"] != 400.0 {
		t.Errorf("error: %s %s", a.Header.Get("Content-Type"), a.body)
	}
}

func TestRateLimit(t *testing.T) {
	f := newFixture(t)
	for range 30 {
		f.do(f.token(), http.MethodGet, "/factors", nil).want(t, "within", http.StatusOK, "")
	}
	a := f.do(f.token(), http.MethodGet, "/factors", nil)
	a.want(t, "beyond", http.StatusTooManyRequests, "too_many_requests")
	if a.Header.Get("Retry-After") != "1" || a.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("headers = %v", a.Header)
	}
	f.do(f.token(as("bob")), http.MethodGet, "/factors", nil).want(t, "another person", http.StatusOK, "")
}

func TestFactors(t *testing.T) {
	want := func(passkey string) string {
		return `{"factors":[{"type":"password","usage":["primary"]},` + passkey +
			`{"type":"totp","usage":["secondary"]},{"type":"recovery-code","usage":["secondary"]}]}`
	}
	f := newFixture(t)
	if a := f.do(f.token(), http.MethodGet, "/factors", nil); a.body != want(`{"type":"passkey","usage":["primary"]},`) {
		t.Errorf("factors = %s", a.body)
	}
	off := newFixtureAt(t, "http://127.0.0.1:8081")
	if a := off.do(off.token(), http.MethodGet, "/factors", nil); a.body != want("") {
		t.Errorf("factors without passkeys = %s", a.body)
	}
	off.do(off.token(), http.MethodPost, methodsPath, object{"type": "passkey"}).want(t, "passkeys off", http.StatusBadRequest, "invalid_body")
}

func TestRenameAndDelete(t *testing.T) {
	f := newFixture(t)
	f.do(f.token(), http.MethodDelete, methodsPath+"/password%7Cown", nil).want(t, "delete the only password", http.StatusConflict, "conflict")
	if u, err := f.store.User(t.Context(), "ana"); err != nil || u.PasswordHash != "$old" {
		t.Errorf("user = %+v, %v, want the password kept", u, err)
	}
	id := f.passkey()
	path := methodsPath + "/" + strings.ReplaceAll(id, "|", "%7C")
	if a := f.do(f.token(), http.MethodPatch, path, object{"name": "  My <laptop> "}); a.StatusCode != http.StatusOK ||
		a.text("name") != "My <laptop>" {
		t.Errorf("rename: %d %s", a.StatusCode, a.body)
	}
	f.do(f.token(), http.MethodPatch, path, object{"name": strings.Repeat("x", 101)}).want(t, "long name", http.StatusBadRequest,
		"invalid_body")
	f.do(f.token(), http.MethodPatch, path, object{}).want(t, "no name", http.StatusBadRequest, "invalid_body")
	f.do(f.token(as("bob")), http.MethodPatch, path, object{"name": "x"}).want(t, "another's", http.StatusNotFound, "not_found")
	f.do(f.token(), http.MethodPatch, methodsPath+"/password%7Cown", object{"name": "x"}).want(t, "password", http.StatusConflict, "conflict")
	f.do(f.token(as("bob")), http.MethodGet, path, nil).want(t, "get another's", http.StatusNotFound, "not_found")
	f.do(f.token(as("bob")), http.MethodDelete, path, nil).want(t, "delete another's", http.StatusNotFound, "not_found")
	f.do(f.token(as("bob")), http.MethodDelete, methodsPath+"/password%7Cown", nil).want(t, "delete no password", http.StatusNotFound,
		"not_found")

	// The bar need not be escaped.
	f.do(f.token(), http.MethodGet, methodsPath+"/password|own", nil).want(t, "bar", http.StatusOK, "")
	f.do(f.token(), http.MethodDelete, methodsPath+"/password%7Cown", nil).want(t, "delete password", http.StatusNoContent, "")
	f.do(f.token(), http.MethodDelete, path, nil).want(t, "delete the last way in", http.StatusConflict, "conflict")
	if ids := f.list(); !slices.Equal(ids, []string{id}) {
		t.Errorf("methods = %v, want the passkey alone", ids)
	}
	second := f.passkey()
	f.do(f.token(), http.MethodDelete, path, nil).want(t, "delete one of two", http.StatusNoContent, "")
	f.do(f.token(), http.MethodDelete, path, nil).want(t, "delete again", http.StatusNotFound, "not_found")
	if a := f.do(f.token(), http.MethodGet, methodsPath+"?type=totp", nil); a.body != `{"authentication_methods":[]}` {
		t.Errorf("of one type = %s", a.body)
	}
	if ids := f.list(); !slices.Equal(ids, []string{second}) {
		t.Errorf("methods = %v, want the second passkey", ids)
	}
}

func (f *fixture) family(user, id, sid, client, audience string, scope ...string) {
	f.t.Helper()
	err := f.store.CreateFamily(f.t.Context(), store.Family{
		ID: id, ClientID: client, UserID: user, SignInID: sid, AuthTime: f.clock(), Audience: audience, Scope: scope,
		Expires: f.clock().Add(24 * time.Hour),
	})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := f.store.CreateRefresh(f.t.Context(),
		store.Refresh{Hash: []byte(id), FamilyID: id, Expires: f.clock().Add(time.Hour)}); err != nil {
		f.t.Fatal(err)
	}
}

// revoked lists which families are, of those that family made.
func (f *fixture) revoked(ids ...string) string {
	f.t.Helper()
	var out []string
	for _, id := range ids {
		_, fam, err := f.store.Refresh(f.t.Context(), []byte(id))
		if err != nil {
			f.t.Fatal(err)
		}
		if fam.Revoked {
			out = append(out, id)
		}
	}
	return fmt.Sprint(out)
}

func TestSessions(t *testing.T) {
	f := newFixture(t)
	f.family("ana", "f1", "s1", "editor", "http://a", "x")
	f.family("ana", "f2", "s2", "other", "http://a", "x")
	f.family("bob", "f3", "s3", "editor", "http://a", "x")
	err := f.store.CreateSignIn(t.Context(), store.SignIn{
		Hash: []byte{1}, ID: "s1", UserID: "ana", AuthTime: f.clock(),
		Expires: f.clock().Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sessions":[{"id":"s1","authenticated_at":"2026-03-01T12:00:00.000Z","expires_at":"2026-03-02T12:00:00.000Z","browser":true,` +
		`"clients":["editor"],"current":true},` +
		`{"id":"s2","authenticated_at":"2026-03-01T12:00:00.000Z","expires_at":"2026-03-02T12:00:00.000Z","browser":false,"clients":["other"],` +
		`"current":false}]}`
	if a := f.do(f.token(), http.MethodGet, "/sessions", nil); a.body != want {
		t.Errorf("sessions = %s\nwant %s", a.body, want)
	}
	f.do(f.token(), http.MethodDelete, "/sessions/s3", nil).want(t, "another's", http.StatusNotFound, "not_found")
	f.do(f.token(), http.MethodDelete, "/sessions/s2", nil).want(t, "one", http.StatusNoContent, "")
	if got := f.revoked("f1", "f2", "f3"); got != "[f2]" {
		t.Errorf("revoked = %s, want [f2]", got)
	}
	f.do(f.token(), http.MethodDelete, "/sessions", nil).want(t, "everywhere", http.StatusNoContent, "")
	if got := f.revoked("f1", "f2", "f3"); got != "[f1 f2]" {
		t.Errorf("revoked = %s, want [f1 f2]", got)
	}
	if a := f.do(f.token(), http.MethodGet, "/sessions", nil); a.body != `{"sessions":[]}` {
		t.Errorf("sessions = %s, want none", a.body)
	}
}

func TestConsents(t *testing.T) {
	f := newFixture(t)
	f.family("ana", "f1", "s1", "editor", "http://a", "x", "y")
	f.wait(time.Hour)
	f.family("ana", "f2", "s2", "editor", "http://b")
	f.family("ana", "f3", "s2", "other", "http://a", "x")
	f.family("bob", "f4", "s3", "editor", "http://a", "x")
	editor := `{"id":"editor","client_name":"The editor","created_at":"2026-03-01T12:00:00.000Z","grants":[{"audience":"http://a",` +
		`"scopes":["x","y"]},{"audience":"http://b","scopes":[]}]}`
	other := `{"id":"other","client_name":"Another","created_at":"2026-03-01T13:00:00.000Z","grants":[{"audience":"http://a","scopes":["x"]}]}`
	if a := f.do(f.token(), http.MethodGet, "/consents", nil); a.body != `{"consents":[`+editor+`,`+other+`]}` {
		t.Errorf("consents = %s", a.body)
	}
	if a := f.do(f.token(), http.MethodGet, "/consents/other", nil); a.body != other {
		t.Errorf("consent = %s", a.body)
	}
	f.do(f.token(), http.MethodDelete, "/consents/editor", nil).want(t, "delete", http.StatusNoContent, "")
	f.do(f.token(), http.MethodDelete, "/consents/editor", nil).want(t, "delete again", http.StatusNotFound, "not_found")
	if got := f.revoked("f1", "f2", "f3", "f4"); got != "[f1 f2]" {
		t.Errorf("revoked = %s, want [f1 f2]", got)
	}
	if a := f.do(f.token(), http.MethodGet, "/consents", nil); a.body != `{"consents":[`+other+`]}` {
		t.Errorf("consents = %s", a.body)
	}
}

// When the store fails the answer says so, tells nothing of it, and nothing is changed.
func TestStoreDown(t *testing.T) {
	f := newFixture(t)
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	a := f.do(f.token(), http.MethodGet, "/factors", nil)
	a.want(t, "down", http.StatusServiceUnavailable, "service_unavailable")
	if a.Header.Get("Retry-After") != "1" || strings.Contains(a.body, "sql") {
		t.Errorf("down: %v %s", a.Header, a.body)
	}
}
