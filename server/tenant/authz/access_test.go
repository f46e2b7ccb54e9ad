package authz_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// logged returns type, user and client of the newest n events, newest first.
func (f *fixture) logged(n int) []string {
	f.t.Helper()
	page, _, err := f.store.ListEvents(f.t.Context(), store.EventFilter{}, 0, n)
	if err != nil {
		f.t.Fatal(err)
	}
	var out []string
	for _, e := range page {
		out = append(out, strings.Join([]string{e.Type, e.UserID, e.ClientID}, " "))
	}
	return out
}

func (f *fixture) wantLogged(name string, want ...string) {
	f.t.Helper()
	if got := f.logged(len(want)); strings.Join(got, ", ") != strings.Join(want, ", ") {
		f.t.Errorf("%s: log has %q, want %q", name, got, want)
	}
}

// must fails the test at the first error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Client credentials for the self-service API are refused in every configuration.
func TestSelfServiceRefusesClients(t *testing.T) {
	f := newFixture(t)
	me := store.API{ID: "me", Identifier: issuer + "/me/", Scopes: []string{"read:me:factors"}}
	for _, me.UserPolicy = range []store.Policy{store.RequireClientGrant, store.AllowAll, store.DenyAll} {
		for _, me.ClientPolicy = range []store.Policy{store.DenyAll, store.RequireClientGrant, store.AllowAll} {
			storetest.PutAPI(t, f.store, me)
			must(t, storetest.SetGrant(t.Context(), f.store, "robot", "me", store.SubjectClient, me.Scopes))
			for _, scope := range []string{"", "read:me:factors", "openid"} {
				a := f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience",
					issuer+"/me/", "scope", scope)
				a.want(t, "86: "+string(me.ClientPolicy)+" "+scope, 403, "access_denied")
			}
			f.wait(time.Second)
		}
	}
}

// Permissions by role count as those held directly. Each limit alone narrows the scope.
func TestGrantedIsTheIntersection(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	scope := func(name, want string) {
		t.Helper()
		a := f.exchange(f.code("scope", "read:forms update:forms"))
		if a.StatusCode != http.StatusOK || a.text("scope") != want {
			t.Errorf("87: %s: %d %q, want %q", name, a.StatusCode, a.text("scope"), want)
		}
		f.wait(time.Second)
	}
	scope("all of it", "read:forms update:forms")
	must(t, storetest.SetPermissions(ctx, f.store, "ana", "m", []string{"read:forms"}))
	scope("held by name", "read:forms")
	must(t, f.store.CreateRole(ctx, store.Role{ID: "r", Name: "r"}),
		f.store.ChangeRolePermissions(ctx, "r", []store.Permission{{APIID: "m", Scope: "update:forms"}}, nil))
	scope("a role of others", "read:forms")
	must(t, f.store.AddRoles(ctx, []string{"ana"}, []string{"r"}))
	scope("a role", "read:forms update:forms")
	must(t, storetest.SetGrant(ctx, f.store, "web", "m", store.SubjectUser, []string{"update:forms"}))
	scope("the client's grant", "update:forms")
	storetest.PutAPI(t, f.store, store.API{ID: "m", Identifier: api, Scopes: []string{"read:forms"}, UserPolicy: store.AllowAll})
	scope("what the API has", "read:forms")
}

// An API that is not activated grants nothing to people or clients, also by refresh.
func TestInactiveAPI(t *testing.T) {
	f := newFixture(t)
	refresh := f.exchange(f.code()).text("refresh_token")
	storetest.ChangeAPI(t, f.store, "m", func(a *store.API) { a.Inactive = true })
	f.refresh(refresh).want(t, "refresh", 403, "access_denied")
	f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api).want(t,
		"client", 403, "access_denied")
	storetest.ChangeAPI(t, f.store, "m", func(a *store.API) { a.Inactive = false })
	f.refresh(refresh).want(t, "activated again", 200, "")
}

