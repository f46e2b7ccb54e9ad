package postgres_test

import (
	"context"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
)

// now is the time of all rows in the tests.
func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// A call is one call of a method of the store. Calls are made in the order of the list, each on what those before have stored.
type call struct {
	method string // of store.Tenant, store.Sessions, store.Audit, store.Messages or store.Teams; for a part of one, after the name of the part
	turn   bool   // it writes what store.Access reads, or relies on it
	make   func(ctx context.Context, s *postgres.DB) error
}

// calls returns a call of every method, with several rows wherever a method takes several.
func calls() []call {
	return append(append(callsOfAccess(), callsOfPeople()...), append(callsOfGrants(), callsOfSessions()...)...)
}

func end() time.Time { return now().Add(time.Hour) }

func second[A, B any](_ A, _ B, err error) error { return err }
func first[A any](_ A, err error) error          { return err }

func callsOfAccess() []call {
	ps := []store.Permission{{APIID: "a", Scope: "x"}, {APIID: "a", Scope: "y"}, {APIID: "b", Scope: "z"}}
	var grant string
	caller := store.Caller{ClientID: "c", UserID: "u", Audience: "urn:a", Scope: "x"}
	type db = postgres.DB
	return []call{
		{"CreateClient", true, func(ctx context.Context, s *db) error {
			return s.CreateClient(ctx, store.Client{ID: "c", Name: "C", WebOrigins: []string{"https://c"}, BackchannelURI: "https://c/"})
		}},
		{"Client", false, func(ctx context.Context, s *db) error { return first(s.Client(ctx, "c")) }},
		{"UpdateClient", true, func(ctx context.Context, s *db) error {
			return first(s.UpdateClient(ctx, "c", func(c *store.Client) error { c.Name = "D"; return nil }))
		}},
		{"SetClientSecret", true, func(ctx context.Context, s *db) error { return s.SetClientSecret(ctx, "c", []byte{1}, now()) }},
		{"SetClientGlobal", true, func(ctx context.Context, s *db) error { return s.SetClientGlobal(ctx, "c", true) }},
		{"ListClients", false, func(ctx context.Context, s *db) error {
			return second(s.ListClients(ctx, store.Find{Search: "d c"}, 0, 1))
		}},
		{"OriginListed", false, func(ctx context.Context, s *db) error { return first(s.OriginListed(ctx, "https://c")) }},
		{"CreateAPI", true, func(ctx context.Context, s *db) error {
			return s.CreateAPI(ctx, store.API{ID: "a", Identifier: "urn:a", Name: "A", Scopes: []string{"x", "y"}})
		}},
		{"CreateAPI", true, func(ctx context.Context, s *db) error {
			return s.CreateAPI(ctx, store.API{ID: "b", Identifier: "urn:b"})
		}},
		{"API", false, func(ctx context.Context, s *db) error { return first(s.API(ctx, "urn:a")) }},
		{"APIByID", false, func(ctx context.Context, s *db) error { return first(s.APIByID(ctx, "a")) }},
		{"UpdateAPI", true, func(ctx context.Context, s *db) error {
			return first(s.UpdateAPI(ctx, "a", func(a *store.API) error { a.Name = "B"; return nil }))
		}},
		{"ListAPIs", false, func(ctx context.Context, s *db) error { return second(s.ListAPIs(ctx, store.Find{}, 0, 1)) }},
		{"CreateClientGrant", true, func(ctx context.Context, s *db) error {
			g, err := s.CreateClientGrant(ctx, store.ClientGrant{ClientID: "c", APIID: "a", Subject: store.SubjectUser})
			grant = g.ID
			return err
		}},
		{"ClientGrant", false, func(ctx context.Context, s *db) error {
			return first(s.ClientGrant(ctx, "c", "a", store.SubjectUser))
		}},
		{"ClientGrantByID", false, func(ctx context.Context, s *db) error { return first(s.ClientGrantByID(ctx, grant)) }},
		{"UpdateClientGrant", true, func(ctx context.Context, s *db) error {
			return first(s.UpdateClientGrant(ctx, grant, func(g *store.ClientGrant) error { g.Scopes = []string{"x"}; return nil }))
		}},
		{"ListClientGrants", false, func(ctx context.Context, s *db) error {
			return second(s.ListClientGrants(ctx, store.GrantFilter{}, 0, 1))
		}},
		{"CreateRole", true, func(ctx context.Context, s *db) error {
			return s.CreateRole(ctx, store.Role{ID: "r", Name: "R", Preset: true})
		}},
		{"CreateRole", true, func(ctx context.Context, s *db) error {
			return s.CreateRole(ctx, store.Role{ID: "q", Name: "Q", Preset: true})
		}},
		{"Role", false, func(ctx context.Context, s *db) error { return first(s.Role(ctx, "r")) }},
		{"UpdateRole", true, func(ctx context.Context, s *db) error {
			return first(s.UpdateRole(ctx, "r", func(r *store.Role) error { r.Name = "S"; return nil }))
		}},
		{"ListRoles", false, func(ctx context.Context, s *db) error { return second(s.ListRoles(ctx, store.Find{}, 0, 1)) }},
		{"CreateUser", true, func(ctx context.Context, s *db) error {
			return s.CreateUser(ctx, store.User{ID: "u", Email: "u@example.com", PasswordHash: "h"})
		}},
		{"CreateUser", true, func(ctx context.Context, s *db) error {
			return s.CreateUser(ctx, store.User{ID: "w", Email: "w@example.com"})
		}},
		{"ChangeRolePermissions", true, func(ctx context.Context, s *db) error { return s.ChangeRolePermissions(ctx, "r", ps, ps) }},
		{"ChangeUserPermissions", true, func(ctx context.Context, s *db) error { return s.ChangeUserPermissions(ctx, "u", ps, ps[1:]) }},
		{"RolePermissions", false, func(ctx context.Context, s *db) error { return first(s.RolePermissions(ctx, "r")) }},
		{"UserPermissions", false, func(ctx context.Context, s *db) error { return first(s.UserPermissions(ctx, "u")) }},
		{"Permissions", false, func(ctx context.Context, s *db) error { return first(s.Permissions(ctx, "u", "a")) }},
		{"Held", false, func(ctx context.Context, s *db) error { return first(s.Held(ctx, "u", "a")) }},
		{"AnyHoldsAll", false, func(ctx context.Context, s *db) error { return first(s.AnyHoldsAll(ctx, "a", []string{"x", "y"})) }},
		{"AddRoles", true, func(ctx context.Context, s *db) error { return s.AddRoles(ctx, []string{"u", "w"}, []string{"r", "q"}) }},
		{"UserRoles", false, func(ctx context.Context, s *db) error { return first(s.UserRoles(ctx, "u")) }},
		{"RoleUsers", false, func(ctx context.Context, s *db) error { return second(s.RoleUsers(ctx, "r", store.Find{}, 0, 1)) }},
		{"RemoveRoles", true, func(ctx context.Context, s *db) error { return s.RemoveRoles(ctx, "w", []string{"r", "q"}) }},
		{"Standing", false, func(ctx context.Context, s *db) error { return first(s.Standing(ctx, caller)) }},
		{"InTx", true, func(ctx context.Context, s *db) error { return s.InTx(ctx, func(store.Access) error { return nil }) }},
		{"DeleteClientGrant", true, func(ctx context.Context, s *db) error { return s.DeleteClientGrant(ctx, grant) }},
		{"DeleteRole", true, func(ctx context.Context, s *db) error { return s.DeleteRole(ctx, "q") }},
		{"DeleteAPI", true, func(ctx context.Context, s *db) error { return s.DeleteAPI(ctx, "b") }},
	}
}

