//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
)

// An authenticator app and a recovery code are set up on /account, requested at the next sign-in, used, and no longer
// requested after they are deleted, all through the pages alone.
func TestAppLife(t *testing.T) {
	nightly(t) // server/tenant tests it (TestSecondFactor), server/tenant/authz the codes (TestRecoveryCode); TestSignInFactors signs in with a code
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	email, password := s.First.Admin.Email, s.First.Admin.Password
	p := browse(t)
	p.account(s, email, password)

	p.press("button", "Set up an app")
	p.wait(`document.querySelector("#secret") && document.activeElement?.id === "otp"`)
	key := strings.ReplaceAll(eval[string](p, `document.querySelector("#secret").textContent`), " ", "")
	if address := eval[string](p, `document.querySelector("dialog a").href`); !strings.HasPrefix(address, "otpauth://totp/") || !strings.Contains(address, "secret="+key) {
		t.Errorf("the app is sent to %q, want one with the key", address)
	}
	at := time.Now()
	p.key(factortest.Code(t, key, at) + "\r")
	p.says("Your authenticator app is set up.")
	p.press("button", "Create a recovery code")
	p.wait(`document.querySelector("#secret")`)
	recovery := eval[string](p, `document.querySelector("#secret").textContent`)
	p.press("button", "I have saved it")
	p.says("Your recovery code is ready.")
	p.closed("[data-act=recovery-code]")

	const (
		codeField     = `document.readyState === "complete" && document.activeElement?.name === "code"`
		recoveryField = `document.readyState === "complete" && document.activeElement?.name === "recovery"`
	)
	// enter starts a sign-in in another browser, up to the page that asks for a code.
	enter := func(q *page) {
		t.Helper()
		q.open(s.Ready.Editor + "/account")
		q.press("button", "Sign in")
		q.signInAs(email, password)
		q.wait(codeField)
	}
	in := func(q *page) {
		t.Helper()
		q.wait(`location.pathname === "/account" && document.querySelector(".card")`)
	}

	// The code that set up the app cannot be used again; the next one works.
	q := browse(t)
	enter(q)
	q.key(factortest.Code(t, key, at) + "\r")
	q.wait(`document.querySelector("[role=alert]")`)
	q.wait(codeField)
	q.key(factortest.Code(t, key, at.Add(30*time.Second)) + "\r")
	in(q)
	q.wait(`document.querySelector('[data-kind=totp]').textContent.includes("last used just now")`)

	// The recovery code works once.
	r := browse(t)
	enter(r)
	r.press("button", "Use a recovery code")
	r.wait(recoveryField)
	r.key(recovery + "\r")
	in(r)
	r.wait(find("button", "Create a recovery code")) // the old one no longer exists
	other := browse(t)
	enter(other)
	other.press("button", "Use a recovery code")
	other.wait(recoveryField)
	other.key(recovery + "\r")
	other.wait(`document.querySelector("[role=alert]")`)

	// Without the app, the password is enough again.
	r.press("button", "Delete Authenticator app")
	r.press("button", "Delete")
	r.says("“Authenticator app” was deleted.")
	last := browse(t)
	last.account(s, email, password)
	for _, tab := range []*page{p, q, r, other, last} {
		for _, line := range tab.console {
			t.Errorf("console: %s", line)
		}
	}
}
