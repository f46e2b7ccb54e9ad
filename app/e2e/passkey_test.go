//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// device is a virtual authenticator of a browser.
type device struct {
	p  *page
	id webauthn.AuthenticatorID
}

// device gives the browser an authenticator that creates and uses passkeys and confirms everything.
func (p *page) device() device {
	p.t.Helper()
	d := device{p: p}
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		res, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		d.id = res.AuthenticatorID
		return err
	}))
	return d
}

// credential returns the device's only passkey.
func (d device) credential() *webauthn.Credential {
	d.p.t.Helper()
	var list []*webauthn.Credential
	d.p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		res, err := cdp.Call(ctx, t, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: d.id})
		list = res.Credentials
		return err
	}))
	if len(list) != 1 {
		d.p.t.Fatalf("the device has %d passkeys, want 1", len(list))
	}
	return list[0]
}

// counted sets the counter of the device's passkey, as on a copy of the device.
func (d device) counted(count float64) {
	d.p.t.Helper()
	c := d.credential()
	// The binding's own parameters contain members that this browser refuses.
	add := cdp.Command[map[string]any, cdp.Empty]{Method: webauthn.CommandAddCredential}
	params := map[string]any{"authenticatorId": d.id, "credential": map[string]any{
		"credentialId": c.CredentialID, "isResidentCredential": c.IsResidentCredential, "rpId": c.RpID,
		"privateKey": c.PrivateKey, "userHandle": c.UserHandle, "signCount": count,
	}}
	d.p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.ClearCredentials, webauthn.ClearCredentialsParams{AuthenticatorID: d.id}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, add, params)
		return err
	}))
}

// present sets whether a person is present to confirm.
func (d device) present(yes bool) {
	d.p.t.Helper()
	d.p.do(call(webauthn.SetAutomaticPresenceSimulation, webauthn.SetAutomaticPresenceSimulationParams{AuthenticatorID: d.id, Enabled: yes}))
}

// away leaves a page that may be about to submit a passkey by itself: the browser drops one of two
// navigations that start at once.
func (p *page) away(s *server) {
	p.t.Helper()
	const tries = 5
	var err error
	for range tries {
		if err = chromedp.Do(p.ctx, chromedp.Navigate(s.Ready.Tenant+"/healthz")); err == nil {
			return
		}
	}
	p.t.Fatal(err)
}

const refusedPasskey = `document.querySelector("[role=alert]")?.textContent.includes("That passkey was not accepted")`

// A passkey is created on /account, signs in, and is deleted. A replayed answer, a counter that went back
// and a deleted passkey are refused.
func TestPasskeyLife(t *testing.T) {
	nightly(t) // server/tenant/authz tests replays and counters (TestPasskeyPageFaults); TestAccountWaysToSignIn and TestSignInFactors use a passkey
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := fresh(t)
	d := p.device()
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	p.press("button", "Add a passkey")
	p.wait(`document.activeElement?.id === "method-name"`)
	p.press("button", "Not now")
	p.closed("[data-act=passkey]")

	// byPasskey signs out and in again with the passkey; the caller checks the resulting page.
	byPasskey := func(done string) {
		t.Helper()
		p.press("button", "Sign out")
		p.wait(`location.pathname === "/" || location.pathname === "/forms"`)
		d.present(true)
		p.open(s.Ready.Editor + "/bff/login?return_to=/account")
		// The browser may fill in the passkey by itself: the device confirms everything.
		p.wait(done + ` || ` + find("button", "Sign in with a passkey"))
		// The browser may leave the page at any moment, so this may fail.
		_, _ = chromedp.Run(p.ctx, chromedp.Evaluate[bool](`(`+done+`) || `+find("button", "Sign in with a passkey")+`?.click(), true`))
		p.wait(done)
		// Otherwise the browser would fill in the passkey again and again when it is refused.
		d.present(false)
		p.wait(done)
	}
	const in = `location.pathname === "/account" && document.querySelector(".card")`
	byPasskey(in)
	if n := d.credential().SignCount; n < 1 {
		t.Errorf("the counter is %v after a sign-in", n)
	}

	// The same answer again, from the page for which it was made.
	p.mu.Lock()
	var sent request
	for _, r := range p.requests {
		if strings.Contains(r.url, "/authorize/passkey?") {
			sent = r
		}
	}
	p.mu.Unlock()
	if sent.body == "" {
		t.Fatal("no answer of the passkey was seen")
	}
	p.open(s.Ready.Tenant + "/healthz")
	eval[any](p, `(() => {
		const form = document.createElement("form");
		form.method = "post"; form.action = `+js(sent.url)+`;
		for (const [name, value] of new URLSearchParams(`+js(sent.body)+`)) {
			const field = document.createElement("input");
			field.type = "hidden"; field.name = name; field.value = value;
			form.append(field);
		}
		document.body.append(form);
		form.submit();
	})()`)
	p.wait(refusedPasskey)

	// A copy of the device with an older counter.
	d.present(false)
	p.away(s)
	p.account(s, "", "")
	// Set it far back: each try increments it, and the browser may make some tries by itself.
	d.counted(1000)
	byPasskey(in)
	d.counted(0)
	byPasskey(refusedPasskey)

	// After deletion it does not work; the password still does.
	p.away(s)
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	p.click("[data-act=delete]")
	p.press("button", "Delete")
	p.says("was deleted.")
	d.counted(100)
	byPasskey(refusedPasskey)
	p.away(s)
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	if eval[bool](p, `!!document.querySelector("[data-act=delete]")`) {
		t.Error("the passkey still exists")
	}
}