func callsOfPeople() []call {
	method := func(id string) store.Method {
		return store.Method{ID: id, UserID: "u", Type: store.MethodTOTP, Key: []byte(id), Data: []byte{1}}
	}
	ticket := func(hash byte) store.Ticket { return store.Ticket{Hash: []byte{hash}, UserID: "u", Expires: end()} }
	allow := func(store.User, []store.Method) error { return nil }
	type db = postgres.DB
	return []call{
		{"User", false, func(ctx context.Context, s *db) error { return first(s.User(ctx, "u")) }},
		{"UserByEmail", false, func(ctx context.Context, s *db) error { return first(s.UserByEmail(ctx, "u@example.com")) }},
		{"UpdateUser", true, func(ctx context.Context, s *db) error {
			return first(s.UpdateUser(ctx, "u", func(u *store.User) error { u.Name = "U"; return nil }))
		}},
		{"SignUp", true, func(ctx context.Context, s *db) error {
			m := method("passkey|v")
			m.UserID = "v"
			return s.SignUp(ctx, store.User{ID: "v", Email: "v@example.com"}, m)
		}},
		{"ListUsers", false, func(ctx context.Context, s *db) error { return second(s.ListUsers(ctx, store.Find{}, 0, 1)) }},
		{"SetBlocked", true, func(ctx context.Context, s *db) error { return s.SetBlocked(ctx, "v", true) }},
		{"ResetPassword", true, func(ctx context.Context, s *db) error { return s.ResetPassword(ctx, "u", "h") }},
		{"CreateMethod", true, func(ctx context.Context, s *db) error { return s.CreateMethod(ctx, method("totp|1"), 9) }},
		{"CreateMethod", true, func(ctx context.Context, s *db) error { return s.CreateMethod(ctx, method("totp|2"), 9) }},
		{"CreateMethod", true, func(ctx context.Context, s *db) error { return s.CreateMethod(ctx, method("totp|3"), 9) }},
		{"Methods", false, func(ctx context.Context, s *db) error { return first(s.Methods(ctx, "u")) }},
		{"MethodByKey", false, func(ctx context.Context, s *db) error { return first(s.MethodByKey(ctx, []byte("totp|1"))) }},
		{"UseMethod", true, func(ctx context.Context, s *db) error { return s.UseMethod(ctx, "totp|1", 0, 1, []byte{2}, now()) }},
		{"RenameMethod", true, func(ctx context.Context, s *db) error { return s.RenameMethod(ctx, "u", "totp|1", "phone") }},
		{"DeleteMethod", true, func(ctx context.Context, s *db) error { return s.DeleteMethod(ctx, "u", "totp|1", allow) }},
		{"TakeMethods", true, func(ctx context.Context, s *db) error {
			return first(s.TakeMethods(ctx, "u", func(store.Method) bool { return true }))
		}},
		{"SetPassword", true, func(ctx context.Context, s *db) error { return s.SetPassword(ctx, "u", "h", allow) }},
		{"ChangePassword", true, func(ctx context.Context, s *db) error { return first(s.ChangePassword(ctx, "u", "h", "")) }},
		{"CreateTicket", true, func(ctx context.Context, s *db) error { return s.CreateTicket(ctx, ticket(1), now()) }},
		{"Ticket", false, func(ctx context.Context, s *db) error { return first(s.Ticket(ctx, []byte{1}, now())) }},
		{"RedeemTicket", true, func(ctx context.Context, s *db) error { return first(s.RedeemTicket(ctx, []byte{1}, now(), "h")) }},
		{"DeleteUser", true, func(ctx context.Context, s *db) error { return s.DeleteUser(ctx, "v") }},
	}
}

