package tenant_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// The access model is configured once, at either address, under the canonical one's names.
func TestDomainAccessModel(t *testing.T) {
	f := startDomains(t, customURL, wide())
	admin := f.custom.machineToken("/api/v2/").member("access_token")
	manage := func(method, path, body string, want int) answer {
		t.Helper()
		a := f.custom.call(admin, method, "/api/v2"+path, body)
		if a.status != want {
			t.Errorf("%s %s: %d %s, want %d", method, path, a.status, a.body, want)
		}
		return a
	}
	list := manage(http.MethodGet, "/resource-servers", "", http.StatusOK)
	if strings.Count(list.body, `"identifier":"`+issuer+`/me/"`) != 1 || strings.Contains(list.body, customURL) {
		t.Errorf("APIs %s, want each once, by its canonical identifier", list.body)
	}
	refusal := func(w *world) string {
		return w.authorize(w.browser(), "audience", w.url+"/me/").Get("error")
	}
	for _, tt := range []struct {
		body, want string
	}{
		{`{"active":false}`, "access_denied"},
		{`{"active":true}`, ""},
		{`{"subject_type_authorization":{"user":{"policy":"deny_all"}}}`, "access_denied"},
		{`{"subject_type_authorization":{"user":{"policy":"require_client_grant"}}}`, ""},
	} {
		manage(http.MethodPatch, "/resource-servers/me", tt.body, http.StatusOK)
		for _, w := range []*world{f.world, f.custom} {
			if got := refusal(w); got != tt.want {
				t.Errorf("after %s at %s: %q, want %q", tt.body, w.url, got, tt.want)
			}
		}
	}
	// The policy for clients stays closed at both, also by a grant that was written by hand.
	manage(http.MethodPatch, "/resource-servers/me", `{"subject_type_authorization":{"client":{"policy":"allow_all"}}}`, http.StatusBadRequest)
	if err := storetest.SetGrant(t.Context(), f.store, f.first.Management.ID, access.SelfServiceAPI, store.SubjectClient,
		access.SelfServiceScopes()); err != nil {
		t.Fatal(err)
	}
	for _, w := range []*world{f.world, f.custom} {
		w.machineToken(w.url+"/me/").want(t, "client credentials at "+w.url, http.StatusForbidden, "access_denied")
	}
	// Administration takes the identifier and the audience of the address it is called at, and answers
	// with the identifier.
	for i, audience := range []string{issuer + "/me/", customURL + "/me/"} {
		id := fmt.Sprint("app", i)
		if err := f.store.CreateClient(t.Context(), store.Client{ID: id, Created: noon(), SecretSince: noon()}); err != nil {
			t.Fatal(err)
		}
		a := manage(http.MethodPost, "/client-grants",
			`{"client_id":"`+id+`","audience":"`+audience+`","scope":["read:me:factors"],"subject_type":"user"}`, http.StatusCreated)
		if a.member("audience") != issuer+"/me/" {
			t.Errorf("grant for %s is for %s", audience, a.member("audience"))
		}
		a = manage(http.MethodGet, "/client-grants?audience="+url.QueryEscape(audience)+"&client_id="+id, "", http.StatusOK)
		if !strings.Contains(a.body, `"client_id":"`+id+`"`) {
			t.Errorf("grants for %s: %s", audience, a.body)
		}
	}
	// Nobody takes an audience of the tenant's own for another API, at neither address.
	canonical := f.machineToken("/api/v2/").member("access_token")
	for _, w := range []struct {
		*world

		token string
	}{{f.world, canonical}, {f.custom, admin}} {
		for _, identifier := range []string{customURL + "/me/", customURL + "/api/v2/", issuer + "/me/", customURL + "/userinfo"} {
			if a := w.call(w.token, http.MethodPost, "/api/v2/resource-servers",
				`{"identifier":"`+identifier+`","name":"Mine"}`); a.status != http.StatusConflict {
				t.Errorf("API %s at %s: %d %s, want 409", identifier, w.url, a.status, a.body)
			}
		}
	}
	manage(http.MethodPost, "/resource-servers", `{"identifier":"`+customURL+`/orders","name":"Orders"}`, http.StatusCreated)
}