// A blocked person cannot sign in, refresh, or exchange a code, even if the store still has what they began.
func TestBlocked(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	code := b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password).location().Get("code")
	refresh := f.exchange(f.code()).text("refresh_token")
	must(t, f.store.SetBlocked(t.Context(), "ana", true))
	f.refresh(refresh).want(t, "refresh", 400, "invalid_grant")
	f.exchange(code).want(t, "code", 400, "invalid_grant")
	if a := b.send(http.MethodGet, "/authorize?"+query("prompt", "none"), ""); a.location().Get("error") != "login_required" {
		t.Errorf("the browser is signed in still: %s", a.Header.Get("Location"))
	}
	fresh := f.browser()
	a := fresh.submit(fresh.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "blocked") || fresh.cookies["fg-tenant"] != nil {
		t.Errorf("sign-in = %d, cookies %v", a.StatusCode, fresh.cookies)
	}
	f.wantLogged("blocked", "f ana web")
	a = fresh.submit(fresh.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", "wrong")
	if strings.Contains(a.body, "blocked") {
		t.Error("a wrong password reveals that the account is blocked")
	}
	// A sign-in of a blocked person gets no code.
	value := tokens.NewSecret()
	must(t, f.store.CreateSignIn(t.Context(), store.SignIn{
		Hash: tokens.Hash(value), ID: "late", UserID: "ana", AuthTime: f.now,
		Expires: f.now.Add(time.Hour),
	}))
	late := f.browser()
	late.cookies["fg-tenant"] = &http.Cookie{Name: "fg-tenant", Value: value}
	if a := late.send(http.MethodGet, "/authorize?"+query(), ""); a.location().Get("error") != "access_denied" {
		t.Errorf("a late sign-in = %d %s", a.StatusCode, a.Header.Get("Location"))
	}
	must(t, f.store.SetBlocked(t.Context(), "ana", false))
	f.exchange(f.code()).want(t, "let in again", 200, "")
}

