package authz_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// offer is the data in a sign-in page for its script.
type offer struct{ to, token, session, challenge string }

// offered reads the sign-in page as its script does.
func (f *fixture) offered(a answer) offer {
	f.t.Helper()
	read := func(name string) string {
		m := regexp.MustCompile(`data-` + name + `="([^"]*)"`).FindStringSubmatch(a.body)
		if m == nil {
			f.t.Fatalf("page %d has no data-%s:\n%s", a.StatusCode, name, a.body)
		}
		return html.UnescapeString(m[1])
	}
	var options any
	if err := json.Unmarshal([]byte(read("options")), &options); err != nil {
		f.t.Fatal(err)
	}
	return offer{read("to"), read("token"), read("session"), challengeOf(f.t, options)}
}

// form is what the script sends.
func (o offer) form(tb testing.TB, response any) url.Values {
	tb.Helper()
	b, err := json.Marshal(response)
	if err != nil {
		tb.Fatal(err)
	}
	return url.Values{"token": {o.token}, "session": {o.session}, "response": {string(b)}}
}

func (b *browser) answer(o offer, response any) answer {
	b.f.t.Helper()
	return b.send(http.MethodPost, o.to, o.form(b.f.t, response).Encode(), "Content-Type", formType)
}

func (b *browser) open(pairs ...string) answer {
	b.f.t.Helper()
	return b.send(http.MethodGet, "/authorize?"+query(pairs...), "")
}

