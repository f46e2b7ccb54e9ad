package tenant_test

import (
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// ways are the two directions between the domains: from here to there.
func (f *twoDomains) ways() iter.Seq2[*world, *world] {
	return func(yield func(here, there *world) bool) {
		_ = yield(f.world, f.custom) && yield(f.custom, f.world)
	}
}

// Anything that begins at one address continues only there.
func TestDomainGrants(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			browser := here.browser()
			code := here.authorize(browser, "audience", here.url+"/me/").Get("code")
			there.exchange(code).want(t, "code at the other address", http.StatusBadRequest, "invalid_grant")
			got := here.exchange(here.authorize(browser, "audience", here.url+"/me/").Get("code"))
			refresh := got.member("refresh_token")
			if refresh == "" {
				t.Fatalf("tokens: %d %s", got.status, got.body)
			}
			there.refresh(refresh, "").want(t, "refresh token at the other address", http.StatusBadRequest, "invalid_grant")
			form := url.Values{"client_id": {here.editor.ID}, "client_secret": {here.editor.Secret}, "token": {refresh}}
			if a := there.post("/oauth/revoke", form); a.status != http.StatusOK {
				t.Errorf("revocation at the other address: %d %s, want 200 for nothing", a.status, a.body)
			}
			here.refresh(refresh, there.url+"/me/").want(t, "audience of the other address", http.StatusBadRequest, "invalid_target")
			here.refresh(refresh, there.url+"/userinfo").want(t, "user info of the other address", http.StatusBadRequest, "invalid_target")
			// None of this has used the token up, and it can be used for the other API of its address.
			next := here.refresh(refresh, here.url+"/api/v2/")
			if c := claimsOf(t, next.member("access_token")); c.Issuer != here.url || c.Audience != here.url+"/api/v2/" {
				t.Errorf("token after a refresh is of %s for %v", c.Issuer, c.Audience)
			}
			next = here.refresh(next.member("refresh_token"), "")
			if c := claimsOf(t, next.member("access_token")); c.Issuer != here.url || c.Audience != here.url+"/me/" {
				t.Errorf("token after another is of %s for %v", c.Issuer, c.Audience)
			}
			if a := here.post("/oauth/revoke", url.Values{
				"client_id": form["client_id"], "client_secret": form["client_secret"],
				"token": {next.member("refresh_token")},
			}); a.status != http.StatusOK {
				t.Errorf("revocation: %d %s", a.status, a.body)
			}
			here.refresh(next.member("refresh_token"), "").want(t, "a revoked token", http.StatusBadRequest, "invalid_grant")
		})
	}
}

func TestDomainPushedRequests(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			push := func(pairs ...string) answer {
				v := here.request(pairs...)
				v.Set("client_secret", here.editor.Secret)
				return here.post("/oauth/par", v)
			}
			open := func(at *world, name string) answer {
				v := url.Values{"client_id": {at.editor.ID}, "request_uri": {name}}
				return at.do(at.browser(), http.MethodGet, at.url+"/authorize?"+v.Encode(), "", "")
			}
			name := push("audience", here.url+"/me/").member("request_uri")
			if a := open(there, name); a.status != http.StatusBadRequest || !strings.Contains(a.body, "unknown, expired, or used") {
				t.Errorf("request at the other address: %d, want a page that says no", a.status)
			}
			if a := open(here, push("audience", here.url+"/me/").member("request_uri")); a.status != http.StatusOK ||
				!strings.Contains(a.body, "password") {
				t.Errorf("request at its address: %d, want the sign-in page", a.status)
			}
			// A page that resulted from it does not continue at the other address either.
			v := url.Values{"client_id": {here.editor.ID}, "request_uri": {push().member("request_uri")}}
			browser := here.browser()
			to, csrf := here.form(here.do(browser, http.MethodGet, here.url+"/authorize?"+v.Encode(), "", ""))
			form := url.Values{"token": {csrf}, "email": {here.first.Admin.Email}, "password": {here.first.Admin.Password}}
			if a := there.do(there.browser(), http.MethodPost, there.url+to, formType, form.Encode()); a.status != http.StatusBadRequest ||
				!strings.Contains(a.body, "unknown, expired, or used") {
				t.Errorf("its page at the other address: %d, want a page that says no", a.status)
			}
		})
	}
}

