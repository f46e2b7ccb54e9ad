package management_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// rounds is how often each pair of changes races.
var rounds = flag.Int("rounds", 2, "how often each pair of administrative changes races")

// state is all that the changes of this test touch. A nil member is a row that does not exist.
type state struct {
	User   *userState
	Client *clientState
	Role   *roleState
	API    *apiState
	Grant  *grantState
	Has    bool // the user has the role
	May    bool // the user has the permission by name
	Gives  bool // the role has the permission
}

type userState struct {
	Name, Email, Password string
	Blocked               bool
	Link                  string // which one-time link works; "" for none
}

type clientState struct {
	Name, Callback, Secret string // Secret says who made it
	Global, Public         bool
}

type (
	roleState  struct{ Name, Description string }
	apiState   struct{ Name, Active string }
	grantState struct{ Scope string }
)

// initial is the state before each round.
func initial() state {
	return state{
		User:   &userState{Name: "Eve", Email: "eve@example.com", Password: "first", Link: "first"},
		Client: &clientState{Name: "App", Secret: "first", Global: true},
		Role:   &roleState{Name: "Role"}, API: &apiState{Name: "API", Active: "true"}, Grant: &grantState{Scope: "a"},
		Has: true, May: true, Gives: true,
	}
}

// settle drops what cannot be without its rows.
func (s *state) settle() {
	if s.Client == nil || s.API == nil {
		s.Grant = nil
	}
	s.Has = s.Has && s.User != nil && s.Role != nil
	s.May = s.May && s.User != nil && s.API != nil
	s.Gives = s.Gives && s.Role != nil && s.API != nil
}

// change is one administrative change: a request, and what it must do and answer when it is alone. A body's %d
// and a path are told which of the two of a round it is.
type change struct {
	name, method, path, body string
	does                     func(s *state, by string) int
}

const permissionBody = `{"permissions":[{"permission_name":"a","resource_server_identifier":"https://raced"}]}`

// on makes a model that answers 404 without its row.
func on[T any](row func(*state) *T, status int, do func(s *state, row *T, by string)) func(*state, string) int {
	return func(s *state, by string) int {
		r := row(s)
		if r == nil {
			return http.StatusNotFound
		}
		do(s, r, by)
		return status
	}
}

func user(s *state) *userState     { return s.User }
func client(s *state) *clientState { return s.Client }
func role(s *state) *roleState     { return s.Role }
func api(s *state) *apiState       { return s.API }
func grant(s *state) *grantState   { return s.Grant }

// needsAPI makes a model that answers 400 without the API that its body names.
func needsAPI(does func(*state, string) int) func(*state, string) int {
	return func(s *state, by string) int {
		if s.API == nil {
			return http.StatusBadRequest
		}
		return does(s, by)
	}
}

// changes are all that race with each other.
func changes() []change {
	return slices.Concat(userChanges(), clientChanges(), roleChanges(), []change{
		{"rename API", "PATCH", "/resource-servers/raced", `{"name":"%s"}`, on(api, 200, func(_ *state, a *apiState, by string) { a.Name = by })},
		{"switch API off", "PATCH", "/resource-servers/raced", `{"active":false}`, on(api, 200, func(_ *state, a *apiState, _ string) { a.Active = "false" })},
		{"delete API", "DELETE", "/resource-servers/raced", "", on(api, 204, func(s *state, _ *apiState, _ string) { s.API = nil })},
		{"change grant", "PATCH", "/client-grants/{grant}", `{"scope":["b"]}`, on(grant, 200, func(_ *state, g *grantState, _ string) { g.Scope = "b" })},
		{"empty grant", "PATCH", "/client-grants/{grant}", `{"scope":[]}`, on(grant, 200, func(_ *state, g *grantState, _ string) { g.Scope = "" })},
		{"delete grant", "DELETE", "/client-grants/{grant}", "", on(grant, 204, func(s *state, _ *grantState, _ string) { s.Grant = nil })},
	})
}

