package authz_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
)

const thirdScope = "openid email offline_access read:forms delete:forms"

// third is an authorization request of the third-party client, changed by pairs.
func third(pairs ...string) string {
	return query(append([]string{"client_id", "third", "scope", thirdScope}, pairs...)...)
}

// signedIn signs Ana in and returns her browser and the page that follows.
func (f *fixture) signedIn(query string) (*browser, answer) {
	f.t.Helper()
	b := f.ana()
	return b, b.send(http.MethodGet, "/authorize?"+query, "")
}

// choose answers a consent page.
func (b *browser) choose(a answer, choice string) answer {
	b.f.t.Helper()
	action, token := b.f.page(a)
	return b.send(http.MethodPost, action, url.Values{"token": {token}, "choice": {choice}}.Encode(), "Content-Type", formType)
}

// thirdExchange turns a code of the third-party client into tokens.
func (f *fixture) thirdExchange(code string) answer {
	f.t.Helper()
	return f.exchange(code, "client_id", "third")
}

func TestConsent(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third())
	if page.StatusCode != http.StatusOK {
		t.Fatalf("consent page = %d to %s", page.StatusCode, page.Header.Get("Location"))
	}
	for _, want := range []string{
		"<h1>Allow access?</h1>", "<b>Third</b>", "ana@example.com", "Know who you are", "See your e-mail address",
		"Keep access while you are away",
		"See forms", "<code>read:forms</code>", `value="allow"`, `value="deny"`, "In <b>" + api + "</b>",
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("page lacks %s", want)
		}
	}
	// Scopes about the person are not said to be in the API.
	if you, inAPI, _ := strings.Cut(page.body, "In <b>"+api+"</b>, it will be able to:"); strings.Contains(inAPI, "<code>openid</code>") ||
		!strings.Contains(you, "It will be able to:") || !strings.Contains(you, "<code>offline_access</code>") || strings.Contains(you, "read:forms") {
		t.Errorf("scopes about the person and those of the API are mixed: %s", page.body)
	}
	// The page does not ask for scopes that would not be granted.
	if strings.Contains(page.body, "delete:forms") || strings.Contains(page.body, "<script") {
		t.Error("the page asks for scopes that are not granted, or needs a script")
	}
	// No other site can frame the page.
	if csp := page.Header.Get("Content-Security-Policy"); page.Header.Get("X-Frame-Options") != "DENY" ||
		!strings.Contains(csp, "frame-ancestors 'none'") ||
		!strings.Contains(csp, "form-action 'self' http://editor.test;") {
		t.Errorf("policy of the page = %q", csp)
	}
	a := b.choose(page, "allow")
	code := a.location().Get("code")
	if code == "" || a.location().Get("state") != "s t&a+te" {
		t.Fatalf("allowed = %d to %s, want a code", a.StatusCode, a.Header.Get("Location"))
	}
	const granted = "openid email offline_access read:forms"
	a = f.thirdExchange(code)
	if a.text("scope") != granted {
		t.Errorf("scope = %q, want %q", a.text("scope"), granted)
	}
	given, err := f.store.Consent(t.Context(), "ana", "third", api)
	if err != nil || !slices.Equal(given.Scope, strings.Fields(granted)) || !given.Given.Equal(f.clock()) {
		t.Errorf("kept is %+v, %v", given, err)
	}
	for _, tt := range []struct{ name, query, want string }{
		{"again", third(), "code"},
		{"less", third("scope", "openid"), "code"},
		{"without a page", third("prompt", "none"), "code"},
		{"asked for", third("prompt", "consent"), "page"},
		{"more", third("scope", "openid profile"), "page"},
		{"more without a page", third("scope", "openid profile", "prompt", "none"), "consent_required"},
		{"another audience", third("audience", other), "page"},
		{"sign in and asked", third("prompt", "login consent"), "page"},
	} {
		a := b.send(http.MethodGet, "/authorize?"+tt.query, "")
		got := a.location().Get("error")
		if a.location().Get("code") != "" {
			got = "code"
		} else if a.StatusCode == http.StatusOK {
			got = "page"
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	// A request for more adds to the consent; the request for less took nothing back.
	b.choose(b.send(http.MethodGet, "/authorize?"+third("scope", "openid profile"), ""), "allow")
	if given, err = f.store.Consent(t.Context(), "ana", "third", api); err != nil ||
		!slices.Equal(given.Scope, strings.Fields(granted+" profile")) {
		t.Errorf("kept is %+v, %v", given, err)
	}
	// Another person's consent does not count as Ana's, and a first-party application never asks.
	if b.send(http.MethodGet, "/authorize?"+query("prompt", "consent"), "").location().Get("code") == "" {
		t.Error("a first-party application is asked about")
	}
}

func TestConsentRefused(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third())
	for _, choice := range []string{"deny", "", "ALLOW"} {
		a := b.choose(page, choice)
		if v := a.location(); v.Get("error") != "access_denied" || v.Get("state") != "s t&a+te" || v.Get("iss") != issuer || v.Has("code") {
			t.Errorf("choice %q = %d %v, want access_denied", choice, a.StatusCode, v)
		}
	}
	if _, err := f.store.Consent(t.Context(), "ana", "third", api); err == nil {
		t.Error("a refused consent is kept")
	}
}