// A browser that presents the cookies of one address at the other is not signed in there, and a page of one is not accepted at the other.
func TestDomainSignIns(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			browser := here.browser()
			page := here.do(browser, http.MethodGet, here.url+"/authorize?"+here.request().Encode(), "", "")
			to, csrf := here.form(page)
			if back := here.authorize(browser, "prompt", "login"); back.Get("code") == "" {
				t.Fatalf("sign-in: %v", back)
			}
			at, err := url.Parse(here.url)
			if err != nil {
				t.Fatal(err)
			}
			cookies := browser.Jar.Cookies(at)
			if len(cookies) != 3 {
				t.Fatalf("cookies %v, want sign-in, visit and the known browser", cookies)
			}
			var carried []string
			for _, c := range cookies {
				carried = append(carried, c.Name+"="+c.Value)
			}
			silent := func(w *world) string {
				a := w.do(&http.Client{Transport: w.transport, CheckRedirect: w.browser().CheckRedirect}, http.MethodGet,
					w.url+"/authorize?"+w.request("prompt", "none").Encode(), "", "", "Cookie", strings.Join(carried, "; "))
				u, err := url.Parse(a.location)
				if err != nil {
					t.Fatal(err)
				}
				return u.Query().Get("error")
			}
			if e := silent(here); e != "" {
				t.Errorf("cookies at their address: %s, want a code", e)
			}
			if e := silent(there); e != "login_required" {
				t.Errorf("cookies at the other address: %q, want login_required", e)
			}
			form := url.Values{"token": {csrf}, "email": {here.first.Admin.Email}, "password": {here.first.Admin.Password}}.Encode()
			if a := there.do(there.plain(), http.MethodPost, there.url+to, formType, form, "Cookie",
				strings.Join(carried, "; ")); a.status != http.StatusForbidden {
				t.Errorf("a page at the other address: %d, want 403", a.status)
			}
		})
	}
}

// One-time links lead to the address where they were created.
func TestDomainTickets(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			machine := here.machineToken("/api/v2/").member("access_token")
			user := "user_" + tokens.NewSecret()[:10]
			if err := here.store.CreateUser(t.Context(), store.User{ID: user, Email: user + "@example.com", Created: noon()}); err != nil {
				t.Fatal(err)
			}
			link := here.call(machine, http.MethodPost, "/api/v2/users/"+user+"/tickets", `{}`).member("ticket")
			path, ok := strings.CutPrefix(link, here.url+"/new-password")
			if !ok {
				t.Fatalf("link %s, want one at %s", link, here.url)
			}
			q, err := url.ParseQuery(strings.TrimPrefix(path, "?"))
			if err != nil {
				t.Fatal(err)
			}
			form := url.Values{"token": {q.Get("ticket")}, "password": {"a long password"}, "again": {"a long password"}}
			for _, tt := range []struct {
				at   *world
				want int
			}{{there, http.StatusNotFound}, {here, http.StatusOK}} {
				if a := tt.at.do(tt.at.plain(), http.MethodGet, tt.at.url+"/new-password"+path, "", ""); a.status != tt.want {
					t.Errorf("link at %s: %d, want %d", tt.at.url, a.status, tt.want)
				}
				if a := tt.at.post("/new-password", form); a.status != tt.want {
					t.Errorf("new password at %s: %d %s, want %d", tt.at.url, a.status, a.body, tt.want)
				}
			}
		})
	}
}

// options are the options that an authenticator receives.
type options struct {
	Session string `json:"auth_session"`
	Public  struct {
		Challenge string
		RPID      string
		RP        struct{ ID string }
	} `json:"authn_params_public_key"`
}