func TestPasskeyPage(t *testing.T) {
	f := newFixture(t)
	key := f.enrol("ana")
	b := f.browser()
	page := b.open("acr_values", "mfa")
	for _, want := range []string{
		`<div id="passkey"`, " hidden>", ">Sign in with a passkey</button>", `role="status"`,
		`&#34;rpId&#34;:&#34;localhost&#34;`, `&#34;userVerification&#34;:&#34;required&#34;`,
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	if strings.Count(page.body, "<form") != 1 || strings.Count(page.body, `name="token"`) != 1 {
		t.Error("the page has another form than that of the password")
	}
	csp := page.Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none';", " script-src 'self';", "require-trusted-types-for 'script'",
		"form-action 'self' http://editor.test;",
	} {
		if !strings.Contains(csp, want) {
			t.Errorf("policy %q lacks %s", csp, want)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "connect-src") {
		t.Errorf("policy is %q", csp)
	}
	script := f.send(http.MethodGet, strings.Split(strings.SplitAfter(page.body, `<script src="`)[1], `"`)[0], "")
	if script.StatusCode != http.StatusOK || script.Header.Get("Content-Type") != "text/javascript; charset=utf-8" ||
		script.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(script.body, "navigator.credentials.get") {
		t.Errorf("script answers %d %s", script.StatusCode, script.Header.Get("Content-Type"))
	}
	// A person with an app is not asked for its code, since the passkey is both factors.
	f.app("ana")
	f.wait(time.Minute)
	a := b.answer(f.offered(page), key.Assert(f.offered(page).challenge))
	id := f.idToken(t, a)
	if id["sub"] != "ana" || id["acr"] != "mfa" || !slices.Equal(list(id["amr"]), []string{"swk", "mfa"}) ||
		id["auth_time"] != float64(f.clock().Unix()) {
		t.Errorf("ID token says %v", id)
	}
	if a.location().Get("state") != "s t&a+te" || a.StatusCode != http.StatusSeeOther || !b.hasSignIn() {
		t.Errorf("back with %v", a.location())
	}
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || !ms[0].Used.Equal(f.clock()) {
		t.Errorf("methods = %+v, %v, want the use noted", ms, err)
	}
	es, _, err := f.store.ListEvents(t.Context(), store.EventFilter{}, 0, 10)
	if err != nil || !slices.ContainsFunc(es, func(e store.Event) bool { return e.Type == "s" && e.UserID == "ana" && e.ClientID == "web" }) {
		t.Errorf("sign-in log = %+v, %v", es, err)
	}
	for _, secret := range []string{f.offered(page).session, f.offered(page).challenge} {
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// If passkeys are off the page has no button and no script, and there is no endpoint.
func TestPasskeyPageOff(t *testing.T) {
	f := newFixtureAt(t, "http://127.0.0.1:8081")
	a := f.send(http.MethodGet, "/authorize?"+query(), "")
	if a.StatusCode != http.StatusOK || strings.Contains(a.body, "passkey") || strings.Contains(a.body, "<script") ||
		strings.Contains(a.body, "webauthn") ||
		strings.Contains(a.Header.Get("Content-Security-Policy"), "script-src") {
		t.Errorf("page = %d %s", a.StatusCode, a.body)
	}
	if a := f.send(http.MethodPost, "/authorize/passkey?"+query(), "token=x&session=x&response=x", "Content-Type",
		formType); a.StatusCode != http.StatusNotFound {
		t.Errorf("answer = %d, want 404", a.StatusCode)
	}
}

// A flood of requests for the page gets pages without a challenge, and adds no rows.
func TestPasskeyPageFlood(t *testing.T) {
	f := newFixture(t)
	for i := range 61 {
		a := f.send(http.MethodGet, "/authorize?"+query(), "")
		if has := strings.Contains(a.body, `id="passkey"`); a.StatusCode != http.StatusOK || has != (i < 60) {
			t.Fatalf("page %d = %d, with a challenge %v", i+1, a.StatusCode, has)
		}
	}
	f.wait(time.Minute)
	f.offered(f.send(http.MethodGet, "/authorize?"+query(), ""))
}

// pageTry is an answer to the sign-in page.
type pageTry struct {
	by       *browser
	o        offer
	response any
	header   []string
}

// byAuthenticator answers with an authenticator that change has altered.
func byAuthenticator(change func(*factortest.Authenticator)) func(*fixture, *factortest.Authenticator, *pageTry) {
	return func(_ *fixture, a *factortest.Authenticator, tr *pageTry) {
		c := *a
		change(&c)
		tr.response = c.Assert(tr.o.challenge)
	}
}

// pageFaults are faults of a passkey that the sign-in page sends.
var pageFaults = []struct {
	name  string
	spoil func(f *fixture, a *factortest.Authenticator, tr *pageTry)
}{
	{"25 replay", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		if outcome(tr.by.answer(tr.o, tr.response)) != "code" {
			f.t.Error("the first use is refused")
		}
		tr.by.send(http.MethodGet, "/oidc/logout", "")
	}},
	{"25 replay after a fault", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) { tr.by.answer(tr.o, "x") }},
	{"25 another client", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		tr.o.to = strings.Replace(tr.o.to, "client_id=web", "client_id=spa", 1)
	}},
	{"25 another client's session", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		change(f, tr.o.session, func(s *store.AuthSession) { s.ClientID = "spa" })
	}},
	{"25 another request", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) {
		tr.o.to = strings.Replace(tr.o.to, "nonce=n", "nonce=m", 1)
	}},
	{"25 five minutes", func(f *fixture, _ *factortest.Authenticator, _ *pageTry) { f.wait(5*time.Minute + time.Second) }},
	{"25 session that has ended", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		change(f, tr.o.session, func(s *store.AuthSession) { s.Expires = f.clock() })
	}},
	{"25 challenge of the token endpoint", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		change(f, tr.o.session, func(s *store.AuthSession) { s.Purpose = "passkey sign-in" })
	}},
	{"25 session of another page", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		other := f.offered(tr.by.open())
		tr.o.session, tr.response = other.session, a.Assert(other.challenge)
	}},
	{"25 page of another browser", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		tr.by = f.browser()
		tr.by.open()
	}},
	{"25 no cookies", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) { tr.by = f.browser() }},
	{"25 no session", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) { tr.o.session = "" }},
	{"25 no token", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) { tr.o.token = "" }},
	{"25 token of the password's form", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		_, tr.o.token = f.page(tr.by.open())
	}},
	{"25 from another site", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) {
		tr.header = []string{"Sec-Fetch-Site", "cross-site"}
	}},
	{"26 origin", byAuthenticator(func(a *factortest.Authenticator) { a.Origin = "https://evil.test" })},
	{"26 origin of the client within the RP ID", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		c, err := f.store.Client(f.t.Context(), "web")
		if err != nil {
			f.t.Fatal(err)
		}
		c.Callbacks = append(c.Callbacks, "http://localhost:8080/cb")
		storetest.PutClient(f.t, f.store, c)
		b := *a
		b.Origin = "http://localhost:8080"
		tr.response = b.Assert(tr.o.challenge)
	}},
	{"26 framed", byAuthenticator(func(a *factortest.Authenticator) { a.CrossOrigin = true })},
	{"26 rpId", byAuthenticator(func(a *factortest.Authenticator) { a.RPID = "evil.test" })},
	{"26 challenge", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		tr.response = a.Assert(f.offered(tr.by.open()).challenge)
	}},
	{"26 no user verification", byAuthenticator(func(a *factortest.Authenticator) { a.Flags = factortest.UserPresent })},
	{"26 signature", byAuthenticator(func(a *factortest.Authenticator) { a.Bogus = true })},
	{"26 unknown handle", func(f *fixture, _ *factortest.Authenticator, tr *pageTry) {
		tr.response = factortest.New(f.t, "localhost", issuer, "nobody").Assert(tr.o.challenge)
	}},
	{"26 no handle", byAuthenticator(func(a *factortest.Authenticator) { a.UserHandle = nil })},
	{"26 handle of another", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		f.bob()
		f.enrol("bob")
		byAuthenticator(func(a *factortest.Authenticator) { a.UserHandle = []byte("bob") })(f, a, tr)
	}},
	{"26 answer to a registration", func(_ *fixture, a *factortest.Authenticator, tr *pageTry) { tr.response = a.Register(tr.o.challenge) }},
	{"26 no answer", func(_ *fixture, _ *factortest.Authenticator, tr *pageTry) { tr.response = nil }},
	{"27 counter went back", func(f *fixture, a *factortest.Authenticator, tr *pageTry) {
		a.Counter = 7
		b := f.browser()
		o := f.offered(b.open())
		if outcome(b.answer(o, a.Assert(o.challenge))) != "code" {
			f.t.Error("counter 7 is refused")
		}
		a.Counter = 6
		tr.response = a.Assert(tr.o.challenge)
	}},
	{"29 deleted", func(f *fixture, _ *factortest.Authenticator, _ *pageTry) { f.remove("ana", "passkey|ana") }},
	{"29 person deleted", func(f *fixture, _ *factortest.Authenticator, _ *pageTry) {
		if err := f.store.DeleteUser(f.t.Context(), "ana"); err != nil {
			f.t.Fatal(err)
		}
	}},
}