func callsOfGrants() []call {
	basis := store.Basis{PasswordHash: "h"}
	family := func(id string) store.Family {
		return store.Family{ID: id, ClientID: "c", UserID: "u", SignInID: "s", Audience: "urn:a", Expires: end(), Basis: basis}
	}
	consent := store.Consent{ID: "con", UserID: "u", ClientID: "c", Audience: "urn:a"}
	request := store.PushedRequest{Hash: []byte{1}, ClientID: "c", Expires: end()}
	half := store.AuthSession{Hash: []byte{1}, ClientID: "c", Expires: end()}
	var event string
	type db = postgres.DB
	return []call{
		{"CreateSignIn", true, func(ctx context.Context, s *db) error {
			return s.CreateSignIn(ctx, store.SignIn{
				Hash: []byte{1}, ID: "s", UserID: "u", Expires: end(),
				Replaces: []byte{9}, Basis: basis,
			})
		}},
		{"SignIn", false, func(ctx context.Context, s *db) error { return first(s.SignIn(ctx, []byte{1})) }},
		{"CreateCode", true, func(ctx context.Context, s *db) error {
			return s.CreateCode(ctx, family("f"), store.Code{Hash: []byte{1}, Expires: end()})
		}},
		{"CreateFamily", true, func(ctx context.Context, s *db) error { return s.CreateFamily(ctx, family("g")) }},
		{"UseCode", false, func(ctx context.Context, s *db) error { return second(s.UseCode(ctx, []byte{1})) }},
		{"CreateRefresh", false, func(ctx context.Context, s *db) error {
			return s.CreateRefresh(ctx, store.Refresh{Hash: []byte{1}, FamilyID: "f", Expires: end()})
		}},
		{"Refresh", false, func(ctx context.Context, s *db) error { return second(s.Refresh(ctx, []byte{1})) }},
		{"Rotate", false, func(ctx context.Context, s *db) error {
			return s.Rotate(ctx, []byte{1}, store.Refresh{Hash: []byte{2}, FamilyID: "f", Expires: end()})
		}},
		{"FamilyLive", false, func(ctx context.Context, s *db) error { return first(s.FamilyLive(ctx, "f")) }},
		{"Recipients", false, func(ctx context.Context, s *db) error { return first(s.Recipients(ctx, "u", "")) }},
		{"UpdateConsent", true, func(ctx context.Context, s *db) error {
			return s.UpdateConsent(ctx, consent, func(c *store.Consent) error { c.Scope = []string{"x"}; return nil })
		}},
		{"Consent", false, func(ctx context.Context, s *db) error { return first(s.Consent(ctx, "u", "c", "urn:a")) }},
		{"Logins", false, func(ctx context.Context, s *db) error { return first(s.Logins(ctx, "u", now())) }},
		{"Authorizations", false, func(ctx context.Context, s *db) error { return first(s.Authorizations(ctx, "u", now())) }},
		{"EndLogin", true, func(ctx context.Context, s *db) error { return s.EndLogin(ctx, "u", "s") }},
		{"EndAuthorizations", true, func(ctx context.Context, s *db) error { return s.EndAuthorizations(ctx, "u", "c") }},
		{"EndLogins", true, func(ctx context.Context, s *db) error { return s.EndLogins(ctx, "u") }},
		{"DeleteSignIn", false, func(ctx context.Context, s *db) error { return s.DeleteSignIn(ctx, []byte{1}) }},
		{"RevokeFamily", false, func(ctx context.Context, s *db) error { return s.RevokeFamily(ctx, "f") }},
		{"CreateRequest", false, func(ctx context.Context, s *db) error { return s.CreateRequest(ctx, request, now()) }},
		{"OpenRequest", false, func(ctx context.Context, s *db) error { return first(s.OpenRequest(ctx, []byte{1}, now(), end())) }},
		{"Request", false, func(ctx context.Context, s *db) error { return first(s.Request(ctx, []byte{1}, now())) }},
		{"DeleteRequest", false, func(ctx context.Context, s *db) error { return s.DeleteRequest(ctx, []byte{1}) }},
		{"CreateAuthSession", false, func(ctx context.Context, s *db) error { return s.CreateAuthSession(ctx, half, now()) }},
		{"AuthSession", false, func(ctx context.Context, s *db) error { return first(s.AuthSession(ctx, []byte{1})) }},
		{"UseAuthSession", false, func(ctx context.Context, s *db) error { return first(s.UseAuthSession(ctx, []byte{1})) }},
		{"UseProof", false, func(ctx context.Context, s *db) error { return first(s.UseProof(ctx, []byte{1}, now(), end())) }},
		{"AddEvent", false, func(ctx context.Context, s *db) error { return s.AddEvent(ctx, store.Event{At: now(), Type: "s"}) }},
		{"ListEvents", false, func(ctx context.Context, s *db) error {
			page, _, err := s.ListEvents(ctx, store.EventFilter{}, 0, 1)
			if err == nil {
				event = page[0].ID
			}
			return err
		}},
		{"Event", false, func(ctx context.Context, s *db) error { return first(s.Event(ctx, event)) }},
		{"PutMark", false, func(ctx context.Context, s *db) error { return s.PutMark(ctx, "seeded", "1") }},
		{"Mark", false, func(ctx context.Context, s *db) error { return first(s.Mark(ctx, "seeded")) }},
		{"Sweep", false, func(ctx context.Context, s *db) error { return s.Sweep(ctx, now()) }},
		{"DeleteClient", true, func(ctx context.Context, s *db) error { return s.DeleteClient(ctx, "c") }},
	}
}

