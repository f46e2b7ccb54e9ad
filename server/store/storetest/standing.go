package storetest

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// standings checks that a standing has all that is kept of a caller, and loses each part as soon as it is taken away.
func standings(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	g := rowsOfAccess(t, s)
	audience := api("m").Identifier
	caller := store.Caller{ClientID: "c", UserID: "u", Audience: audience, Scope: "b"}
	p := []store.Permission{{APIID: "m", Scope: "b"}}
	ChangeClient(t, s, "c", func(c *store.Client) { c.Global, c.FirstParty = true, true })
	ChangeAPI(t, s, "m", func(a *store.API) { a.Inactive = true })
	must(t, s.ChangeUserPermissions(ctx, "u", p, nil))
	must(t, s.ChangeRolePermissions(ctx, "r", p, nil))
	SetConsent(t, s, store.Consent{ID: "con", UserID: "u", ClientID: "c", Audience: audience, Scope: []string{"b", "d"}, Given: noon()})
	// What another client was allowed does not count.
	must(t, s.CreateClient(ctx, store.Client{ID: "d", Created: noon(), SecretSince: noon()}))
	SetConsent(t, s, store.Consent{ID: "another", UserID: "u", ClientID: "d", Audience: audience, Scope: []string{"a"}, Given: noon()})
	m := api("m")
	m.Name, m.Identifier, m.ScopeTexts, m.Inactive = "", "", nil, true
	want := store.Standing{
		Global: true, FirstParty: true, Active: true, API: &m, HasGrant: true, Grant: []string{"0"}, Held: true, Consent: []string{"b", "d"},
	}
	check := func(why string, c store.Caller, want store.Standing) {
		t.Helper()
		got, err := s.Standing(ctx, c)
		if err != nil {
			t.Fatalf("%s: %v", why, err)
		}
		t.Log(why)
		equal(t, got, want)
	}
	check("everything", caller, want)

	other, alone := caller, caller
	other.Scope, alone.UserID = "a", ""
	notHeld := want
	notHeld.Held = false
	check("another scope", other, notHeld)
	own := store.Standing{Global: true, FirstParty: true, API: &m}
	check("a client for itself, without a grant of its own", alone, own)
	_, err := s.CreateClientGrant(ctx, store.ClientGrant{ClientID: "c", APIID: "m", Subject: store.SubjectClient})
	must(t, err)
	own.HasGrant = true
	check("a client for itself, with an empty grant", alone, own)
	check("names that do not exist", store.Caller{ClientID: "x", UserID: "x", Audience: "x", Scope: "b"}, store.Standing{})
	check("no names", store.Caller{}, store.Standing{})

	take := func(why string, err error, change func(*store.Standing)) {
		t.Helper()
		must(t, err)
		change(&want)
		check(why, caller, want)
	}
	take("a permission by name", s.ChangeUserPermissions(ctx, "u", nil, p), func(s *store.Standing) { s.Held = false })
	take("a role", s.AddRoles(ctx, []string{"u"}, []string{"r"}), func(s *store.Standing) { s.Held = true })
	take("a permission of the role", s.ChangeRolePermissions(ctx, "r", nil, p), func(s *store.Standing) { s.Held = false })
	take("blocked", s.SetBlocked(ctx, "u", true), func(s *store.Standing) { s.Active = false })
	take("a grant", s.DeleteClientGrant(ctx, g), func(s *store.Standing) { s.HasGrant, s.Grant = false, nil })
	take("a consent", s.EndAuthorizations(ctx, "u", "c"), func(s *store.Standing) { s.Consent = nil })
	take("global", s.SetClientGlobal(ctx, "c", false), func(s *store.Standing) { s.Global = false })
	take("the API", s.DeleteAPI(ctx, "m"), func(s *store.Standing) { s.API = nil })
	take("the client", s.DeleteClient(ctx, "c"), func(s *store.Standing) { s.FirstParty = false })
	must(t, s.SetBlocked(ctx, "u", false))
	want.Active = true
	take("the user", s.DeleteUser(ctx, "u"), func(s *store.Standing) { s.Active = false })
}