func userChanges() []change {
	return []change{
		{"rename user", "PATCH", "/users/raced", `{"name":"%s"}`, on(user, 200, func(_ *state, u *userState, by string) { u.Name = by })},
		{"change address", "PATCH", "/users/raced", `{"email":"%s@example.com"}`, on(user, 200, func(_ *state, u *userState, by string) { u.Email = by + "@example.com" })},
		{"set password", "PATCH", "/users/raced", `{"password":"password %s"}`, on(user, 200, func(_ *state, u *userState, by string) {
			u.Password, u.Link = "hash of password "+by, ""
		})},
		{"block", "PATCH", "/users/raced", `{"blocked":true}`, on(user, 200, func(_ *state, u *userState, _ string) { u.Blocked, u.Link = true, "" })},
		{"delete user", "DELETE", "/users/raced", "", on(user, 204, func(s *state, _ *userState, _ string) { s.User = nil })},
		{"make link", "POST", "/users/raced/tickets", `{}`, func(s *state, by string) int {
			switch {
			case s.User == nil:
				return 404
			case s.User.Blocked:
				return 409
			}
			s.User.Link = by
			return 201
		}},
		{"use link", "", "", "", func(s *state, by string) int {
			if s.User == nil || s.User.Link != "first" || s.User.Blocked {
				return 404
			}
			s.User.Password, s.User.Link = "by link "+by, ""
			return 200
		}},
		{"give role", "POST", "/users/raced/roles", `{"roles":["raced"]}`, func(s *state, _ string) int {
			switch {
			case s.User == nil:
				return 404
			case s.Role == nil:
				return 400
			}
			s.Has = true
			return 204
		}},
		{"take role", "DELETE", "/users/raced/roles", `{"roles":["raced"]}`, on(user, 204, func(s *state, _ *userState, _ string) { s.Has = false })},
		{"permit user", "POST", "/users/raced/permissions", permissionBody, needsAPI(on(user, 201, func(s *state, _ *userState, _ string) { s.May = true }))},
		{"forbid user", "DELETE", "/users/raced/permissions", permissionBody, needsAPI(on(user, 204, func(s *state, _ *userState, _ string) { s.May = false }))},
	}
}

func clientChanges() []change {
	return []change{
		{"rename client", "PATCH", "/clients/raced", `{"name":"%s"}`, on(client, 200, func(_ *state, c *clientState, by string) { c.Name = by })},
		{"change callback", "PATCH", "/clients/raced", `{"callbacks":["https://%s.example"]}`, on(client, 200, func(_ *state, c *clientState, by string) {
			c.Callback = "https://" + by + ".example"
		})},
		{"rotate secret", "POST", "/clients/raced/rotate-secret", "", func(s *state, by string) int {
			switch {
			case s.Client == nil:
				return 404
			case s.Client.Public:
				return 400
			}
			s.Client.Secret = by
			return 200
		}},
		{"not global", "PATCH", "/clients/raced", `{"global":false}`, on(client, 200, func(_ *state, c *clientState, _ string) { c.Global = false })},
		{"public", "PATCH", "/clients/raced", `{"token_endpoint_auth_method":"none"}`, on(client, 200, func(_ *state, c *clientState, _ string) {
			c.Public, c.Secret = true, ""
		})},
		{"delete client", "DELETE", "/clients/raced", "", on(client, 204, func(s *state, _ *clientState, _ string) { s.Client = nil })},
	}
}

