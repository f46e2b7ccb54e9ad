package authz_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const multiFactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"

// outcome classifies an answer of the authorization endpoint.
func outcome(a answer) string {
	v := a.location()
	switch {
	case v.Get("code") != "":
		return "code"
	case v.Get("error") != "":
		return v.Get("error")
	case sessionOf.MatchString(a.body):
		return "code page"
	case strings.Contains(a.body, "Sign in with your passkey"):
		return "passkey page"
	case strings.Contains(a.body, `type="password"`):
		return "sign-in page"
	}
	return a.Status
}

// assuranceCases are people, requests and their outcomes.
var assuranceCases = []struct {
	name string
	has  string   // app, passkey, recovery
	amr  []string // of the browser's sign-in; nil for none
	ask  []string
	want string
}{
	{"nothing asked", "app", []string{"pwd"}, nil, "code"},
	{"unknown value", "app", []string{"pwd"}, []string{"acr_values", "loa2 urn:x"}, "code"},
	{"vendor's name", "app", []string{"pwd"}, []string{"acr_values", multiFactor}, "code page"},
	{"short name", "app", []string{"pwd"}, []string{"acr_values", "mfa"}, "code page"},
	{"among others", "app", []string{"pwd"}, []string{"acr_values", "loa2 mfa"}, "code page"},
	{"part of a name", "app", []string{"pwd"}, []string{
		"acr_values",
		"mf mfaX xmfa http://schemas.openid.net/pape/policies/2007/06/",
	}, "code"},
	{"both", "app passkey", []string{"pwd"}, []string{"acr_values", "mfa"}, "code page"},
	{"passkey alone", "passkey", []string{"pwd"}, []string{"acr_values", "mfa"}, "passkey page"},
	{"recovery code alone", "recovery", []string{"pwd"}, []string{"acr_values", "mfa"}, "unmet_authentication_requirements"},
	{"nothing", "", []string{"pwd"}, []string{"acr_values", "mfa"}, "unmet_authentication_requirements"},
	{"done by code", "app", []string{"pwd", "otp", "mfa"}, []string{"acr_values", "mfa"}, "code"},
	{"done by passkey", "", []string{"swk", "mfa"}, []string{"acr_values", "mfa"}, "code"},
	{"not known how", "app", []string{}, nil, "code"},
	{"nobody is signed in", "app", nil, []string{"acr_values", "mfa"}, "sign-in page"},
	{"silent, app", "app", []string{"pwd"}, []string{"acr_values", "mfa", "prompt", "none"}, "login_required"},
	{"silent, passkey", "passkey", []string{"pwd"}, []string{"acr_values", "mfa", "prompt", "none"}, "login_required"},
	{"silent, nothing", "", []string{"pwd"}, []string{"acr_values", "mfa", "prompt", "none"}, "unmet_authentication_requirements"},
	{"silent, done", "app", []string{"pwd", "otp", "mfa"}, []string{"acr_values", "mfa", "prompt", "none"}, "code"},
	{"silent, nobody", "app", nil, []string{"acr_values", "mfa", "prompt", "none"}, "login_required"},
	{"too old and too little", "app", []string{"pwd"}, []string{"acr_values", "mfa", "max_age", "59"}, "sign-in page"},
	{"too old", "app", []string{"pwd", "otp", "mfa"}, []string{"acr_values", "mfa", "max_age", "59"}, "sign-in page"},
	{"young enough", "app", []string{"pwd"}, []string{"acr_values", "mfa", "max_age", "60"}, "code page"},
	{"asked to sign in", "app", []string{"pwd", "otp", "mfa"}, []string{"prompt", "login"}, "sign-in page"},
}

// What a person is asked for depends on their factors and on how they are signed in.
func TestAssuranceAsked(t *testing.T) {
	f := newFixture(t)
	for _, tt := range assuranceCases {
		t.Run(tt.name, func(t *testing.T) {
			for has := range strings.FieldsSeq(tt.has) {
				switch has {
				case "app":
					f.app("ana")
				case "passkey":
					f.enrol("ana")
				case "recovery":
					f.recoveryCode("ana")
				}
			}
			b := f.browser()
			if tt.amr != nil {
				b = f.signedInBy(tt.amr...)
			}
			f.wait(time.Minute)
			if got := outcome(b.send(http.MethodGet, "/authorize?"+query(tt.ask...), "")); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			ms, err := f.store.Methods(t.Context(), "ana")
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range ms { // the next row has its own
				f.remove("ana", m.ID)
			}
		})
	}
}

