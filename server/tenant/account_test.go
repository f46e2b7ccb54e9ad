package tenant_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// One sign-in serves the account API too: by a code for its audience, and by a refresh that turns to it.
func TestAccountAPI(t *testing.T) {
	w := start(t)
	conf := oauth2.Config{
		ClientID: w.editor.ID, ClientSecret: w.editor.Secret, RedirectURL: editorURL + "/bff/callback",
		Endpoint: oauth2.Endpoint{AuthURL: w.url + "/authorize", TokenURL: w.url + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
		Scopes:   append([]string{"openid", "offline_access"}, access.SelfServiceScopes()...),
	}
	get := func(access, path string) answer {
		t.Helper()
		return w.do(http.DefaultClient, http.MethodGet, w.url+path, "", "", "Authorization", "Bearer "+access)
	}
	verifier := oauth2.GenerateVerifier()
	begin := func(audience string) string {
		return conf.AuthCodeURL("st", oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("audience", audience))
	}
	browser := w.browser()
	me, err := conf.Exchange(t.Context(), w.signIn(browser, begin(w.url+"/me/")).Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(me.Extra("scope").(string)); len(got) != len(access.SelfServiceScopes())+2 {
		t.Errorf("scope = %v, want all of the API", got)
	}
	if a := get(me.AccessToken, "/me/v1/authentication-methods"); a.status != http.StatusOK || !strings.Contains(a.body, `"password|own"`) {
		t.Errorf("methods: %d %s", a.status, a.body)
	}
	if a := w.do(http.DefaultClient, http.MethodPost, w.url+"/me/v1/authentication-methods", "application/json", `{"type":"password"}`,
		"Authorization", "Bearer "+me.AccessToken); a.status != http.StatusAccepted {
		t.Errorf("enrol after a sign-in just now: %d %s", a.status, a.body)
	}
	// Signing in asks for a second factor, so one can be enrolled.
	if a := get(me.AccessToken, "/me/v1/factors"); a.status != http.StatusOK ||
		!strings.Contains(a.body, `{"type":"totp","usage":["secondary"]}`) {
		t.Errorf("factors: %d %s, want second ones", a.status, a.body)
	}
	if a := get(me.AccessToken, "/me/v1/sessions"); a.status != http.StatusOK || strings.Count(a.body, `"current":true`) != 1 {
		t.Errorf("sessions: %d %s, want the own one marked", a.status, a.body)
	}
	if a := get(me.AccessToken, "/api/v2/forms"); a.status != http.StatusUnauthorized {
		t.Errorf("management API with a token of the account API: %d, want 401", a.status)
	}

	forms, err := conf.Exchange(t.Context(), w.signIn(browser, begin("/api/v2/")).Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if a := get(forms.AccessToken, "/me/v1/factors"); a.status != http.StatusUnauthorized {
		t.Errorf("account API with a token of the management API: %d, want 401", a.status)
	}
	form := url.Values{
		"grant_type": {"refresh_token"}, "client_id": {w.editor.ID}, "client_secret": {w.editor.Secret}, "refresh_token": {forms.RefreshToken},
		"audience": {w.url + "/me/"}, "scope": {"read:me:factors"},
	}
	a := w.do(http.DefaultClient, http.MethodPost, w.url+"/oauth/token", "application/x-www-form-urlencoded", form.Encode())
	_, access, _ := strings.Cut(a.body, `"access_token":"`)
	access, _, _ = strings.Cut(access, `"`)
	if got := get(access, "/me/v1/factors"); got.status != http.StatusOK {
		t.Errorf("account API after a refresh for it: %d %s", got.status, got.body)
	}

	// Signed out everywhere, no refresh token works and the browser is asked again.
	if a := w.do(http.DefaultClient, http.MethodDelete, w.url+"/me/v1/sessions", "", "", "Authorization",
		"Bearer "+me.AccessToken); a.status != http.StatusNoContent {
		t.Errorf("sign out everywhere: %d %s", a.status, a.body)
	}
	form.Set("refresh_token", me.RefreshToken)
	if a := w.do(http.DefaultClient, http.MethodPost, w.url+"/oauth/token", "application/x-www-form-urlencoded",
		form.Encode()); a.status != http.StatusBadRequest {
		t.Errorf("refresh after it: %d %s, want 400", a.status, a.body)
	}
	if back := w.signIn(browser, begin(w.url+"/me/")+"&prompt=none"); back.Get("error") != "login_required" {
		t.Errorf("the browser after it: %v, want login_required", back)
	}
}

// Client credentials do not open anybody's account.
func TestAccountAPIRefusesClients(t *testing.T) {
	w := start(t)
	if err := storetest.SetGrant(t.Context(), w.store, w.first.Management.ID, access.SelfServiceAPI, store.SubjectClient,
		access.SelfServiceScopes()); err != nil {
		t.Fatal(err)
	}
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {w.first.Management.ID}, "client_secret": {w.first.Management.Secret},
		"audience": {w.url + "/me/"},
	}
	a := w.do(http.DefaultClient, http.MethodPost, w.url+"/oauth/token", "application/x-www-form-urlencoded", form.Encode())
	if a.status != http.StatusForbidden || !strings.Contains(a.body, `"access_denied"`) {
		t.Errorf("client credentials for the account API: %d %s, want 403 access_denied", a.status, a.body)
	}
}
