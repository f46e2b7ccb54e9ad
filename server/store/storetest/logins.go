package storetest

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// loginsTest is a store with sign-ins and authorizations of two people: u, and v, whose rows must stay.
type loginsTest struct {
	store    store.Tenant
	one, two store.Login // of u; one has a browser
}

func newLoginsTest(t *testing.T, s store.Tenant) *loginsTest {
	t.Helper()
	ctx, test := t.Context(), &loginsTest{store: s}
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateUser(ctx, store.User{ID: "v", Email: "bob@example.com", Created: noon()}))
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateClient(ctx, store.Client{ID: "b", Created: noon(), SecretSince: noon()}))
	test.sign(t, "u", "s1", 1)
	test.sign(t, "v", "s9", 9)
	test.add(t, "u", "f1", "s1", "c", "http://a", []string{"y", "x"}, 0, 5*time.Hour)
	test.add(t, "u", "f2", "s1", "b", "http://a", nil, 0, time.Hour)
	test.add(t, "u", "f3", "s2", "c", "http://a", []string{"x", "z"}, time.Minute, 3*time.Hour) // no browser
	test.add(t, "u", "f4", "s2", "c", "http://b", []string{"x"}, time.Minute, 3*time.Hour)
	test.add(t, "u", "old", "s3", "c", "http://c", nil, 0, time.Minute)
	test.add(t, "v", "f9", "s9", "c", "http://a", []string{"w"}, 0, 5*time.Hour)
	for i, id := range []string{"f1", "f2", "f3", "f4", "old", "f9"} {
		must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{byte(i)}, FamilyID: id, Expires: noon().Add(time.Hour)}))
	}
	test.add(t, "u", "f0", "s0", "c", "http://a", []string{"x"}, 0, time.Hour) // an authorization, but it cannot live on
	test.one = store.Login{
		ID: "s1", AuthTime: noon(), Expires: noon().Add(5 * time.Hour), ClientIDs: []string{"b", "c"}, Browser: true,
		Device: loginBrowser("s1"),
	}
	test.two = store.Login{
		ID: "s2", AuthTime: noon().Add(time.Minute), Expires: noon().Add(3 * time.Hour), ClientIDs: []string{"c"},
		Device: store.Device{UserAgent: "of a grant of s2", IP: "192.0.2.2"},
	}
	return test
}

// loginsNow is when the logins are listed: after the oldest one has ended.
func loginsNow() time.Time { return noon().Add(time.Minute) }

func loginBrowser(sid string) store.Device {
	return store.Device{UserAgent: "browser of " + sid, IP: "192.0.2.1"}
}

func (test *loginsTest) add(t *testing.T, user, id, sid, client, audience string, scope []string, auth, expires time.Duration) {
	t.Helper()
	must(t, test.store.CreateFamily(t.Context(), store.Family{
		ID: id, ClientID: client, UserID: user, SignInID: sid, AuthTime: noon().Add(auth), Audience: audience, Scope: scope,
		Expires: noon().Add(expires), Device: store.Device{UserAgent: "of a grant of " + sid, IP: "192.0.2.2"},
	}))
}

func (test *loginsTest) sign(t *testing.T, user, sid string, n byte) {
	t.Helper()
	must(t, test.store.CreateSignIn(t.Context(), store.SignIn{
		Hash: []byte{n}, ID: sid, UserID: user, AuthTime: noon(), Expires: noon().Add(2 * time.Hour), Device: loginBrowser(sid),
	}))
}

func (test *loginsTest) listed(t *testing.T, now time.Time, want ...store.Login) {
	t.Helper()
	got, err := test.store.Logins(t.Context(), "u", now)
	must(t, err)
	equal(t, got, want)
}

// logins checks the lists of logins and authorizations.
func logins(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx, test := t.Context(), newLoginsTest(t, s)
	mustBe(t, "CreateFamily again", s.CreateFamily(ctx, store.Family{ID: "f1", ClientID: "c", UserID: "u"}), store.ErrConflict)
	test.listed(t, loginsNow(), test.two, test.one)
	as, err := s.Authorizations(ctx, "u", loginsNow())
	must(t, err)
	equal(t, as, []store.Authorization{
		{ClientID: "b", Audience: "http://a", Since: noon()},
		{ClientID: "c", Audience: "http://a", Scope: []string{"x", "y", "z"}, Since: noon()},
		{ClientID: "c", Audience: "http://b", Scope: []string{"x"}, Since: noon().Add(time.Minute)},
	})
}

// endedLogins checks that ending a login or an authorization ends everything that belongs to it and nothing else.
func endedLogins(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx, test := t.Context(), newLoginsTest(t, s)
	mustBe(t, "EndLogin of another's", s.EndLogin(ctx, "u", "s9"), store.ErrNotFound)
	must(t, s.EndLogin(ctx, "u", "s2"))
	mustBe(t, "EndLogin again", s.EndLogin(ctx, "u", "s2"), store.ErrNotFound)
	_, f, err := s.Refresh(ctx, []byte{2})
	must(t, err)
	if !f.Revoked {
		t.Error("the family of an ended login is not revoked")
	}
	must(t, s.EndAuthorizations(ctx, "u", "b"))
	mustBe(t, "EndAuthorizations again", s.EndAuthorizations(ctx, "u", "b"), store.ErrNotFound)
	as, err := s.Authorizations(ctx, "u", loginsNow())
	must(t, err)
	equal(t, as, []store.Authorization{{ClientID: "c", Audience: "http://a", Scope: []string{"x", "y"}, Since: noon()}})
	one := test.one
	one.ClientIDs = []string{"c"}
	test.listed(t, loginsNow(), one)
	idle := one // after its tokens have expired the browser may still be signed in
	idle.ClientIDs, idle.Expires = nil, noon().Add(2*time.Hour)
	test.listed(t, noon().Add(time.Hour), idle)
	must(t, s.EndLogin(ctx, "u", "s1"))
	_, err = s.SignIn(ctx, []byte{1})
	mustBe(t, "SignIn after EndLogin", err, store.ErrNotFound)
}

// allLoginsEnded checks that EndLogins ends all logins of a person and none of anybody else.
func allLoginsEnded(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx, test := t.Context(), newLoginsTest(t, s)
	test.sign(t, "u", "s4", 4)
	test.add(t, "u", "f5", "s5", "c", "http://a", nil, 0, time.Hour)
	must(t, s.EndLogins(ctx, "u"))
	test.listed(t, loginsNow())
	if got, err := s.Logins(ctx, "v", loginsNow()); err != nil || len(got) != 1 {
		t.Errorf("logins of another = %v, %v, want to stay", got, err)
	}
	if as, err := s.Authorizations(ctx, "v", loginsNow()); err != nil || len(as) != 1 {
		t.Errorf("authorizations of another = %v, %v, want to stay", as, err)
	}
}