func TestSignInLog(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", "wrong")
	f.wantLogged("wrong password", "fp ana web")
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "my-password-by-mistake", "x")
	f.wantLogged("unknown", "fu  web")
	code := b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password).location().Get("code")
	f.wantLogged("signed in", "s ana web")
	refresh := f.exchange(code).text("refresh_token")
	f.wantLogged("code", "seacft ana web")
	f.exchange(code)
	f.wantLogged("code again", "feacft  web")
	f.refresh(refresh)
	f.wantLogged("refresh of a revoked family", "fertft  web")
	f.refresh(f.exchange(f.code()).text("refresh_token"))
	f.wantLogged("refresh", "sertft ana web")
	f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api)
	f.wantLogged("client", "seccft  robot")
	f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "wrong", "audience", api)
	f.wantLogged("a stranger writes nothing", "seccft  robot")
	page, _, err := f.store.ListEvents(t.Context(), store.EventFilter{Type: "seacft"}, 0, 1)
	must(t, err)
	if e := page[0]; e.Audience != api || e.Address == "" || !e.At.Equal(f.clock()) ||
		strings.Join(e.Scope, " ") != "openid profile email offline_access read:forms update:forms" {
		t.Errorf("event = %+v", e)
	}
	all, _, err := f.store.ListEvents(t.Context(), store.EventFilter{}, 0, 100)
	must(t, err)
	text, err := json.Marshal(all)
	must(t, err)
	for _, secret := range []string{"my-password-by-mistake", password, refresh, code, "web-secret"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// A one-time link sets a password once, ends earlier sign-ins, and reveals nothing about other people.
func TestTicket(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	refresh := f.exchange(f.code()).text("refresh_token")
	ticket := tokens.NewSecret()
	issue := func() {
		t.Helper()
		must(t, f.store.CreateTicket(t.Context(), store.Ticket{
			Hash: tokens.Hash(ticket), UserID: "ana",
			Expires: f.clock().Add(time.Hour),
		}, f.clock()))
	}
	issue()
	link := strings.TrimPrefix(signin.TicketURL(issuer, ticket), issuer)
	set := func(token, pass, again string, header ...string) answer {
		t.Helper()
		return f.send(http.MethodPost, signin.TicketPath, url.Values{"token": {token}, "password": {pass}, "again": {again}}.Encode(),
			append([]string{"Content-Type", formType}, header...)...)
	}
	for range 2 { // looking uses nothing up
		if a := f.send(http.MethodGet, link, ""); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "ana@example.com") ||
			a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("page = %d %s", a.StatusCode, a.body)
		}
	}
	for name, x := range map[string]struct {
		a      answer
		status int
	}{
		"short":      {set(ticket, "short", "short"), 400},
		"long":       {set(ticket, strings.Repeat("x", 1025), strings.Repeat("x", 1025)), 400},
		"differ":     {set(ticket, "long enough 1", "long enough 2"), 400},
		"made up":    {set("x", "long enough", "long enough"), 404},
		"none":       {set("", "long enough", "long enough"), 404},
		"cross-site": {set(ticket, "long enough", "long enough", "Sec-Fetch-Site", "cross-site"), 403},
		"JSON":       {f.send(http.MethodPost, signin.TicketPath, "{}", "Content-Type", "application/json"), 415},
	} {
		if x.a.StatusCode != x.status {
			t.Errorf("%s = %d, want %d", name, x.a.StatusCode, x.status)
		}
	}
	must(t, f.store.SetBlocked(t.Context(), "ana", true))
	issue()
	if a := set(ticket, "long enough", "long enough"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a blocked person = %d, want 404", a.StatusCode)
	}
	must(t, f.store.SetBlocked(t.Context(), "ana", false))
	if a := set(ticket, "long enough", "long enough"); a.StatusCode != http.StatusOK {
		t.Errorf("good = %d %s", a.StatusCode, a.body)
	}
	f.wantLogged("ticket", "scp ana ")
	if a := set(ticket, "long enough", "long enough"); a.StatusCode != http.StatusNotFound {
		t.Errorf("again = %d, want 404", a.StatusCode)
	}
	f.refresh(refresh).want(t, "refresh", 400, "invalid_grant")
	if a := b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", "long enough"); a.location().Get("code") == "" {
		t.Errorf("sign-in with the new password = %d", a.StatusCode)
	}
	issue()
	f.wait(time.Hour)
	if a := f.send(http.MethodGet, link, ""); a.StatusCode != http.StatusNotFound || strings.Contains(a.body, "ana") {
		t.Errorf("an old link = %d %s", a.StatusCode, a.body)
	}
	if strings.Contains(f.log.String(), ticket) {
		t.Error("the ticket is logged")
	}
}

// A third-party client gets only what the person allowed it, and nothing without consent.
func TestConsentNarrows(t *testing.T) {
	f := newFixture(t)
	refresh := func(name string) answer {
		t.Helper()
		must(t, f.store.CreateCode(t.Context(), store.Family{
			ID: name, ClientID: "third", UserID: "ana", Audience: other, Scope: []string{
				"openid", "profile",
				"read:other",
			}, AuthTime: f.now, Expires: f.now.Add(time.Hour),
		}, store.Code{Hash: tokens.Hash("code " + name), Expires: f.now}))
		must(t, f.store.CreateRefresh(t.Context(), store.Refresh{Hash: tokens.Hash(name), FamilyID: name, Expires: f.now.Add(time.Hour)}))
		return f.refresh(name, "client_id", "third")
	}
	refresh("none is kept").want(t, "no consent is kept", 400, "invalid_grant")
	storetest.SetConsent(t, f.store, store.Consent{
		ID: "con_1", UserID: "ana", ClientID: "third", Audience: other, Scope: []string{"profile", "read:other", "update:other"}, Given: f.now,
	})
	if a := refresh("some is kept"); a.text("scope") != "profile read:other" {
		t.Errorf("some consent: %d %s", a.StatusCode, a.body)
	}
	f.exchange(f.code()).want(t, "a first party is not asked for", 200, "")
}

