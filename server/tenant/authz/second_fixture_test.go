package authz_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// app is an enrolled authenticator app.
type app struct {
	f      *fixture
	id     string
	secret []byte
}

// app gives a person an app, without the account API.
func (f *fixture) app(user string) *app {
	f.t.Helper()
	a := &app{f: f, id: "totp|" + user, secret: factor.NewTOTPSecret()}
	sealed, err := factor.Seal(f.set.Master, user, a.secret)
	if err != nil {
		f.t.Fatal(err)
	}
	f.method(store.Method{ID: a.id, UserID: user, Type: store.MethodTOTP, Data: sealed})
	return a
}

func (f *fixture) method(m store.Method) {
	f.t.Helper()
	m.Created = f.clock()
	if err := f.store.CreateMethod(f.t.Context(), m, 1); err != nil {
		f.t.Fatal(err)
	}
}

// remove takes a method from a person.
func (f *fixture) remove(user, id string) {
	f.t.Helper()
	if err := f.store.DeleteMethod(f.t.Context(), user, id, nil); err != nil {
		f.t.Fatal(err)
	}
}

// shown returns the code that the app shows some time from now.
func (a *app) shown(in time.Duration) string {
	a.f.t.Helper()
	return factortest.Code(a.f.t, factor.TOTPText(a.secret), a.f.clock().Add(in))
}

func (a *app) code() string { a.f.t.Helper(); return a.shown(0) }

// wrong returns a code that is not right at any nearby time.
func (a *app) wrong() string {
	a.f.t.Helper()
	code := []byte(a.code())
	for i := range code {
		code[i] = '0' + (code[i]-'0'+5)%10
	}
	return string(code)
}

// recoveryCode gives a person one.
func (f *fixture) recoveryCode(user string) string {
	f.t.Helper()
	code, hash := factor.NewRecoveryCode()
	f.method(store.Method{ID: "recovery-code|" + user, UserID: user, Type: store.MethodRecoveryCode, Data: hash})
	return code
}

// bob adds a second person with Ana's password and permissions.
func (f *fixture) bob() {
	f.t.Helper()
	err := f.store.CreateUser(f.t.Context(), store.User{ID: "bob", Email: "bob@example.com", Name: "Bob", PasswordHash: anaHash()})
	if err == nil {
		err = storetest.SetPermissions(f.t.Context(), f.store, "bob", "m", []string{"read:forms", "update:forms"})
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

var sessionOf = regexp.MustCompile(`name="session" value="([^"]*)"`)

// codePage sends Ana's password and returns the page that asks for the code.
func (b *browser) codePage(pairs ...string) answer {
	b.f.t.Helper()
	a := b.submit(b.send(http.MethodGet, "/authorize?"+query(pairs...), ""), "ana@example.com", password)
	if a.StatusCode != http.StatusOK || sessionOf.FindStringSubmatch(a.body) == nil {
		b.f.t.Fatalf("after the password: %d to %q, want the page for a code\n%s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	return a
}

// codeForm returns what a code page sends. pairs are its fields, or replace hidden ones.
func (f *fixture) codeForm(a answer, pairs ...string) (action string, form url.Values) {
	f.t.Helper()
	action, token := f.page(a)
	session := sessionOf.FindStringSubmatch(a.body)
	if session == nil {
		f.t.Fatalf("no code page: %s", a.body)
	}
	form = url.Values{"token": {token}, "session": {session[1]}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return action, form
}

// enter fills a code page.
func (b *browser) enter(a answer, pairs ...string) answer {
	b.f.t.Helper()
	action, form := b.f.codeForm(a, pairs...)
	return b.send(http.MethodPost, action, form.Encode(), "Content-Type", formType)
}

// hasSignIn reports whether the browser is signed in.
func (b *browser) hasSignIn() bool {
	b.f.t.Helper()
	c := b.cookies["fg-tenant"]
	if c == nil {
		return false
	}
	_, err := b.f.store.SignIn(b.f.t.Context(), tokens.Hash(c.Value))
	return err == nil
}

// idToken returns the claims of the ID token that client web gets for the code in an answer.
func (f *fixture) idToken(t *testing.T, a answer) map[string]any {
	t.Helper()
	code := a.location().Get("code")
	if code == "" {
		t.Fatalf("no code: %d to %q\n%s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	return claims(t, f.exchange(code).text("id_token"))
}
