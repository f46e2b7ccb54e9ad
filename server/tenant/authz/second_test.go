package authz_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

func list(v any) []string {
	var out []string
	all, _ := v.([]any)
	for _, w := range all {
		out = append(out, fmt.Sprint(w))
	}
	return out
}

func TestSecondFactor(t *testing.T) {
	f := newFixture(t)
	app := f.app("ana")
	b := f.browser()
	page := b.codePage()
	for _, want := range []string{
		"<h1>Enter the code from your authenticator app</h1>", `autocomplete="one-time-code"`, `inputmode="numeric"`,
		`<label for="code">`, ">Sign in</button>",
		">Use a recovery code</button>", "The &lt;web&gt; app", "ana@example.com",
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	csp := page.Header.Get("Content-Security-Policy")
	if strings.Contains(page.body, "<script") || strings.Contains(csp, "script-src") ||
		!strings.Contains(csp, "form-action 'self' http://editor.test;") ||
		page.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("page has script, or the policy %q", csp)
	}
	// The password alone does not sign in.
	if _, ok := b.cookies["fg-tenant"]; ok {
		t.Error("there is a sign-in before the code")
	}
	if ls, err := f.store.Logins(t.Context(), "ana", f.clock()); err != nil || len(ls) > 0 {
		t.Errorf("sign-ins before the code = %v, %v", ls, err)
	}
	if v := b.send(http.MethodGet, "/authorize?"+query("prompt", "none"), "").location(); v.Get("error") != "login_required" {
		t.Errorf("before the code: %v, want login_required", v)
	}
	f.wait(time.Minute)
	typed := app.code()
	a := b.enter(page, "code", typed[:3]+" "+typed[3:])
	id := f.idToken(t, a)
	if a.location().Get("state") != "s t&a+te" || !slices.Equal(list(id["amr"]), []string{"pwd", "otp", "mfa"}) ||
		id["acr"] != "http://schemas.openid.net/pape/policies/2007/06/multi-factor" || id["auth_time"] != float64(f.clock().Unix()) {
		t.Errorf("ID token says %v", id)
	}
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || !ms[0].Used.Equal(f.clock()) || ms[0].Count != f.clock().Unix()/30 {
		t.Errorf("app = %+v, %v, want the use noted", ms, err)
	}
	if !b.hasSignIn() || b.send(http.MethodGet, "/authorize?"+query("prompt", "none"), "").location().Get("code") == "" {
		t.Error("not signed in after the code")
	}
	// The page is used up, and so is the code.
	if a := b.enter(page, "code", app.shown(30*time.Second)); a.StatusCode != http.StatusForbidden ||
		!strings.Contains(a.body, "Sign in again") {
		t.Errorf("the page once more = %d, want 403", a.StatusCode)
	}
	for _, secret := range []string{typed, password, sessionOf.FindStringSubmatch(page.body)[1]} {
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// What the page says about a wrong code and a stale page.
const wrongCode, stalePage = "That code is wrong", "Sign in again"

// codeTry is what a code page sends.
type codeTry struct {
	action string
	form   url.Values
	header []string
	by     *browser // nil for the one that was shown the page
}

func spoilNothing(*fixture, *app, *codeTry) {}

func spoilUser(change func(*store.User)) func(*fixture, *app, *codeTry) {
	return func(f *fixture, _ *app, _ *codeTry) {
		var hash string
		_, err := f.store.UpdateUser(f.t.Context(), "ana", func(u *store.User) error { change(u); hash = u.PasswordHash; return nil })
		if err := errors.Join(err, f.store.SetPassword(f.t.Context(), "ana", hash, nil)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func spoilRow(change func(*store.AuthSession)) func(*fixture, *app, *codeTry) {
	return func(f *fixture, _ *app, tr *codeTry) {
		s, err := f.store.UseAuthSession(f.t.Context(), tokens.Hash(tr.form.Get("session")))
		if err != nil {
			f.t.Fatal(err)
		}
		change(&s)
		if err := f.store.CreateAuthSession(f.t.Context(), s, f.clock()); err != nil {
			f.t.Fatal(err)
		}
	}
}

func spoilField(field string, value func(f *fixture, a *app) string) func(*fixture, *app, *codeTry) {
	return func(f *fixture, a *app, tr *codeTry) { tr.form.Set(field, value(f, a)) }
}

func always(s string) func(*fixture, *app) string { return func(*fixture, *app) string { return s } }

// codeFaults are what can go wrong between the password and the code. None of it signs in. goesOn reports whether a right
// code still works.
var codeFaults = []struct {
	name   string
	spoil  func(f *fixture, a *app, tr *codeTry)
	status int
	text   string
	goesOn bool // the page takes a right code afterwards
}{
	{"right", spoilNothing, http.StatusSeeOther, "", false},
	{"wrong code", spoilField("code", func(_ *fixture, a *app) string { return a.wrong() }), 400, wrongCode, true},
	{"empty code", spoilField("code", always(" ")), 400, "Enter the code.", true},
	{"no code", func(_ *fixture, _ *app, tr *codeTry) { tr.form.Del("code") }, 400, "Enter the code.", true},
	{"long code", spoilField("code", always(strings.Repeat("1", 60<<10))), 400, wrongCode, true},
	{"code too old", spoilField("code", func(_ *fixture, a *app) string { return a.shown(-time.Minute) }), 400, wrongCode, true},
	{"code too early", spoilField("code", func(_ *fixture, a *app) string { return a.shown(time.Minute) }), 400, wrongCode, true},
	{
		"code of another person", func(f *fixture, _ *app, tr *codeTry) { f.bob(); tr.form.Set("code", f.app("bob").code()) }, 400,
		wrongCode, true,
	},
	{"code that was used", func(f *fixture, a *app, _ *codeTry) {
		b := f.browser()
		if b.enter(b.codePage(), "code", a.code()).location().Get("code") == "" {
			f.t.Error("the first use is refused")
		}
	}, 400, wrongCode, true},
	{"code before one that was used", func(f *fixture, a *app, tr *codeTry) {
		b := f.browser()
		b.enter(b.codePage(), "code", a.shown(30*time.Second))
	}, 400, wrongCode, false},
	{"recovery code without one", spoilField("recovery", always("AAAA")), 400, "That recovery code is wrong", true},
	{"password", spoilField("code", always(password)), 400, wrongCode, true},
	{"no session", spoilField("session", always("")), 403, stalePage, true},
	{"session of another page", func(f *fixture, _ *app, tr *codeTry) {
		b := f.browser()
		_, theirs := f.codeForm(b.codePage())
		tr.form.Set("session", theirs.Get("session"))
	}, 403, stalePage, true},
	{"page of another browser", func(f *fixture, _ *app, tr *codeTry) {
		tr.by = f.browser()
		tr.by.send(http.MethodGet, "/authorize?"+query(), "")
	}, 403, stalePage, true},
	{"browser without cookies", func(f *fixture, _ *app, tr *codeTry) { tr.by = f.browser() }, 403, stalePage, true},
	{"token of the sign-in page", func(f *fixture, _ *app, tr *codeTry) {
		_, token := f.page(f.browser().send(http.MethodGet, "/authorize?"+query(), ""))
		tr.form.Set("token", token)
	}, 403, stalePage, true},
	{"changed token", func(_ *fixture, _ *app, tr *codeTry) { tr.form.Set("token", changed(tr.form.Get("token"))) }, 403, stalePage, true},
	{
		"another request", func(_ *fixture, _ *app, tr *codeTry) { tr.action = strings.Replace(tr.action, "nonce=n", "nonce=m", 1) },
		403, stalePage, true,
	},
	{"another client", func(_ *fixture, _ *app, tr *codeTry) {
		tr.action = strings.Replace(tr.action, "client_id=web", "client_id=spa", 1)
	}, 403, stalePage, true},
	{
		"from another site", func(_ *fixture, _ *app, tr *codeTry) { tr.header = []string{"Sec-Fetch-Site", "cross-site"} }, 403,
		stalePage, true,
	},
	{"after five minutes", func(f *fixture, a *app, tr *codeTry) {
		f.wait(5 * time.Minute)
		tr.form.Set("code", a.code())
	}, 403, stalePage, false},
	{"session of another purpose", spoilRow(func(s *store.AuthSession) { s.Purpose = "passkey page" }), 403, stalePage, false},
	{"session of another client", spoilRow(func(s *store.AuthSession) { s.ClientID = "spa" }), 403, stalePage, false},
	{"session that has ended", spoilRow(func(s *store.AuthSession) { s.Expires = s.Expires.Add(-5 * time.Minute) }), 403, stalePage, false},
	{"session of nobody", spoilRow(func(s *store.AuthSession) { s.UserID = "nobody" }), 403, stalePage, false},
	{"blocked", func(f *fixture, _ *app, _ *codeTry) {
		if err := f.store.SetBlocked(f.t.Context(), "ana", true); err != nil {
			f.t.Fatal(err)
		}
	}, 403, "This account is blocked", false},
	{"deleted", func(f *fixture, _ *app, _ *codeTry) {
		if err := f.store.DeleteUser(f.t.Context(), "ana"); err != nil {
			f.t.Fatal(err)
		}
	}, 403, stalePage, false},
	{"app removed", func(f *fixture, a *app, _ *codeTry) { f.remove("ana", a.id) }, 403, stalePage, false},
	{"another app", func(f *fixture, a *app, _ *codeTry) { f.remove("ana", a.id); f.app("ana") }, 400, wrongCode, false},
	{"another password", spoilUser(func(u *store.User) { u.PasswordHash = "$other" }), 403, stalePage, false},
	{"another name", spoilUser(func(u *store.User) { u.Name = "Anna" }), http.StatusSeeOther, "", false},
	{"as text", func(_ *fixture, _ *app, tr *codeTry) { tr.header = []string{"Content-Type", "text/plain"} }, 415, "not sent as a form", true},
}

func TestSecondFactorFaults(t *testing.T) {
	for _, tt := range codeFaults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			app := f.app("ana")
			b := f.browser()
			page := b.codePage()
			tr := codeTry{by: b}
			tr.action, tr.form = f.codeForm(page, "code", app.code())
			tt.spoil(f, app, &tr)
			if tr.header == nil {
				tr.header = []string{}
			}
			if !slices.Contains(tr.header, "Content-Type") {
				tr.header = append(tr.header, "Content-Type", formType)
			}
			a := tr.by.send(http.MethodPost, tr.action, tr.form.Encode(), tr.header...)
			if a.StatusCode != tt.status || !strings.Contains(a.body, tt.text) {
				t.Errorf("%d, want %d with %q:\n%s", a.StatusCode, tt.status, tt.text, a.body)
			}
			if signedIn := tt.status == http.StatusSeeOther; b.hasSignIn() != signedIn || tr.by.hasSignIn() != signedIn ||
				a.location().Has("code") != signedIn {
				t.Errorf("signed in = %v", !signedIn)
			}
			again := b.enter(page, "code", app.shown(30*time.Second))
			if goesOn := again.location().Get("code") != ""; goesOn != tt.goesOn {
				t.Errorf("a right code afterwards = %d, want success %v", again.StatusCode, tt.goesOn)
			}
		})
	}
}

// After five wrong codes for one account, from any addresses, no more are checked. The right password does not clear the
// count.
func TestCodeGuesses(t *testing.T) {
	f := newFixture(t)
	app := f.app("ana")
	b := f.browser()
	page := b.codePage()
	action, form := f.codeForm(page, "code", app.wrong())
	send := func(from string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, action, strings.NewReader(form.Encode()))
		r.RemoteAddr = from
		r.Header.Set("Content-Type", formType)
		for _, c := range b.cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	for i := range 5 {
		if w := send(fmt.Sprintf("198.51.100.%d:1", i)); w.Code != http.StatusBadRequest {
			t.Errorf("wrong code %d = %d, want 400", i+1, w.Code)
		}
	}
	// Switching to the recovery page is not a guess.
	if a := b.enter(page, "way", "recovery"); a.StatusCode != http.StatusOK {
		t.Errorf("the other page = %d, want 200", a.StatusCode)
	}
	page = b.codePage() // the right password once more
	a := b.enter(page, "code", app.code())
	if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "900" ||
		!strings.Contains(a.body, "Too many wrong codes. Wait 15 minutes") || b.hasSignIn() {
		t.Errorf("sixth = %d, Retry-After %q, want 429 and 900", a.StatusCode, a.Header.Get("Retry-After"))
	}
	if a := b.enter(page, "recovery", "x"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a recovery code = %d, want 429", a.StatusCode)
	}
	// Another person is not affected.
	f.bob()
	other := f.browser()
	if a := other.submit(other.send(http.MethodGet, "/authorize?"+query(), ""), "bob@example.com", password); a.location().Get("code") == "" {
		t.Errorf("another person = %d, want a code", a.StatusCode)
	}
	f.wait(15 * time.Minute)
	if b.enter(b.codePage(), "code", app.code()).location().Get("code") == "" {
		t.Error("no code after the window")
	}
	// A right code is not a guess.
	for range 6 {
		f.wait(time.Minute)
		c := f.browser()
		if c.enter(c.codePage(), "code", app.code()).location().Get("code") == "" {
			t.Error("right codes count as wrong ones")
		}
	}
	es, _, err := f.store.ListEvents(t.Context(), store.EventFilter{}, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range es {
		if e.Type == "gd_auth_failed" && e.UserID == "ana" && e.ClientID == "web" {
			n++
		}
	}
	if n != 5 {
		t.Errorf("the sign-in log has %d wrong codes, want 5", n)
	}
}

// Somebody who knows the password cannot use up the codes of the owner, who has given one in this browser before. The cookie of a password alone
// gives no guesses of its own.
func TestOwnerGivesACodeWhileOthersGuess(t *testing.T) {
	f := newFixture(t)
	app := f.app("ana")
	home := f.browser()
	if home.enter(home.codePage(), "code", app.code()).location().Get("code") == "" {
		t.Fatal("no sign-in before the attack")
	}
	wrong := func(b *browser) int { return b.enter(b.codePage("prompt", "login"), "code", app.wrong()).StatusCode }
	attack := func() {
		t.Helper()
		thief := f.browser()
		for i := range 7 {
			f.peer = fmt.Sprintf("198.51.100.%d", i)
			if got, want := wrong(thief), map[bool]int{true: http.StatusBadRequest, false: http.StatusTooManyRequests}[i < 5]; got != want {
				t.Errorf("wrong code %d of a thief = %d, want %d", i+1, got, want)
			}
		}
	}
	attack()
	f.peer = "192.0.2.99"
	f.wait(time.Minute) // the app shows another code
	if wrong(home) != http.StatusBadRequest {
		t.Error("the owner may not mistype a code")
	}
	if a := home.enter(home.codePage("prompt", "login"), "code", app.code()); a.location().Get("code") == "" {
		t.Errorf("the owner = %d %s, want a sign-in", a.StatusCode, a.body)
	}
	for i := range 5 {
		if got, want := wrong(home), map[bool]int{true: http.StatusBadRequest, false: http.StatusTooManyRequests}[i < 4]; got != want {
			t.Errorf("wrong code %d of the known browser = %d, want %d", i+2, got, want)
		}
	}
}

// A right code does not count against its network, which many people may share.
func TestCodeSpray(t *testing.T) {
	f := newFixture(t)
	app := f.app("ana")
	b := f.browser()
	shown := b.send(http.MethodGet, "/authorize?"+query(), "")
	long := strings.Repeat("x", 1025) // refused without hashing, but counted
	for i := range 98 {
		b.submit(shown, fmt.Sprintf("p%d@example.com", i), long)
	}
	for range 3 {
		f.wait(time.Minute)
		c := f.browser()
		if a := c.enter(c.codePage(), "code", app.code()); outcome(a) != "code" {
			t.Fatalf("%d %s, want a code", a.StatusCode, outcome(a))
		}
	}
	// A wrong code counts.
	b.enter(b.codePage(), "code", app.wrong())
	page := b.codePage()
	b.enter(page, "code", app.wrong())
	if a := b.enter(page, "code", app.code()); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("attempt 101 of the address = %d, want 429", a.StatusCode)
	}
}

func TestRecoveryCode(t *testing.T) {
	f := newFixture(t)
	code := f.recoveryCode("ana")
	b := f.browser()
	// A recovery code alone is not a second factor.
	if b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password).location().Get("code") == "" {
		t.Fatal("asked for a recovery code without an app")
	}
	app := f.app("ana")
	b = f.browser()
	page := b.enter(b.codePage(), "way", "recovery", "code", "")
	for _, want := range []string{
		"<h1>Enter a recovery code</h1>", `name="recovery"`, ">Use your authenticator app</button>", ">Sign in</button>",
	} {
		if page.StatusCode != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("page %d lacks %s", page.StatusCode, want)
		}
	}
	if a := b.enter(page, "way", "app", "recovery", ""); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "one-time-code") {
		t.Errorf("back to the app = %d", a.StatusCode)
	}
	for _, bad := range []string{app.code(), "AAAA-BBBB-CCCC-DDDD-EEEE-FFFF", code[1:]} {
		if a := b.enter(page, "recovery", bad); a.StatusCode != http.StatusBadRequest ||
			!strings.Contains(a.body, "That recovery code is wrong") || !strings.Contains(a.body, `name="recovery"`) {
			t.Errorf("recovery code %q = %d, want 400 and the page again", bad, a.StatusCode)
		}
	}
	f.bob()
	if a := b.enter(page, "recovery", f.recoveryCode("bob")); a.StatusCode != http.StatusBadRequest {
		t.Errorf("another person's = %d, want 400", a.StatusCode)
	}
	id := f.idToken(t, b.enter(page, "recovery", strings.ToLower(code)))
	if !slices.Equal(list(id["amr"]), []string{"pwd", "otp", "mfa"}) {
		t.Errorf("amr = %v", id["amr"])
	}
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || len(ms) != 1 || ms[0].Type != store.MethodTOTP {
		t.Errorf("methods = %+v, %v, want the app alone", ms, err)
	}
	f.wait(15 * time.Minute)
	b = f.browser()
	if a := b.enter(b.codePage(), "recovery", code); a.StatusCode != http.StatusBadRequest || b.hasSignIn() {
		t.Errorf("the code once more = %d, want 400", a.StatusCode)
	}
	if strings.Contains(f.log.String(), code) {
		t.Error("the log holds the code")
	}
}

