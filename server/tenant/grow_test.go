package tenant_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/management"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// old is a tenant as the version before administration left it: it knew forms and flows only.
func old(t *testing.T) *sqlite.DB {
	t.Helper()
	s, ctx := sqlitetest.Open(t), t.Context()
	all := management.DocumentScopes()
	must(t,
		s.CreateAPI(ctx, store.API{
			ID: "management", Identifier: issuer + "/api/v2/", Scopes: all, UserPolicy: store.RequireClientGrant,
			ClientPolicy: store.RequireClientGrant,
		}),
		s.CreateUser(ctx, store.User{ID: "admin", Email: "admin@example.com", Created: noon()}),
		s.CreateUser(ctx, store.User{ID: "reader", Email: "reader@example.com", Created: noon()}),
		storetest.SetPermissions(ctx, s, "admin", "management", all),
		storetest.SetPermissions(ctx, s, "reader", "management", all[1:]),
		s.CreateClient(ctx, store.Client{ID: "machine", Created: noon(), SecretSince: noon()}),
		s.CreateClient(ctx, store.Client{ID: "other", Created: noon(), SecretSince: noon()}),
		storetest.SetGrant(ctx, s, "machine", "management", store.SubjectClient, all),
		storetest.SetGrant(ctx, s, "other", "management", store.SubjectClient, all[1:]),
		s.PutMark(ctx, "seeded", "1"),
	)
	return s
}

func resync(t *testing.T, s *sqlite.DB) {
	t.Helper()
	_, err := tenant.Sync(t.Context(), tenant.SyncConfig{
		Store: s, Keys: newKeys(t), Issuer: issuer, EditorURL: "http://localhost:8080",
		Now: noon,
	})
	must(t, err)
}

func permissionsOf(scopes []string) []store.Permission {
	out := make([]store.Permission, len(scopes))
	for i, x := range scopes {
		out[i] = store.Permission{APIID: "management", Scope: x}
	}
	return out
}

// held returns whether a person holds every one of scopes.
func holds(t *testing.T, s *sqlite.DB, user, api string, scopes []string) bool {
	t.Helper()
	has, err := s.Held(t.Context(), user, api)
	must(t, err)
	return !slices.ContainsFunc(scopes, func(x string) bool { return !slices.Contains(has, x) })
}

