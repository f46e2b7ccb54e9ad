package authz_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
)

// meanwhile is a store that runs a function just before it keeps a sign-in or an authorization.
type meanwhile struct {
	*sqlite.DB

	signIn, family func() // run once; nil for nothing
}

func once(do *func()) {
	if f := *do; f != nil {
		*do = nil
		f()
	}
}

func (m *meanwhile) CreateSignIn(ctx context.Context, s store.SignIn) error {
	once(&m.signIn)
	return m.DB.CreateSignIn(ctx, s)
}

func (m *meanwhile) CreateCode(ctx context.Context, f store.Family, c store.Code) error {
	once(&m.family)
	return m.DB.CreateCode(ctx, f, c)
}

func (m *meanwhile) CreateFamily(ctx context.Context, f store.Family) error {
	once(&m.family)
	return m.DB.CreateFamily(ctx, f)
}

// between gives the handler a store in which a test can act between a check and the row that depends on it.
func (f *fixture) between() *meanwhile {
	m := &meanwhile{DB: f.store}
	f.rebuild(func(c *authz.Config) { c.Store = m })
	return m
}

// Ways to end what Ana began.
func (f *fixture) reset() { f.try(f.store.ResetPassword(f.t.Context(), "ana", "$argon2id$another")) }
func (f *fixture) block() { f.try(f.store.SetBlocked(f.t.Context(), "ana", true)) }
func (f *fixture) takeApps() {
	_, err := f.store.TakeMethods(f.t.Context(), "ana", func(store.Method) bool { return true })
	f.try(err)
}
func (f *fixture) endLogins() { f.try(f.store.EndLogins(f.t.Context(), "ana")) }

