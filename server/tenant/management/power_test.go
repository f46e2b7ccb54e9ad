package management_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// limited is a fixture with a caller who holds a few scopes, a person and a role and two clients that hold all,
// and some that hold nothing.
type limited struct {
	*fixture

	t *testing.T
}

func newLimited(t *testing.T) *limited {
	t.Helper()
	f := newAdmin(t)
	ctx := t.Context()
	all := permissions(management.Scopes()...)
	for _, err := range []error{
		f.store.CreateUser(ctx, store.User{ID: "caller", Email: "caller@example.com", PasswordHash: "x", Created: f.now}),
		f.store.CreateUser(ctx, store.User{ID: "boss", Email: "boss@example.com", PasswordHash: "x", Created: f.now}),
		f.store.CreateRole(ctx, store.Role{ID: "rol_all", Name: "All", Created: f.now}),
		f.store.ChangeRolePermissions(ctx, "rol_all", all, nil),
		f.store.AddRoles(ctx, []string{"boss"}, []string{"rol_all"}),
		f.store.CreateMethod(ctx, store.Method{ID: "totp|boss", UserID: "boss", Type: store.MethodTOTP, Data: []byte{1}, Created: f.now}, 9),
		f.store.CreateClient(ctx, store.Client{ID: "machine", SecretHash: []byte{1}, Created: f.now, SecretSince: f.now}),
		storetest.SetGrant(ctx, f.store, "machine", "management", store.SubjectClient, management.Scopes()),
		f.store.CreateClient(ctx, store.Client{ID: "portal", SecretHash: []byte{1}, Created: f.now, SecretSince: f.now}),
		storetest.SetGrant(ctx, f.store, "portal", "me", store.SubjectUser, []string{"read:me:factors"}),
		f.store.CreateClient(ctx, store.Client{ID: "shopper", SecretHash: []byte{1}, Created: f.now, SecretSince: f.now}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return &limited{f, t}
}

func permissions(scopes ...string) []store.Permission {
	out := make([]store.Permission, len(scopes))
	for i, s := range scopes {
		out[i] = store.Permission{APIID: "management", Scope: s}
	}
	return out
}

// as sends a request as a person, or as a client when the id ends in @clients, who holds scopes.
func (f *limited) as(subject string, scopes []string, method, path, body string) answer {
	f.t.Helper()
	ctx, client := f.t.Context(), "global"
	var err error
	if id, ok := strings.CutSuffix(subject, "@clients"); ok {
		client, err = id, storetest.SetGrant(ctx, f.store, id, "management", store.SubjectClient, scopes)
	} else {
		err = storetest.SetPermissions(ctx, f.store, subject, "management", scopes)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	raw, _, err := f.tokens.IssueAccess(tokens.Access{Subject: subject, ClientID: client, Audience: audience, Scope: scopes})
	if err != nil {
		f.t.Fatal(err)
	}
	return f.send(method, "/api/v2"+path, body, "Authorization", "Bearer "+raw)
}

func permissionsBody(scopes ...string) string {
	var list []string
	for _, s := range scopes {
		list = append(list, `{"permission_name":"`+s+`","resource_server_identifier":"`+audience+`"}`)
	}
	return `{"permissions":[` + strings.Join(list, ",") + `]}`
}

// Each scope of administration alone leads nowhere near the others, for a person and for a client.
func TestNobodyGrantsMoreThanTheyHold(t *testing.T) {
	f := newLimited(t)
	machine, _, err := f.store.ListClientGrants(t.Context(), store.GrantFilter{ClientID: "machine"}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ scope, request, body, lacks string }{
		{"update:users", "POST /users/caller/roles", `{"roles":["rol_all"]}`, "create:clients"},
		{"update:users", "POST /users/ana/roles", `{"roles":["rol_a","rol_all"]}`, "create:clients"},
		{"update:users", "DELETE /users/boss/roles", `{"roles":["rol_all"]}`, "create:clients"},
		{"update:users", "POST /users/caller/permissions", permissionsBody("read:logs"), "read:logs"},
		{"update:users", "DELETE /users/boss/permissions", permissionsBody("read:logs"), "read:logs"},
		{"update:users", "PATCH /users/boss", `{"password":"a new password"}`, "create:clients"},
		{"update:users", "PATCH /users/boss", `{"email":"mine@example.com"}`, "create:clients"},
		{"update:users", "PATCH /users/boss", `{"blocked":true}`, "create:clients"},
		{"delete:users", "DELETE /users/boss", "", "create:clients"},
		{"create:user_tickets", "POST /users/boss/tickets", `{}`, "create:clients"},
		{"create:user_tickets", "POST /tickets/password-change", `{"email":"boss@example.com"}`, "create:clients"},
		{"delete:authentication_methods", "DELETE /users/boss/authentication-methods", "", "create:clients"},
		{"delete:authentication_methods", "DELETE /users/boss/authentication-methods/totp%7Cboss", "", "create:clients"},
		{"delete:authentication_methods", "DELETE /users/boss/authenticators", "", "create:clients"},
		{"update:roles", "POST /roles/rol_all/users", `{"users":["caller"]}`, "create:clients"},
		{"update:roles", "POST /roles/rol_a/permissions", permissionsBody("update:roles", "create:clients"), "create:clients"},
		{"update:roles", "DELETE /roles/rol_all/permissions", permissionsBody("create:clients"), "create:clients"},
		{"update:roles", "PATCH /roles/rol_all", `{"name":"Harmless"}`, "create:clients"},
		{"delete:roles", "DELETE /roles/rol_all", "", "create:clients"},
		{
			"create:client_grants", "POST /client-grants", `{"client_id":"shopper","audience":"` + audience + `","scope":["create:users"]}`,
			"create:users",
		},
		{
			"create:client_grants", "POST /client-grants",
			`{"client_id":"shopper","audience":"` + audience + `","scope":["create:users"],"subject_type":"user"}`, "create:users",
		},
		{
			"create:client_grants", "POST /client-grants",
			`{"client_id":"shopper","audience":"` + issuer + `/me/","scope":["read:me:factors"],"subject_type":"user"}`, "create:users",
		},
		{"update:client_grants", "PATCH /client-grants/" + machine[0].ID, `{"scope":["update:client_grants"]}`, "create:users"},
		{"delete:client_grants", "DELETE /client-grants/" + machine[0].ID, "", "create:users"},
		{"update:client_keys", "POST /clients/machine/rotate-secret", "", "create:clients"},
		{"update:clients", "PATCH /clients/machine", `{"global":true}`, "create:clients"},
		{"update:clients", "PATCH /clients/machine", `{"callbacks":["https://evil.example"]}`, "create:clients"},
		{"update:clients", "PATCH /clients/machine", `{"token_endpoint_auth_method":"none"}`, "create:clients"},
		{"update:clients", "PATCH /clients/portal", `{"callbacks":["https://evil.example"]}`, "create:clients"},
		{"delete:clients", "DELETE /clients/machine", "", "create:users"},
		{
			"update:resource_servers", "PATCH /resource-servers/me", `{"subject_type_authorization":{"user":{"policy":"allow_all"}}}`,
			"create:clients",
		},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		for _, subject := range []string{"caller", "second@clients"} {
			a := f.as(subject, []string{x.scope}, method, path, x.body)
			e := a.error(t)
			if a.StatusCode != http.StatusForbidden || e.ErrorCode != "insufficient_permissions" ||
				!strings.Contains(a.Header.Get("WWW-Authenticate")+e.Message, x.lacks) {
				t.Errorf("%s by %s with %s = %d %s, want 403 that names %s", x.request, subject, x.scope, a.StatusCode, a.body, x.lacks)
			}
		}
		// A caller that holds everything may still read the person, so nothing was deleted.
		if a := f.as("u", management.Scopes(), http.MethodGet, "/users/boss", ""); a.StatusCode != http.StatusOK {
			t.Fatalf("after %s the person is gone: %s", x.request, a.body)
		}
	}
}

// What a limited administrator holds they may give, and people with no more than that are theirs to manage.
func TestLimitedAdministrators(t *testing.T) {
	f := newLimited(t)
	if err := f.store.ChangeRolePermissions(t.Context(), "rol_a", permissions("read:users"), nil); err != nil {
		t.Fatal(err)
	}
	scopes := []string{
		"read:users", "update:users", "create:users", "delete:users", "create:user_tickets", "delete:authentication_methods",
		"update:roles", "create:roles", "delete:roles", "create:clients", "update:clients", "update:client_keys", "create:client_grants",
	}
	for _, x := range []struct {
		request, body string
		status        int
	}{
		{"POST /users", `{"email":"new@example.com","password":"a good password"}`, 201},
		{"PATCH /users/ana", `{"password":"a new password","email":"ann@example.com"}`, 200},
		{"POST /users/ana/roles", `{"roles":["rol_a"]}`, 204},
		{"POST /users/ana/permissions", permissionsBody("update:users"), 201},
		{"PATCH /users/ana", `{"blocked":true}`, 200},
		{"PATCH /users/ana", `{"blocked":false}`, 200},
		{"POST /users/ana/tickets", `{}`, 201},
		{"DELETE /users/ana/authentication-methods", "", 204},
		{"DELETE /users/ana/permissions", permissionsBody("update:users"), 204},
		{"PATCH /users/caller", `{"password":"a new password"}`, 200}, // oneself
		{"POST /roles", `{"name":"New"}`, 201},
		{"PATCH /roles/rol_a", `{"name":"Reader"}`, 200},
		{"POST /roles/rol_a/permissions", `{"permissions":[{"permission_name":"buy","resource_server_identifier":"https://shop"}]}`, 201},
		{"DELETE /roles/rol_a", "", 204},
		{"POST /clients", `{"name":"App","global":true}`, 201},
		{"PATCH /clients/shopper", `{"global":true}`, 200},
		{"POST /clients/shopper/rotate-secret", "", 200},
		{"POST /client-grants", `{"client_id":"shopper","audience":"` + audience + `","scope":["read:users"]}`, 201},
		{"POST /client-grants", `{"client_id":"shopper","audience":"https://shop","scope":["buy"]}`, 201},
		{"DELETE /users/ana", "", 204},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		if a := f.as("caller", scopes, method, path, x.body); a.StatusCode != x.status {
			t.Errorf("%s %s = %d %s, want %d", x.request, x.body, a.StatusCode, a.body, x.status)
		}
	}
}

// A preset role gives something to everybody whom an administrator adds.
func TestPresetRolesAreGiven(t *testing.T) {
	f := newLimited(t)
	_, err := f.store.UpdateRole(t.Context(), "rol_all", func(r *store.Role) error { r.Preset = true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if a := f.as("caller", []string{"create:users"}, "POST", "/users",
		`{"email":"new@example.com","password":"a good password"}`); a.StatusCode != http.StatusForbidden {
		t.Errorf("a new person with a preset role of everything = %d %s, want 403", a.StatusCode, a.body)
	}
	if _, err := f.store.UserByEmail(t.Context(), "new@example.com"); err == nil {
		t.Error("the person was made")
	}
}

// What is taken from a caller ends at once, whatever the token says.
func TestRemovedPermissionsEndAtOnce(t *testing.T) {
	f := newLimited(t)
	ctx := t.Context()
	grant := func(scopes ...string) func() error {
		return func() error {
			return storetest.SetGrant(ctx, f.store, "global", "management", store.SubjectUser, scopes)
		}
	}
	all := management.Scopes()
	for _, x := range []struct {
		name       string
		take, back func() error
	}{
		{
			"a role", func() error { return f.store.RemoveRoles(ctx, "boss", []string{"rol_all"}) },
			func() error { return f.store.AddRoles(ctx, []string{"boss"}, []string{"rol_all"}) },
		},
		{
			"a permission of the role", func() error { return f.store.ChangeRolePermissions(ctx, "rol_all", nil, permissions("read:users")) },
			func() error {
				return f.store.ChangeRolePermissions(ctx, "rol_all", permissions("read:users"), nil)
			},
		},
		{
			"a scope of the client's grant", grant(slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "read:users" })...),
			grant(all...),
		},
		{"the client's permission to call the API", func() error {
			return f.store.SetClientGlobal(ctx, "global", false)
		}, func() error {
			return f.store.SetClientGlobal(ctx, "global", true)
		}},
	} {
		raw, _, err := f.tokens.IssueAccess(tokens.Access{Subject: "boss", ClientID: "global", Audience: audience, Scope: all})
		if err != nil {
			t.Fatal(err)
		}
		call := func() int { return f.send("GET", "/api/v2/users", "", "Authorization", "Bearer "+raw).StatusCode }
		if got := call(); got != http.StatusOK {
			t.Fatalf("before %s was taken = %d", x.name, got)
		}
		if err := x.take(); err != nil {
			t.Fatal(err)
		}
		if got := call(); got != http.StatusForbidden && got != http.StatusUnauthorized {
			t.Errorf("after %s was taken = %d, want 403 or 401", x.name, got)
		}
		if err := x.back(); err != nil {
			t.Fatal(err)
		}
		if got := call(); got != http.StatusOK {
			t.Errorf("after %s came back = %d", x.name, got)
		}
	}
}

// The last person who holds everything and can sign in stays, whatever the request and the caller.
func TestLastAdministratorStays(t *testing.T) {
	f := newLimited(t)
	ctx := t.Context()
	// boss alone: the token of every test belongs to u, who holds all by name.
	attempts := []struct{ request, body string }{
		{"DELETE /users/boss", ""},
		{"PATCH /users/boss", `{"blocked":true}`},
		{"DELETE /users/boss/roles", `{"roles":["rol_all"]}`},
		{"DELETE /roles/rol_all/permissions", permissionsBody("delete:flows")},
		{"DELETE /roles/rol_all", ""},
	}
	for _, x := range attempts {
		method, path, _ := strings.Cut(x.request, " ")
		if err := f.store.SetBlocked(ctx, "u", true); err != nil { // no one else can sign in
			t.Fatal(err)
		}
		a := f.as("second@clients", management.Scopes(), method, path, x.body)
		if e := a.error(t); a.StatusCode != http.StatusConflict || e.ErrorCode != "last_administrator" {
			t.Errorf("%s = %d %s, want 409", x.request, a.StatusCode, a.body)
		}
		if ok, err := f.store.AnyHoldsAll(ctx, "management", management.Scopes()); err != nil || !ok {
			t.Fatalf("%s left no administrator, %v", x.request, err)
		}
	}
	// By oneself: u gives up what they hold by name, when boss is gone.
	if err := f.store.SetBlocked(ctx, "u", false); err != nil {
		t.Fatal(err)
	}
	f.do(t, "DELETE", "/users/boss", "", 204)
	m := f.do(t, "DELETE", "/users/u/permissions", permissionsBody("delete:flows"), 409)
	if m["errorCode"] != "last_administrator" {
		t.Errorf("the last one's own permission = %v", m)
	}
	f.do(t, "GET", "/flows", "", 200)
}

// Two administrators who end each other at once do not both succeed.
func TestAdministratorsCannotEndEachOther(t *testing.T) {
	f := newLimited(t)
	ctx := t.Context()
	if err := f.store.CreateUser(ctx, store.User{ID: "second", Email: "second@example.com", PasswordHash: "x", Created: f.now}); err != nil {
		t.Fatal(err)
	}
	token := func(subject string) string {
		raw, _, err := f.tokens.IssueAccess(tokens.Access{Subject: subject, ClientID: "global", Audience: audience, Scope: management.Scopes()})
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + raw
	}
	boss, second := token("boss"), token("second")
	for range 20 {
		if err := errors.Join(
			f.store.SetBlocked(ctx, "u", true), f.store.SetBlocked(ctx, "boss", false), f.store.SetBlocked(ctx, "second", false),
			f.store.AddRoles(ctx, []string{"boss", "second"}, []string{"rol_all"}),
		); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		wait.Go(func() { f.send("PATCH", "/api/v2/users/second", `{"blocked":true}`, "Authorization", boss) })
		wait.Go(func() { f.send("DELETE", "/api/v2/users/boss/roles", `{"roles":["rol_all"]}`, "Authorization", second) })
		wait.Wait()
		if ok, err := f.store.AnyHoldsAll(ctx, "management", management.Scopes()); err != nil || !ok {
			t.Fatalf("no administrator is left, %v", err)
		}
	}
}

// A self-service API that is open to every client makes a first-party client as strong as any.
func TestOpenAccountsAreNotForLimitedAdministrators(t *testing.T) {
	f := newLimited(t)
	storetest.ChangeAPI(t, f.store, "me", func(a *store.API) { a.UserPolicy = store.AllowAll })
	scopes := []string{"create:clients", "update:clients"}
	for _, x := range []struct {
		request, body string
		status        int
	}{
		{"POST /clients", `{"name":"Evil"}`, 403},
		{"PATCH /clients/shopper", `{"is_first_party":true}`, 403},
		{"POST /clients", `{"name":"Asks","is_first_party":false}`, 201},
		{"PATCH /clients/shopper", `{"name":"Shop"}`, 200},
	} {
		method, path, _ := strings.Cut(x.request, " ")
		if a := f.as("caller", scopes, method, path, x.body); a.StatusCode != x.status {
			t.Errorf("%s %s = %d %s, want %d", x.request, x.body, a.StatusCode, a.body, x.status)
		}
	}
	if c, err := f.store.Client(t.Context(), "shopper"); err != nil || c.FirstParty {
		t.Errorf("a refused change was kept: %+v, %v", c, err)
	}
}
