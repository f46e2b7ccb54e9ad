package storetest

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func people(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	for i, id := range []string{"y", "x"} {
		must(t, s.CreateUser(ctx, store.User{ID: id, Email: id + "@example.com", Created: noon().Add(time.Duration(i) * time.Hour)}))
	}
	page, total, err := s.ListUsers(ctx, store.Find{}, 0, 5)
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

// begun stores a sign-in, a live family and a ticket of one user.
func begun(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{9}, FamilyID: "f", Expires: noon().Add(time.Hour)}))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{1}, ID: "sid", UserID: "u", AuthTime: noon(), Expires: noon().Add(time.Hour)}))
	must(t, s.CreateTicket(ctx, store.Ticket{Hash: []byte{2}, UserID: "u", Expires: noon().Add(time.Hour), Issuer: "http://login.t"}, noon()))
}

// ended checks that nothing that begun stored is alive.
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
	must(t, s.CreateUser(ctx, store.User{ID: "other", Email: "o@example.com", Created: noon()}))
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
	_, err := s.UpdateUser(ctx, "u", func(u *store.User) error { *u = ana(); return nil }) // read before, written after
	must(t, err)
	got, err := s.User(ctx, "u")
	must(t, err)
	if !got.Blocked {
		t.Error("UpdateUser lets a blocked person in")
	}
	// A link that was created all the same does not work until the person is unblocked.
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
	must(t, s.CreateUser(ctx, ana()))
	_, err := s.Role(ctx, "r")
	mustBe(t, "Role of nothing", err, store.ErrNotFound)
	r := store.Role{ID: "r", Name: "Zoo", Description: "d", Preset: true, Created: noon()}
	must(t, s.CreateRole(ctx, r))
	must(t, s.CreateRole(ctx, store.Role{ID: "q", Name: "Ape", Created: noon()}))
	mustBe(t, "CreateRole of a taken name", s.CreateRole(ctx, store.Role{ID: "p", Name: "Ape"}), store.ErrConflict)
	mustBe(t, "CreateRole again", s.CreateRole(ctx, r), store.ErrConflict)
	r.Description = "other"
	got, err := s.UpdateRole(ctx, "r", func(kept *store.Role) error {
		*kept = store.Role{ID: "x", Name: "Zoo", Description: "other", Preset: true, Created: noon().Add(time.Hour)}
		return nil
	})
	must(t, err)
	equal(t, got, r)
	got, err = s.Role(ctx, "r")
	must(t, err)
	equal(t, got, r)
	_, err = s.UpdateRole(ctx, "q", func(kept *store.Role) error { kept.Name = "Zoo"; return nil })
	mustBe(t, "UpdateRole to a taken name", err, store.ErrConflict)
	page, total, err := s.ListRoles(ctx, store.Find{}, 0, 1)
	must(t, err)
	equal(t, names(page, id), []string{"q"})
	equal(t, total, 2)

	must(t, s.AddRoles(ctx, []string{"u"}, []string{"q"}))
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"q"}))
	mustBe(t, "AddRoles of nothing", s.AddRoles(ctx, []string{"u"}, []string{"r", "none"}), store.ErrNotFound)
	mustBe(t, "AddRoles to nobody", s.AddRoles(ctx, []string{"none"}, []string{"r"}), store.ErrNotFound)
	has, err := s.UserRoles(ctx, "u")
	must(t, err)
	equal(t, names(has, id), []string{"q"}) // all or nothing; and only new people get a preset role
	must(t, s.CreateUser(ctx, store.User{ID: "new", Email: "new@example.com", Created: noon()}))
	for user, want := range map[string][]string{"new": {"r"}, "u": {"q"}} {
		has, err := s.UserRoles(ctx, user)
		must(t, err)
		equal(t, names(has, id), want)
	}
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"r"}))
	users, total, err := s.RoleUsers(ctx, "r", store.Find{}, 1, 1)
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
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateAPI(ctx, api("m")))
	must(t, s.CreateAPI(ctx, api("n")))
	for _, r := range []string{"r", "q", "unheld"} {
		must(t, s.CreateRole(ctx, store.Role{ID: r, Name: r, Created: noon()}))
	}
	mustBe(t, "permissions of no role", s.ChangeRolePermissions(ctx, "none", nil, nil), store.ErrNotFound)
	mustBe(t, "permissions of nobody", s.ChangeUserPermissions(ctx, "none", nil, nil), store.ErrNotFound)
	mustBe(t, "permissions of no API", s.ChangeRolePermissions(ctx, "r", []store.Permission{p("m", "a"), p("none", "a")}, nil),
		store.ErrNotFound)
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
	all("a", "b", "e") // b is also held directly
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