// Only the person can agree, and to no more than the page showed.
func TestConsentForged(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third())
	action, token := f.page(page)
	fill := func(token string) string { return url.Values{"token": {token}, "choice": {"allow"}}.Encode() }
	signIn := f.browser().send(http.MethodGet, "/authorize?"+third(), "")
	_, signInToken := f.page(signIn)
	_, theirs := f.signedIn(third())
	_, theirToken := f.page(theirs)
	for _, tt := range []struct {
		name, action, body string
		header             []string
	}{
		{"no token", action, fill(""), nil},
		{"changed token", action, fill(changed(token)), nil},
		{"token of another browser", action, fill(theirToken), nil},
		{"token of a sign-in page", action, fill(signInToken), nil},
		{"more scope", strings.Replace(action, "delete%3Aforms", "update%3Aforms", 1), fill(token), nil},
		{"less scope", strings.Replace(action, "email+", "", 1), fill(token), nil},
		{"another application", strings.Replace(action, "client_id=third", "client_id=online", 1), fill(token), nil},
		{"another state", strings.Replace(action, "state=s", "state=t", 1), fill(token), nil},
		{"from another site", action, fill(token), []string{"Sec-Fetch-Site", "cross-site"}},
		{"from another origin", action, fill(token), []string{"Origin", "http://evil.test"}},
	} {
		a := b.send(http.MethodPost, tt.action, tt.body, append([]string{"Content-Type", formType}, tt.header...)...)
		if a.location().Get("code") != "" || a.StatusCode < 300 {
			t.Errorf("%s: %d to %q, want no code", tt.name, a.StatusCode, a.Header.Get("Location"))
		}
	}
	if a := f.send(http.MethodPost, action, fill(token), "Content-Type", formType); a.StatusCode != http.StatusForbidden ||
		strings.Contains(a.body, "Allow access") {
		t.Errorf("without cookies: %d, want the sign-in page with 403", a.StatusCode)
	}
	if a := b.send(http.MethodPost, action, fill(token), "Content-Type", "text/plain"); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("as text: %d, want 415", a.StatusCode)
	}
	if _, err := f.store.Consent(t.Context(), "ana", "third", api); err == nil {
		t.Fatal("a forged consent is kept")
	}
	// A permission that was added in between shows the page again, with the new scope.
	if err := storetest.SetPermissions(t.Context(), f.store, "ana", "m", []string{"update:forms"}); err != nil {
		t.Fatal(err)
	}
	a := b.choose(page, "allow")
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "Check what the application asks for") ||
		strings.Contains(a.body, "read:forms") {
		t.Errorf("after a change: %d, want the page again", a.StatusCode)
	}
	// The token of a sign-in page is not valid for consent, nor that of a consent page for signing in.
	f.wait(10*time.Minute + time.Second)
	if a = b.choose(a, "allow"); a.StatusCode != http.StatusForbidden {
		t.Errorf("after ten minutes: %d, want the page again", a.StatusCode)
	}
	if a = b.choose(a, "allow"); a.location().Get("code") == "" {
		t.Errorf("the page that was shown again: %d, want a code", a.StatusCode)
	}
}