// Each code signs in once, however many requests send it at the same time, from one page or several.
func TestSecondFactorRace(t *testing.T) {
	for _, field := range []string{"code", "recovery"} {
		f := newFixture(t)
		app := f.app("ana")
		value := f.recoveryCode("ana")
		if field == "code" {
			value = app.code()
		}
		var got [8]int
		var wg sync.WaitGroup
		var pages []answer
		var browsers []*browser
		for range 2 {
			b := f.browser()
			browsers, pages = append(browsers, b), append(pages, b.codePage())
		}
		for i := range got {
			b, page := browsers[i%2], pages[i%2]
			action, form := f.codeForm(page, field, value)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, action, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", formType)
			for _, c := range b.cookies {
				r.AddCookie(c)
			}
			wg.Go(func() {
				w := httptest.NewRecorder()
				f.ServeHTTP(w, r)
				got[i] = w.Code
			})
		}
		wg.Wait()
		n := 0
		for _, c := range got {
			if c == http.StatusSeeOther {
				n++
			} else if c != http.StatusBadRequest && c != http.StatusForbidden && c != http.StatusTooManyRequests {
				t.Errorf("%s: answer %d", field, c)
			}
		}
		if n != 1 {
			t.Errorf("%s: statuses %v, want one 303", field, got)
		}
	}
}

// The password grant has no page that could ask for a code.
func TestPasswordGrantSecondFactor(t *testing.T) {
	f := newFlows(t)
	app := f.app("ana")
	a := f.ask(native()...)
	a.want(t, "with an app", http.StatusForbidden, "mfa_required")
	if a.text("access_token") != "" || a.text("error_description") == "" {
		t.Errorf("answer = %s", a.body)
	}
	f.ask(native("password", "wrong")...).want(t, "wrong password", http.StatusBadRequest, "invalid_grant")
	f.remove("ana", app.id)
	f.recoveryCode("ana")
	if a := f.ask(native()...); a.StatusCode != http.StatusOK {
		t.Errorf("with a recovery code alone = %d %s, want tokens", a.StatusCode, a.body)
	} else if id := claims(t, a.text("id_token")); !slices.Equal(list(id["amr"]), []string{"pwd"}) || id["acr"] != nil {
		t.Errorf("ID token says %v", id)
	}
}
