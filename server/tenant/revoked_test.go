package tenant_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/tenant"
)

// second runs another tenant of the same address on the same database, as a second process would.
func (w *world) second() http.Handler {
	w.t.Helper()
	h, err := tenant.New(tenant.Config{Issuer: w.url, Store: w.store, Keys: w.keys, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// opens returns the status of a handler's answer to a request with an access token.
func opens(t *testing.T, h http.Handler, path, access string) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+access)
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Code
}

// Once an authorization is revoked, its access tokens open nothing of the tenant's, in any process: after
// the second use of a code or of a refresh token, and after the refresh token was revoked.
func TestRevokedAuthorizationEndsItsAccessTokens(t *testing.T) {
	w := start(t)
	conf := oauth2.Config{
		ClientID: w.editor.ID, ClientSecret: w.editor.Secret, RedirectURL: editorURL + "/bff/callback",
		Scopes:   []string{"openid", "offline_access", "read:forms", "read:me:factors"},
		Endpoint: oauth2.Endpoint{AuthURL: w.url + "/authorize", TokenURL: w.url + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
	}
	browser, second := w.browser(), w.second()
	post := func(path string, form url.Values) answer {
		t.Helper()
		form.Set("client_id", w.editor.ID)
		form.Set("client_secret", w.editor.Secret)
		return w.do(http.DefaultClient, http.MethodPost, w.url+path, "application/x-www-form-urlencoded", form.Encode())
	}
	for _, api := range []struct{ audience, path string }{{"/api/v2/", "/api/v2/forms"}, {w.url + "/me/", "/me/v1/factors"}} {
		for name, end := range map[string]func(code string, conf *oauth2.Config, verifier string, tok *oauth2.Token){
			"second use of the code": func(code string, conf *oauth2.Config, verifier string, _ *oauth2.Token) {
				if _, err := conf.Exchange(t.Context(), code, oauth2.VerifierOption(verifier)); err == nil {
					t.Error("a code is good for two exchanges")
				}
			},
			"second use of the refresh token": func(_ string, _ *oauth2.Config, _ string, tok *oauth2.Token) {
				for range 2 {
					post("/oauth/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {tok.RefreshToken}})
				}
			},
			"revocation": func(_ string, _ *oauth2.Config, _ string, tok *oauth2.Token) {
				post("/oauth/revoke", url.Values{"token": {tok.RefreshToken}})
			},
		} {
			t.Run(name+" for "+api.path, func(t *testing.T) {
				verifier := oauth2.GenerateVerifier()
				code := w.signIn(browser, conf.AuthCodeURL("st", oauth2.S256ChallengeOption(verifier),
					oauth2.SetAuthURLParam("audience", api.audience))).Get("code")
				tok, err := conf.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
				if err != nil {
					t.Fatal(err)
				}
				for _, path := range []string{api.path, "/userinfo"} {
					if got := opens(t, second, path, tok.AccessToken); got != http.StatusOK {
						t.Fatalf("%s before = %d, want 200", path, got)
					}
				}
				end(code, &conf, verifier, tok)
				for _, h := range []http.Handler{w.handler, second} {
					for _, path := range []string{api.path, "/userinfo"} {
						if got := opens(t, h, path, tok.AccessToken); got != http.StatusUnauthorized {
							t.Errorf("%s afterwards = %d, want 401", path, got)
						}
					}
				}
			})
		}
	}
	if log := w.log.String(); strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("the log has errors: %s", log)
	}
}
