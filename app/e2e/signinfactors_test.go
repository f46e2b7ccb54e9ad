//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"

	secrets "github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
)

// A person signs in with a passkey, with the button and with autofill, and with a password and a code. In
// both themes.
func TestSignInFactors(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	client := tool(t, data, "client", "add", "Newsletter", "--type", "spa", "--callback", s.Ready.Editor+"/healthz", "--audience", "/api/v2/", "--scope", "read:forms")
	id := regexp.MustCompile(`[A-Za-z0-9_-]{20,}`).FindString(client)
	db, err := sqlite.Open(t.Context(), filepath.Join(data, "formgraph.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	set, err := secrets.Load(filepath.Join(data, "keys"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	user, err := db.UserByEmail(t.Context(), s.First.Admin.Email)
	if err != nil {
		t.Fatal(err)
	}
	at := func(more ...string) string {
		q := url.Values{
			"response_type": {"code"}, "client_id": {id}, "redirect_uri": {s.Ready.Editor + "/healthz"}, "scope": {"openid email read:forms"},
			"audience": {s.Ready.Tenant + "/api/v2/"}, "state": {"s"}, "code_challenge": {strings.Repeat("a", 43)}, "code_challenge_method": {"S256"},
		}
		for i := 0; i < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		return s.Ready.Tenant + "/authorize?" + q.Encode()
	}
	const codeField = `document.readyState === "complete" && document.activeElement?.name === "code"`
	const done = `location.pathname === "/healthz" && new URLSearchParams(location.search).get("code")`
	for _, theme := range pictured() {
		p := fresh(t)
		p.scheme(theme)
		p.do(call(webauthn.Enable, webauthn.EnableParams{}), call(webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}}))
		p.open(at())
		p.wait(find("button", "Sign in with a passkey"))
		p.shoot("signin-" + theme)
		// This device has no passkey: the button reports it.
		p.press("button", "Sign in with a passkey")
		p.wait(`document.querySelector("#passkey [role=status]").textContent.includes("No passkey was used")`)
		p.shoot("signin-nokey-" + theme)

		// Enrol.
		rp := factor.NewRelyingParty(s.Ready.Tenant, "Formgraph")
		options, state, err := rp.BeginRegistration(factor.Person{ID: user.ID, Email: user.Email, Name: user.Name})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(options)
		p.open(s.Ready.Tenant + "/healthz")
		answer := evalAsync[string](p, `navigator.credentials.create({publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(`+string(b)+`)}).then(c => JSON.stringify(c))`)
		m, err := rp.FinishRegistration(state, user.ID, []string{s.Ready.Tenant}, []byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		m.ID, m.Created = "passkey|"+theme, time.Now()
		if err := db.CreateMethod(t.Context(), m, 9); err != nil {
			t.Fatal(err)
		}
		// Autofill: the simulated person accepts it at once.
		p.open(at("prompt", "login"))
		p.wait(done)
		// The button, in a browser without autofill.
		p.before(`delete PublicKeyCredential.isConditionalMediationAvailable`)
		p.open(at("prompt", "login", "acr_values", "mfa"))
		p.press("button", "Sign in with a passkey")
		p.wait(done)

		// Code.
		secret := factor.NewTOTPSecret()
		sealed, err := factor.Seal(set.Master, user.ID, secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.CreateMethod(t.Context(), store.Method{ID: "totp|" + theme, UserID: user.ID, Type: store.MethodTOTP, Data: sealed, Created: time.Now()}, 1); err != nil {
			t.Fatal(err)
		}
		q := fresh(t)
		q.scheme(theme)
		q.open(at("acr_values", "mfa"))
		q.signIn(s)
		q.wait(find("button", "Use a recovery code"))
		q.shoot("code-" + theme)
		q.wait(codeField)
		q.key("123456\r")
		q.wait(`document.querySelector("[role=alert]")`)
		q.shoot("code-wrong-" + theme)
		q.press("button", "Use a recovery code")
		q.wait(find("button", "Use your authenticator app"))
		q.shoot("recovery-" + theme)
		q.press("button", "Use your authenticator app")
		q.wait(find("button", "Use a recovery code"))
		q.wait(codeField)
		q.key(factortest.Code(t, factor.TOTPText(secret), time.Now()) + "\r")
		q.wait(done)
		if err := db.DeleteMethod(t.Context(), user.ID, "totp|"+theme, nil); err != nil {
			t.Fatal(err)
		}
		for _, tab := range []*page{p, q} {
			tab.mu.Lock()
			if len(tab.console) > 0 {
				t.Errorf("%s: the console says %q", theme, tab.console)
			}
			tab.mu.Unlock()
		}
	}
}