func (f *fixture) try(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// Ways in which Ana signs in.

func withPassword(b *browser) answer {
	return b.submit(b.open(), "ana@example.com", password)
}

func withApp(b *browser) answer {
	a := b.f.app("ana")
	return b.enter(b.codePage(), "code", a.code())
}

func withRecovery(b *browser) answer {
	b.f.app("ana")
	return b.enter(b.codePage(), "recovery", b.f.recoveryCode("ana"))
}

func withPasskey(b *browser) answer {
	key := b.f.enrol("ana")
	o := b.f.offered(b.open())
	return b.answer(o, key.Assert(o.challenge))
}

func stepUpCode(b *browser) answer {
	a := b.f.app("ana")
	b.cookies = b.f.ana().cookies
	return b.enter(b.open("acr_values", "mfa"), "code", a.code())
}

// recheckCases are sign-ins, and what ends their factors in between.
var recheckCases = []struct {
	name   string
	signIn func(*browser) answer
	lost   func(*fixture) // nil for nothing: the sign-in must succeed
}{
	{"password", withPassword, nil},
	{"password, reset", withPassword, (*fixture).reset},
	{"password, blocked", withPassword, (*fixture).block},
	{"app", withApp, nil},
	{"app, password reset", withApp, (*fixture).reset},
	{"app, taken", withApp, (*fixture).takeApps},
	{"recovery code", withRecovery, nil},
	{"recovery code, password reset", withRecovery, (*fixture).reset},
	{"recovery code, app taken", withRecovery, (*fixture).takeApps},
	{"passkey", withPasskey, nil},
	{"passkey, removed", withPasskey, func(f *fixture) { f.remove("ana", "passkey|ana") }},
	{"passkey, blocked", withPasskey, (*fixture).block},
	{"step-up", stepUpCode, nil},
	{"step-up, signed out", stepUpCode, (*fixture).endLogins},
	{"step-up, password reset", stepUpCode, (*fixture).reset},
}

// A sign-in is created only if the checked factors are still the person's: a password reset, a block or a removed factor in
// between prevents it.
func TestSignInRechecksFactors(t *testing.T) {
	for _, x := range recheckCases {
		t.Run(x.name, func(t *testing.T) {
			f := newFixture(t)
			m, b := f.between(), f.browser()
			ran := false
			m.signIn = func() {
				ran = true
				if x.lost != nil {
					x.lost(f)
				}
			}
			a := x.signIn(b)
			if !ran {
				t.Fatalf("no sign-in was tried: %d %s", a.StatusCode, a.body)
			}
			if x.lost == nil {
				if a.location().Get("code") == "" || !b.hasSignIn() {
					t.Fatalf("signed in: %d %s", a.StatusCode, a.body)
				}
				return
			}
			if a.StatusCode != http.StatusForbidden || b.hasSignIn() {
				t.Errorf("answer = %d to %q, signed in: %v, want 403 and no sign-in", a.StatusCode, a.Header.Get("Location"), b.hasSignIn())
			}
			ls, err := f.store.Logins(t.Context(), "ana", f.clock())
			if err != nil || len(ls) != 0 {
				t.Errorf("logins = %+v, %v, want none", ls, err)
			}
			events, _, err := f.store.ListEvents(t.Context(), store.EventFilter{}, 0, 1)
			if err != nil || len(events) != 1 || events[0].Type != "f" || events[0].UserID != "ana" {
				t.Errorf("sign-in log = %+v, %v, want a failure of ana", events, err)
			}
		})
	}
}

// An application gets a code or an ID token only while the person is signed in as the request found them.
func TestAuthorizationNeedsLiveSignIn(t *testing.T) {
	for _, x := range []struct {
		name string
		lost func(*fixture)
	}{
		{"signed out", (*fixture).endLogins},
		{"password reset", (*fixture).reset},
		{"blocked", (*fixture).block},
		{"factors taken", (*fixture).takeApps},
	} {
		for kind, params := range map[string][]string{
			"code": nil,
			"ID token": {
				"response_type", "id_token", "response_mode", "form_post", "scope", "openid", "code_challenge", "-",
				"code_challenge_method", "-", "audience", "-",
			},
		} {
			t.Run(x.name+", "+kind, func(t *testing.T) {
				f := newFixture(t)
				f.app("ana")
				f.allow("web", "authorization_code", "refresh_token", "implicit")
				b := f.signedInBy("mfa", "otp", "pwd")
				m := f.between()
				m.family = func() { x.lost(f) }
				a := b.open(params...)
				if m.family != nil {
					t.Fatalf("no authorization was tried: %d %s", a.StatusCode, a.body)
				}
				if a.StatusCode != http.StatusForbidden || len(tokenOf.FindStringSubmatch(a.body)) == 0 {
					t.Errorf("answer = %d to %q, want the sign-in page\n%s", a.StatusCode, a.Header.Get("Location"), a.body)
				}
			})
		}
	}
}

// With prompt=none the application learns that nobody is signed in any more.
func TestSilentAuthorizationNeedsLiveSignIn(t *testing.T) {
	f := newFixture(t)
	b := f.ana()
	f.between().family = f.endLogins
	if a := b.open("prompt", "none"); a.location().Get("error") != "login_required" || a.location().Get("code") != "" {
		t.Errorf("prompt=none: %d to %q, want login_required", a.StatusCode, a.Header.Get("Location"))
	}
}

// A grant without a browser keeps no refresh token if the factor was removed in between.
func TestDirectGrantRechecksFactors(t *testing.T) {
	lost := map[string]struct {
		lost    func(*fixture)
		passkey bool
	}{
		"password, reset":  {(*fixture).reset, false},
		"password, block":  {(*fixture).block, false},
		"passkey, removed": {func(f *fixture) { f.remove("ana", "passkey|ana") }, true},
		"passkey, blocked": {(*fixture).block, true},
	}
	for name, x := range lost {
		t.Run(name, func(t *testing.T) {
			var f *fixture
			var key *factortest.Authenticator
			if x.passkey {
				f, key = nativeFixture(t)
			} else {
				f = newFlows(t)
			}
			m := f.between()
			m.family = func() { x.lost(f) }
			var a answer
			if x.passkey {
				session, challenge := f.challenge()
				a = f.present("native", session, key.Assert(challenge))
			} else {
				a = f.ask(native("scope", "openid offline_access")...)
			}
			if m.family != nil {
				t.Fatalf("no authorization was tried: %d %s", a.StatusCode, a.body)
			}
			a.want(t, name, http.StatusBadRequest, "invalid_grant")
			ls, err := f.store.Logins(t.Context(), "ana", f.clock().Add(time.Second))
			if err != nil || len(ls) != 0 {
				t.Errorf("logins = %+v, %v, want none", ls, err)
			}
		})
	}
}
