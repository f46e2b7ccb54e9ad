package management_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/management"
)

const methodsPath = "/users/ana/authentication-methods"

// newFactors returns an administration in which Ana has one method of each type and one browser signed in with two factors.
func newFactors(t *testing.T) *fixture {
	t.Helper()
	f := newAdmin(t)
	key := `{"public_key":"AQ","aaguid":"Ag","transports":["usb"],"backup_eligible":true,"backed_up":false}`
	for i, m := range []store.Method{
		{
			ID: "passkey|a", Type: store.MethodPasskey, Name: "Laptop", Key: []byte{7},
			Data: []byte(strings.NewReplacer("AQ", "AQ==", "Ag", "Ag==").Replace(key)),
		},
		{ID: "totp|b", Type: store.MethodTOTP, Data: []byte("a sealed secret")},
		{ID: "recovery-code|c", Type: store.MethodRecoveryCode, Data: []byte("a hash")},
	} {
		m.UserID, m.Created = "ana", f.now.Add(time.Duration(i)*time.Minute)
		if err := f.store.CreateMethod(t.Context(), m, 9); err != nil {
			t.Fatal(err)
		}
	}
	err := f.store.CreateSignIn(t.Context(), store.SignIn{
		Hash: []byte{1}, ID: "s", UserID: "ana", AuthTime: f.now,
		AMR: []string{"pwd", "otp", "mfa"}, Expires: f.now.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.store.UseMethod(t.Context(), "passkey|a", 0, 1, nil, f.now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	return f
}

// left returns the IDs of the methods that Ana still has.
func (f *fixture) left() string {
	f.t.Helper()
	ms, err := f.store.Methods(f.t.Context(), "ana")
	if err != nil {
		f.t.Fatal(err)
	}
	var out []string
	for _, m := range ms {
		out = append(out, m.ID)
	}
	return strings.Join(out, " ")
}

func TestListMethods(t *testing.T) {
	f := newFactors(t)
	a := f.send(http.MethodGet, "/api/v2"+methodsPath, "")
	var list []map[string]any
	if err := json.Unmarshal([]byte(a.body), &list); err != nil || a.StatusCode != http.StatusOK || len(list) != 3 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	want(t, list[0], `{"id":"passkey|a","type":"passkey","name":"Laptop","confirmed":true,
		"created_at":"2026-03-01T12:00:00.000Z","enrolled_at":"2026-03-01T12:00:00.000Z",
		"last_auth_at":"2026-03-01T13:00:00.000Z","key_id":"Bw","public_key":"AQ","aaguid":"Ag","transports":["usb"],
		"credential_device_type":"multi_device","credential_backed_up":false}`)
	want(t, list[1], `{"id":"totp|b","type":"totp","created_at":"2026-03-01T12:01:00.000Z"}`)
	if strings.Contains(a.body, "sealed") || strings.Contains(a.body, "hash") || len(list[1]) != 5 {
		t.Errorf("the list tells too much: %s", a.body)
	}
	page := f.do(t, "GET", methodsPath+"?include_totals=true&per_page=1&page=2", "", 200)
	want(t, page, `{"total":3,"start":2,"limit":1}`)
	if rows, _ := page["authenticators"].([]any); len(rows) != 1 || rows[0].(map[string]any)["id"] != "recovery-code|c" {
		t.Errorf("page = %v", page)
	}
	for _, id := range []string{"totp%7Cb", "totp|b"} {
		want(t, f.do(t, "GET", methodsPath+"/"+id, "", 200), `{"id":"totp|b"}`)
	}
	if a := f.send(http.MethodGet, "/api/v2/users/u/authentication-methods", ""); a.body != "[]" {
		t.Errorf("of somebody without any: %s", a.body)
	}
}

func TestTakeMethods(t *testing.T) {
	f := newFactors(t)
	f.do(t, "DELETE", methodsPath+"/totp%7Cb", "", 204)
	if got := f.left(); got != "passkey|a recovery-code|c" {
		t.Errorf("left: %s", got)
	}
	in, err := f.store.SignIn(t.Context(), []byte{1})
	if err != nil || strings.Join(in.AMR, " ") != "pwd" {
		t.Errorf("sign-in = %+v, %v, want it alive and by a password only", in, err)
	}
	page, _, err := f.store.ListEvents(t.Context(), store.EventFilter{Type: store.EventRemoved}, 0, 9)
	if err != nil || len(page) != 1 || page[0].UserID != "ana" || page[0].ClientID != "global" || page[0].Address == "" ||
		page[0].Description != "totp|b was removed by u" {
		t.Errorf("events = %+v, %v", page, err)
	}
	f.do(t, "DELETE", methodsPath+"/totp%7Cb", "", 404)

	f = newFactors(t)
	f.do(t, "DELETE", "/users/ana/authenticators", "", 204)
	if got := f.left(); got != "passkey|a" {
		t.Errorf("second factors: left %s", got)
	}
	f.do(t, "DELETE", "/users/ana/authenticators", "", 204) // none is not an error
	if _, n, err := f.store.ListEvents(t.Context(), store.EventFilter{Type: store.EventRemoved}, 0, 9); err != nil || n != 2 {
		t.Errorf("%d events, %v, want one a method", n, err)
	}

	f = newFactors(t)
	f.do(t, "DELETE", methodsPath, "", 204)
	u, err := f.store.User(t.Context(), "ana")
	if got := f.left(); got != "" || err != nil || u.PasswordHash == "" {
		t.Errorf("all: left %q and %+v, %v, want the password only", got, u, err)
	}
}

func TestMethodsRefused(t *testing.T) {
	f := newFactors(t)
	for _, tt := range []struct {
		method, path string
		status       int
		code         string
	}{
		{"GET", "/users/nobody/authentication-methods", 404, "inexistent_user"},
		{"DELETE", "/users/nobody/authentication-methods", 404, "inexistent_user"},
		{"DELETE", "/users/nobody/authenticators", 404, "inexistent_user"},
		{"DELETE", "/users/u/authentication-methods/totp%7Cb", 404, "inexistent_authentication_method"},
		{"GET", "/users/u/authentication-methods/totp%7Cb", 404, "inexistent_authentication_method"},
		{"DELETE", methodsPath + "/password%7Cown", 404, "inexistent_authentication_method"},
		{"DELETE", methodsPath + "/", 400, "invalid_uri"},
		{"DELETE", methodsPath + "/a%2Fb", 400, "invalid_uri"},
		{"DELETE", methodsPath + "/%2e%2e", 400, "invalid_uri"},
		{"DELETE", methodsPath + "/" + strings.Repeat("x", 101), 400, "invalid_uri"},
		{"DELETE", methodsPath + "/a/b", 400, "invalid_uri"},
		{"DELETE", "/users/ana/authenticators/totp%7Cb", 404, "not_found"},
		{"GET", "/users/ana/roles/x", 404, "not_found"},
		{"POST", methodsPath, 405, "method_not_allowed"},
		{"GET", "/users/ana/authenticators", 405, "method_not_allowed"},
	} {
		a := f.send(tt.method, "/api/v2"+tt.path, "")
		if a.StatusCode != tt.status || a.error(t).ErrorCode != tt.code {
			t.Errorf("%s %s = %d %s, want %d %s", tt.method, tt.path, a.StatusCode, a.body, tt.status, tt.code)
		}
	}
	for verb, calls := range map[string][]string{
		"read": {"GET " + methodsPath, "GET " + methodsPath + "/totp%7Cb"},
		"delete": {
			"DELETE " + methodsPath, "DELETE " + methodsPath + "/totp%7Cb", "DELETE /users/ana/authenticators",
		},
	} {
		scope := verb + ":authentication_methods"
		var others []string
		for _, s := range management.Scopes() {
			if s != scope {
				others = append(others, s)
			}
		}
		for _, call := range calls {
			method, path, _ := strings.Cut(call, " ")
			a := f.send(method, "/api/v2"+path, "", "Authorization", "Bearer "+f.token("global", audience, others...))
			if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, scope) {
				t.Errorf("%s without %s = %d %s", call, scope, a.StatusCode, a.body)
			}
		}
	}
	if got := f.left(); got != "passkey|a totp|b recovery-code|c" {
		t.Errorf("what was refused took something: left %s", got)
	}
}

// A person who signed up alone is marked until an administrator confirms the address.
func TestUnverifiedPeople(t *testing.T) {
	f := newAdmin(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct {
		body     string
		verified bool
	}{
		{`{"name":"Eva"}`, false},
		{`{"email_verified":true}`, true},
		{`{"email":"new@example.com"}`, true},
		{`{"email":"new@example.com","email_verified":false}`, false},
	} {
		id := fmt.Sprint("eva", i)
		must(f.store.SignUp(t.Context(), store.User{ID: id, Email: id + "@example.com", Created: f.now, Unverified: true},
			store.Method{ID: "passkey|" + id, UserID: id, Type: store.MethodPasskey, Key: []byte(id), Data: []byte("{}")}))
		want(t, f.do(t, "GET", "/users/"+id, "", 200), `{"email_verified":false,"invited":false}`)
		want(t, f.do(t, "PATCH", "/users/"+id, tt.body, 200), fmt.Sprintf(`{"email_verified":%v,"invited":false}`, tt.verified))
		must(f.store.DeleteUser(t.Context(), id))
	}
	// An invitation to an address with which somebody signed up is answered with advice.
	must(f.store.SignUp(t.Context(), store.User{ID: "mallory", Email: "dora@example.com", Created: f.now, Unverified: true},
		store.Method{ID: "passkey|m", UserID: "mallory", Type: store.MethodPasskey, Key: []byte("m"), Data: []byte("{}")}))
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/users", `{"email":"Dora@Example.com"}`},
		{"PATCH", "/users/ana", `{"email":"dora@example.com"}`},
	} {
		a := f.send(call.method, "/api/v2"+call.path, call.body)
		if e := a.error(t); a.StatusCode != http.StatusConflict ||
			!strings.Contains(e.Message, "mallory, who signed up with it but was never confirmed: confirm the address") {
			t.Errorf("%s %s = %d %s", call.method, call.path, a.StatusCode, a.body)
		}
	}
	if a := f.send("PATCH", "/api/v2/users/mallory", `{"email":"ana@example.com"}`); a.StatusCode != http.StatusConflict ||
		strings.Contains(a.body, "alone") {
		t.Errorf("an address of somebody known = %d %s", a.StatusCode, a.body)
	}
	want(t, f.do(t, "PATCH", "/users/ana", `{"name":"Ann"}`, 200), `{"email_verified":true}`)
	f.do(t, "POST", "/users", `{"email":"x@example.com","email_verified":false}`, 400)
}
