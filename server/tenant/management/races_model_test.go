package management_test

import (
	"net/http"
	"slices"
)

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

// change is one administrative change: a request, and what it must do and answer when it is alone. In a body %s
// stands for which of the two of a round it is; in path and body, raced stands for the id of the rows of the round.
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
		{
			"switch API off", "PATCH", "/resource-servers/raced", `{"active":false}`,
			on(api, 200, func(_ *state, a *apiState, _ string) { a.Active = "false" }),
		},
		{"delete API", "DELETE", "/resource-servers/raced", "", on(api, 204, func(s *state, _ *apiState, _ string) { s.API = nil })},
		{
			"change grant", "PATCH", "/client-grants/{grant}", `{"scope":["b"]}`,
			on(grant, 200, func(_ *state, g *grantState, _ string) { g.Scope = "b" }),
		},
		{
			"empty grant", "PATCH", "/client-grants/{grant}", `{"scope":[]}`,
			on(grant, 200, func(_ *state, g *grantState, _ string) { g.Scope = "" }),
		},
		{"delete grant", "DELETE", "/client-grants/{grant}", "", on(grant, 204, func(s *state, _ *grantState, _ string) { s.Grant = nil })},
	})
}

func userChanges() []change {
	return []change{
		{"rename user", "PATCH", "/users/raced", `{"name":"%s"}`, on(user, 200, func(_ *state, u *userState, by string) { u.Name = by })},
		{
			"change address", "PATCH", "/users/raced", `{"email":"%s@example.com"}`,
			on(user, 200, func(_ *state, u *userState, by string) { u.Email = by + "@example.com" }),
		},
		{"set password", "PATCH", "/users/raced", `{"password":"password %s"}`, on(user, 200, func(_ *state, u *userState, by string) {
			u.Password, u.Link = "hash of password "+by, ""
		})},
		{
			"block", "PATCH", "/users/raced", `{"blocked":true}`,
			on(user, 200, func(_ *state, u *userState, _ string) { u.Blocked, u.Link = true, "" }),
		},
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
		{
			"take role", "DELETE", "/users/raced/roles", `{"roles":["raced"]}`,
			on(user, 204, func(s *state, _ *userState, _ string) { s.Has = false }),
		},
		{
			"permit user", "POST", "/users/raced/permissions", permissionBody,
			needsAPI(on(user, 201, func(s *state, _ *userState, _ string) { s.May = true })),
		},
		{
			"forbid user", "DELETE", "/users/raced/permissions", permissionBody,
			needsAPI(on(user, 204, func(s *state, _ *userState, _ string) { s.May = false })),
		},
	}
}

func clientChanges() []change {
	return []change{
		{"rename client", "PATCH", "/clients/raced", `{"name":"%s"}`, on(client, 200, func(_ *state, c *clientState, by string) { c.Name = by })},
		{
			"change callback", "PATCH", "/clients/raced", `{"callbacks":["https://%s.example"]}`,
			on(client, 200, func(_ *state, c *clientState, by string) {
				c.Callback = "https://" + by + ".example"
			}),
		},
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
		{
			"not global", "PATCH", "/clients/raced", `{"global":false}`,
			on(client, 200, func(_ *state, c *clientState, _ string) { c.Global = false }),
		},
		{"public", "PATCH", "/clients/raced", `{"token_endpoint_auth_method":"none"}`, on(client, 200, func(_ *state, c *clientState, _ string) {
			c.Public, c.Secret = true, ""
		})},
		{"delete client", "DELETE", "/clients/raced", "", on(client, 204, func(s *state, _ *clientState, _ string) { s.Client = nil })},
	}
}

func roleChanges() []change {
	return []change{
		{"rename role", "PATCH", "/roles/raced", `{"name":"%s"}`, on(role, 200, func(_ *state, r *roleState, by string) { r.Name = by })},
		{
			"describe role", "PATCH", "/roles/raced", `{"description":"%s"}`,
			on(role, 200, func(_ *state, r *roleState, by string) { r.Description = by }),
		},
		{"delete role", "DELETE", "/roles/raced", "", on(role, 204, func(s *state, _ *roleState, _ string) { s.Role = nil })},
		{
			"permit role", "POST", "/roles/raced/permissions", permissionBody,
			needsAPI(on(role, 201, func(s *state, _ *roleState, _ string) { s.Gives = true })),
		},
		{
			"forbid role", "DELETE", "/roles/raced/permissions", permissionBody,
			needsAPI(on(role, 204, func(s *state, _ *roleState, _ string) { s.Gives = false })),
		},
	}
}

// subjects is how many rounds use one database: each has rows of its own there.
const subjects = 128