// Every fault of a passkey on the page is 403 with one text, and nobody is signed in.
func TestPasskeyPageFaults(t *testing.T) {
	for _, tt := range pageFaults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			key := f.enrol("ana")
			tr := pageTry{by: f.browser()}
			tr.o = f.offered(tr.by.open())
			tr.response = key.Assert(tr.o.challenge)
			tt.spoil(f, key, &tr)
			f.log.Reset()
			a := tr.by.send(http.MethodPost, tr.o.to, tr.o.form(t, tr.response).Encode(),
				append([]string{"Content-Type", formType}, tr.header...)...)
			if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body,
				"<span>That passkey was not accepted, or this page was open for too long.") || !strings.Contains(a.body, `type="password"`) {
				t.Errorf("%d, want the sign-in page with 403 and the one text:\n%s", a.StatusCode, a.body)
			}
			if tr.by.hasSignIn() {
				t.Error("signed in")
			}
			if audited := strings.Contains(f.log.String(), "passkey may be cloned"); audited != strings.HasPrefix(tt.name, "27") {
				t.Errorf("clone audited = %v:\n%s", audited, f.log.String())
			}
		})
	}
}

// change changes a stored session, which no request can.
func change(f *fixture, secret string, by func(*store.AuthSession)) {
	f.t.Helper()
	s, err := f.store.UseAuthSession(f.t.Context(), tokens.Hash(secret))
	if err == nil {
		by(&s)
		err = f.store.CreateAuthSession(f.t.Context(), s, f.clock())
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// The page after a fault works. A blocked person learns that they are blocked, as after a password.
func TestPasskeyPageAgain(t *testing.T) {
	f := newFixture(t)
	key := f.enrol("ana")
	b := f.browser()
	a := b.answer(f.offered(b.open()), "x")
	o := f.offered(a)
	if err := f.store.SetBlocked(t.Context(), "ana", true); err != nil {
		t.Fatal(err)
	}
	a = b.answer(o, key.Assert(o.challenge))
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "This account is blocked") || b.hasSignIn() {
		t.Errorf("blocked = %d", a.StatusCode)
	}
	if err := f.store.SetBlocked(t.Context(), "ana", false); err != nil {
		t.Fatal(err)
	}
	o = f.offered(a)
	if got := outcome(b.answer(o, key.Assert(o.challenge))); got != "code" {
		t.Errorf("afterwards = %s, want a code", got)
	}
	if a := b.send(http.MethodPost, o.to, "x", "Content-Type", "text/plain"); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("as text = %d, want 415", a.StatusCode)
	}
	if a := b.send(http.MethodPost, "/authorize/passkey?client_id=nobody", "x=y", "Content-Type",
		formType); a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
		t.Errorf("unknown client = %d, want 400", a.StatusCode)
	}
}

