package authz_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// device returns the device of Ana's only login; browser reports whether a browser is still signed in.
func (f *fixture) device(browser bool) store.Device {
	f.t.Helper()
	ls, err := f.store.Logins(f.t.Context(), "ana", f.clock())
	if err != nil || len(ls) != 1 || ls[0].Browser != browser {
		f.t.Fatalf("logins = %+v, %v, want one", ls, err)
	}
	return ls[0].Device
}

// People recognize a sign-in by its browser, also if the application's server fetches the tokens and after the browser has
// signed out.
func TestDeviceOfBrowser(t *testing.T) {
	f := newFixture(t)
	f.agent = "Browser/1.0 \xff" + strings.Repeat("x", 300)
	want := store.Device{UserAgent: "Browser/1.0 " + strings.Repeat("x", 243), IP: "192.0.2.1"}
	b := f.browser()
	a := b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	if got := f.device(true); got != want {
		t.Errorf("of the browser: %+v, want %+v", got, want)
	}
	f.agent = "Server/3"
	if a := f.exchange(a.location().Get("code")); a.text("refresh_token") == "" {
		t.Fatalf("exchange = %d %s", a.StatusCode, a.body)
	}
	if got := f.device(true); got != want {
		t.Errorf("after the exchange: %+v, want %+v", got, want)
	}
	if err := f.store.DeleteSignIn(t.Context(), tokens.Hash(b.cookies["fg-tenant"].Value)); err != nil {
		t.Fatal(err)
	}
	if got := f.device(false); got != want {
		t.Errorf("of the application that lives on: %+v, want %+v", got, want)
	}
}

// Without a browser the device is the application itself.
func TestDeviceOfApplication(t *testing.T) {
	want := store.Device{UserAgent: "App/2", IP: "192.0.2.1"}
	check := func(f *fixture, by string, a answer) {
		t.Helper()
		if a.text("refresh_token") == "" {
			t.Fatalf("%s = %d %s", by, a.StatusCode, a.body)
		}
		if got := f.device(false); got != want {
			t.Errorf("%s: %+v, want %+v", by, got, want)
		}
	}
	f := newFlows(t)
	f.agent = want.UserAgent
	check(f, "password", f.ask(native("scope", "openid offline_access")...))

	f, key := nativeFixture(t)
	f.agent = want.UserAgent
	session, challenge := f.challenge()
	check(f, "passkey", f.present("native", session, key.Assert(challenge)))
}