// The page that sets a password states the rule first. It shows a problem beside its field, in place of the rule of that field.
func TestTicketPageShowsTheRule(t *testing.T) {
	f := newFixture(t)
	must(t, f.store.CreateTicket(t.Context(), store.Ticket{Hash: tokens.Hash("x"), UserID: "ana", Expires: f.now.Add(time.Hour)}, f.now))
	if a := f.send(http.MethodGet, signin.TicketPath+"?ticket=x", ""); !strings.Contains(a.body, "At least 8 characters.") ||
		strings.Contains(a.body, `role="alert"`) {
		t.Errorf("the page lacks the rule, or shows a problem: %s", a.body)
	}
	for _, x := range []struct{ password, again, field, text string }{
		{"short", "short", "password", "too short. Use at least 8 characters."},
		{"ééééééé", "ééééééé", "password", "too short"}, // seven characters of two bytes
		{strings.Repeat("x", 1025), strings.Repeat("x", 1025), "password", "too long"},
		{"long enough 1", "long enough 2", "again", "do not match"},
	} {
		a := f.send(http.MethodPost, signin.TicketPath, url.Values{
			"token": {"x"}, "password": {x.password},
			"again": {x.again},
		}.Encode(), "Content-Type", formType)
		_, after, _ := strings.Cut(a.body, `id="`+x.field+`"`)
		before, _, _ := strings.Cut(after, "<label")
		if a.StatusCode != http.StatusBadRequest || !strings.Contains(before, `aria-invalid="true"`) ||
			!strings.Contains(before, `role="alert"`) || !strings.Contains(before, x.text) {
			t.Errorf("%.20s: %d, beside %s stands %q, want %s", x.password, a.StatusCode, x.field, before, x.text)
		}
		if strings.Count(a.body, "aria-invalid") != 1 || strings.Count(a.body, `role="alert"`) != 1 || !strings.Contains(a.body, "novalidate") {
			t.Errorf("%.20s: the page says more than one thing, or leaves it to the browser: %s", x.password, a.body)
		}
		if ruled := strings.Contains(a.body, `id="rule"`); ruled != (x.field != "password") || ruled != strings.Contains(a.body, `aria-describedby="rule"`) {
			t.Errorf("%.20s: the page shows the rule: %t; or the field is described by what is not there: %s", x.password, ruled, a.body)
		}
	}
}

// After setting a password a person can sign in. The page does not tell a new person about sign-outs.
func TestTicketPageLinksToSignIn(t *testing.T) {
	f := newFixture(t)
	f.rebuild(func(c *authz.Config) {
		c.SignInAt = func(context.Context) *url.URL {
			return &url.URL{Scheme: "https", Host: "editor.example", Path: "/bff/login", RawQuery: "return_to=%2Fforms"}
		}
	})

	must(t, f.store.CreateUser(t.Context(), store.User{ID: "new", Email: "new@example.com", Created: f.now}))
	for user, signedOut := range map[string]bool{"ana": true, "new": false} {
		must(t, f.store.CreateTicket(t.Context(), store.Ticket{Hash: tokens.Hash("x"), UserID: user, Expires: f.now.Add(time.Hour)}, f.now))
		set := func() answer {
			return f.send(http.MethodPost, signin.TicketPath,
				url.Values{"token": {"x"}, "password": {"long enough"}, "again": {"long enough"}}.Encode(), "Content-Type", formType)
		}
		for _, a := range []answer{set(), set()} { // the second time the link is used up
			leads := strings.Contains(a.body, `<form method="get" action="https://editor.example/bff/login">`) &&
				strings.Contains(a.body, `name="return_to" value="/forms"`) && strings.Contains(a.body, ">Sign in</button>") &&
				strings.Contains(a.Header.Get("Content-Security-Policy"), "form-action 'self' https://editor.example")
			if !leads {
				t.Errorf("%s: %d has no button to sign in: %s", user, a.StatusCode, a.body)
			}
			if a.StatusCode == http.StatusOK && strings.Contains(a.body, "signed out everywhere") != signedOut {
				t.Errorf("%s: the page mentions sign-outs: %v, want %v", user, !signedOut, signedOut)
			}
		}
	}
	f.rebuild(func(c *authz.Config) { c.SignInAt = nil })
	if a := f.send(http.MethodGet, signin.TicketPath+"?ticket=none", ""); strings.Contains(a.body, "Sign in") {
		t.Errorf("there is a button without an address: %s", a.body)
	}
}