// Of many answers to one page at the same time, one signs in.
func TestPasskeyPageRace(t *testing.T) {
	f := newFixture(t)
	key := f.enrol("ana")
	b := f.browser()
	o := f.offered(b.open())
	form := o.form(t, key.Assert(o.challenge)).Encode()
	var got [8]int
	var wg sync.WaitGroup
	for i := range got {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, o.to, strings.NewReader(form))
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
	slices.Sort(got[:])
	if got[0] != http.StatusSeeOther || got[1] != http.StatusForbidden || got[len(got)-1] != http.StatusForbidden {
		t.Errorf("statuses = %v, want one 303 and the others 403", got)
	}
}

// Whatever a browser sends as a passkey, the server does not fail and nobody is signed in.
func FuzzPasskeyPage(f *testing.F) {
	fx := newFixture(f)
	key := fx.enrol("ana")
	b := fx.browser()
	o := fx.offered(b.open())
	for _, response := range []any{key.Assert(o.challenge), key.Register(o.challenge), nil, "x", []int{1}} {
		text, err := json.Marshal(response)
		if err != nil {
			f.Fatal(err)
		}
		f.Add("", string(text))
	}
	f.Add("session", "x")
	f.Add("token", "AAAA")
	f.Add("response", `{"id":"AA","rawId":"AA","type":"public-key","response":`+
		`{"authenticatorData":"","clientDataJSON":"e30","signature":"","userHandle":"YW5h"}}`)
	f.Fuzz(func(t *testing.T, field, value string) {
		fx.t = t
		fx.wait(2 * time.Second)
		o := fx.offered(b.open())
		form := url.Values{"token": {o.token}, "session": {o.session}, "response": {value}}
		if field != "" {
			form.Set(field, value)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, o.to, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", formType)
		for _, c := range b.cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		fx.ServeHTTP(w, r)
		safe(t, w.Result())
		if w.Code == http.StatusSeeOther || strings.Contains(w.Header().Get("Set-Cookie"), "fg-tenant=") {
			t.Errorf("signed in by %q", value)
		}
	})
}

// The page has no sign-up. An e-mail address identifies its person to applications, and nothing would prove that a stranger
// owns theirs.
func TestPasskeyRegister(t *testing.T) {
	f, _ := nativeFixture(t)
	a := f.postJSON("/passkey/register", map[string]any{"client_id": "native", "user_profile": map[string]any{"email": "eve@example.com"}})
	if a.StatusCode != http.StatusNotFound {
		t.Errorf("sign-up = %d %s, want 404", a.StatusCode, a.body)
	}
}