// Revoking a consent ends the tokens that it allowed. A narrower consent narrows the next ones.
func TestConsentRevoked(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third())
	tokens := f.thirdExchange(b.choose(page, "allow").location().Get("code"))
	given, err := f.store.Consent(t.Context(), "ana", "third", api)
	if err != nil {
		t.Fatal(err)
	}
	narrow := given
	narrow.Scope = []string{"openid", "offline_access"}
	storetest.SetConsent(t, f.store, narrow)
	tokens = f.refresh(tokens.text("refresh_token"), "client_id", "third")
	if tokens.text("scope") != "openid offline_access" {
		t.Errorf("after a narrower consent = %s, want openid offline_access", tokens.body)
	}
	waiting := b.send(http.MethodGet, "/authorize?"+third("scope", "openid"), "").location().Get("code")
	if err := f.store.EndAuthorizations(t.Context(), "ana", "third"); err != nil {
		t.Fatal(err)
	}
	f.refresh(tokens.text("refresh_token"), "client_id", "third").want(t, "refresh", http.StatusBadRequest, "invalid_grant")
	f.thirdExchange(waiting).want(t, "a code that waited", http.StatusBadRequest, "invalid_grant")
	// Even a family that was not revoked leads to no tokens without consent.
	storetest.SetConsent(t, f.store, given)
	a := f.thirdExchange(b.send(http.MethodGet, "/authorize?"+third(), "").location().Get("code"))
	if a.StatusCode != http.StatusOK {
		t.Fatalf("agreed again = %d %s", a.StatusCode, a.body)
	}
	given.Scope = nil
	storetest.SetConsent(t, f.store, given)
	if a = f.refresh(a.text("refresh_token"), "client_id", "third"); a.text("scope") != "" {
		t.Errorf("with an empty consent = %s, want no scope", a.body)
	}
	if a := b.send(http.MethodGet, "/authorize?"+third("prompt", "none"), "").location(); a.Get("error") != "consent_required" {
		t.Errorf("without a page = %v, want consent_required", a)
	}
}

// A request for no scope still needs consent.
func TestConsentWithoutScope(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third("scope", "-", "audience", "-"))
	if !strings.Contains(page.body, "nothing more") {
		t.Fatalf("page = %d %s", page.StatusCode, page.body)
	}
	if b.choose(page, "allow").location().Get("code") == "" {
		t.Error("no code")
	}
	if b.send(http.MethodGet, "/authorize?"+third("scope", "-", "audience", "-"), "").location().Get("code") == "" {
		t.Error("asked again")
	}
}

// The person signed out while the page was open, or signed in as somebody else in another tab.
func TestConsentOtherSignIn(t *testing.T) {
	f := newFlows(t)
	b, page := f.signedIn(third())
	if err := f.store.CreateUser(t.Context(), store.User{
		ID: "bob", Email: "bob@example.com", Name: "Bob",
		PasswordHash: anaHash(),
	}); err != nil {
		t.Fatal(err)
	}
	// Bob has Ana's permissions, so the page would ask him for the same scopes.
	if err := storetest.SetPermissions(t.Context(), f.store, "bob", "m", []string{"read:forms", "update:forms"}); err != nil {
		t.Fatal(err)
	}
	b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "bob@example.com", password)
	a := b.choose(page, "allow")
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "bob@example.com") {
		t.Errorf("Bob in Ana's page = %d, want the page for Bob", a.StatusCode)
	}
}

// The consent page of a pushed request names the request and does not repeat it.
func TestConsentPushed(t *testing.T) {
	f := newFlows(t)
	for choice, want := range map[string]string{"allow": "code", "deny": "error"} {
		b := f.ana()
		uri := f.push([]string{"client_id", "third", "scope", thirdScope}).text("request_uri")
		q := url.Values{"client_id": {"third"}, "request_uri": {uri}}.Encode()
		page := b.send(http.MethodGet, "/authorize?"+q, "")
		if action, _ := f.page(page); strings.Contains(action, "scope") || !strings.Contains(action, "request_uri=") {
			t.Errorf("the page leads to %s", action)
		}
		if v := b.choose(page, choice).location(); !v.Has(want) || v.Get("state") != "s t&a+te" {
			t.Errorf("%s: %v, want %s and state", choice, v, want)
		}
		if a := b.choose(page, choice); a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
			t.Errorf("%s again: %d to %q, want 400", choice, a.StatusCode, a.Header.Get("Location"))
		}
		if err := forgetConsent(t, f); err != nil {
			t.Fatal(err)
		}
	}
}
