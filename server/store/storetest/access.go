package storetest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func names[T any](rows []T, name func(T) string) []string {
	var out []string
	for _, r := range rows {
		out = append(out, name(r))
	}
	return out
}

func clientLists(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	id := func(c store.Client) string { return c.ID }
	for i, name := range []string{"c", "a", "b"} {
		c := store.Client{
			ID: name, Name: name, Description: "d", AppType: "spa", AuthMethod: "none", Created: noon().Add(time.Duration(i) * time.Hour), SecretSince: noon(),
		}
		must(t, s.PutClient(ctx, c))
		got, err := s.Client(ctx, name)
		must(t, err)
		equal(t, got, c)
	}
	page, total, err := s.ListClients(ctx, 1, 1)
	must(t, err)
	equal(t, names(page, id), []string{"a"})
	equal(t, total, 3)
	page, total, err = s.ListClients(ctx, 5, 1)
	must(t, err)
	equal(t, len(page), 0)
	equal(t, total, 3)

	must(t, s.PutUser(ctx, ana()))
	must(t, s.PutAPI(ctx, api("m")))
	must(t, s.PutClientGrant(ctx, "c", "m", store.SubjectUser, nil))
	must(t, s.CreateCode(ctx, family(), code()))
	must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{9}, FamilyID: "f", Expires: noon().Add(time.Hour)}))
	must(t, s.DeleteClient(ctx, "c"))
	mustBe(t, "DeleteClient again", s.DeleteClient(ctx, "c"), store.ErrNotFound)
	_, err = s.ClientGrant(ctx, "c", "m", store.SubjectUser)
	mustBe(t, "grant of a deleted client", err, store.ErrNotFound)
	_, _, err = s.Refresh(ctx, []byte{9})
	mustBe(t, "refresh token of a deleted client", err, store.ErrNotFound)
}

func grantsByName(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	g := store.ClientGrant{ClientID: "c", APIID: "m", Subject: store.SubjectUser, Scopes: []string{"read:forms"}}
	_, err := s.CreateClientGrant(ctx, g)
	mustBe(t, "CreateClientGrant of nothing", err, store.ErrNotFound)
	for _, c := range []string{"c", "d"} {
		must(t, s.PutClient(ctx, store.Client{ID: c, Created: noon(), SecretSince: noon()}))
		must(t, s.PutAPI(ctx, api("m"+c)))
	}
	g.APIID = "mc"
	made, err := s.CreateClientGrant(ctx, g)
	must(t, err)
	if made.ID == "" || len(made.ID) > 30 {
		t.Errorf("grant is called %q, want a name of 1 to 30 characters", made.ID)
	}
	_, err = s.CreateClientGrant(ctx, g)
	mustBe(t, "CreateClientGrant again", err, store.ErrConflict)
	must(t, s.PutClientGrant(ctx, "c", "mc", store.SubjectUser, []string{"update:forms"}))
	made.Scopes = []string{"update:forms"} // the name stays
	got, err := s.ClientGrantByID(ctx, made.ID)
	must(t, err)
	equal(t, got, made)
	must(t, s.PutClientGrant(ctx, "c", "mc", store.SubjectClient, nil))
	must(t, s.PutClientGrant(ctx, "d", "mc", store.SubjectUser, nil))
	must(t, s.PutClientGrant(ctx, "d", "md", store.SubjectUser, nil))
	for _, x := range []struct {
		filter store.GrantFilter
		want   []string
	}{
		{store.GrantFilter{}, []string{"c mc client", "c mc user", "d mc user", "d md user"}},
		{store.GrantFilter{ClientID: "d"}, []string{"d mc user", "d md user"}},
		{store.GrantFilter{APIID: "mc"}, []string{"c mc client", "c mc user", "d mc user"}},
		{store.GrantFilter{APIID: "mc", Subject: store.SubjectUser}, []string{"c mc user", "d mc user"}},
		{store.GrantFilter{ClientID: "none"}, nil},
	} {
		page, total, err := s.ListClientGrants(ctx, x.filter, 0, 10)
		must(t, err)
		equal(t, names(page, func(g store.ClientGrant) string { return fmt.Sprint(g.ClientID, " ", g.APIID, " ", g.Subject) }), x.want)
		equal(t, total, len(x.want))
	}
	page, total, err := s.ListClientGrants(ctx, store.GrantFilter{ClientID: "c"}, 1, 1)
	must(t, err)
	if len(page) != 1 || page[0].ID != made.ID || total != 2 {
		t.Errorf("second grant of c = %v of %d, want %s of 2", page, total, made.ID)
	}
	must(t, s.DeleteClientGrant(ctx, made.ID))
	mustBe(t, "DeleteClientGrant again", s.DeleteClientGrant(ctx, made.ID), store.ErrNotFound)
	_, err = s.ClientGrantByID(ctx, made.ID)
	mustBe(t, "ClientGrantByID of nothing", err, store.ErrNotFound)
}