// Passkeys belong to the host of the address: challenges, enrolment, and what counts as a second factor.
func TestDomainPasskeys(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			at, err := url.Parse(here.url)
			if err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			native := store.Client{ID: "native", Public: true, FirstParty: true, GrantTypes: []string{authz.DefaultPasskeyGrant}, Created: noon()}
			admin, err := here.store.UserByEmail(ctx, here.first.Admin.Email)
			if err != nil {
				t.Fatal(err)
			}
			storetest.PutClient(t, here.store, native)
			read := func(a answer) (o options) {
				t.Helper()
				if err := json.Unmarshal([]byte(a.body), &o); err != nil || o.Session == "" {
					t.Fatalf("no challenge: %d %s", a.status, a.body)
				}
				return o
			}
			body := func(v any) string {
				b, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				return string(b)
			}
			access := func(w *world) string {
				t.Helper()
				return w.exchange(w.authorize(w.browser(), "audience", w.url+"/me/").Get("code")).member("access_token")
			}
			// Enrolment, first with its second half at the other address.
			mine, theirs := access(here), access(there)
			const methods = "/me/v1/authentication-methods"
			o := read(here.call(mine, http.MethodPost, methods, `{"type":"passkey"}`))
			if o.Public.RP.ID != at.Hostname() {
				t.Errorf("RP ID of a new passkey at %s is %s", here.url, o.Public.RP.ID)
			}
			auth := factortest.New(t, at.Hostname(), here.url, admin.ID)
			proof := body(map[string]any{"auth_session": o.Session, "authn_response": auth.Register(o.Public.Challenge)})
			if a := there.call(theirs, http.MethodPost, methods+"/passkey%7Cnew/verify", proof); a.status != http.StatusForbidden {
				t.Errorf("enrolment at the other address: %d %s, want 403", a.status, a.body)
			}
			if a := here.call(mine, http.MethodPost, methods+"/passkey%7Cnew/verify", proof); a.status != http.StatusCreated {
				t.Fatalf("enrolment: %d %s", a.status, a.body)
			}
			// Sign-in: the first half here, the second there, then here.
			challenge := func(w *world) options {
				t.Helper()
				return read(w.do(w.plain(), http.MethodPost, w.url+"/passkey/challenge", jsonType, `{"client_id":"native"}`))
			}
			c := challenge(here)
			if c.Public.RPID != at.Hostname() {
				t.Errorf("RP ID at %s is %s", here.url, c.Public.RPID)
			}
			present := func(w *world, session string, response any) answer {
				t.Helper()
				return w.do(w.plain(), http.MethodPost, w.url+"/oauth/token", jsonType, body(map[string]any{
					"grant_type": authz.DefaultPasskeyGrant, "client_id": "native", "auth_session": session, "authn_response": response, "scope": "openid",
				}))
			}
			answered := auth.Assert(c.Public.Challenge)
			present(there, c.Session, answered).want(t, "answer at the other address", http.StatusForbidden, "invalid_grant")
			got := present(here, c.Session, answered)
			if got.status != http.StatusOK || claimsOf(t, got.member("id_token")).Issuer != here.url {
				t.Errorf("answer here: %d %s", got.status, got.body)
			}
			// A passkey of this host answers no challenge of the other.
			c = challenge(there)
			present(there, c.Session, auth.Assert(c.Public.Challenge)).want(t, "passkey at the other address", http.StatusForbidden, "invalid_grant")
			// A request for two factors shows the page where the passkey works, and is refused where it does not.
			const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor"
			second := func(w *world) (int, string) {
				t.Helper()
				browser := w.browser()
				w.authorize(browser)
				a := w.do(browser, http.MethodGet, w.url+"/authorize?"+w.request("acr_values", acr).Encode(), "", "")
				u, err := url.Parse(a.location)
				if err != nil {
					t.Fatal(err)
				}
				return a.status, u.Query().Get("error")
			}
			if status, e := second(here); status != http.StatusOK {
				t.Errorf("two factors here: %d %s, want the page", status, e)
			}
			if status, e := second(there); status != http.StatusSeeOther || e != "unmet_authentication_requirements" {
				t.Errorf("two factors at the other address: %d %q, want unmet_authentication_requirements", status, e)
			}
			ms, err := f.store.Methods(ctx, admin.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range ms { // the other way round begins without
				if err := f.store.DeleteMethod(ctx, admin.ID, m.ID, nil); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A proof names the address that is called.
func TestDomainProofs(t *testing.T) {
	f := startDomains(t, customURL, wide())
	for here, there := range f.ways() {
		t.Run(here.url, func(t *testing.T) {
			p := tokenstest.New(t)
			code := here.authorize(here.browser(), "audience", here.url+"/me/").Get("code")
			// A proof is checked before the code, so a refused proof uses up no code.
			here.exchange(code, "DPoP", p.Proof(http.MethodPost, there.url+"/oauth/token", "", f.net.clock())).
				want(t, "proof for the other address", http.StatusBadRequest, "invalid_dpop_proof")
			got := here.exchange(code, "DPoP", p.Proof(http.MethodPost, here.url+"/oauth/token", "", f.net.clock()))
			if got.member("token_type") != "DPoP" {
				t.Fatalf("tokens: %d %s", got.status, got.body)
			}
			access := got.member("access_token")
			for _, tt := range []struct {
				called, named *world
				want          int
			}{{here, there, 401}, {there, there, 401}, {there, here, 401}, {here, here, 200}} {
				const path = "/me/v1/factors"
				a := tt.called.do(tt.called.plain(), http.MethodGet, tt.called.url+path, "", "",
					"Authorization", "DPoP "+access, "DPoP", p.Proof(http.MethodGet, tt.named.url+path, access, f.net.clock()))
				if a.status != tt.want {
					t.Errorf("called at %s with a proof for %s: %d %s, want %d", tt.called.url, tt.named.url, a.status, a.body, tt.want)
				}
			}
		})
	}
}