func roleChanges() []change {
	return []change{
		{"rename role", "PATCH", "/roles/raced", `{"name":"%s"}`, on(role, 200, func(_ *state, r *roleState, by string) { r.Name = by })},
		{"describe role", "PATCH", "/roles/raced", `{"description":"%s"}`, on(role, 200, func(_ *state, r *roleState, by string) { r.Description = by })},
		{"delete role", "DELETE", "/roles/raced", "", on(role, 204, func(s *state, _ *roleState, _ string) { s.Role = nil })},
		{"permit role", "POST", "/roles/raced/permissions", permissionBody, needsAPI(on(role, 201, func(s *state, _ *roleState, _ string) { s.Gives = true }))},
		{"forbid role", "DELETE", "/roles/raced/permissions", permissionBody, needsAPI(on(role, 204, func(s *state, _ *roleState, _ string) { s.Gives = false }))},
	}
}

// race is one round.
type race struct {
	*fixture

	t     *testing.T
	grant string
	// made names the secrets and links that were made, by the hash that is kept of them.
	made sync.Map
}

// arrange brings the rows to the initial state.
func (r *race) arrange() {
	r.t.Helper()
	ctx, first := r.t.Context(), tokens.Hash("first")
	r.made.Clear()
	r.made.Store(string(first), "first")
	err := r.store.InTx(ctx, func(rows store.Access) error {
		for _, err := range []error{rows.DeleteUser(ctx, "raced"), rows.DeleteClient(ctx, "raced"), rows.DeleteRole(ctx, "raced"), rows.DeleteAPI(ctx, "raced")} {
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		g := store.ClientGrant{ClientID: "raced", APIID: "raced", Subject: store.SubjectClient, Scopes: []string{"a"}}
		err := errors.Join(
			rows.CreateUser(ctx, store.User{ID: "raced", Email: "eve@example.com", Name: "Eve", PasswordHash: "first", Created: r.now}),
			rows.CreateClient(ctx, store.Client{ID: "raced", Name: "App", SecretHash: first, Global: true, Created: r.now, SecretSince: r.now}),
			rows.CreateRole(ctx, store.Role{ID: "raced", Name: "Role", Created: r.now}),
			rows.CreateAPI(ctx, store.API{ID: "raced", Identifier: "https://raced", Name: "API", Scopes: []string{"a", "b"}, UserPolicy: store.AllowAll, ClientPolicy: store.AllowAll}),
			rows.CreateTicket(ctx, store.Ticket{Hash: first, UserID: "raced", Expires: r.now.Add(time.Hour)}, r.now),
			rows.AddRoles(ctx, []string{"raced"}, []string{"raced"}),
			rows.ChangeUserPermissions(ctx, "raced", []store.Permission{{APIID: "raced", Scope: "a"}}, nil),
			rows.ChangeRolePermissions(ctx, "raced", []store.Permission{{APIID: "raced", Scope: "a"}}, nil),
		)
		if err != nil {
			return err
		}
		g, err = rows.CreateClientGrant(ctx, g)
		r.grant = g.ID
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// do makes one change and returns the status of its answer.
func (r *race) do(c change, by string) int {
	if c.method == "" {
		_, err := r.store.RedeemTicket(r.t.Context(), tokens.Hash("first"), r.now, "by link "+by)
		if errors.Is(err, store.ErrNotFound) {
			return 404
		}
		if err != nil {
			r.t.Error(err)
		}
		return 200
	}
	a := r.send(c.method, "/api/v2"+strings.ReplaceAll(c.path, "{grant}", r.grant), strings.ReplaceAll(c.body, "%s", by))
	var made struct {
		Secret string `json:"client_secret"`
		Ticket string
	}
	if json.Unmarshal([]byte(a.body), &made) == nil {
		_, ticket, _ := strings.Cut(made.Ticket, "ticket=")
		for _, secret := range []string{made.Secret, ticket} {
			if secret != "" {
				r.made.Store(string(tokens.Hash(secret)), by)
			}
		}
	}
	return a.StatusCode
}

// found returns a row, or nil when there is none.
func found[T, S any](t *testing.T, row T, err error, see func(T) S) *S {
	t.Helper()
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	s := see(row)
	return &s
}

// look reads the state.
func (r *race) look() state {
	r.t.Helper()
	ctx := r.t.Context()
	maker := func(hash []byte) string {
		if len(hash) == 0 {
			return ""
		}
		by, _ := r.made.Load(string(hash))
		return fmt.Sprint(by)
	}
	var s state
	u, err := r.store.User(ctx, "raced")
	s.User = found(r.t, u, err, func(u store.User) userState {
		out := userState{Name: u.Name, Email: u.Email, Password: u.PasswordHash, Blocked: u.Blocked}
		r.made.Range(func(hash, by any) bool {
			if _, err := r.store.Ticket(ctx, []byte(hash.(string)), r.now); err == nil {
				out.Link = by.(string)
			}
			return true
		})
		return out
	})
	c, err := r.store.Client(ctx, "raced")
	s.Client = found(r.t, c, err, func(c store.Client) clientState {
		return clientState{Name: c.Name, Callback: strings.Join(c.Callbacks, " "), Secret: maker(c.SecretHash), Global: c.Global, Public: c.Public}
	})
	ro, err := r.store.Role(ctx, "raced")
	s.Role = found(r.t, ro, err, func(r store.Role) roleState { return roleState{r.Name, r.Description} })
	a, err := r.store.APIByID(ctx, "raced")
	s.API = found(r.t, a, err, func(a store.API) apiState { return apiState{a.Name, fmt.Sprint(!a.Inactive)} })
	g, err := r.store.ClientGrantByID(ctx, r.grant)
	s.Grant = found(r.t, g, err, func(g store.ClientGrant) grantState { return grantState{strings.Join(g.Scopes, " ")} })
	roles, err1 := r.store.UserRoles(ctx, "raced")
	may, err2 := r.store.UserPermissions(ctx, "raced")
	gives, err3 := r.store.RolePermissions(ctx, "raced")
	if err := errors.Join(err1, err2, err3); err != nil {
		r.t.Fatal(err)
	}
	s.Has, s.May, s.Gives = len(roles) > 0, len(may) > 0, len(gives) > 0
	return s
}

// outcome is what a round leads to.
type outcome struct {
	First, Second int // statuses
	State         state
}

// inOrder is the outcome of two changes one after the other; swapped makes the second first.
func inOrder(a, b change, swapped bool) outcome {
	s := initial()
	var out outcome
	run := func(c change, by string) int {
		status := c.does(&s, by)
		s.settle()
		return status
	}
	if swapped {
		out.Second = run(b, "second")
		out.First = run(a, "first-of-two")
	} else {
		out.First = run(a, "first-of-two")
		out.Second = run(b, "second")
	}
	out.State = s
	return out
}

// TestChangesRace makes every pair of administrative changes at once, on one row and on rows that hang
// together, through the real handlers on a real database. Rows and answers must be those of one change after
// the other: no change that was acknowledged is undone, and nothing comes back from deletion.
func TestChangesRace(t *testing.T) {
	r := &race{fixture: newFixtureAt(t, 1<<30, 1<<30), t: t}
	all := changes()
	pairs, begun := 0, time.Now()
	for i, a := range all {
		for _, b := range all[i:] {
			pairs++
			for range *rounds {
				r.arrange()
				var got outcome
				var wait sync.WaitGroup
				wait.Go(func() { got.First = r.do(a, "first-of-two") })
				wait.Go(func() { got.Second = r.do(b, "second") })
				wait.Wait()
				got.State = r.look()
				one, other := inOrder(a, b, false), inOrder(a, b, true)
				if !cmp.Equal(got, one) && !cmp.Equal(got, other) {
					t.Fatalf("%s with %s: neither order leads here (-first before second +got):\n%s\n(-second before first +got):\n%s",
						a.name, b.name, cmp.Diff(one, got), cmp.Diff(other, got))
				}
			}
		}
	}
	t.Logf("%d pairs, %d rounds each, in %s", pairs, *rounds, time.Since(begun).Round(time.Millisecond))
}