func apiLists(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	for i, id := range []string{"b", "a"} {
		a := api(id)
		a.Name, a.Inactive, a.ScopeTexts = id, i == 0, map[string]string{"read:forms": "Read <forms>"}
		must(t, s.PutAPI(ctx, a))
		got, err := s.APIByID(ctx, id)
		must(t, err)
		equal(t, got, a)
	}
	page, total, err := s.ListAPIs(ctx, 0, 1)
	must(t, err)
	equal(t, names(page, func(a store.API) string { return a.ID }), []string{"a"})
	equal(t, total, 2)
	must(t, s.PutUser(ctx, ana()))
	must(t, s.PutPermissions(ctx, "u", "a", []string{"read:forms"}))
	must(t, s.DeleteAPI(ctx, "a"))
	mustBe(t, "DeleteAPI again", s.DeleteAPI(ctx, "a"), store.ErrNotFound)
	_, err = s.APIByID(ctx, "a")
	mustBe(t, "APIByID of nothing", err, store.ErrNotFound)
	got, err := s.Permissions(ctx, "u", "a")
	must(t, err)
	equal(t, got, []string(nil))
}

func people(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	for i, id := range []string{"y", "x"} {
		must(t, s.PutUser(ctx, store.User{ID: id, Email: id + "@example.com", Created: noon().Add(time.Duration(i) * time.Hour)}))
	}
	page, total, err := s.ListUsers(ctx, 0, 5)
	must(t, err)
	equal(t, names(page, func(u store.User) string { return u.ID }), []string{"y", "x"})
	equal(t, total, 2)
	must(t, s.DeleteUser(ctx, "y"))
	mustBe(t, "DeleteUser again", s.DeleteUser(ctx, "y"), store.ErrNotFound)
	mustBe(t, "ResetPassword of nobody", s.ResetPassword(ctx, "y", "x"), store.ErrNotFound)
	must(t, s.ResetPassword(ctx, "x", "$argon2id$new"))
	got, err := s.User(ctx, "x")
	must(t, err)
	equal(t, got.PasswordHash, "$argon2id$new")
}

// begun keeps a sign-in, a live family and a ticket of one user.
func begun(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{9}, FamilyID: "f", Expires: noon().Add(time.Hour)}))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{1}, ID: "sid", UserID: "u", AuthTime: noon(), Expires: noon().Add(time.Hour)}))
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: noon().Add(time.Hour), Issuer: "http://login.t"}, noon()))
}

// ended checks that nothing of begun lives.
func ended(t *testing.T, s store.Tenant, action string) {
	t.Helper()
	ctx := t.Context()
	_, err := s.SignIn(ctx, []byte{1})
	mustBe(t, "sign-in after "+action, err, store.ErrNotFound)
	_, f, err := s.Refresh(ctx, []byte{9})
	must(t, err)
	if !f.Revoked {
		t.Errorf("family lives after %s", action)
	}
	_, err = s.Ticket(ctx, []byte{2}, noon())
	mustBe(t, "ticket after "+action, err, store.ErrNotFound)
}

