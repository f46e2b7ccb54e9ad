package tenant_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
)

// An app that is enrolled at the account API is asked for at the next sign-in, and once it is deleted
// there the password is enough again.
func TestSecondFactor(t *testing.T) {
	w := start(t)
	conf := oauth2.Config{
		ClientID: w.editor.ID, ClientSecret: w.editor.Secret, RedirectURL: editorURL + "/bff/callback",
		Endpoint: oauth2.Endpoint{AuthURL: w.url + "/authorize", TokenURL: w.url + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
		Scopes:   append([]string{"openid"}, access.SelfServiceScopes()...),
	}
	verifier := oauth2.GenerateVerifier()
	begin := conf.AuthCodeURL("st", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("audience", w.url+"/me/"))
	exchange := func(code string) *oauth2.Token {
		t.Helper()
		tok, err := conf.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatal(err)
		}
		return tok
	}
	// me calls the account API and returns the members of the answer.
	me := func(access, method, path, body string, status int) map[string]string {
		t.Helper()
		kind := ""
		if body != "" {
			kind = "application/json"
		}
		a := w.do(http.DefaultClient, method, w.url+"/me/v1/authentication-methods"+path, kind, body, "Authorization", "Bearer "+access)
		if a.status != status {
			t.Fatalf("%s %s: %d %s, want %d", method, path, a.status, a.body, status)
		}
		var all map[string]any
		_ = json.Unmarshal([]byte(a.body), &all)
		out := map[string]string{"": a.body}
		for k, v := range all {
			out[k], _ = v.(string)
		}
		return out
	}
	access := exchange(w.signIn(w.browser(), begin).Get("code")).AccessToken
	o := me(access, http.MethodPost, "", `{"type":"totp"}`, http.StatusAccepted)
	secret := o["manual_input_code"]
	proof := `{"auth_session":"` + o["auth_session"] + `","otp_code":"` + factortest.Code(t, secret, time.Now()) + `"}`
	method := me(access, http.MethodPost, "/totp%7Cnew/verify", proof, http.StatusCreated)["id"]
	if list := me(access, http.MethodGet, "", "", http.StatusOK)[""]; !strings.Contains(list, `"`+method+`"`) {
		t.Errorf("methods = %s, want %s", list, method)
	}

	browser := w.browser()
	page := w.do(browser, http.MethodGet, begin, "", "")
	send := func(form url.Values) {
		t.Helper()
		form.Set("token", token.FindStringSubmatch(page.body)[1])
		page = w.do(browser, http.MethodPost, w.url+html.UnescapeString(action.FindStringSubmatch(page.body)[1]),
			"application/x-www-form-urlencoded", form.Encode(), "Origin", w.url)
	}
	send(url.Values{"email": {w.first.Admin.Email}, "password": {w.first.Admin.Password}})
	session := regexp.MustCompile(`name="session" value="([^"]*)"`).FindStringSubmatch(page.body)
	if page.status != http.StatusOK || session == nil {
		t.Fatalf("after the password: %d to %q, want the page for a code", page.status, page.location)
	}
	// The step of the enrolment is used up.
	send(url.Values{"session": session[1:], "code": {factortest.Code(t, secret, time.Now().Add(30*time.Second))}})
	back, err := url.Parse(page.location)
	if err != nil || back.Query().Get("code") == "" {
		t.Fatalf("after the code: %d to %q", page.status, page.location)
	}
	access = exchange(back.Query().Get("code")).AccessToken
	me(access, http.MethodDelete, "/"+url.PathEscape(method), "", http.StatusNoContent)
	if code := w.signIn(w.browser(), begin).Get("code"); code == "" {
		t.Error("no code by the password alone after the app was deleted")
	}
}
