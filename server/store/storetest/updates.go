package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// errStop is the error of changes that fail on purpose.
var errStop = errors.New("stop")

// rowsOfAccess stores one row of each kind: user u, client c, role r, API m and the grant whose ID it returns.
func rowsOfAccess(t *testing.T, s store.Access) string {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Name: "C", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateRole(ctx, store.Role{ID: "r", Name: "R", Created: noon()}))
	must(t, s.CreateAPI(ctx, api("m")))
	g, err := s.CreateClientGrant(ctx, store.ClientGrant{ClientID: "c", APIID: "m", Subject: store.SubjectUser, Scopes: []string{"0"}})
	must(t, err)
	return g.ID
}

// updater updates one kind of row. note is a word that it adds to the row's list or name.
type updater struct {
	kind string
	do   func(s store.Access, id, note string, fail error) error
	drop func(s store.Access, id string) error
}

func updaters(t *testing.T) []updater {
	t.Helper()
	ctx := t.Context()
	return []updater{
		{"user", func(s store.Access, id, note string, fail error) error {
			_, err := s.UpdateUser(ctx, id, func(u *store.User) error { u.Name += " " + note; return fail })
			return err
		}, func(s store.Access, id string) error { return s.DeleteUser(ctx, id) }},
		{"client", func(s store.Access, id, note string, fail error) error {
			_, err := s.UpdateClient(ctx, id, func(c *store.Client) error { c.Name += " " + note; return fail })
			return err
		}, func(s store.Access, id string) error { return s.DeleteClient(ctx, id) }},
		{"role", func(s store.Access, id, note string, fail error) error {
			_, err := s.UpdateRole(ctx, id, func(r *store.Role) error { r.Name += " " + note; return fail })
			return err
		}, func(s store.Access, id string) error { return s.DeleteRole(ctx, id) }},
		{"client grant", func(s store.Access, id, note string, fail error) error {
			_, err := s.UpdateClientGrant(ctx, id, func(g *store.ClientGrant) error { g.Scopes = append(g.Scopes, note); return fail })
			return err
		}, func(s store.Access, id string) error { return s.DeleteClientGrant(ctx, id) }},
		{"API", func(s store.Access, id, note string, fail error) error {
			_, err := s.UpdateAPI(ctx, id, func(a *store.API) error { a.Name += " " + note; return fail })
			return err
		}, func(s store.Access, id string) error { return s.DeleteAPI(ctx, id) }},
	}
}