func callsOfSessions() []call {
	id := []byte("session")
	ids := [][]byte{{1}, {2}, {3}}
	version := func(n int) store.Version {
		return store.Version{Form: "d", Number: n, Saved: now(), Hash: []byte{1}, Base: n, Body: []byte{2}}
	}
	comment := store.Comment{ID: "c", Thread: "c", Node: "n", Text: "t", Created: now(), Mentions: []store.Mention{{Person: store.Person{ID: "p"}}}}
	room := store.CommentRoom{All: store.CommentAmount{Comments: 9, Bytes: 9}, Author: store.CommentAmount{Comments: 9, Bytes: 9}}
	link := store.Link{ID: "l", Form: "d", Created: now(), Expires: end()}
	document := store.Document{ID: "d", Created: now(), Body: []byte("{}")}
	type db = postgres.DB
	return []call{
		{"Ping", false, func(ctx context.Context, s *db) error { return s.Ping(ctx) }},
		{"CreateSession", false, func(ctx context.Context, s *db) error {
			return s.CreateSession(ctx, store.Session{ID: id, Data: []byte{1}, Created: now(), Seen: now()})
		}},
		{"Session", false, func(ctx context.Context, s *db) error { return first(s.Session(ctx, id)) }},
		{"UpdateSession", false, func(ctx context.Context, s *db) error { return s.UpdateSession(ctx, id, 1, []byte{2}) }},
		{"TouchSession", false, func(ctx context.Context, s *db) error { return s.TouchSession(ctx, id, end()) }},
		{"LeaseSession", false, func(ctx context.Context, s *db) error { return s.LeaseSession(ctx, id, 2, "me", now(), end()) }},
		{"ReleaseSession", false, func(ctx context.Context, s *db) error { return s.ReleaseSession(ctx, id, "me") }},
		{"EndSessions", false, func(ctx context.Context, s *db) error { return first(s.EndSessions(ctx, ids, ids)) }},
		{"AddAudit", false, func(ctx context.Context, s *db) error {
			return s.AddAudit(ctx, []store.AuditEntry{{At: now(), ID: "1"}, {At: now(), ID: "2"}, {At: now(), ID: "3"}})
		}},
		{"ListAudit", false, func(ctx context.Context, s *db) error { return first(s.ListAudit(ctx, store.AuditPlace{}, end(), 2)) }},
		{"SweepAudit", false, func(ctx context.Context, s *db) error { return first(s.SweepAudit(ctx, end(), 2)) }},
		{"Publish", false, func(ctx context.Context, s *db) error {
			return first(s.Publish(ctx, store.Message{Topic: "a", Kind: "saved", Data: []byte("{}")}, now()))
		}},
		{"Latest", false, func(ctx context.Context, s *db) error { return first(s.Latest(ctx, "a", now())) }},
		{"ReadMessages", false, func(ctx context.Context, s *db) error { return first(s.ReadMessages(ctx, "a", 0, 9)) }},
		{"ForgetMessages", false, func(ctx context.Context, s *db) error { return s.ForgetMessages(ctx, "a") }},
		{"SweepMessages", false, func(ctx context.Context, s *db) error { return first(s.SweepMessages(ctx, end())) }},
		{"SweepSessions", false, func(ctx context.Context, s *db) error { return first(s.SweepSessions(ctx, now(), now())) }},
		{"DeleteSession", false, func(ctx context.Context, s *db) error { return s.DeleteSession(ctx, id) }},
		{"Forms.Create", false, func(ctx context.Context, s *db) error { return first(s.Forms().Create(ctx, document)) }},
		{"Forms.Missing", false, func(ctx context.Context, s *db) error { return first(s.Forms().Missing(ctx, []string{"d", "e"})) }},
		{"Forms.Get", false, func(ctx context.Context, s *db) error { return first(s.Forms().Get(ctx, "d")) }},
		{"Forms.List", false, func(ctx context.Context, s *db) error { return second(s.Forms().List(ctx, 0, 1)) }},
		{"Forms.Update", false, func(ctx context.Context, s *db) error {
			return first(s.Forms().Update(ctx, "d", now(), func(d store.Document) (store.Document, error) { d.Name = "D"; return d, nil }))
		}},
		{"Forms.Delete", false, func(ctx context.Context, s *db) error { return s.Forms().Delete(ctx, "d") }},
		{"Team.Versions.Add", false, func(ctx context.Context, s *db) error { return s.Team("t").Versions().Add(ctx, version(1)) }},
		{"Team.Versions.Add", false, func(ctx context.Context, s *db) error { return s.Team("t").Versions().Add(ctx, version(2)) }},
		{"Team.Versions.Last", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Versions().Last(ctx, "d")) }},
		{"Team.Versions.List", false, func(ctx context.Context, s *db) error { return second(s.Team("t").Versions().List(ctx, "d", 0, 1)) }},
		{"Team.Versions.Sizes", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Versions().Sizes(ctx, "d")) }},
		{"Team.Versions.Chain", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Versions().Chain(ctx, "d", 2)) }},
		{"Team.Versions.Describe", false, func(ctx context.Context, s *db) error {
			return first(s.Team("t").Versions().Describe(ctx, "d", 2, func(v *store.Version) error { v.Note = "n"; return nil }))
		}},
		{"Team.Versions.Prune", false, func(ctx context.Context, s *db) error {
			return s.Team("t").Versions().Prune(ctx, "d", []int{1}, []store.Version{version(2)})
		}},
		{"Team.Versions.Forms", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Versions().Forms(ctx, end(), "", 9)) }},
		{"Team.Comments.Add", false, func(ctx context.Context, s *db) error {
			return s.Team("t").Comments().Add(ctx, "d", comment, room)
		}},
		{"Team.Comments.List", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Comments().List(ctx, "d")) }},
		{"Team.Comments.Change", false, func(ctx context.Context, s *db) error {
			return first(s.Team("t").Comments().Change(ctx, "d", "c", room, func(c *store.Comment) error { c.Text += "u"; return nil }))
		}},
		{"Team.Comments.Rename", false, func(ctx context.Context, s *db) error {
			return first(s.Team("t").Comments().Rename(ctx, "d", store.Places{Nodes: map[string]string{"n": "m"}}))
		}},
		{"Team.Comments.Read", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Comments().Read(ctx, "d", "c", "p")) }},
		{"Team.Comments.Unseen", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Comments().Unseen(ctx, "d", "p")) }},
		{"Team.Comments.Remove", false, func(ctx context.Context, s *db) error {
			return s.Team("t").Comments().Remove(ctx, "d", "c", func(store.Comment) (bool, error) { return false, nil })
		}},
		{"Team.Links.Add", false, func(ctx context.Context, s *db) error { return s.Team("t").Links().Add(ctx, link, 9, now()) }},
		{"Team.Links.List", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Links().List(ctx, "d")) }},
		{"Team.Links.Find", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Links().Find(ctx, "l")) }},
		{"Team.Links.Count", false, func(ctx context.Context, s *db) error { return s.Team("t").Links().Count(ctx, "l", now()) }},
		{"Team.Links.Remove", false, func(ctx context.Context, s *db) error { return s.Team("t").Links().Remove(ctx, "d", "l") }},
		{"Team.Scenarios.Create", false, func(ctx context.Context, s *db) error { return first(s.Team("").Scenarios().Create(ctx, document)) }},
		{"Team.Kept", false, func(ctx context.Context, s *db) error { return first(s.Team("t").Kept(ctx, "", 9)) }},
		{"Team.Forget", false, func(ctx context.Context, s *db) error { return s.Team("t").Forget(ctx, "d") }},
		{"Adopt", false, func(ctx context.Context, s *db) error { return s.Adopt(ctx, "t") }},
		{"Flows.List", false, func(ctx context.Context, s *db) error { return second(s.Flows().List(ctx, 0, 1)) }},
	}
}

// base returns the method of the store itself.
func (c call) base() string { name, _, _ := strings.Cut(c.method, "."); return name }
