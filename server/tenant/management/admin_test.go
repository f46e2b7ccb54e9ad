package management_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// world is a fixture with the tenant's own APIs and one more.
func newAdmin(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	for _, err := range []error{
		f.store.CreateAPI(t.Context(), store.API{
			ID: "me", Identifier: issuer + "/me/", Name: "Me", Scopes: []string{"read:me:factors"},
			UserPolicy: store.RequireClientGrant, ClientPolicy: store.DenyAll,
		}),
		f.store.CreateAPI(t.Context(), store.API{
			ID: "shop", Identifier: "https://shop", Name: "Shop", Scopes: []string{"buy", "sell"},
			ScopeTexts: map[string]string{"buy": "Buy things"}, UserPolicy: store.AllowAll, ClientPolicy: store.DenyAll,
		}),
		f.store.CreateClient(t.Context(), store.Client{ID: "reserved", Global: true, SecretHash: []byte{1}, Created: f.now, SecretSince: f.now}),
		f.store.CreateUser(t.Context(), store.User{
			ID: "ana", Email: "ana@example.com", Name: "Ana", PasswordHash: "x",
			Created: f.now.Add(time.Hour),
		}),
		f.store.CreateRole(t.Context(), store.Role{ID: "rol_a", Name: "Buyer", Created: f.now}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// do sends a request below /api/v2, wants a status and returns the answer's object.
func (f *fixture) do(t *testing.T, method, path, body string, want int) map[string]any {
	t.Helper()
	a := f.send(method, "/api/v2"+path, body)
	if a.StatusCode != want {
		t.Fatalf("%s %s %s = %d %s, want %d", method, path, body, a.StatusCode, a.body, want)
	}
	var m map[string]any
	_ = json.Unmarshal([]byte(a.body), &m)
	return m
}

// want compares members of an object with what they must be, as JSON.
func want(t *testing.T, got map[string]any, members string) {
	t.Helper()
	var w map[string]any
	if err := json.Unmarshal([]byte(members), &w); err != nil {
		t.Fatal(err)
	}
	for key, v := range w {
		if d := cmp.Diff(v, got[key]); d != "" {
			t.Errorf("%s (-want +got):\n%s", key, d)
		}
	}
}

func TestClients(t *testing.T) {
	f := newAdmin(t)
	for body, members := range map[string]string{
		`{"name":"A"}`: `{"app_type":"regular_web","grant_types":["authorization_code","refresh_token"],` +
			`"callbacks":[],"token_endpoint_auth_method":"client_secret_post","is_first_party":true,"global":false}`,
		`{"name":"A","app_type":"spa"}`: `{"token_endpoint_auth_method":"none","grant_types":["authorization_code",` +
			`"refresh_token"]}`,
		`{"name":"A","app_type":"native","global":true}`: `{"token_endpoint_auth_method":"none","global":true}`,
		`{"name":"A","app_type":"non_interactive"}`: `{"token_endpoint_auth_method":"client_secret_post",` +
			`"grant_types":["client_credentials"]}`,
		`{"name":"A","is_first_party":false,"callbacks":["http://a/cb","my.app:/cb"],"description":"x",` +
			`"token_endpoint_auth_method":"client_secret_basic","allowed_logout_urls":["http://a/"]}`: `{"is_first_party":false,` +
			`"callbacks":["http://a/cb","my.app:/cb"],"description":"x","token_endpoint_auth_method":"client_secret_basic",` +
			`"allowed_logout_urls":["http://a/"]}`,
	} {
		m := f.do(t, "POST", "/clients", body, 201)
		want(t, m, members)
		secret, _ := m["client_secret"].(string)
		if public := m["token_endpoint_auth_method"] == "none"; public == (secret != "") {
			t.Errorf("%s: secret %q of a client with method %v", body, secret, m["token_endpoint_auth_method"])
		}
		row, err := f.store.Client(t.Context(), m["client_id"].(string))
		if err != nil || secret != "" && !slices.Equal(row.SecretHash, tokens.Hash(secret)) {
			t.Errorf("%s: kept %+v, %v", body, row, err)
		}
		if got := f.do(t, "GET", "/clients/"+row.ID, "", 200); got["client_secret"] != nil {
			t.Errorf("%s: the secret is shown twice", body)
		}
		if secret != "" && strings.Contains(f.log.String(), secret) {
			t.Error("the secret is logged")
		}
	}
	m := f.do(t, "POST", "/clients", `{"name":"B"}`, 201)
	id, secret := m["client_id"].(string), m["client_secret"]
	f.now = f.now.Add(time.Minute)
	next := f.do(t, "POST", "/clients/"+id+"/rotate-secret", "", 200)
	if next["client_secret"] == secret || next["client_secret"] == nil || next["secret_since"] == m["secret_since"] {
		t.Errorf("rotated to %v since %v", next["client_secret"], next["secret_since"])
	}
	row, err := f.store.Client(t.Context(), id)
	if err != nil || !slices.Equal(row.SecretHash, tokens.Hash(next["client_secret"].(string))) {
		t.Errorf("rotated: kept %+v, %v", row, err)
	}
	m = f.do(t, "PATCH", "/clients/"+id, `{"name":"C","global":true}`, 200)
	want(t, m, `{"name":"C","global":true,"is_first_party":true,"app_type":"regular_web"}`)
	if m["client_secret"] != nil {
		t.Error("a change of the name makes a new secret")
	}
	f.do(t, "PATCH", "/clients/"+id, `{"token_endpoint_auth_method":"none"}`, 200)
	if row, _ = f.store.Client(t.Context(), id); !row.Public || row.SecretHash != nil {
		t.Error("a client that became public keeps its secret")
	}
	f.do(t, "POST", "/clients/"+id+"/rotate-secret", "", 400)
	if m = f.do(t, "PATCH", "/clients/"+id, `{"token_endpoint_auth_method":"client_secret_post"}`, 200); m["client_secret"] == nil {
		t.Error("a client that became confidential got no secret")
	}
	page := f.do(t, "GET", "/clients?include_totals=true&per_page=2&page=1", "", 200)
	if page["total"] != 10.0 || page["start"] != 2.0 || len(page["clients"].([]any)) != 2 {
		t.Errorf("list = %v", page)
	}
	f.do(t, "DELETE", "/clients/"+id, "", 204)
	f.do(t, "DELETE", "/clients/"+id, "", 404)
	f.do(t, "GET", "/clients/"+id, "", 404)
	f.do(t, "DELETE", "/clients/global", "", 400) // itself
	for _, x := range []string{"PATCH /clients/reserved", "DELETE /clients/reserved", "POST /clients/reserved/rotate-secret"} {
		method, path, _ := strings.Cut(x, " ")
		if m := f.do(t, method, path, `{"name":"x"}`, 400); m["errorCode"] != "operation_not_supported" {
			t.Errorf("%s = %v", x, m)
		}
	}
}

// Every body is judged, and nothing is kept of a wrong one.
func TestAdminBodies(t *testing.T) {
	f := newAdmin(t)
	for _, x := range []struct{ request, body, problem string }{
		{"POST /clients", `{}`, "name required"},
		{"POST /clients", `{"name":"x","tenant":"y"}`, "tenant unknown"},
		{"POST /clients", `{"name":"x","client_id":"mine"}`, "client_id unknown"},
		{"POST /clients", `{"name":"x","app_type":"web"}`, "app_type enum"},
		{"POST /clients", `{"name":"x","global":"yes"}`, "global type"},
		{"POST /clients", `{"name":"x","name":"y"}`, "name duplicate_key"},
		{"POST /clients", `{"name":"x","callbacks":["/cb"]}`, "callbacks[0] format"},
		{"POST /clients", `{"name":"x","callbacks":["http://a/#x"]}`, "callbacks[0] format"},
		{"POST /clients", `{"name":"x","callbacks":["http://a/","https://*.a/"]}`, "callbacks[1] format"},
		{"POST /clients", `{"name":"x","callbacks":["https://u@a/"]}`, "callbacks[0] format"},
		{"POST /clients", `{"name":"x","callbacks":["https:a"]}`, "callbacks[0] format"},
		{"POST /clients", `{"name":"x","callbacks":["JavaScript:alert(1)"]}`, "callbacks[0] format"},
		{"POST /clients", `{"name":"x","allowed_logout_urls":["data:text/html,x"]}`, "allowed_logout_urls[0] format"},
		{"PATCH /clients/second", `{"name":""}`, "name length"},
		{"POST /client-grants", `{"client_id":"second"}`, "audience required"},
		{"POST /client-grants", `{"client_id":"none","audience":"https://shop","scope":["buy","fly"]}`, "client_id enum"},
		{"POST /client-grants", `{"client_id":"second","audience":"https://none","scope":[]}`, "audience enum"},
		{"POST /client-grants", `{"client_id":"second","audience":"https://shop","scope":["buy","fly"]}`, "scope[1] enum"},
		{"POST /client-grants", `{"client_id":"second","audience":"` + issuer + `/me/","scope":[],"subject_type":"client"}`, "subject_type enum"},
		{"POST /client-grants", `{"client_id":"second","audience":"` + issuer + `/me/","scope":[]}`, "subject_type enum"},
		{"POST /resource-servers", `{"identifier":"https://x"}`, "name required"},
		{"POST /resource-servers", `{"identifier":"https://x","name":"x","scopes":[{"value":"a b"}]}`, "scopes[0].value format"},
		{"POST /resource-servers", `{"identifier":"https://x","name":"x","scopes":[{"value":"openid"}]}`, "scopes[0].value format"},
		{
			"POST /resource-servers", `{"identifier":"https://x","name":"x","scopes":[{"value":"a"},{"value":"a"}]}`,
			"scopes[1].value duplicate_id",
		},
		{
			"POST /resource-servers", `{"identifier":"https://x","name":"x","subject_type_authorization":{"user":{"policy":"maybe"}}}`,
			"subject_type_authorization.user.policy enum",
		},
		{"PATCH /resource-servers/shop", `{"identifier":"https://other"}`, "identifier unknown"},
		{"POST /users", `{"email":"nobody"}`, "email format"},
		{"POST /users", `{"email":"a@b","password":"short"}`, "password length"},
		{"POST /users", `{"email":"a@b","password":"` + strings.Repeat("é", 600) + `"}`, "password length"},
		{"POST /users", `{"email":"a@b","blocked":true}`, "blocked unknown"},
		{"PATCH /users/ana", `{"user_id":"x"}`, "user_id unknown"},
		{"POST /users/ana/roles", `{"roles":[]}`, "roles items"},
		{"POST /users/ana/roles", `{"roles":["rol_none"]}`, "roles enum"},
		{"POST /roles/rol_a/users", `{"users":["none"]}`, "users enum"},
		{
			"POST /users/ana/permissions", `{"permissions":[{"permission_name":"fly","resource_server_identifier":"https://shop"}]}`,
			"permissions[0].permission_name enum",
		},
		{
			"POST /roles/rol_a/permissions", `{"permissions":[{"permission_name":"buy","resource_server_identifier":"x"}]}`,
			"permissions[0].resource_server_identifier enum",
		},
		{"POST /roles", `{"description":"x"}`, "name required"},
		{"POST /tickets/password-change", `{}`, " one_of"},
		{"POST /tickets/password-change", `{"user_id":"ana","email":"ana@example.com"}`, " one_of"},
		{"POST /users/ana/tickets", `{"ttl_sec":59}`, "ttl_sec range"},
		{"POST /users/ana/tickets", `{"ttl_sec":604801}`, "ttl_sec range"},
		{"POST /users/ana/tickets", `{"ttl_sec":60.5}`, "ttl_sec type"},
		{"POST /users/ana/tickets", `[]`, " type"},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		a := f.send(method, "/api/v2"+path, x.body)
		e := a.error(t)
		if a.StatusCode != http.StatusBadRequest || len(e.Problems) == 0 || e.Problems[0].Path+" "+e.Problems[0].Code != x.problem {
			t.Errorf("%s %s = %s, want %s", x.request, x.body, a.body, x.problem)
		}
	}
	if _, n, _ := f.store.ListClients(t.Context(), store.Find{}, 0, 1); n != 4 {
		t.Errorf("%d clients, want the 4 of the fixture", n)
	}
	if _, n, _ := f.store.ListUsers(t.Context(), store.Find{}, 0, 1); n != 2 {
		t.Errorf("%d users, want the 2 of the fixture", n)
	}
}

func TestGrants(t *testing.T) {
	f := newAdmin(t)
	m := f.do(t, "POST", "/client-grants", `{"client_id":"second","audience":"https://shop","scope":["buy"]}`, 201)
	want(t, m, `{"client_id":"second","audience":"https://shop","scope":["buy"],"subject_type":"client"}`)
	id := m["id"].(string)
	if m := f.do(t, "POST", "/client-grants", `{"client_id":"second","audience":"https://shop","scope":[]}`,
		409); m["errorCode"] != "conflict" {
		t.Errorf("again = %v", m)
	}
	f.do(t, "POST", "/client-grants", `{"client_id":"second","audience":"https://shop","scope":[],"subject_type":"user"}`, 201)
	f.do(t, "POST", "/client-grants", `{"client_id":"local","audience":"`+issuer+`/me/","scope":["read:me:factors"],"subject_type":"user"}`,
		201)
	want(t, f.do(t, "PATCH", "/client-grants/"+id, `{"scope":["sell","buy"]}`, 200), `{"scope":["sell","buy"],"subject_type":"client"}`)
	want(t, f.do(t, "GET", "/client-grants/"+id, "", 200), `{"scope":["sell","buy"]}`)
	f.do(t, "PATCH", "/client-grants/"+id, `{"scope":["fly"]}`, 400)
	for query, n := range map[string]int{
		"": 6, "client_id=second": 3, "audience=https://shop": 2, "audience=https://none": 0, "subject_type=user": 5,
		"client_id=second&subject_type=user": 2,
	} {
		if m := f.do(t, "GET", "/client-grants?include_totals=true&"+query, "", 200); m["total"] != float64(n) ||
			len(m["client_grants"].([]any)) != n {
			t.Errorf("%s: %v, want %d", query, m, n)
		}
	}
	f.do(t, "DELETE", "/client-grants/"+id, "", 204)
	f.do(t, "GET", "/client-grants/"+id, "", 404)
}

func TestResourceServers(t *testing.T) {
	f := newAdmin(t)
	m := f.do(t, "POST", "/resource-servers", `{"identifier":"https://x","name":"X","scopes":[{"value":"a","description":"A"},{"value":"b"}]}`,
		201)
	want(t, m, `{"identifier":"https://x","active":true,"is_system":false,"scopes":[{"value":"a","description":"A"},{"value":"b"}],
		"subject_type_authorization":{"user":{"policy":"require_client_grant"},"client":{"policy":"require_client_grant"}}}`)
	id := m["id"].(string)
	f.do(t, "POST", "/resource-servers", `{"identifier":"https://x","name":"Y"}`, 409)
	m = f.do(t, "PATCH", "/resource-servers/"+id, `{"active":false,"subject_type_authorization":{"client":{"policy":"deny_all"}}}`, 200)
	want(t, m, `{"name":"X","active":false,"scopes":[{"value":"a","description":"A"},{"value":"b"}],
		"subject_type_authorization":{"user":{"policy":"require_client_grant"},"client":{"policy":"deny_all"}}}`)
	if row, err := f.store.APIByID(t.Context(), id); err != nil || !row.Inactive {
		t.Errorf("kept %+v, %v", row, err)
	}
	want(t, f.do(t, "PATCH", "/resource-servers/"+id, `{"active":true,"scopes":[]}`, 200), `{"active":true,"scopes":[]}`)
	f.do(t, "DELETE", "/resource-servers/"+id, "", 204)
	f.do(t, "GET", "/resource-servers/"+id, "", 404)

	// The tenant's own.
	for _, x := range []struct{ api, body, code string }{
		{"me", `{"subject_type_authorization":{"client":{"policy":"allow_all"}}}`, "operation_not_supported"},
		{
			"me", `{"subject_type_authorization":{"client":{"policy":"require_client_grant"},"user":{"policy":"allow_all"}}}`,
			"operation_not_supported",
		},
		{"me", `{"scopes":[]}`, "operation_not_supported"},
		{"me", `{"name":"x"}`, "operation_not_supported"},
		{"management", `{"active":false}`, "operation_not_supported"},
	} {
		if m := f.do(t, "PATCH", "/resource-servers/"+x.api, x.body, 400); m["errorCode"] != x.code {
			t.Errorf("%s %s = %v", x.api, x.body, m)
		}
	}
	if row, _ := f.store.APIByID(t.Context(), "me"); row.UserPolicy != store.RequireClientGrant || row.ClientPolicy != store.DenyAll ||
		row.Inactive {
		t.Errorf("a refused change was kept: %+v", row)
	}
	m = f.do(t, "PATCH", "/resource-servers/me",
		`{"active":false,"subject_type_authorization":{"client":{"policy":"deny_all"},"user":{"policy":"allow_all"}}}`, 200)
	want(t, m, `{"is_system":true,"active":false,"subject_type_authorization":{"user":{"policy":"allow_all"},"client":{"policy":"deny_all"}}}`)
	for _, own := range []string{"me", "management"} {
		f.do(t, "DELETE", "/resource-servers/"+own, "", 400)
	}
}

func TestUsers(t *testing.T) {
	f := newAdmin(t)
	m := f.do(t, "POST", "/users", `{"email":"Bob@Example.com","connection":"Username-Password-Authentication"}`, 201)
	want(t, m, `{"email":"bob@example.com","name":"bob@example.com","blocked":false,"invited":true,"email_verified":true}`)
	id := m["user_id"].(string)
	f.do(t, "POST", "/users", `{"email":"bob@example.com"}`, 409)
	f.do(t, "PATCH", "/users/"+id, `{"email":"ANA@example.com"}`, 409)
	want(t, f.do(t, "PATCH", "/users/"+id, `{"name":"Bob","password":"long enough"}`, 200),
		`{"name":"Bob","invited":false,"email":"bob@example.com"}`)
	if u, _ := f.store.User(t.Context(), id); u.PasswordHash != "hash of long enough" {
		t.Errorf("kept %+v", u)
	}
	m = f.do(t, "POST", "/users/"+id+"/tickets", `{"ttl_sec":60}`, 201)
	ticket := strings.TrimPrefix(m["ticket"].(string), issuer+"/new-password?ticket=")
	for after, works := range map[time.Duration]bool{59 * time.Second: true, 60 * time.Second: false} {
		if _, err := f.store.Ticket(t.Context(), tokens.Hash(ticket), f.now.Add(after)); (err == nil) != works {
			t.Errorf("ticket after %s = %v, want works %v", after, err, works)
		}
	}
	if strings.Contains(f.log.String(), ticket) {
		t.Error("the ticket is logged")
	}
	for _, body := range []string{`{"user_id":"` + id + `"}`, `{"email":"BOB@example.com"}`} {
		if m := f.do(t, "POST", "/tickets/password-change", body, 201); !strings.HasPrefix(m["ticket"].(string), issuer) {
			t.Errorf("%s = %v", body, m)
		}
	}
	f.do(t, "POST", "/tickets/password-change", `{"user_id":"none"}`, 404)
	f.do(t, "POST", "/tickets/other", `{"user_id":"`+id+`"}`, 404)

	want(t, f.do(t, "PATCH", "/users/"+id, `{"blocked":true}`, 200), `{"blocked":true,"name":"Bob"}`)
	f.do(t, "POST", "/users/"+id+"/tickets", `{}`, 409)
	want(t, f.do(t, "PATCH", "/users/"+id, `{"name":"Rob"}`, 200), `{"blocked":true}`)
	want(t, f.do(t, "PATCH", "/users/"+id, `{"blocked":false}`, 200), `{"blocked":false}`)
	f.do(t, "DELETE", "/users/"+id, "", 204)
	f.do(t, "GET", "/users/"+id, "", 404)
	f.do(t, "PATCH", "/users/u", `{"blocked":true}`, 400) // oneself
	f.do(t, "DELETE", "/users/u", "", 400)
	want(t, f.do(t, "PATCH", "/users/u", `{"blocked":false,"name":"I"}`, 200), `{"name":"I"}`)
	if m := f.do(t, "GET", "/users?include_totals=true", "", 200); m["total"] != 2.0 {
		t.Errorf("list = %v", m)
	}
}

// A token of a person who was blocked or deleted since is refused.
func TestTokenOfABlockedPerson(t *testing.T) {
	f := newAdmin(t)
	if err := f.store.SetBlocked(t.Context(), "u", true); err != nil {
		t.Fatal(err)
	}
	f.do(t, "GET", "/users", "", 401)
	if err := f.store.DeleteUser(t.Context(), "u"); err != nil {
		t.Fatal(err)
	}
	f.do(t, "GET", "/forms", "", 401)
	if err := storetest.SetGrant(t.Context(), f.store, "global", "management", store.SubjectClient, []string{"read:users"}); err != nil {
		t.Fatal(err)
	}
	raw, _, err := f.tokens.IssueAccess(tokens.Access{
		Subject: "global@clients", ClientID: "global", Audience: audience,
		Scope: []string{"read:users"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a := f.send("GET", "/api/v2/users", "", "Authorization", "Bearer "+raw); a.StatusCode != http.StatusOK {
		t.Errorf("a client's own token = %d", a.StatusCode)
	}
}

func TestRoles(t *testing.T) {
	f := newAdmin(t)
	m := f.do(t, "POST", "/roles", `{"name":"Seller","description":"d"}`, 201)
	want(t, m, `{"name":"Seller","description":"d","is_preset":false}`)
	id := m["id"].(string)
	f.do(t, "POST", "/roles", `{"name":"Buyer"}`, 409)
	f.do(t, "PATCH", "/roles/"+id, `{"name":"Buyer"}`, 409)
	want(t, f.do(t, "PATCH", "/roles/"+id, `{"description":"e"}`, 200), `{"name":"Seller","description":"e"}`)
	both := `{"permissions":[{"permission_name":"buy","resource_server_identifier":"https://shop"},{"permission_name":"sell",` +
		`"resource_server_identifier":"https://shop"}]}`
	for _, owner := range []string{"/roles/" + id, "/users/ana"} {
		f.do(t, "POST", owner+"/permissions", both, 201)
		f.do(t, "DELETE", owner+"/permissions", `{"permissions":[{"permission_name":"sell","resource_server_identifier":"https://shop"},`+
			`{"permission_name":"gone","resource_server_identifier":"https://shop"}]}`, 204)
		m := f.do(t, "GET", owner+"/permissions?include_totals=true", "", 200)
		want(t, m, `{"total":1,"permissions":[{"permission_name":"buy","description":"Buy things","resource_server_identifier":"https://shop",`+
			`"resource_server_name":"Shop"}]}`)
	}
	f.do(t, "POST", "/users/ana/roles", `{"roles":["`+id+`","rol_a"]}`, 204)
	m = f.do(t, "GET", "/users/ana/roles?include_totals=true&per_page=1&page=1", "", 200)
	want(t, m, fmt.Sprintf(`{"total":2,"start":1,"roles":[{"id":%q,"name":"Seller","description":"e","is_preset":false}]}`, id))
	f.do(t, "DELETE", "/users/ana/roles", `{"roles":["`+id+`"]}`, 204)
	f.do(t, "POST", "/roles/"+id+"/users", `{"users":["u"]}`, 200)
	if m := f.do(t, "GET", "/roles/"+id+"/users?include_totals=true", "", 200); m["total"] != 1.0 ||
		m["users"].([]any)[0].(map[string]any)["user_id"] != "u" {
		t.Errorf("people of the role = %v", m)
	}
	for _, path := range []string{"/roles/none/permissions", "/roles/none/users", "/users/none/roles", "/users/none/permissions"} {
		f.do(t, "GET", path, "", 404)
	}
	f.do(t, "POST", "/roles/none/permissions", both, 404)
	f.do(t, "POST", "/users/none/roles", `{"roles":["rol_a"]}`, 404)
	f.do(t, "DELETE", "/roles/"+id, "", 204)
	f.do(t, "GET", "/roles/"+id, "", 404)
}

func TestLogs(t *testing.T) {
	f := newAdmin(t)
	for i, typ := range []string{"s", "fp", "s"} {
		e := store.Event{
			At: f.now.Add(time.Duration(i) * time.Second), Type: typ, UserID: "ana", ClientID: "second", Address: "::1",
			Scope: []string{"a", "b"}, Audience: "x",
		}
		if i == 2 {
			e.UserID = "deleted"
		}
		if err := f.store.AddEvent(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	m := f.do(t, "GET", "/logs?include_totals=true&user_id=ana", "", 200)
	rows, _ := m["logs"].([]any)
	if m["total"] != 2.0 || len(rows) != 2 {
		t.Fatalf("log = %v", m)
	}
	first := rows[0].(map[string]any)
	want(t, first, `{"type":"fp","user_id":"ana","user_name":"ana@example.com","client_id":"second","ip":"::1","scope":"a b",`+
		`"audience":"x","date":"2026-03-01T12:00:01.000Z"}`)
	want(t, f.do(t, "GET", "/logs/"+first["log_id"].(string), "", 200), `{"type":"fp"}`)
	f.do(t, "GET", "/logs/log_none", "", 404)
	f.do(t, "POST", "/logs", `{}`, 405)
	if m := f.do(t, "GET", "/logs?include_totals=true&type=s&client_id=second", "", 200); m["total"] != 2.0 ||
		m["logs"].([]any)[0].(map[string]any)["user_name"] != nil {
		t.Errorf("log of type s = %v", m)
	}
}

// Every operation of the administration needs its scope and no other, and the answer names it.
func TestAdminScopes(t *testing.T) {
	f := newAdmin(t)
	crud := func(path, noun string) map[string]string {
		return map[string]string{
			"GET /" + path: "read:" + noun, "POST /" + path: "create:" + noun, "GET /" + path + "/x": "read:" + noun,
			"PATCH /" + path + "/x": "update:" + noun, "DELETE /" + path + "/x": "delete:" + noun,
		}
	}
	rows := map[string]string{
		"POST /clients/x/rotate-secret": "update:client_keys", "POST /users/x/tickets": "create:user_tickets",
		"POST /tickets/password-change": "create:user_tickets",
		"GET /logs":                     "read:logs", "GET /logs/x": "read:logs", "GET /roles/x/users": "read:roles",
		"POST /roles/x/users":                    "update:roles",
		"GET /users/x/authentication-methods":    "read:authentication_methods",
		"DELETE /users/x/authentication-methods": "delete:authentication_methods",
	}
	for path, noun := range map[string]string{
		"clients": "clients", "client-grants": "client_grants", "resource-servers": "resource_servers",
		"users": "users", "roles": "roles",
	} {
		maps.Copy(rows, crud(path, noun))
	}
	for _, sub := range []string{"users/x/roles", "users/x/permissions", "roles/x/permissions"} {
		noun, _, _ := strings.Cut(sub, "/")
		rows["GET /"+sub], rows["POST /"+sub], rows["DELETE /"+sub] = "read:"+noun, "update:"+noun, "update:"+noun
	}
	used := map[string]bool{}
	for request, need := range rows {
		used[need] = true
		method, path, _ := strings.Cut(request, " ")
		others := slices.DeleteFunc(management.Scopes(), func(s string) bool { return s == need })
		a := f.send(method, "/api/v2"+path, "", "Authorization", "Bearer "+f.token("global", audience, others...))
		if a.StatusCode != http.StatusForbidden || !strings.Contains(a.Header.Get("WWW-Authenticate"), `scope="`+need+`"`) {
			t.Errorf("%s with all but %s = %d %s", request, need, a.StatusCode, a.Header.Get("WWW-Authenticate"))
		}
		if a := f.send(method, "/api/v2"+path, "", "Authorization",
			"Bearer "+f.token("global", audience, need)); a.StatusCode == http.StatusForbidden {
			t.Errorf("%s with %s alone = 403", request, need)
		}
		if a := f.send(method, "/api/v2"+path, "", "Authorization",
			"Bearer "+f.token("local", audience, need)); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s of a client that is not global = %d", request, a.StatusCode)
		}
	}
	for _, s := range management.AdminScopes() {
		if !used[s] {
			t.Errorf("nothing needs the scope %s", s)
		}
	}
}
