package authz_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestSignInPage(t *testing.T) {
	f := newFixture(t)
	a := f.send(http.MethodGet, "/authorize?"+query("login_hint", `a"b@example.com`), "")
	if a.StatusCode != http.StatusOK {
		t.Fatalf("page answers %d, want 200", a.StatusCode)
	}
	for _, want := range []string{
		"The &lt;web&gt; app", `value="a&#34;b@example.com"`, `autocomplete="username webauthn"`, `autocomplete="current-password"`,
		`<label for="email">`, `<label for="password">`, `lang="en"`,
	} {
		if !strings.Contains(a.body, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	if strings.Count(a.body, "<script") != 1 || !strings.Contains(a.body, `<script src="/assets/passkey.js?v=`) ||
		!strings.Contains(a.body, `" defer></script>`) ||
		strings.Contains(a.body, "style=") {
		t.Error("page has more script than that for passkeys, or inline style")
	}
	// No other site can frame the page.
	for k, want := range map[string]string{
		"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
	} {
		if got := a.Header.Get(k); got != want {
			t.Errorf("%s = %q, want %q", k, got, want)
		}
	}
	csp := a.Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'",
		"form-action 'self' http://editor.test;",
	} {
		if !strings.Contains(csp, want) {
			t.Errorf("policy %q lacks %s", csp, want)
		}
	}
	style := f.send(http.MethodGet, strings.Split(strings.SplitAfter(a.body, `rel="stylesheet" href="`)[1], `"`)[0], "")
	if style.StatusCode != http.StatusOK || style.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("style sheet answers %d %s", style.StatusCode, style.Header.Get("Content-Type"))
	}
	for _, tag := range []string{style.Header.Get("ETag"), `"x", W/` + style.Header.Get("ETag")} {
		if again := f.send(http.MethodGet, "/assets/tenant.css", "", "If-None-Match", tag); again.StatusCode != http.StatusNotModified {
			t.Errorf("style sheet again for %s = %d, want 304", tag, again.StatusCode)
		}
	}
}

func TestCookies(t *testing.T) {
	for _, tt := range []struct {
		issuer, name string
		secure       bool
	}{
		{"http://localhost:8081", "fg-tenant", false},
		{"https://tenant.test", "__Host-fg-tenant", true},
	} {
		f := newFixtureAt(t, tt.issuer)
		b := f.browser()
		b.submit(b.send(http.MethodGet, "/authorize?"+query("audience", "-"), ""), "ana@example.com", password)
		for _, name := range []string{tt.name, tt.name + "-visit"} {
			c := b.cookies[name]
			if c == nil {
				t.Fatalf("%s: no cookie %s among %v", tt.issuer, name, b.cookies)
			}
			if !c.HttpOnly || c.Secure != tt.secure || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
				t.Errorf("%s: cookie = %s", tt.issuer, c)
			}
		}
	}
}

func TestSignInErrors(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	shown := b.send(http.MethodGet, "/authorize?"+query(), "")
	var texts []string
	for _, tt := range []struct{ email, password string }{
		{"ana@example.com", "wrong"},
		{"nobody@example.com", password},
		{"ana@example.com", strings.Repeat("x", 2000)},
	} {
		a := b.submit(shown, tt.email, tt.password)
		if a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, `role="alert"`) ||
			!strings.Contains(a.body, tt.email) || strings.Contains(a.body, tt.password) {
			t.Errorf("%s: %d, want 400 with a text, the address and no password", tt.email, a.StatusCode)
		}
		texts = append(texts, strings.Split(strings.SplitAfter(a.body, `role="alert"`)[1], "</div>")[0])
	}
	if texts[0] != texts[1] || texts[0] != texts[2] {
		t.Errorf("texts differ for known and unknown people: %q", texts)
	}
	for _, tt := range []struct{ email, password string }{{"", password}, {"ana@example.com", ""}, {"  ", " "}} {
		if a := b.submit(shown, tt.email, tt.password); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, "Enter your") {
			t.Errorf("%q and %q: %d, want 400 and a hint", tt.email, tt.password, a.StatusCode)
		}
	}
	// The address works in any case and with spaces around it, and the page can be sent again.
	if a := b.submit(shown, " ANA@Example.com ", password); a.location().Get("code") == "" {
		t.Errorf("sign-in after errors = %d, want a code", a.StatusCode)
	}
	if log := f.log.String(); strings.Contains(log, "nobody@") || strings.Contains(log, password) {
		t.Errorf("log holds what was typed: %s", log)
	}
}