func TestSyncOfAnOldTenant(t *testing.T) {
	s, ctx := old(t), t.Context()
	if seeded, err := tenant.Seed(ctx, tenant.SeedConfig{Store: s, Issuer: issuer}); seeded || err != nil {
		t.Fatalf("Seed = %v, %v", seeded, err)
	}
	resync(t, s)
	if !holds(t, s, "admin", "management", management.Scopes()) {
		t.Error("the administrator of an old tenant got no scopes of administration")
	}
	if has, _ := s.Held(ctx, "reader", "management"); !slices.Equal(slices.Sorted(slices.Values(has)),
		slices.Sorted(slices.Values(management.DocumentScopes()[1:]))) {
		t.Errorf("somebody who did not hold everything got more: %v", has)
	}
	for client, want := range map[string]int{"machine": len(management.Scopes()), "other": len(management.DocumentScopes()) - 1} {
		if got, err := s.ClientGrant(ctx, client, "management", store.SubjectClient); err != nil || len(got) != want {
			t.Errorf("grant of %s = %d scopes, %v, want %d", client, len(got), err, want)
		}
	}
	for _, user := range []string{"admin", "reader"} {
		if !holds(t, s, user, "me", access.SelfServiceScopes()) {
			t.Errorf("%s may not look after the own account", user)
		}
	}
	// The version before passkeys could be removed: a person who held all of its scopes holds the new ones.
	taking := []string{"read:authentication_methods", "delete:authentication_methods"}
	before := slices.DeleteFunc(management.Scopes(), func(x string) bool { return slices.Contains(taking, x) })
	must(t, s.PutMark(ctx, "scopes management", strings.Join(before, " ")), storetest.SetPermissions(ctx, s, "admin", "management", before),
		storetest.SetGrant(ctx, s, "machine", "management", store.SubjectClient, before),
		s.CreateRole(ctx, store.Role{ID: "rol_own", Name: "Own", Created: noon()}),
		s.ChangeRolePermissions(ctx, "rol_own", permissionsOf(before), nil),
		s.ChangeRolePermissions(ctx, tenant.AdministratorRole, nil, permissionsOf(taking)))
	resync(t, s)
	machine, err := s.ClientGrant(ctx, "machine", "management", store.SubjectClient)
	must(t, err)
	if !holds(t, s, "admin", "management", taking) || len(machine) != len(management.Scopes()) || len(management.Scopes()) != len(before)+2 {
		t.Errorf("no one may remove passkeys after an update: the machine has %v", machine)
	}
	for _, id := range []string{tenant.AdministratorRole, "rol_own"} {
		if may, err := s.RolePermissions(ctx, id); err != nil || len(may) != len(management.Scopes()) {
			t.Errorf("role %s has %d scopes, %v, want all", id, len(may), err)
		}
	}
	// What somebody took away since stays away, and so do the roles that somebody deleted.
	must(t,
		s.ChangeUserPermissions(ctx, "admin", nil, []store.Permission{{APIID: "management", Scope: "read:logs"}}),
		s.DeleteRole(ctx, tenant.EditorRole),
		s.ChangeRolePermissions(ctx, tenant.AccountRole, nil, []store.Permission{{APIID: "me", Scope: "delete:me:sessions"}}),
		s.RemoveRoles(ctx, "reader", []string{tenant.AccountRole}),
	)
	resync(t, s)
	if holds(t, s, "admin", "management", []string{"read:logs"}) || holds(t, s, "admin", "me", []string{"delete:me:sessions"}) ||
		holds(t, s, "reader", "me", []string{"read:me:factors"}) {
		t.Error("a start gives back what was taken away")
	}
	if _, err := s.Role(ctx, tenant.EditorRole); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted role came back: %v", err)
	}
	// A version that knew fewer scopes of the account API: those that are new join the role.
	must(t, s.PutMark(ctx, "roles", strings.Join(access.SelfServiceScopes()[1:], " ")),
		s.ChangeRolePermissions(ctx, tenant.AccountRole, nil, []store.Permission{{APIID: "me", Scope: access.SelfServiceScopes()[0]}}))
	resync(t, s)
	if !holds(t, s, "admin", "me", access.SelfServiceScopes()[:1]) || holds(t, s, "admin", "me", []string{"delete:me:sessions"}) {
		t.Error("the account role has not exactly what is new")
	}
	must(t, s.PutMark(ctx, "roles", "none"), s.DeleteRole(ctx, tenant.AccountRole))
	resync(t, s) // a deleted account role stops no start
}

func TestSelfServiceAPI(t *testing.T) {
	s, ctx := sqlitetest.Open(t), t.Context()
	first := seed(t, tenant.SeedConfig{Store: s})
	resync(t, s)
	me, err := s.API(ctx, issuer+"/me/")
	must(t, err)
	if me.ID != "me" || me.Inactive || me.UserPolicy != store.RequireClientGrant || me.ClientPolicy != store.DenyAll ||
		!slices.Equal(me.Scopes, access.SelfServiceScopes()) {
		t.Errorf("self-service API = %+v", me)
	}
	if got, err := s.ClientGrant(ctx, tenant.EditorClient, "me", store.SubjectUser); err != nil || !slices.Equal(got, me.Scopes) {
		t.Errorf("the editor's grant = %v, %v", got, err)
	}
	u, err := s.UserByEmail(ctx, first.Admin.Email)
	must(t, err)
	must(t, s.CreateUser(ctx, store.User{ID: "later", Email: "later@example.com", Created: noon()}))
	for _, id := range []string{u.ID, "later"} {
		if !holds(t, s, id, "me", me.Scopes) {
			t.Errorf("%s may not look after the own account", id)
		}
	}
	if holds(t, s, "later", "management", []string{"read:forms"}) {
		t.Error("a new person may read forms")
	}
	// What an administrator changed stays; what cannot be changed comes back.
	me.UserPolicy, me.ClientPolicy, me.Inactive, me.Scopes = store.AllowAll, store.AllowAll, true, nil
	storetest.PutAPI(t, s, me)
	resync(t, s)
	me, err = s.API(ctx, issuer+"/me/")
	must(t, err)
	if me.UserPolicy != store.AllowAll || !me.Inactive || me.ClientPolicy != store.DenyAll || len(me.Scopes) == 0 {
		t.Errorf("self-service API after a start = %+v", me)
	}
}