// An API whose name later became the custom domain's does not block it.
func TestDomainTakesNames(t *testing.T) {
	f := startDomains(t, "", wide())
	err := f.store.CreateAPI(t.Context(), store.API{
		ID: "mine", Identifier: customURL + "/api/v2/", Name: "Mine", Scopes: []string{"read:forms"}, UserPolicy: store.AllowAll,
		ClientPolicy: store.AllowAll,
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.machineToken(customURL + "/api/v2/"); got.status != http.StatusOK {
		t.Fatalf("an API of somebody's own: %d %s", got.status, got.body)
	}
	f = restartDomains(t, f.store, f.first, customURL, noon(), wide())
	f.machineToken(customURL+"/api/v2/").want(t, "audience of the other address", http.StatusBadRequest, "invalid_target")
	token := f.custom.machineToken(customURL + "/api/v2/").member("access_token")
	if a := f.custom.call(token, http.MethodGet, "/api/v2/clients", ""); a.status != http.StatusOK {
		t.Errorf("the management API at the custom domain: %d %s", a.status, a.body)
	}
}

// A person who agrees at one address has agreed, and takes it back for both.
func TestDomainConsent(t *testing.T) {
	f := startDomains(t, customURL, wide())
	ctx := t.Context()
	third := store.Client{
		ID: "third", Name: "Third", SecretHash: tokens.Hash("third-secret"), GrantTypes: []string{"authorization_code", "refresh_token"},
		Callbacks: []string{"http://app.test/cb"}, Created: noon(), SecretSince: noon(),
	}
	if err := f.store.CreateClient(ctx, third); err != nil {
		t.Fatal(err)
	}
	if err := storetest.SetGrant(ctx, f.store, "third", access.SelfServiceAPI, store.SubjectUser, access.SelfServiceScopes()); err != nil {
		t.Fatal(err)
	}
	own := f.custom.exchange(f.custom.authorize(f.custom.browser(), "audience", customURL+"/me/").Get("code"))
	ask := func(w *world, c *http.Client, more ...string) answer {
		t.Helper()
		pairs := append([]string{
			"client_id", "third", "redirect_uri", "http://app.test/cb", "audience", w.url + "/me/", "scope",
			"openid offline_access read:me:factors",
		}, more...)
		return w.do(c, http.MethodGet, w.url+"/authorize?"+w.request(pairs...).Encode(), "", "")
	}
	browsers := map[*world]*http.Client{f.world: f.browser(), f.custom: f.custom.browser()}
	for w, b := range browsers {
		w.authorize(b)
	}
	page := ask(f.custom, browsers[f.custom])
	if page.status != http.StatusOK || !strings.Contains(page.body, "Allow access?") {
		t.Fatalf("first request: %d %s, want the page that asks", page.status, page.body)
	}
	to, csrf := f.custom.form(page)
	form := url.Values{"token": {csrf}, "choice": {"allow"}}
	a := f.custom.do(browsers[f.custom], http.MethodPost, customURL+to, formType, form.Encode())
	if a.status != http.StatusSeeOther {
		t.Fatalf("consent: %d %s", a.status, a.body)
	}
	at, err := url.Parse(a.location)
	if err != nil {
		t.Fatal(err)
	}
	got := f.custom.post("/oauth/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"third"}, "client_secret": {"third-secret"}, "code": {at.Query().Get("code")},
		"redirect_uri": {"http://app.test/cb"}, "code_verifier": {codeVerifier},
	})
	if c := claimsOf(t, got.member("access_token")); c.Issuer != customURL || c.Audience != customURL+"/me/" ||
		got.member("scope") != "openid offline_access read:me:factors" {
		t.Errorf("token of %s for %v with %s", c.Issuer, c.Audience, got.member("scope"))
	}
	if a := ask(f.world, browsers[f.world]); a.status != http.StatusSeeOther || !strings.Contains(a.location, "code=") {
		t.Errorf("request at the canonical address: %d %s, want no question", a.status, a.location)
	}
	var list struct {
		Consents []struct {
			ID     string
			Grants []struct{ Audience string }
		}
	}
	if err := json.Unmarshal([]byte(f.custom.call(own.member("access_token"), http.MethodGet, "/me/v1/consents", "").body),
		&list); err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Consents {
		if c.ID == "third" && (len(c.Grants) != 1 || c.Grants[0].Audience != issuer+"/me/") {
			t.Errorf("consent is for %v, want the one API by its identifier", c.Grants)
		}
	}
	if a := f.custom.call(own.member("access_token"), http.MethodDelete, "/me/v1/consents/third", ""); a.status != http.StatusNoContent {
		t.Fatalf("take it back: %d %s", a.status, a.body)
	}
	for w, b := range browsers {
		if a := ask(w, b, "prompt", "none"); !strings.Contains(a.location, "error=consent_required") {
			t.Errorf("request at %s after that: %s, want consent_required", w.url, a.location)
		}
	}
}

// Two addresses allow no more than one.
func TestDomainLimits(t *testing.T) {
	f := startDomains(t, customURL, tenant.Limits{ManagementRate: 1, ManagementBurst: 4, TokenRate: 1, TokenBurst: 1000})
	frozen := f.net
	// send does not advance the clock.
	send := func(w *world, method, path, kind, body string, header ...string) int {
		t.Helper()
		at := frozen.clock()
		status := w.do(w.plain(), method, w.url+path, kind, body, header...).status
		frozen.set(at)
		return status
	}
	native := store.Client{ID: "native", Public: true, FirstParty: true, GrantTypes: []string{"password"}, Created: noon()}
	if err := f.store.CreateClient(t.Context(), native); err != nil {
		t.Fatal(err)
	}
	machine := map[*world]string{
		f.world:  f.machineToken("/api/v2/").member("access_token"),
		f.custom: f.custom.machineToken("/api/v2/").member("access_token"),
	}
	me := map[*world]string{}
	for w := range machine {
		me[w] = w.exchange(w.authorize(w.browser(), "audience", w.url+"/me/").Get("code")).member("access_token")
	}
	// alternate sends from both addresses in turn until one is refused, and returns how many were not.
	alternate := func(most int, one func(w *world) int) int {
		t.Helper()
		for n := range most {
			w := []*world{f.world, f.custom}[n%2]
			if status := one(w); status == http.StatusTooManyRequests {
				return n
			}
		}
		return most
	}
	for _, tt := range []struct {
		name string
		want int
		one  func(w *world) int
	}{
		{"management", 4, func(w *world) int {
			return send(w, http.MethodGet, "/api/v2/forms", "", "", "Authorization", "Bearer "+machine[w])
		}},
		{"account", 30, func(w *world) int {
			return send(w, http.MethodGet, "/me/v1/factors", "", "", "Authorization", "Bearer "+me[w])
		}},
		{"challenges", 10, func(w *world) int {
			return send(w, http.MethodPost, "/passkey/challenge", jsonType, `{"client_id":"none"}`)
		}},
		{"wrong passwords", 5, func(w *world) int {
			form := url.Values{"grant_type": {"password"}, "client_id": {"native"}, "username": {"ana@example.com"}, "password": {"wrong"}}
			return send(w, http.MethodPost, "/oauth/token", formType, form.Encode())
		}},
	} {
		if got := alternate(tt.want+4, tt.one); got != tt.want {
			t.Errorf("%s: %d were let through, want %d of both addresses together", tt.name, got, tt.want)
		}
	}
	f = startDomains(t, customURL, tenant.Limits{TokenRate: 1, TokenBurst: 4})
	frozen = f.net
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {f.first.Management.ID},
		"client_secret": {f.first.Management.Secret}, "audience": {"/api/v2/"},
	}
	got := alternate(8, func(w *world) int { return send(w, http.MethodPost, "/oauth/token", formType, form.Encode()) })
	if got != 4 {
		t.Errorf("tokens: %d were let through, want 4 of both addresses together", got)
	}
}