// The same holds after a password, if nobody was signed in.
func TestAssuranceAfterPassword(t *testing.T) {
	for _, tt := range []struct{ name, has, ask, want string }{
		{"nothing asked", "", "-", "code"},
		{"nothing asked, passkey", "passkey", "-", "code"},
		{"nothing asked, app", "app", "-", "code page"},
		{"app", "app", "mfa", "code page"},
		{"passkey", "passkey", "mfa", "passkey page"},
		{"nothing", "", "mfa", "unmet_authentication_requirements"},
	} {
		f := newFixture(t)
		switch tt.has {
		case "app":
			f.app("ana")
		case "passkey":
			f.enrol("ana")
		}
		b := f.browser()
		a := b.submit(b.send(http.MethodGet, "/authorize?"+query("acr_values", tt.ask), ""), "ana@example.com", password)
		if got := outcome(a); got != tt.want || b.hasSignIn() != (tt.want == "code") {
			t.Errorf("%s: %s, signed in %v, want %s", tt.name, got, b.hasSignIn(), tt.want)
		}
		if tt.want == "unmet_authentication_requirements" && a.location().Get("state") != "s t&a+te" {
			t.Errorf("%s: back with %v, want state", tt.name, a.location())
		}
	}
	// A passkey does not count where passkeys are off.
	f := newFixtureAt(t, "http://127.0.0.1:8081")
	f.enrol("ana")
	b := f.browser()
	a := b.submit(b.send(http.MethodGet, "/authorize?"+query("acr_values", "mfa", "audience", "-"), ""), "ana@example.com", password)
	if got := outcome(a); got != "unmet_authentication_requirements" {
		t.Errorf("passkeys off: %s, want unmet_authentication_requirements", got)
	}
}

// A step-up keeps the id, the age and the end of the sign-in, and gives the browser a new cookie.
func TestStepUp(t *testing.T) {
	f := newFixture(t)
	app := f.app("ana")
	b := f.ana()
	was := b.cookies["fg-tenant"].Value
	before, err := f.store.SignIn(t.Context(), tokens.Hash(was))
	if err != nil {
		t.Fatal(err)
	}
	f.wait(time.Hour)
	page := b.send(http.MethodGet, "/authorize?"+query("acr_values", "loa9 mfa"), "")
	if a := b.enter(page, "code", app.wrong()); outcome(a) != "code page" || !b.hasSignIn() {
		t.Errorf("wrong code: %s", outcome(a))
	}
	a := b.enter(page, "code", app.code())
	id := f.idToken(t, a)
	if id["acr"] != "mfa" || !slices.Equal(list(id["amr"]), []string{"mfa", "otp", "pwd"}) ||
		id["auth_time"] != float64(before.AuthTime.Unix()) || id["sid"] != before.ID {
		t.Errorf("ID token says %v", id)
	}
	now := b.cookies["fg-tenant"]
	if now.Value == was || now.MaxAge != int((11*time.Hour).Seconds()) {
		t.Errorf("cookie = %v, want a new one for eleven hours", now)
	}
	s, err := f.store.SignIn(t.Context(), tokens.Hash(now.Value))
	if err != nil || !s.Expires.Equal(before.Expires) {
		t.Errorf("sign-in = %+v, %v, want the end of the first", s, err)
	}
	if _, err := f.store.SignIn(t.Context(), tokens.Hash(was)); err == nil {
		t.Error("the sign-in before lives on")
	}
	// Once is enough, by either name of the level.
	a = b.send(http.MethodGet, "/authorize?"+query("acr_values", multiFactor), "")
	if id := f.idToken(t, a); id["acr"] != multiFactor {
		t.Errorf("acr = %v, want the name that was asked for", id["acr"])
	}
}

