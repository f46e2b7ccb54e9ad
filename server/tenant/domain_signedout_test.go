package tenant_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// Each application is notified of a sign-out by the issuer that it knows. OpenID Connect Back-Channel Logout 1.0, section 2.4.
func TestDomainSignedOut(t *testing.T) {
	f := startDomains(t, customURL, wide())
	heard := make(chan string, 8)
	app := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		heard <- r.PostFormValue("logout_token")
	}))
	t.Cleanup(app.Close)
	storetest.ChangeClient(t, f.store, f.editor.ID, func(c *store.Client) { c.BackchannelURI = app.URL })
	wait := func(n int) []claims {
		t.Helper()
		var all []claims
		for range n {
			select {
			case notice := <-heard:
				all = append(all, claimsOf(t, notice))
			case <-time.After(waittest.Limit(time.Minute)):
				t.Fatalf("%d notices, want %d", len(all), n)
			}
		}
		slices.SortFunc(all, func(a, b claims) int { return strings.Compare(a.Issuer, b.Issuer) })
		return all
	}
	in := func(w *world) (*http.Client, answer) {
		t.Helper()
		browser := w.browser()
		return browser, w.exchange(w.authorize(browser, "audience", w.url+"/me/").Get("code"))
	}
	// One browser's sign-out, at the custom domain.
	in(f.world)
	browser, got := in(f.custom)
	if a := f.custom.do(browser, http.MethodGet, customURL+"/oidc/logout?id_token_hint="+got.member("id_token"), "",
		""); a.status != http.StatusOK {
		t.Fatalf("sign-out: %d %s", a.status, a.body)
	}
	notices := wait(1)
	if sid := claimsOf(t, got.member("id_token")).SignIn; notices[0].Issuer != customURL || notices[0].SignIn != sid {
		t.Errorf("notices are %+v, want sign-in %s of the custom domain", notices[0], sid)
	}
	// Everywhere, from the canonical address and from the custom domain: both are notified.
	for _, from := range []*world{f.world, f.custom} {
		_, got = in(from)
		if a := from.call(got.member("access_token"), http.MethodDelete, "/me/v1/sessions", ""); a.status != http.StatusNoContent {
			t.Fatalf("sign out everywhere: %d %s", a.status, a.body)
		}
		notices = wait(2)
		if notices[0].Issuer != issuer || notices[1].Issuer != customURL || notices[0].SignIn+notices[1].SignIn != "" {
			t.Errorf("notices are %+v, want all sign-ins of both", notices)
		}
	}
	// A session of the other address is ended by its ID: it is the person's.
	_, got = in(f.world)
	_, other := in(f.custom)
	sid := claimsOf(t, other.member("id_token")).SignIn
	if a := f.call(got.member("access_token"), http.MethodDelete, "/me/v1/sessions/"+sid, ""); a.status != http.StatusNoContent {
		t.Fatalf("end a session: %d %s", a.status, a.body)
	}
	if notices = wait(1); notices[0].Issuer != customURL || notices[0].SignIn != sid {
		t.Errorf("notices are %+v, want sign-in %s of the custom domain", notices[0], sid)
	}
	f.custom.refresh(other.member("refresh_token"), "").want(t, "refresh after it", http.StatusBadRequest, "invalid_grant")
	// A new password set with a link of the custom domain.
	machine := f.custom.machineToken("/api/v2/").member("access_token")
	admin := claimsOf(t, got.member("id_token")).Subject
	in(f.world)
	link := f.custom.call(machine, http.MethodPost, "/api/v2/users/"+admin+"/tickets", `{}`).member("ticket")
	_, ticket, _ := strings.Cut(link, "ticket=")
	const password = "yet another password"
	if a := f.custom.post("/new-password", url.Values{
		"token": {ticket}, "password": {password},
		"again": {password},
	}); a.status != http.StatusOK {
		t.Fatalf("one-time link: %d %s", a.status, a.body)
	}
	if notices = wait(2); notices[0].Issuer != issuer || notices[1].Issuer != customURL {
		t.Errorf("notices are %+v, want both issuers", notices)
	}
	f.first.Admin.Password, f.custom.first.Admin.Password = password, password
	// The custom domain may have been replaced: its applications are still notified by the issuer that they know.
	in(f.custom)
	next := restartDomains(t, f.store, f.first, "http://id.localhost:8081", f.net.clock(), wide())
	storetest.ChangeClient(t, next.store, f.editor.ID, func(c *store.Client) { c.BackchannelURI = app.URL })
	machine = next.machineToken("/api/v2/").member("access_token")
	if a := next.call(machine, http.MethodPatch, "/api/v2/users/"+admin, `{"password":"another long password"}`); a.status != http.StatusOK {
		t.Fatalf("new password: %d %s", a.status, a.body)
	}
	if notices = wait(2); notices[0].Issuer != issuer || notices[1].Issuer != customURL {
		t.Errorf("notices are %+v, want both earlier issuers", notices)
	}
}

// A custom domain is added, changed and removed between starts. Whatever began at a removed one is refused everywhere, and valid again if
// the domain returns within its lifetime.
func TestDomainChanges(t *testing.T) {
	f := startDomains(t, "", wide())
	before := f.exchange(f.authorize(f.browser(), "audience", issuer+"/me/").Get("code"))
	with := func(custom string) *twoDomains {
		t.Helper()
		return restartDomains(t, f.store, f.first, custom, f.net.clock().Add(time.Minute), wide())
	}
	first := with(customURL)
	mid := first.custom.exchange(first.custom.authorize(first.custom.browser(), "audience", customURL+"/me/").Get("code"))
	kept := mid.member("refresh_token")
	canonical := first.refresh(before.member("refresh_token"), "") // what was there before continues
	if canonical.status != http.StatusOK {
		t.Errorf("earlier refresh: %d %s", canonical.status, canonical.body)
	}
	const next = "http://id.localhost:8081"
	second := with(next)
	for _, at := range []*world{second.world, second.custom} {
		at.refresh(kept, "").want(t, "token of the earlier domain at "+at.url, http.StatusBadRequest, "invalid_grant")
		if a := at.call(mid.member("access_token"), http.MethodGet, "/me/v1/factors", ""); a.status != http.StatusUnauthorized {
			t.Errorf("access token of the earlier domain at %s: %d, want 401", at.url, a.status)
		}
	}
	if back := second.custom.authorize(second.custom.browser(), "audience", next+"/me/"); back.Get("iss") != next || back.Get("code") == "" {
		t.Errorf("sign-in at the new domain: %v", back)
	}
	third := with("")
	third.refresh(kept, "").want(t, "token of the earlier domain", http.StatusBadRequest, "invalid_grant")
	if back := third.authorize(third.browser(), "audience", customURL+"/me/"); back.Get("error") != "invalid_target" {
		t.Errorf("audience of the earlier domain: %v, want invalid_target", back)
	}
	if a := third.refresh(canonical.member("refresh_token"), ""); a.status != http.StatusOK {
		t.Errorf("refresh at the canonical address: %d %s", a.status, a.body)
	}
	if a := with(customURL).custom.refresh(kept, ""); a.status != http.StatusOK {
		t.Errorf("refresh at the domain that came back: %d %s", a.status, a.body)
	}
	if api, err := f.store.APIByID(t.Context(), access.SelfServiceAPI); err != nil || api.Identifier != issuer+"/me/" {
		t.Errorf("self-service API is called %s, %v, want by the canonical address", api.Identifier, err)
	}
}