func blocking(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "SetBlocked of nobody", s.SetBlocked(ctx, "u", true), store.ErrNotFound)
	begun(t, s)
	must(t, s.PutUser(ctx, store.User{ID: "other", Email: "o@example.com", Created: noon()}))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{5}, ID: "o", UserID: "other", AuthTime: noon(), Expires: noon().Add(time.Hour)}))
	must(t, s.SetBlocked(ctx, "u", false))
	if _, err := s.SignIn(ctx, []byte{1}); err != nil {
		t.Error("letting somebody in ended the sign-in")
	}
	must(t, s.SetBlocked(ctx, "u", true))
	ended(t, s, "blocking")
	if _, err := s.SignIn(ctx, []byte{5}); err != nil {
		t.Error("blocking ended the sign-in of somebody else")
	}
	must(t, s.PutUser(ctx, ana())) // read before, written after
	got, err := s.User(ctx, "u")
	must(t, err)
	if !got.Blocked {
		t.Error("PutUser lets a blocked person in")
	}
	// A link that was made all the same does not work until the person is let in.
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{3}, UserID: "u", Expires: noon().Add(time.Hour)}, noon()))
	_, err = s.Ticket(ctx, []byte{3}, noon())
	mustBe(t, "ticket of a blocked person", err, store.ErrNotFound)
	_, err = s.RedeemTicket(ctx, []byte{3}, noon(), "x")
	mustBe(t, "redeeming by a blocked person", err, store.ErrNotFound)
	must(t, s.SetBlocked(ctx, "u", false))
	if _, err = s.Ticket(ctx, []byte{3}, noon()); err != nil {
		t.Errorf("ticket of a person who is let in = %v, want nil", err)
	}
	_, f, err := s.Refresh(ctx, []byte{9})
	must(t, err)
	if !f.Revoked {
		t.Error("letting somebody in brought a family back")
	}
}

func roles(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	id := func(r store.Role) string { return r.ID }
	must(t, s.PutUser(ctx, ana()))
	_, err := s.Role(ctx, "r")
	mustBe(t, "Role of nothing", err, store.ErrNotFound)
	r := store.Role{ID: "r", Name: "Zoo", Description: "d", Preset: true, Created: noon()}
	must(t, s.PutRole(ctx, r))
	must(t, s.PutRole(ctx, store.Role{ID: "q", Name: "Ape", Created: noon()}))
	mustBe(t, "PutRole of a taken name", s.PutRole(ctx, store.Role{ID: "p", Name: "Ape"}), store.ErrConflict)
	r.Description = "other"
	must(t, s.PutRole(ctx, r))
	got, err := s.Role(ctx, "r")
	must(t, err)
	equal(t, got, r)
	page, total, err := s.ListRoles(ctx, 0, 1)
	must(t, err)
	equal(t, names(page, id), []string{"q"})
	equal(t, total, 2)

	must(t, s.AddRoles(ctx, []string{"u"}, []string{"q"}))
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"q"}))
	mustBe(t, "AddRoles of nothing", s.AddRoles(ctx, []string{"u"}, []string{"r", "none"}), store.ErrNotFound)
	mustBe(t, "AddRoles to nobody", s.AddRoles(ctx, []string{"none"}, []string{"r"}), store.ErrNotFound)
	has, err := s.UserRoles(ctx, "u")
	must(t, err)
	equal(t, names(has, id), []string{"q"}) // all or nothing; and a preset role comes to new people only
	must(t, s.PutUser(ctx, store.User{ID: "new", Email: "new@example.com", Created: noon()}))
	must(t, s.PutUser(ctx, ana()))
	for user, want := range map[string][]string{"new": {"r"}, "u": {"q"}} {
		has, err := s.UserRoles(ctx, user)
		must(t, err)
		equal(t, names(has, id), want)
	}
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"r"}))
	users, total, err := s.RoleUsers(ctx, "r", 1, 1)
	must(t, err)
	equal(t, names(users, func(u store.User) string { return u.ID }), []string{"u"})
	equal(t, total, 2)
	must(t, s.RemoveRoles(ctx, "u", []string{"q", "none"}))
	has, err = s.UserRoles(ctx, "u")
	must(t, err)
	equal(t, names(has, id), []string{"r"})
	must(t, s.DeleteRole(ctx, "r"))
	mustBe(t, "DeleteRole again", s.DeleteRole(ctx, "r"), store.ErrNotFound)
	has, err = s.UserRoles(ctx, "u")
	must(t, err)
	equal(t, len(has), 0)
}