// The sign-in that is stepped up must still exist.
func TestStepUpFaults(t *testing.T) {
	for name, spoil := range map[string]func(f *fixture, b *browser){
		"signed out": func(_ *fixture, b *browser) { b.send(http.MethodGet, "/oidc/logout", "") },
		"ended elsewhere": func(f *fixture, _ *browser) {
			if err := f.store.EndLogins(f.t.Context(), "ana"); err != nil {
				f.t.Fatal(err)
			}
		},
		"signed in anew": func(f *fixture, b *browser) {
			b.send(http.MethodGet, "/oidc/logout", "")
			b.cookies["fg-tenant"] = f.ana().cookies["fg-tenant"]
		},
		"over": func(f *fixture, _ *browser) { f.wait(4 * time.Minute) },
		"somebody else signed in": func(f *fixture, b *browser) {
			f.bob()
			b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "bob@example.com", password)
		},
	} {
		f := newFixture(t)
		app := f.app("ana")
		b := f.ana()
		f.wait(12*time.Hour - 3*time.Minute)
		page := b.send(http.MethodGet, "/authorize?"+query("acr_values", "mfa"), "")
		spoil(f, b)
		if a := b.enter(page, "code", app.code()); a.StatusCode != http.StatusForbidden || outcome(a) != "sign-in page" {
			t.Errorf("%s: %d %s, want the sign-in page with 403", name, a.StatusCode, outcome(a))
		}
	}
}

// Consent is for the sign-in that satisfied the request, not for a later one.
func TestConsentAfterStepUp(t *testing.T) {
	f := newFlows(t)
	b := f.signedInBy("pwd", "otp", "mfa")
	page := b.send(http.MethodGet, "/authorize?"+third("acr_values", "mfa"), "")
	b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "ana@example.com", password)
	if a := b.choose(page, "allow"); outcome(a) != "sign-in page" || a.StatusCode != http.StatusForbidden {
		t.Errorf("after a password alone: %d %s, want the sign-in page", a.StatusCode, outcome(a))
	}
	b = f.signedInBy("pwd", "otp", "mfa")
	page = b.send(http.MethodGet, "/authorize?"+third("acr_values", "mfa"), "")
	if a := b.choose(page, "allow"); outcome(a) != "code" {
		t.Errorf("as it was: %s, want a code", outcome(a))
	}
}

// A pushed request lives as long as its three pages may be open.
func TestSecondFactorPushed(t *testing.T) {
	f := newFlows(t)
	app := f.app("ana")
	b := f.browser()
	uri := f.push([]string{"client_id", "third", "scope", thirdScope, "acr_values", "mfa"}).text("request_uri")
	page := b.send(http.MethodGet, "/authorize?"+url.Values{"client_id": {"third"}, "request_uri": {uri}}.Encode(), "")
	f.wait(10 * time.Minute)
	page = b.submit(page, "ana@example.com", password)
	f.wait(5*time.Minute - time.Second)
	page = b.enter(page, "code", app.code())
	f.wait(10 * time.Minute)
	if a := b.choose(page, "allow"); outcome(a) != "code" {
		t.Errorf("%d %s, want a code", a.StatusCode, outcome(a))
	}
}

// A refreshed ID token says how the person signed in at first, whatever came later.
func TestAssuranceRefresh(t *testing.T) {
	f, auth := nativeFixture(t)
	b := f.signedInBy("pwd", "otp", "mfa")
	first := f.exchange(b.send(http.MethodGet, "/authorize?"+query("acr_values", "mfa"), "").location().Get("code"))
	want := claims(t, first.text("id_token"))
	f.wait(time.Hour)
	next := claims(t, f.refresh(first.text("refresh_token")).text("id_token"))
	for _, k := range []string{"acr", "auth_time", "sid"} {
		if want[k] == nil || next[k] != want[k] {
			t.Errorf("%s = %v after refresh, want %v", k, next[k], want[k])
		}
	}
	if !slices.Equal(list(next["amr"]), []string{"pwd", "otp", "mfa"}) {
		t.Errorf("amr = %v after refresh", next["amr"])
	}
	session, challenge := f.challenge()
	id := claims(t, f.present("native", session, auth.Assert(challenge)).text("id_token"))
	if id["acr"] != multiFactor || !slices.Equal(list(id["amr"]), []string{"swk", "mfa"}) {
		t.Errorf("passkey grant: ID token says %v", id)
	}
	// One factor has no level.
	id = f.idToken(t, f.ana().send(http.MethodGet, "/authorize?"+query(), ""))
	if _, has := id["acr"]; has || !slices.Equal(list(id["amr"]), []string{"pwd"}) {
		t.Errorf("password: ID token says %v", id)
	}
	m := f.send(http.MethodGet, "/.well-known/openid-configuration", "").json()
	if got := list(m["acr_values_supported"]); !slices.Equal(got, []string{multiFactor, "mfa"}) {
		t.Errorf("acr_values_supported = %v", got)
	}
	for _, claim := range []string{"acr", "amr"} {
		if !slices.Contains(list(m["claims_supported"]), claim) {
			t.Errorf("claim %s is not advertised", claim)
		}
	}
}