// nativeClient creates a client that may use passkeys, on the editor's site and at the tenant.
func (s *server) nativeClient() string {
	s.t.Helper()
	made := s.api("POST", "/clients", map[string]any{
		"name": "Phone", "app_type": "native", "callbacks": []any{s.Ready.Editor + "/healthz"}, "grant_types": []any{passkeyGrant},
	}, http.StatusCreated)
	id, _ := made["client_id"].(string)
	return id
}

const passkeyGrant = "urn:formgraph:params:oauth:grant-type:webauthn"

// asked makes the page's browser answer a challenge with the authenticator's data, on any page.
func (p *page) asked(verb string, options any) map[string]any {
	p.t.Helper()
	b, err := json.Marshal(options)
	if err != nil {
		p.t.Fatal(err)
	}
	parse := map[string]string{"create": "parseCreationOptionsFromJSON", "get": "parseRequestOptionsFromJSON"}[verb]
	text := evalAsync[string](p, `navigator.credentials.`+verb+`({publicKey: PublicKeyCredential.`+parse+`(`+string(b)+`)}).then(c => JSON.stringify(c))`)
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		p.t.Fatal(err)
	}
	return answer
}

// begin requests a challenge at a path of the tenant.
func (s *server) begin(path string, body map[string]any) (session string, options any) {
	s.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	got := s.post(s.Ready.Tenant+path, "application/json", "", string(b), http.StatusOK)
	session, _ = got["auth_session"].(string)
	return session, got["authn_params_public_key"]
}

// present sends the answer of an authenticator to the token endpoint.
func (s *server) present(client, session string, answer map[string]any, want int) map[string]any {
	s.t.Helper()
	b, err := json.Marshal(map[string]any{
		"grant_type": passkeyGrant, "client_id": client, "auth_session": session, "authn_response": answer, "scope": "openid email",
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.post(s.Ready.Tenant+"/oauth/token", "application/json", "", string(b), want)
}

// A person signs up with a passkey in a real browser and signs in with it. Answers of the browser on a
// page of another origin with the same RP ID are refused in both cases, and accepted on the right one.
func TestPasskeySignUpAndOrigins(t *testing.T) {
	nightly(t) // server/tenant/authz tests it (TestPasskeyRegister, TestPasskeyOrigins) with answers as browsers make them
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"), "--signup")
	client := s.nativeClient()
	p := fresh(t)
	d := p.device()
	profile := map[string]any{"email": "Eva@Example.com", "name": "Eva"}

	p.open(s.Ready.Sample + "/healthz")
	session, options := s.begin("/passkey/register", map[string]any{"client_id": client, "user_profile": profile})
	refused := s.present(client, session, p.asked("create", options), http.StatusForbidden)
	if refused["error"] != "invalid_grant" {
		t.Errorf("sign-up on another origin: %v", refused)
	}
	p.do(call(webauthn.ClearCredentials, webauthn.ClearCredentialsParams{AuthenticatorID: d.id}))

	p.open(s.Ready.Tenant + "/healthz")
	session, options = s.begin("/passkey/register", map[string]any{"client_id": client, "user_profile": profile})
	tokens := s.present(client, session, p.asked("create", options), http.StatusOK)
	info := s.send(http.MethodGet, s.Ready.Tenant+"/userinfo", "", fmt.Sprint(tokens["access_token"]), "", http.StatusOK)
	if info["email"] != "eva@example.com" || info["email_verified"] != false {
		t.Errorf("the new user is %v", info)
	}
	for _, x := range []struct {
		origin string
		want   int
	}{
		{s.Ready.Sample, http.StatusForbidden}, {s.Ready.Tenant, http.StatusOK}, {s.Ready.Editor, http.StatusOK},
	} {
		p.open(x.origin + "/healthz")
		session, options := s.begin("/passkey/challenge", map[string]any{"client_id": client})
		got := s.present(client, session, p.asked("get", options), x.want)
		if x.want == http.StatusForbidden && got["error"] != "invalid_grant" {
			t.Errorf("%s: %v", x.origin, got)
		}
	}
	// The sign-in page accepts the passkey too.
	p.open(s.Ready.Editor + "/bff/login?return_to=/account")
	p.wait(`location.pathname === "/account" && document.querySelector(".card") || ` + find("button", "Sign in with a passkey"))
	if eval[bool](p, "!!"+find("button", "Sign in with a passkey")) {
		_, _ = chromedp.Run(p.ctx, chromedp.Evaluate[bool](find("button", "Sign in with a passkey")+`?.click(), true`))
	}
	p.wait(`location.pathname === "/account" && document.body.textContent.includes("eva@example.com")`)
}