func held(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	p := func(api, scope string) store.Permission { return store.Permission{APIID: api, Scope: scope} }
	must(t, s.PutUser(ctx, ana()))
	must(t, s.PutAPI(ctx, api("m")))
	must(t, s.PutAPI(ctx, api("n")))
	for _, r := range []string{"r", "q", "unheld"} {
		must(t, s.PutRole(ctx, store.Role{ID: r, Name: r, Created: noon()}))
	}
	mustBe(t, "permissions of no role", s.ChangeRolePermissions(ctx, "none", nil, nil), store.ErrNotFound)
	mustBe(t, "permissions of nobody", s.ChangeUserPermissions(ctx, "none", nil, nil), store.ErrNotFound)
	mustBe(t, "permissions of no API", s.ChangeRolePermissions(ctx, "r", []store.Permission{p("m", "a"), p("none", "a")}, nil), store.ErrNotFound)
	none, err := s.RolePermissions(ctx, "r")
	must(t, err)
	equal(t, len(none), 0)

	must(t, s.ChangeUserPermissions(ctx, "u", []store.Permission{p("m", "a"), p("m", "b"), p("m", "b")}, nil))
	must(t, s.ChangeRolePermissions(ctx, "r", []store.Permission{p("m", "b"), p("m", "c"), p("n", "d")}, nil))
	must(t, s.ChangeRolePermissions(ctx, "q", []store.Permission{p("m", "e")}, nil))
	must(t, s.ChangeRolePermissions(ctx, "unheld", []store.Permission{p("m", "f")}, nil))
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"r", "q"}))
	all := func(want ...string) {
		t.Helper()
		got, err := s.Held(ctx, "u", "m")
		must(t, err)
		equal(t, got, want)
	}
	all("a", "b", "c", "e")
	own, err := s.Permissions(ctx, "u", "m")
	must(t, err)
	equal(t, own, []string{"a", "b"})
	must(t, s.ChangeRolePermissions(ctx, "r", nil, []store.Permission{p("m", "b"), p("m", "c"), p("m", "none")}))
	all("a", "b", "e") // b is held by name, too
	must(t, s.ChangeUserPermissions(ctx, "u", nil, []store.Permission{p("m", "b")}))
	all("a", "e")
	must(t, s.RemoveRoles(ctx, "u", []string{"q"}))
	all("a")
	ps, err := s.RolePermissions(ctx, "r")
	must(t, err)
	equal(t, ps, []store.Permission{p("n", "d")})
	ps, err = s.UserPermissions(ctx, "u")
	must(t, err)
	equal(t, ps, []store.Permission{p("m", "a")})
}

