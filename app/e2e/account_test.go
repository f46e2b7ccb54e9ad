//go:build e2e && !js

package e2e

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// account opens the account page, and signs in first if necessary.
func (p *page) account(s *server, email, password string) {
	p.t.Helper()
	p.arrive(s, "/account", `location.pathname === "/account" && document.querySelector(".card")`, email, password)
}

// signInAs fills in the tenant's sign-in page.
func (p *page) signInAs(email, password string) {
	p.t.Helper()
	p.wait(`document.querySelector("input[type=password]")`)
	p.click("input[type=email]")
	p.insert(email)
	p.click("input[type=password]")
	p.insert(password)
	p.key("\r")
}

// says waits until the page announces a text to screen readers.
func (p *page) says(text string) {
	p.t.Helper()
	p.wait(`document.querySelector(".toasts[role=status]")?.textContent.includes(` + js(text) + `)`)
}

// closed waits until no dialog is open, and checks which element has the focus.
func (p *page) closed(focus string) {
	p.t.Helper()
	p.wait(`!document.querySelector("dialog") && document.activeElement?.matches(` + js(focus) + `)`)
}

// A passkey is created, named, renamed and deleted, and the password is changed, all through the page, partly by
// keyboard.
func TestAccountWaysToSignIn(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := fresh(t)
	p.device()
	email, password := s.First.Admin.Email, s.First.Admin.Password
	p.account(s, email, password)
	if got := eval[string](p, `document.title`); got != "Your account – Formgraph" {
		t.Errorf("the title is %q", got)
	}

	p.press("button", "Add a passkey")
	p.says("Your passkey was added.")
	p.wait(`document.querySelector("dialog [role=status]")?.textContent === "Your passkey was added."`)
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("Name your passkey") && document.activeElement?.id === "method-name"`)
	p.key("This laptop\r")
	p.says("Renamed to “This laptop”.")
	p.closed("[data-act=passkey]")
	p.press("button", "Rename This laptop")
	p.wait(`document.activeElement?.id === "method-name" && document.activeElement.value === "This laptop"`)
	p.wait(`document.querySelector("dialog h2").textContent === "Rename passkey"`)
	p.key("Old laptop")
	p.shoot("account-rename")
	p.press("button", "Save")
	p.says("Renamed to “Old laptop”.")
	p.closed(`[data-act=rename]`)
	p.press("button", "Delete Old laptop")
	p.wait(`document.querySelector("dialog[open] h2")?.textContent === "Delete “Old laptop”?"`)
	p.key("\x1b")
	p.closed(`[data-act=delete]`)
	p.press("button", "Delete Old laptop")
	p.press("button", "Delete")
	p.says("“Old laptop” was deleted.")
	p.closed("#ways")
	if eval[bool](p, `!!document.querySelector("[data-act=delete]")`) {
		t.Error("the passkey still exists")
	}

	p.press("button", "Change password")
	p.wait(`document.activeElement?.id === "new-password"`)
	p.key("short\r")
	p.wait(`document.activeElement?.id === "new-password" && document.activeElement.matches("[aria-invalid=true]") &&
		document.getElementById(document.activeElement.getAttribute("aria-describedby"))?.textContent === "Use at least 8 characters. This has 5."`)
	p.shoot("account-password")
	p.key("a password of mine") // replaces the text, which is selected
	p.press("button", "Show the password")
	p.wait(`document.querySelector("#new-password").type === "text" && document.querySelector("#new-password").value === "a password of mine"`)
	p.click("dialog [type=submit]")
	p.says("Your password was changed, and you are signed out everywhere else.")
	p.closed("[data-act=password]")
	other := fresh(t)
	other.account(s, email, "a password of mine")
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// A new password ends the other sessions unless the person wants to keep them; the current session stays.
func TestAccountPasswordEndsOthers(t *testing.T) {
	nightly(t) // app/ui/account tests the choice (TestNewPasswordEndsOtherSignIns), server/tenant/account which sessions end
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	here, there := browse(t), browse(t)
	email, password := s.First.Admin.Email, s.First.Admin.Password
	there.account(s, email, password)
	here.account(s, email, password)
	change := func(to, said string, keep bool) {
		t.Helper()
		here.press("button", "Change password")
		here.wait(`document.activeElement?.id === "new-password"`)
		here.key(to)
		here.wait(`document.querySelector("#end-others")?.checked`)
		if keep {
			here.click("#end-others")
		}
		here.shoot("account-password-others")
		here.click("dialog [type=submit]")
		here.says(said)
		here.closed("[data-act=password]")
	}
	change("another password 1", "Your password was changed.", true)
	here.wait(`document.querySelectorAll("[data-place]").length === 2`)
	change("another password 2", "Your password was changed, and you are signed out everywhere else.", false)
	here.wait(`document.querySelectorAll("[data-place]").length === 1`)
	if got := eval[string](here, `document.querySelector("[data-place]").textContent`); !strings.Contains(got, "This browser") {
		t.Errorf("the rest is %q", got)
	}
	there.open(s.Ready.Editor + "/account")
	there.wait(`document.querySelector("[data-act=sign-in]")`)
	here.open(s.Ready.Editor + "/account")
	here.wait(`document.querySelectorAll("[data-place]").length === 1`)
}

// After signing out everywhere, a person is signed out in the other browser too, without a page load there.
func TestAccountSignOutEverywhere(t *testing.T) {
	nightly(t) // app/ui/account tests the page (TestSignInsAreEnded), server that the sessions end (TestSignOutEverywhere)
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	here, there := browse(t), browse(t)
	email, password := s.First.Admin.Email, s.First.Admin.Password
	there.account(s, email, password)
	here.account(s, email, password)
	here.wait(`document.querySelectorAll("[data-place]").length === 2`)
	if got := eval[string](here, `document.querySelector("[data-place]").textContent`); !strings.Contains(got, "This browser") || !strings.Contains(got, "Formgraph editor") || !strings.Contains(got, "Chrome on Linux") {
		t.Errorf("the first place is %q", got)
	}
	here.click(`[data-place]:nth-of-type(2) [data-act=end]`)
	here.wait(`document.querySelector("dialog[open]")?.textContent.includes("Chrome on Linux?")`)
	here.shoot("account-end-light")
	here.scheme("dark")
	here.shoot("account-end-dark")
	here.click("dialog button.secondary")
	here.press("button", "Sign out everywhere")
	here.wait(`document.querySelector("dialog[open]")`)
	here.shoot("account-everywhere")
	here.click("dialog [type=submit]")
	here.wait(`document.body.textContent.includes("You are signed out everywhere.")`)
	here.shoot("account-signed-out")
	// The other browser learns of it with its next call.
	there.press("button", "Sign out everywhere")
	there.click("dialog [type=submit]")
	there.wait(find("button", "Sign in"))
}

// An application with consent is listed with its permissions, and loses access when the consent is withdrawn. In
// both themes, and also at 320 px, axe finds no violations.
func TestAccountConsents(t *testing.T) {
	nightly(t) // app/ui/account and server/tenant/account test consents; only here: axe and narrow windows of /account, which a change of its styles needs
	t.Parallel()
	script := axeScript(t)
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	client := tool(t, data, "client", "add", "Newsletter", "--type", "spa", "--third-party", "--callback", s.Ready.Editor+"/healthz", "--audience", "/api/v2/", "--scope", "read:forms")
	id := regexp.MustCompile(`[A-Za-z0-9_-]{20,}`).FindString(client)
	query := url.Values{
		"response_type": {"code"}, "client_id": {id}, "redirect_uri": {s.Ready.Editor + "/healthz"}, "scope": {"openid email read:forms"},
		"audience": {s.Ready.Tenant + "/api/v2/"}, "state": {"s"}, "code_challenge": {strings.Repeat("a", 43)}, "code_challenge_method": {"S256"},
	}
	p := browse(t)
	p.device()
	check := func(name string) { t.Helper(); p.judge(script, "account-"+name) }
	p.open(s.Ready.Editor + "/account")
	p.wait(find("button", "Sign in"))
	check("out")
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	p.open(s.Ready.Tenant + "/authorize?" + query.Encode())
	p.press("button", "Allow")
	p.wait(`location.pathname === "/healthz"`)
	p.account(s, "", "")
	p.press("button", "Add a passkey")
	p.wait(`document.activeElement?.id === "method-name"`)
	check("name")
	p.press("button", "Not now")
	p.closed("[data-act=passkey]")
	p.wait(`!document.querySelector(".toast")`)
	if summary := sel(`[data-consent=` + js(id) + `] summary`); !eval[bool](p, `!!`+summary+`.querySelector(".i") && getComputedStyle(`+summary+`).listStyleType === "none"`) {
		t.Error("the permissions do not fold with an arrow of ours alone")
	}
	p.click(`[data-consent=` + js(id) + `] summary`)
	row := sel(`[data-consent=` + js(id) + `]`)
	for _, want := range []string{"Newsletter", "Forms: see", "See your e-mail address"} {
		if !eval[bool](p, row+`.innerText.includes(`+js(want)+`)`) {
			t.Errorf("the application's row does not show %q", want)
		}
	}
	check("page")
	for _, width := range []int64{700, 320} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.wait(fmt.Sprintf(`innerWidth === %d`, width))
		if cut := eval[[]string](p, `[...document.querySelectorAll(".page button, .page a, .page strong")].filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && (r.left < 0 || r.right > innerWidth); }).map(e => e.textContent)`); len(cut) > 0 {
			t.Errorf("%d wide: cut off: %q", width, cut)
		}
		check(fmt.Sprint(width))
	}
	p.press("button", "Revoke the access of Newsletter")
	p.wait(`document.querySelector("dialog[open] h2")?.textContent.includes("Newsletter")`)
	check("take-back")
	p.click("dialog [type=submit]")
	p.says("Newsletter no longer has access.")
	p.closed("#applications")
	if eval[bool](p, "!!"+row) {
		t.Error("the application is still listed")
	}
	// It therefore has to ask again.
	p.open(s.Ready.Tenant + "/authorize?" + query.Encode())
	p.wait(find("button", "Allow"))
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// stubbed intercepts the page's fetch to produce answers that a tenant seldom gives. The function receives method
// and path, and returns status and value, or nothing to let the call pass.
func (p *page) stubbed(answer string) {
	p.t.Helper()
	p.before(`(() => {
		const real = window.fetch, answer = ` + answer + `;
		window.fetch = (path, init) => {
			const a = typeof path === "string" && answer((init || {}).method || "GET", path, init && init.body);
			if (!a) return real(path, init);
			if (a[0] === 0) return Promise.reject(new TypeError("offline"));
			return Promise.resolve(new Response(a[0] === 204 ? null : JSON.stringify(a[1]), {status: a[0]}));
		};
	})()`)
}

// A sign-in that is too old leads to the tenant and back to the requested act.
func TestAccountFreshSignIn(t *testing.T) {
	nightly(t) // app/ui/account tests the page (TestFreshSignInIsContinued), server and server/bff the sign-in (TestFreshSignIn, TestFresh)
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := fresh(t)
	p.stubbed(`(method, path) => method === "POST" && path.endsWith("/authentication-methods") && !sessionStorage.fresh ? [401, {code: "fresh_sign_in", detail: "x"}] : null`)
	email, password := s.First.Admin.Email, s.First.Admin.Password
	p.account(s, email, password)
	p.press("button", "Change password")
	p.wait(`document.querySelector("dialog[open] h2")?.textContent === "Confirm your identity"`)
	p.shoot("account-confirm")
	p.press("button", "Cancel")
	p.closed("[data-act=password]")
	p.key("\r")
	eval[any](p, `sessionStorage.fresh = 1`)
	p.press("button", "Sign in again")
	p.signInAs(email, password)
	p.says("You can continue now.")
	p.closed("[data-act=password]")
	if got := eval[string](p, `location.pathname + location.search`); got != "/account" {
		t.Errorf("came back to %s", got)
	}
	if n := eval[int](p, `document.querySelectorAll("[data-place]").length`); n != 1 {
		t.Errorf("%d sign-ins, want only the new one", n)
	}
	p.key("\r")
	p.wait(`document.activeElement?.id === "new-password"`)
}

// The page handles second factors, which no tenant here offers yet, and reports when nothing is available.
func TestAccountStubbed(t *testing.T) {
	nightly(t) // app/ui/account tests the acts (TestAppIsSetUp) and the modules of the QR code; only here: its size and colors
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	p.stubbed(`(() => {
		let list = [{id: "password|own", type: "password"}], calls = window.calls = [];
		return (method, path, body) => {
			if (!path.startsWith("/bff/api/me/")) return null;
			if (localStorage.offline) return [0];
			if (localStorage.denied) return [403, {code: "scope", detail: "The tenant does not let this application look after your account."}];
			path = path.slice("/bff/api/me/".length);
			body = body && JSON.parse(body);
			if (method !== "GET") calls.push(method + " " + path + " " + JSON.stringify(body ?? null));
			switch (method + " " + path) {
			case "GET factors": return [200, {factors: ["password", "totp", "recovery-code"].map(type => ({type}))}];
			case "GET authentication-methods": return [200, {authentication_methods: list}];
			case "POST authentication-methods":
				return [202, {auth_session: "as", manual_input_code: "ABCDEFGHIJ", barcode_uri: "otpauth://totp/x?secret=ABCDEFGHIJ", recovery_code: "AAAA-BBBB"}];
			case "POST authentication-methods/totp%7Cnew/verify":
				if (body.otp_code !== "123456") return [400, {code: "invalid_body", detail: "x", problems: [{path: "otp_code", code: "value", detail: "must be the code that the app shows now"}]}];
				list = list.concat({id: "totp|1", type: "totp", created_at: new Date().toISOString()});
				return [201, {}];
			case "POST authentication-methods/recovery-code%7Cnew/verify":
				list = list.concat({id: "recovery-code|" + list.length, type: "recovery-code", created_at: new Date().toISOString()});
				return [201, {}];
			}
			if (method === "DELETE") { const id = decodeURIComponent(path.split("/")[1]); list = list.filter(m => m.id !== id); return [204]; }
			return null;
		};
	})()`)
	p.account(s, "", "")
	if eval[bool](p, "!!"+find("button", "Add a passkey")) {
		t.Error("offers passkeys, which the tenant does not")
	}
	p.press("button", "Set up an app")
	p.wait(`document.querySelector("#secret")?.textContent === "ABCD EFGH IJ" && document.activeElement?.id === "otp"`)
	if got := eval[string](p, `document.querySelector("dialog a").href`); got != "otpauth://totp/x?secret=ABCDEFGHIJ" {
		t.Errorf("the link's target is %q", got)
	}
	if !eval[bool](p, `(() => {
		const code = document.querySelector("dialog svg.qr[role=img]"), box = code.getBoundingClientRect(), path = code.querySelector("path").getBBox(), [, , size] = code.getAttribute("viewBox").split(" ").map(Number);
		const colors = getComputedStyle(code);
		return code.getAttribute("aria-label").includes("QR code") && code.children.length === 1 && box.width === box.height && box.width >= 160
			&& path.x === 4 && path.y === 4 && size - path.x - path.width === 4 && size - path.y - path.height === 4
			&& colors.backgroundColor === "rgb(255, 255, 255)" && colors.fill === "rgb(0, 0, 0)";
	})()`) {
		t.Error("the key is not shown as a code with a margin, dark on white")
	}
	for _, width := range []int64{360, 1440} {
		p.do(chromedp.EmulateViewport(width, 800))
		p.wait(fmt.Sprintf("innerWidth === %d", width))
		p.shots(fmt.Sprintf("account-app-%d", width))
		if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%d wide: the page overflows by %d px", width, over)
		}
	}
	p.key("1\r")
	p.wait(`document.querySelector("dialog [role=alert]:not([hidden])")?.textContent.includes("Must be the code that the app shows now.")`)
	p.key("23 456\r")
	p.says("Your authenticator app is set up.")
	p.closed("[data-act=totp]")
	p.press("button", "Create a recovery code")
	p.wait(`document.querySelector("#secret")?.textContent === "AAAA-BBBB"`)
	p.shoot("account-recovery")
	p.press("button", "I have saved it")
	p.says("Your recovery code is ready.")
	p.closed("[data-act=recovery-code]")
	// A new code that replaces it is not saved: both stop working, and the page says so.
	p.press("button", "Create a new one")
	p.wait(`document.querySelector("dialog[open] h2")?.textContent === "Create a new recovery code?"`)
	p.click("dialog [type=submit]")
	p.wait(`document.querySelector("#secret")`)
	p.press("button", "Cancel")
	p.wait(`document.querySelector(".cards > [role=alert]:not([hidden])")?.textContent.includes("the new one was not saved")`)
	p.wait(find("button", "Create a recovery code"))
	p.press("button", "Delete Authenticator app")
	p.press("button", "Delete")
	p.says("“Authenticator app” was deleted.")
	want := []string{
		`POST authentication-methods {"type":"totp"}`,
		`POST authentication-methods/totp%7Cnew/verify {"auth_session":"as","otp_code":"1"}`,
		`POST authentication-methods/totp%7Cnew/verify {"auth_session":"as","otp_code":"123456"}`,
		`POST authentication-methods {"type":"recovery-code"}`,
		`POST authentication-methods/recovery-code%7Cnew/verify {"auth_session":"as"}`,
		`DELETE authentication-methods/recovery-code%7C2 null`,
		`POST authentication-methods {"type":"recovery-code"}`,
		`DELETE authentication-methods/totp%7C1 null`,
	}
	if got := eval[[]string](p, `window.calls`); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("calls:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// The connection is lost in the middle of an act, and before the first answer.
	eval[any](p, `localStorage.offline = 1`)
	p.press("button", "Change password")
	p.wait(`document.querySelector(".cards > [role=alert]:not([hidden])")?.textContent.includes("The server cannot be reached")`)
	p.open(s.Ready.Editor + "/account")
	p.wait(`document.querySelector(".notice")?.textContent.includes("The server cannot be reached")`)
	p.shoot("account-offline")
	eval[any](p, `localStorage.removeItem("offline")`)
	p.press("button", "Try again")
	p.wait(`document.querySelector(".card")`)
	eval[any](p, `localStorage.denied = 1`)
	p.open(s.Ready.Editor + "/account")
	p.wait(`document.querySelector(".notice")?.textContent.includes("Your account cannot be changed here")`)
	p.shoot("account-denied")
}
