package storetest

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// standingTest is a caller for whom every field of a standing is set.
type standingTest struct {
	store  store.Tenant
	caller store.Caller
	want   store.Standing
	grant  string // ID of the client grant
	held   []store.Permission
}

func newStandingTest(t *testing.T, s store.Tenant) *standingTest {
	t.Helper()
	ctx := t.Context()
	g := rowsOfAccess(t, s)
	audience := api("m").Identifier
	p := []store.Permission{{APIID: "m", Scope: "b"}}
	ChangeClient(t, s, "c", func(c *store.Client) { c.Global, c.FirstParty = true, true })
	ChangeAPI(t, s, "m", func(a *store.API) { a.Inactive = true })
	must(t, s.ChangeUserPermissions(ctx, "u", p, nil))
	must(t, s.ChangeRolePermissions(ctx, "r", p, nil))
	SetConsent(t, s, store.Consent{ID: "con", UserID: "u", ClientID: "c", Audience: audience, Scope: []string{"b", "d"}, Given: noon()})
	// The permissions of another client do not count.
	must(t, s.CreateClient(ctx, store.Client{ID: "d", Created: noon(), SecretSince: noon()}))
	SetConsent(t, s, store.Consent{ID: "another", UserID: "u", ClientID: "d", Audience: audience, Scope: []string{"a"}, Given: noon()})
	m := api("m")
	m.Name, m.Identifier, m.ScopeTexts, m.Inactive = "", "", nil, true
	return &standingTest{
		store: s, caller: store.Caller{ClientID: "c", UserID: "u", Audience: audience, Scope: "b"}, grant: g, held: p,
		want: store.Standing{
			Global: true, FirstParty: true, Active: true, API: &m, HasGrant: true, Grant: []string{"0"}, Held: true, Consent: []string{"b", "d"},
		},
	}
}

func (test *standingTest) check(t *testing.T, why string, c store.Caller, want store.Standing) {
	t.Helper()
	got, err := test.store.Standing(t.Context(), c)
	if err != nil {
		t.Fatalf("%s: %v", why, err)
	}
	t.Log(why)
	equal(t, got, want)
}

// standings checks that a standing contains everything stored about a caller, and nothing about others.
func standings(t *testing.T, s store.Tenant) {
	t.Helper()
	test := newStandingTest(t, s)
	test.check(t, "everything", test.caller, test.want)

	other, alone := test.caller, test.caller
	other.Scope, alone.UserID = "a", ""
	notHeld := test.want
	notHeld.Held = false
	test.check(t, "another scope", other, notHeld)
	own := store.Standing{Global: true, FirstParty: true, API: test.want.API}
	test.check(t, "a client for itself, without a grant of its own", alone, own)
	_, err := s.CreateClientGrant(t.Context(), store.ClientGrant{ClientID: "c", APIID: "m", Subject: store.SubjectClient})
	must(t, err)
	own.HasGrant = true
	test.check(t, "a client for itself, with an empty grant", alone, own)
	test.check(t, "names that do not exist", store.Caller{ClientID: "x", UserID: "x", Audience: "x", Scope: "b"}, store.Standing{})
	test.check(t, "no names", store.Caller{}, store.Standing{})
}

// changedStandings checks that a standing shows each change at once.
func changedStandings(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx, test := t.Context(), newStandingTest(t, s)
	p := test.held
	after := func(why string, err error, change func(*store.Standing)) {
		t.Helper()
		must(t, err)
		change(&test.want)
		test.check(t, why, test.caller, test.want)
	}
	after("a permission by name", s.ChangeUserPermissions(ctx, "u", nil, p), func(s *store.Standing) { s.Held = false })
	after("a role", s.AddRoles(ctx, []string{"u"}, []string{"r"}), func(s *store.Standing) { s.Held = true })
	after("a permission of the role", s.ChangeRolePermissions(ctx, "r", nil, p), func(s *store.Standing) { s.Held = false })
	after("blocked", s.SetBlocked(ctx, "u", true), func(s *store.Standing) { s.Active = false })
	after("a grant", s.DeleteClientGrant(ctx, test.grant), func(s *store.Standing) { s.HasGrant, s.Grant = false, nil })
	after("a consent", s.EndAuthorizations(ctx, "u", "c"), func(s *store.Standing) { s.Consent = nil })
	after("global", s.SetClientGlobal(ctx, "c", false), func(s *store.Standing) { s.Global = false })
	after("the API", s.DeleteAPI(ctx, "m"), func(s *store.Standing) { s.API = nil })
	after("the client", s.DeleteClient(ctx, "c"), func(s *store.Standing) { s.FirstParty = false })
	must(t, s.SetBlocked(ctx, "u", false))
	test.want.Active = true
	after("the user", s.DeleteUser(ctx, "u"), func(s *store.Standing) { s.Active = false })
}