func tickets(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	end := noon().Add(time.Hour)
	mustBe(t, "CreateTicket for nobody", s.CreateTicket(ctx, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: end}, noon()), store.ErrNotFound)
	begun(t, s)
	got, err := s.Ticket(ctx, []byte{2}, end.Add(-time.Millisecond))
	must(t, err)
	equal(t, got, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: end, Issuer: "http://login.t"})
	_, err = s.Ticket(ctx, []byte{2}, end)
	mustBe(t, "Ticket at its end", err, store.ErrNotFound)
	_, err = s.RedeemTicket(ctx, []byte{2}, end, "x")
	mustBe(t, "RedeemTicket at its end", err, store.ErrNotFound)
	_, err = s.RedeemTicket(ctx, []byte{8}, noon(), "x")
	mustBe(t, "RedeemTicket of nothing", err, store.ErrNotFound)
	id, err := s.RedeemTicket(ctx, []byte{2}, noon(), "$argon2id$new")
	must(t, err)
	equal(t, id, "u")
	u, err := s.User(ctx, "u")
	must(t, err)
	equal(t, u.PasswordHash, "$argon2id$new")
	ended(t, s, "RedeemTicket")
	_, err = s.RedeemTicket(ctx, []byte{2}, noon(), "x")
	mustBe(t, "RedeemTicket again", err, store.ErrNotFound)
	// Only the last link works.
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{3}, UserID: "u", Expires: end}, noon()))
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{4}, UserID: "u", Expires: end}, noon()))
	_, err = s.Ticket(ctx, []byte{3}, noon())
	mustBe(t, "an older ticket", err, store.ErrNotFound)
	_, err = s.Ticket(ctx, []byte{4}, noon())
	must(t, err)
}

func oneTicketWins(t *testing.T, s store.Tenant) {
	t.Helper()
	must(t, s.PutUser(t.Context(), ana()))
	must(t, s.CreateTicket(t.Context(), store.Ticket{Hash: []byte{2}, UserID: "u", Expires: noon().Add(time.Hour)}, noon()))
	var won atomic.Int32
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			if _, err := s.RedeemTicket(t.Context(), []byte{2}, noon(), fmt.Sprint(i)); err == nil {
				won.Add(1)
			}
		})
	}
	wait.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d redeemed one ticket, want 1", n)
	}
}

func events(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	e := store.Event{At: noon(), Type: "s", UserID: "u", ClientID: "c", Address: "::1", Audience: "http://t/m", Scope: []string{"a", "b"}, Description: "d"}
	must(t, s.AddEvent(ctx, e)) // neither user nor client exist: the log outlives them
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(time.Second), Type: "fp", UserID: "u"}))
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(2 * time.Second), Type: "s", ClientID: "d"}))
	page, total, err := s.ListEvents(ctx, store.EventFilter{}, 0, 10)
	must(t, err)
	equal(t, total, 3)
	equal(t, names(page, func(e store.Event) string { return e.Type + e.ClientID }), []string{"sd", "fp", "sc"})
	if !slices.IsSortedFunc(page, func(a, b store.Event) int { return strings.Compare(b.ID, a.ID) }) || len(page[0].ID) > 30 {
		t.Errorf("ids %v do not sort as the events do", names(page, func(e store.Event) string { return e.ID }))
	}
	e.ID = page[2].ID
	got, err := s.Event(ctx, e.ID)
	must(t, err)
	equal(t, got, e)
	for _, id := range []string{"", "log_", "log_x", "log_99", "1", e.ID[4:]} {
		_, err := s.Event(ctx, id)
		mustBe(t, "Event "+id, err, store.ErrNotFound)
	}
	for _, x := range []struct {
		filter store.EventFilter
		want   int
	}{{store.EventFilter{Type: "s"}, 2}, {store.EventFilter{UserID: "u"}, 2}, {store.EventFilter{Type: "s", ClientID: "d"}, 1}, {store.EventFilter{Type: "x"}, 0}} {
		page, total, err := s.ListEvents(ctx, x.filter, 0, 10)
		must(t, err)
		if len(page) != x.want || total != x.want {
			t.Errorf("%+v: %d of %d events, want %d", x.filter, len(page), total, x.want)
		}
	}
	// A month later the old ones are gone.
	must(t, s.AddEvent(ctx, store.Event{At: noon().Add(store.EventLife + time.Second), Type: "late"}))
	page, total, err = s.ListEvents(ctx, store.EventFilter{}, 0, 10)
	must(t, err)
	equal(t, names(page, func(e store.Event) string { return e.Type + e.ClientID }), []string{"late", "sd", "fp"})
	equal(t, total, 3)
}