// updates checks what all updates have in common: none is lost to a concurrent one, one that fails leaves nothing behind, and a deleted row
// does not come back.
func updates(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	grant := rowsOfAccess(t, s)
	ids := map[string]string{"user": "u", "client": "c", "role": "r", "client grant": grant, "API": "m"}
	notes := func(kind string) int {
		t.Helper()
		u, err1 := s.User(ctx, "u")
		c, err2 := s.Client(ctx, "c")
		r, err3 := s.Role(ctx, "r")
		g, err4 := s.ClientGrantByID(ctx, grant)
		a, err5 := s.APIByID(ctx, "m")
		must(t, errors.Join(err1, err2, err3, err4, err5))
		spaces := func(s string) int { return len(slices.DeleteFunc([]byte(s), func(b byte) bool { return b != ' ' })) }
		return map[string]int{
			"user": spaces(u.Name), "client": spaces(c.Name), "role": spaces(r.Name), "client grant": len(g.Scopes) - 1,
			"API": spaces(a.Name),
		}[kind]
	}
	const writers, each = 4, 5
	for _, u := range updaters(t) {
		id := ids[u.kind]
		var wait sync.WaitGroup
		for i := range writers {
			wait.Go(func() {
				for range each {
					if err := u.do(s, id, fmt.Sprint(i), nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		if n := notes(u.kind); n != writers*each {
			t.Errorf("%d of %d updates of a %s are there", n, writers*each, u.kind)
		}
		mustBe(t, "failing update of "+u.kind, u.do(s, id, "x", errStop), errStop)
		if n := notes(u.kind); n != writers*each {
			t.Errorf("an update of a %s that failed was kept", u.kind)
		}
	}
	for _, u := range slices.Backward(updaters(t)) {
		id := ids[u.kind]
		if err := u.drop(s, id); err != nil && u.kind != "client grant" { // it is deleted with its API
			t.Fatal(err)
		}
		mustBe(t, "update of a deleted "+u.kind, u.do(s, id, "x", nil), store.ErrNotFound)
		mustBe(t, "deletion of an updated "+u.kind, u.drop(s, id), store.ErrNotFound)
	}
	mustBe(t, "SetClientSecret of nothing", s.SetClientSecret(ctx, "c", []byte{1}, noon()), store.ErrNotFound)
	mustBe(t, "SetClientGlobal of nothing", s.SetClientGlobal(ctx, "c", true), store.ErrNotFound)
	_, err := s.ChangePassword(ctx, "u", "x", "")
	mustBe(t, "ChangePassword of nobody", err, store.ErrNotFound)
}

// transactions checks that a transaction sees its own writes, and that they are stored whole or not at all.
func transactions(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	rowsOfAccess(t, s)
	change := func(rows store.Access) error {
		return errors.Join(
			rows.SetClientSecret(ctx, "c", []byte{7}, noon().Add(time.Hour)), rows.SetClientGlobal(ctx, "c", true),
			rows.ResetPassword(ctx, "u", "new"),
			rows.SetBlocked(ctx, "u", true), rows.AddRoles(ctx, []string{"u"}, []string{"r"}),
			rows.ChangeRolePermissions(ctx, "r", []store.Permission{{APIID: "m", Scope: "a"}}, nil),
		)
	}
	seen := func(rows store.Access) bool {
		t.Helper()
		c, err1 := rows.Client(ctx, "c")
		u, err2 := rows.User(ctx, "u")
		held, err3 := rows.Held(ctx, "u", "m")
		stands, err4 := rows.Standing(ctx, store.Caller{ClientID: "c", UserID: "u", Audience: api("m").Identifier, Scope: "a"})
		must(t, errors.Join(err1, err2, err3, err4))
		return c.Global && len(c.SecretHash) == 1 && u.Blocked && u.PasswordHash == "new" && len(held) == 1 && stands.Held
	}
	mustBe(t, "a transaction that fails", s.InTx(ctx, func(rows store.Access) error {
		if err := change(rows); err != nil {
			return err
		}
		if !seen(rows) {
			t.Error("a transaction does not see its own writes")
		}
		if _, err := rows.UpdateRole(ctx, "r", func(r *store.Role) error { r.Name = "other"; return nil }); err != nil {
			return err
		}
		return errStop
	}), errStop)
	if r, err := s.Role(ctx, "r"); seen(s) || err != nil || r.Name != "R" {
		t.Error("a failed transaction was stored, at least in part")
	}
	must(t, s.InTx(ctx, change))
	if !seen(s) {
		t.Error("a successful transaction was not stored")
	}
}

// transactionsInTurn checks that no two transactions run at once: each adds to what the previous one wrote.
func transactionsInTurn(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	rowsOfAccess(t, s)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 5 {
				err := s.InTx(ctx, func(rows store.Access) error {
					r, err := rows.Role(ctx, "r")
					if err != nil {
						return err
					}
					_, err = rows.UpdateRole(ctx, "r", func(kept *store.Role) error { kept.Description = r.Description + "."; return nil })
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if r, err := s.Role(ctx, "r"); err != nil || len(r.Description) != 20 {
		t.Errorf("%d of 20 transactions are there, %v", len(r.Description), err)
	}
}

// ownLists checks that a change that writes into the lists it receives does not affect the members that stay.
func ownLists(t *testing.T, s store.Tenant) {
	t.Helper()
	must(t, s.CreateClient(t.Context(), store.Client{ID: "c", SecretHash: []byte{1}, Created: noon(), SecretSince: noon()}))
	c, err := s.UpdateClient(t.Context(), "c", func(c *store.Client) error { c.SecretHash[0] = 2; return nil })
	must(t, err)
	equal(t, c.SecretHash, []byte{1})
}

// administrators checks who counts as holding every scope.
func administrators(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	rowsOfAccess(t, s)
	scopes := []string{"a", "b"}
	p := func(scope string) []store.Permission { return []store.Permission{{APIID: "m", Scope: scope}} }
	want := func(why string, want bool) {
		t.Helper()
		if got, err := s.AnyHoldsAll(ctx, "m", scopes); err != nil || got != want {
			t.Errorf("%s: AnyHoldsAll = %v, %v, want %v", why, got, err, want)
		}
	}
	want("nobody", false)
	must(t, s.CreateUser(ctx, store.User{ID: "other", Email: "other@example.com", PasswordHash: "x", Created: noon()}))
	must(t, s.ChangeUserPermissions(ctx, "other", p("b"), nil))
	must(t, s.ChangeUserPermissions(ctx, "u", p("a"), nil))
	want("two people with a half each", false)
	must(t, s.ChangeRolePermissions(ctx, "r", append(p("a"), p("b")...), nil))
	want("a role that nobody has", false)
	must(t, s.AddRoles(ctx, []string{"u"}, []string{"r"}))
	want("by name and by a role", true)
	must(t, s.ChangeRolePermissions(ctx, "r", nil, p("b")))
	want("a role without one of them", false)
	must(t, s.ChangeRolePermissions(ctx, "r", p("b"), nil))
	must(t, s.SetBlocked(ctx, "u", true))
	want("blocked", false)
	must(t, s.SetBlocked(ctx, "u", false))
	must(t, s.SetPassword(ctx, "u", "", nil))
	want("invited", false)
	must(t, s.CreateMethod(ctx, passkey(1), 9))
	want("by a passkey", true)
}

// changedPassword checks which rows end when a person sets a password, and which stay.
func changedPassword(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	begun(t, s) // sign-in sid, a ticket and a family
	end := noon().Add(time.Hour)
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{5}, ID: "here", UserID: "u", AuthTime: noon(), Expires: end}))
	here := family()
	here.ID, here.SignInID = "here", "here"
	must(t, s.CreateFamily(ctx, here))
	must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{6}, FamilyID: "here", Expires: end}))
	must(t, s.CreateUser(ctx, store.User{ID: "other", Email: "o@example.com", Created: noon()}))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{7}, ID: "theirs", UserID: "other", AuthTime: noon(), Expires: end}))
	gone, err := s.ChangePassword(ctx, "u", "new", "here")
	must(t, err)
	if !slices.Contains(gone, "sid") || slices.Contains(gone, "here") || slices.Contains(gone, "theirs") || !slices.IsSorted(gone) {
		t.Errorf("ended %q, want sid among them and neither here nor theirs", gone)
	}
	ended(t, s, "a new password")
	for _, hash := range [][]byte{{5}, {7}} {
		if _, err := s.SignIn(ctx, hash); err != nil {
			t.Errorf("a sign-in that must stay: %v", err)
		}
	}
	_, f, err := s.Refresh(ctx, []byte{6})
	must(t, err)
	if f.Revoked {
		t.Error("the family of the sign-in that stays was revoked")
	}
	if u, err := s.User(ctx, "u"); err != nil || u.PasswordHash != "new" {
		t.Errorf("kept %+v, %v, want the new password", u, err)
	}
	again, err := s.ChangePassword(ctx, "u", "newer", "here")
	must(t, err)
	equal(t, again, []string(nil))
}
