package tenant_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// Whatever signs a person out tells the applications: one session, all of them, a new password, a block
// and the end of the account. OpenID Connect Back-Channel Logout 1.0, section 2.5.
func TestClientsAreToldOfSignOut(t *testing.T) {
	w := start(t)
	heard := make(chan string, 8)
	app := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, body, _ := strings.Cut(r.PostFormValue("logout_token"), ".")
		body, _, _ = strings.Cut(body, ".")
		b, _ := base64.RawURLEncoding.DecodeString(body)
		var claims struct{ Sub, Sid string }
		_ = json.Unmarshal(b, &claims)
		heard <- claims.Sub + "/" + claims.Sid
	}))
	t.Cleanup(app.Close)
	storetest.ChangeClient(t, w.store, w.editor.ID, func(c *store.Client) { c.BackchannelURI = app.URL })
	conf := oauth2.Config{
		ClientID: w.editor.ID, ClientSecret: w.editor.Secret, RedirectURL: editorURL + "/bff/callback",
		Endpoint: oauth2.Endpoint{AuthURL: w.url + "/authorize", TokenURL: w.url + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
		Scopes:   append([]string{"openid", "offline_access"}, access.SelfServiceScopes()...),
	}
	// begin signs the administrator in and returns an access token of the account API.
	begin := func() string {
		t.Helper()
		verifier := oauth2.GenerateVerifier()
		back := w.signIn(w.browser(), conf.AuthCodeURL("st", oauth2.S256ChallengeOption(verifier),
			oauth2.SetAuthURLParam("audience", w.url+"/me/")))
		tok, err := conf.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatal(err)
		}
		return tok.AccessToken
	}
	me := func(access, method, path string) answer {
		t.Helper()
		return w.do(http.DefaultClient, method, w.url+"/me/v1"+path, "", "", "Authorization", "Bearer "+access)
	}
	machine := w.machine()
	manage := func(method, path, body string) answer {
		t.Helper()
		return w.do(http.DefaultClient, method, w.url+"/api/v2"+path, "application/json", body, "Authorization", "Bearer "+machine)
	}
	admin, err := w.store.UserByEmail(t.Context(), w.first.Admin.Email)
	if err != nil {
		t.Fatal(err)
	}
	other := store.User{ID: "other", Email: "other@example.com", PasswordHash: "x", Created: noon()}
	must(t, w.store.CreateUser(t.Context(), other), w.store.AddRoles(t.Context(), []string{other.ID}, []string{tenant.AdministratorRole}))
	want := func(what, said string) {
		t.Helper()
		select {
		case got := <-heard:
			if got != said {
				t.Errorf("%s: notified %q, want %q", what, got, said)
			}
		case <-time.After(waittest.Limit(time.Minute)):
			t.Errorf("%s: no client was notified", what)
		}
	}

	access := begin()
	var list struct{ Sessions []struct{ ID string } }
	if err := json.Unmarshal([]byte(me(access, http.MethodGet, "/sessions").body), &list); err != nil || len(list.Sessions) != 1 {
		t.Fatalf("sessions = %v, %v, want one", list, err)
	}
	if a := me(access, http.MethodDelete, "/sessions/"+list.Sessions[0].ID); a.status != http.StatusNoContent {
		t.Fatalf("delete a session: %d %s", a.status, a.body)
	}
	want("one session", admin.ID+"/"+list.Sessions[0].ID)
	if a := me(begin(), http.MethodDelete, "/sessions"); a.status != http.StatusNoContent {
		t.Fatalf("sign out everywhere: %d %s", a.status, a.body)
	}
	want("everywhere", admin.ID+"/")
	if a := manage(http.MethodPatch, "/users/"+url.PathEscape(admin.ID), `{"password":"another long password"}`); a.status != http.StatusOK {
		t.Fatalf("new password: %d %s", a.status, a.body)
	}
	want("a new password", admin.ID+"/")
	var link struct{ Ticket string }
	if err := json.Unmarshal([]byte(manage(http.MethodPost, "/users/"+url.PathEscape(admin.ID)+"/tickets", `{}`).body), &link); err != nil {
		t.Fatal(err)
	}
	_, ticket, _ := strings.Cut(link.Ticket, "ticket=")
	form := url.Values{"token": {ticket}, "password": {"yet another password"}, "again": {"yet another password"}}
	if a := w.do(http.DefaultClient, http.MethodPost, w.url+"/new-password", "application/x-www-form-urlencoded",
		form.Encode()); a.status != http.StatusOK {
		t.Fatalf("one-time link: %d %s", a.status, a.body)
	}
	want("a one-time link", admin.ID+"/")
	if a := manage(http.MethodPatch, "/users/"+url.PathEscape(admin.ID), `{"blocked":true}`); a.status != http.StatusOK {
		t.Fatalf("block: %d %s", a.status, a.body)
	}
	want("a block", admin.ID+"/")
	if a := manage(http.MethodDelete, "/users/"+url.PathEscape(admin.ID), ""); a.status != http.StatusNoContent {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	want("the end of the account", admin.ID+"/")
}