// Five wrong passwords for one account from one address within a quarter of an hour are allowed, then 429.
func TestWrongPasswords(t *testing.T) {
	for _, email := range []string{"ana@example.com", "nobody@example.com"} {
		f := newFixture(t)
		b := f.browser()
		shown := b.send(http.MethodGet, "/authorize?"+query(), "")
		for i := range 5 {
			if a := b.submit(shown, email, "wrong"); a.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: wrong password %d = %d, want 400", email, i+1, a.StatusCode)
			}
		}
		a := b.submit(shown, email, password)
		if a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "900" || !strings.Contains(a.body, "Wait 15 minutes") {
			t.Errorf("%s: sixth = %d, Retry-After %q, want 429 and 900", email, a.StatusCode, a.Header.Get("Retry-After"))
		}
		if a := b.submit(shown, "other@example.com", "wrong"); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: another account = %d, want 400", email, a.StatusCode)
		}
		f.wait(15 * time.Minute)
		shown = b.send(http.MethodGet, "/authorize?"+query(), "")
		want := http.StatusSeeOther
		if strings.HasPrefix(email, "nobody") {
			want = http.StatusBadRequest
		}
		if a := b.submit(shown, email, password); a.StatusCode != want {
			t.Errorf("%s: after the window = %d, want %d", email, a.StatusCode, want)
		}
	}
}

// One password tried on many accounts.
func TestPasswordSpray(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	shown := b.send(http.MethodGet, "/authorize?"+query(), "")
	long := strings.Repeat("x", 1025) // refused without hashing, but counted
	for i := range 100 {
		if a := b.submit(shown, fmt.Sprintf("p%d@example.com", i), long); a.StatusCode != http.StatusBadRequest {
			t.Fatalf("account %d = %d, want 400", i, a.StatusCode)
		}
	}
	if a := b.submit(shown, "ana@example.com", password); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("account 101 = %d, want 429", a.StatusCode)
	}
}

// changed returns s with another letter in the middle.
func changed(s string) string {
	letter := "A"
	if s[20:21] == letter {
		letter = "B"
	}
	return s[:20] + letter + s[21:]
}

// No other site can sign a person's browser in as somebody else.
func TestSignInForged(t *testing.T) {
	f := newFixture(t)
	victim, attacker := f.browser(), f.browser()
	shown := victim.send(http.MethodGet, "/authorize?"+query(), "")
	theirs := attacker.send(http.MethodGet, "/authorize?"+query(), "")
	action, token := f.page(shown)
	_, stolen := f.page(theirs)
	fill := func(token string) string {
		return url.Values{"token": {token}, "email": {"ana@example.com"}, "password": {password}}.Encode()
	}
	for _, tt := range []struct {
		name, action, body string
		header             []string
	}{
		{"token of another browser", action, fill(stolen), nil},
		{"no token", action, fill(""), nil},
		{"changed token", action, fill(changed(token)), nil},
		{"token of another request", strings.Replace(action, "nonce=n", "nonce=m", 1), fill(token), nil},
		{"from another site", action, fill(token), []string{"Sec-Fetch-Site", "cross-site"}},
		{"from a sibling", action, fill(token), []string{"Sec-Fetch-Site", "same-site"}},
		{"from another origin", action, fill(token), []string{"Origin", "http://evil.test"}},
	} {
		a := victim.send(http.MethodPost, tt.action, tt.body, append([]string{"Content-Type", formType}, tt.header...)...)
		if a.StatusCode != http.StatusForbidden || len(a.location()) > 0 || !strings.Contains(a.body, `role="alert"`) {
			t.Errorf("%s: %d, want the page again with 403", tt.name, a.StatusCode)
		}
	}
	if a := f.send(http.MethodPost, action, fill(token), "Content-Type", formType); a.StatusCode != http.StatusForbidden {
		t.Errorf("without the cookie: %d, want 403", a.StatusCode)
	}
	if a := victim.send(http.MethodPost, action, fill(token), "Content-Type", "text/plain"); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("as text: %d, want 415", a.StatusCode)
	}
	if a := victim.send(http.MethodPost, action, strings.Repeat("x", 65<<10), "Content-Type",
		formType); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("huge: %d, want 413", a.StatusCode)
	}
	if a := victim.send(http.MethodPost, "/authorize?client_id=nobody", fill(token), "Content-Type",
		formType); a.StatusCode != http.StatusBadRequest {
		t.Errorf("for an unknown client: %d, want 400", a.StatusCode)
	}
	if a := victim.send(http.MethodPost, action, fill(token), "Content-Type", formType, "Sec-Fetch-Site",
		"same-origin"); a.location().Get("code") == "" {
		t.Errorf("as shown: %d, want a code", a.StatusCode)
	}
	f.wait(10*time.Minute + time.Second)
	a := victim.send(http.MethodPost, action, fill(token), "Content-Type", formType)
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "open for too long") {
		t.Errorf("after ten minutes: %d, want the page again", a.StatusCode)
	}
	if a = victim.submit(a, "ana@example.com", password); a.location().Get("code") == "" {
		t.Errorf("the page that was shown again: %d, want a code", a.StatusCode)
	}
}

// A planted cookie is never adopted, and a new sign-in ends the one before.
func TestSignInRenews(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.cookies["fg-tenant"] = &http.Cookie{Name: "fg-tenant", Value: "planted"}
	signIn := func() string {
		t.Helper()
		b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "ana@example.com", password)
		return b.cookies["fg-tenant"].Value
	}
	first := signIn()
	second := signIn()
	if first == "planted" || first == second {
		t.Error("the sign-in's cookie stayed the same")
	}
	a := f.send(http.MethodGet, "/authorize?"+query("prompt", "none"), "", "Cookie", "fg-tenant="+first)
	if a.location().Get("error") != "login_required" {
		t.Errorf("the cookie before = %v, want login_required", a.location())
	}
	// A second cookie with the name, planted by a sibling domain, does not hide ours.
	a = f.send(http.MethodGet, "/authorize?"+query("prompt", "none"), "", "Cookie", "fg-tenant=planted; fg-tenant="+second)
	if a.location().Get("code") == "" {
		t.Errorf("behind a planted cookie = %v, want a code", a.location())
	}
}

// Tabs of a signed-in browser that sign in again at the same time all succeed. One keeps the ID of the sign-in.
func TestConcurrentSignIns(t *testing.T) {
	f := newFixture(t)
	b := f.ana()
	action, token := f.page(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""))
	form := url.Values{"token": {token}, "email": {"ana@example.com"}, "password": {password}}.Encode()
	var got [12]int
	var wg sync.WaitGroup
	for i := range got {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, action, strings.NewReader(form))
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
	for i, code := range got {
		// Five passwords may be checked at the same time, since each counts until it proves right.
		if code != http.StatusSeeOther && code != http.StatusTooManyRequests {
			t.Errorf("tab %d = %d, want 303", i+1, code)
		}
	}
}

func TestStoreDown(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	shown := b.send(http.MethodGet, "/authorize?"+query(), "")
	if err := f.store.Close(); err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]answer{
		"page":     b.send(http.MethodGet, "/authorize?"+query(), ""),
		"sign-in":  b.submit(shown, "ana@example.com", password),
		"token":    f.exchange("x"),
		"sign-out": b.send(http.MethodGet, "/oidc/logout", "", "Cookie", "fg-tenant=x"),
	} {
		want := http.StatusFailedDependency // proxies would put a page of their own in place of one with 503
		if name == "token" {
			want = http.StatusServiceUnavailable
		}
		if a.StatusCode != want || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s without a store = %d, want %d with Retry-After", name, a.StatusCode, want)
		}
	}
}
