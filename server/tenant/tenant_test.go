package tenant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
)

// world is a running tenant with a log that is kept.
type world struct {
	t       testing.TB
	url     string
	handler http.Handler
	store   *sqlite.DB
	keys    *keys.Set
	first   tenant.First
	editor  tenant.Credentials
	log     *safeBuffer
	// transport carries requests; nil is the network.
	transport http.RoundTripper
}

// safeBuffer is a buffer that several goroutines may write.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

const editorURL = "http://editor.test"

// start runs a tenant on a loopback port, by the real clock: foreign clients check tokens by theirs.
func start(tb testing.TB) *world { tb.Helper(); return startAt(tb, tenant.Limits{}) }

func startAt(tb testing.TB, limits tenant.Limits) *world {
	tb.Helper()
	w := &world{t: tb, store: sqlitetest.Open(tb), log: &safeBuffer{}}
	srv := httptest.NewUnstartedServer(nil)
	w.url = "http://" + srv.Listener.Addr().String()
	set := newKeys(tb)
	w.keys = set
	if _, err := tenant.Seed(tb.Context(), tenant.SeedConfig{
		Store: w.store, Issuer: w.url,
		Publish: func(f tenant.First) error { w.first = f; return nil },
	}); err != nil {
		tb.Fatal(err)
	}
	var err error
	if w.editor, err = tenant.Sync(tb.Context(),
		tenant.SyncConfig{Store: w.store, Keys: set, Issuer: w.url, EditorURL: editorURL}); err != nil {
		tb.Fatal(err)
	}
	h, err := tenant.New(tenant.Config{
		Issuer: w.url, Store: w.store, Keys: set, Limits: limits,
		Log: slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		tb.Fatal(err)
	}
	w.handler, srv.Config.Handler = h, h
	srv.Start()
	tb.Cleanup(srv.Close)
	return w
}

// browser keeps cookies and does not leave the tenant.
func (w *world) browser() *http.Client {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: w.transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), w.url) {
			return nil
		}
		return http.ErrUseLastResponse
	}}
}

func (w *world) do(c *http.Client, method, address, contentType, body string, header ...string) answer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := c.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		w.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header.Get("Location"), string(b)}
}

// answer is what came back.
type answer struct {
	status   int
	location string
	body     string
}

var (
	action = regexp.MustCompile(`action="([^"]*)"`)
	token  = regexp.MustCompile(`name="token" value="([^"]*)"`)
)

// signIn opens an authorization address, fills the page when there is one, and returns the query
// that the browser brings back to the application.
func (w *world) signIn(c *http.Client, address string) url.Values {
	w.t.Helper()
	a := w.do(c, http.MethodGet, address, "", "")
	if a.status == http.StatusOK {
		to := action.FindStringSubmatch(a.body)
		csrf := token.FindStringSubmatch(a.body)
		if to == nil || csrf == nil {
			w.t.Fatalf("no form on the sign-in page:\n%s", a.body)
		}
		form := url.Values{"token": {csrf[1]}, "email": {w.first.Admin.Email}, "password": {w.first.Admin.Password}}
		a = w.do(c, http.MethodPost, w.url+html.UnescapeString(to[1]), "application/x-www-form-urlencoded", form.Encode(), "Origin", w.url)
	}
	if a.status != http.StatusSeeOther {
		w.t.Fatalf("sign-in answers %d, want 303:\n%s", a.status, a.body)
	}
	u, err := url.Parse(a.location)
	if err != nil {
		w.t.Fatal(err)
	}
	return u.Query()
}

const scopes = "openid profile email offline_access read:forms create:forms update:forms delete:forms read:flows"

// The clients of other people work: go-oidc discovers and verifies, x/oauth2 exchanges and refreshes.
func TestForeignClients(t *testing.T) {
	w := start(t)
	ctx := t.Context()
	provider, err := oidc.NewProvider(ctx, w.url)
	if err != nil {
		t.Fatal(err)
	}
	end := provider.Endpoint()
	end.AuthStyle = oauth2.AuthStyleInHeader
	conf := oauth2.Config{
		ClientID: w.editor.ID, ClientSecret: w.editor.Secret, Endpoint: end,
		RedirectURL: editorURL + "/bff/callback", Scopes: strings.Fields(scopes),
	}
	browser := w.browser()
	verifier := oauth2.GenerateVerifier()
	begin := func(opts ...oauth2.AuthCodeOption) string {
		return conf.AuthCodeURL("st", append(opts, oauth2.S256ChallengeOption(verifier), oidc.Nonce("no"),
			oauth2.SetAuthURLParam("audience", "/api/v2/"))...)
	}
	back := w.signIn(browser, begin())
	if back.Get("state") != "st" || back.Get("iss") != w.url || back.Get("code") == "" {
		t.Fatalf("back with %v, want code, state and iss", back)
	}
	tok, err := conf.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := tok.Extra("id_token").(string)
	id, err := provider.Verifier(&oidc.Config{ClientID: w.editor.ID}).Verify(ctx, raw)
	if err != nil {
		t.Fatal(err)
	}
	var claims struct {
		Name, Email, SID string
		AuthTime         int64 `json:"auth_time"`
	}
	if err := id.Claims(&claims); err != nil {
		t.Fatal(err)
	}
	if id.Nonce != "no" || id.VerifyAccessToken(tok.AccessToken) != nil || claims.Email != w.first.Admin.Email ||
		claims.Name != "Administrator" || claims.SID == "" || claims.AuthTime == 0 {
		t.Errorf("ID token says %+v, nonce %q", claims, id.Nonce)
	}
	if got := tok.Extra("scope"); got != scopes {
		t.Errorf("scope = %v, want %s", got, scopes)
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tok))
	if err != nil || info.Subject != id.Subject || info.Email != w.first.Admin.Email {
		t.Errorf("user info = %+v, %v, want the administrator", info, err)
	}

	// A second sign-in is silent, also with prompt=none.
	if again := w.signIn(browser, begin(oauth2.SetAuthURLParam("prompt", "none"))); again.Get("code") == "" {
		t.Errorf("second sign-in gives %v, want a code without a page", again)
	}

	old := tok.RefreshToken
	tok.Expiry = time.Now().Add(-time.Hour)
	next, err := conf.TokenSource(ctx, tok).Token()
	if err != nil {
		t.Fatal(err)
	}
	if next.RefreshToken == old || next.RefreshToken == "" || next.AccessToken == tok.AccessToken {
		t.Error("refresh did not rotate the tokens")
	}
	w.useForms(next.AccessToken)

	machine := clientcredentials.Config{
		ClientID: w.first.Management.ID, ClientSecret: w.first.Management.Secret, TokenURL: w.url + "/oauth/token/",
		EndpointParams: url.Values{"audience": {w.url + "/api/v2/"}}, AuthStyle: oauth2.AuthStyleInParams,
	}
	mt, err := machine.Token(ctx)
	if err != nil {
		t.Fatal(err)
	}
	w.useForms(mt.AccessToken)

	// Sign-out ends the silent sign-in.
	out := w.do(browser, http.MethodGet, w.url+"/oidc/logout?client_id="+w.editor.ID+"&post_logout_redirect_uri="+
		url.QueryEscape(editorURL+"/forms")+"&state=bye", "", "")
	if got := out.location; got != editorURL+"/forms?state=bye" {
		t.Errorf("after sign-out the browser goes to %q", got)
	}
	if none := w.signIn(browser, begin(oauth2.SetAuthURLParam("prompt", "none"))); none.Get("error") != "login_required" {
		t.Errorf("after sign-out prompt=none gives %v, want login_required", none)
	}

	// Nothing secret is in the log of all this.
	text := w.log.String()
	if !strings.Contains(text, "signed in") || !strings.Contains(text, "token issued") {
		t.Errorf("the log does not tell what happened:\n%s", text)
	}
	for name, secret := range map[string]string{
		"code": back.Get("code"), "verifier": verifier, "access token": tok.AccessToken, "refresh token": old,
		"next refresh token": next.RefreshToken, "machine's token": mt.AccessToken, "ID token": raw,
		"password": w.first.Admin.Password, "editor's secret": w.editor.Secret, "machine's secret": w.first.Management.Secret,
	} {
		if len(secret) < 16 || strings.Contains(text, secret) {
			t.Errorf("the log holds the %s, or the test has none", name)
		}
	}
}

// useForms creates, lists, changes and deletes a form.
func (w *world) useForms(access string) {
	w.t.Helper()
	auth := []string{"Authorization", "Bearer " + access}
	a := w.do(http.DefaultClient, http.MethodPost, w.url+"/api/v2/forms", "application/json", `{"name":"New"}`, auth...)
	if a.status != http.StatusCreated {
		w.t.Fatalf("POST = %d %s, want 201", a.status, a.body)
	}
	var form struct{ ID, Name string }
	if err := json.Unmarshal([]byte(a.body), &form); err != nil {
		w.t.Fatal(err)
	}
	at := w.url + "/api/v2/forms/" + form.ID
	a = w.do(http.DefaultClient, http.MethodPatch, at, "application/json", `{"style":{"css":"a{}"}}`, auth...)
	if a.status != http.StatusOK || !strings.Contains(a.body, `"css":"a{}"`) {
		w.t.Errorf("PATCH = %d %s, want 200 with the style", a.status, a.body)
	}
	a = w.do(http.DefaultClient, http.MethodGet, w.url+"/api/v2/forms", "", "", auth...)
	if a.status != http.StatusOK || !strings.Contains(a.body, form.ID) {
		w.t.Errorf("GET = %d %s, want 200 with the form", a.status, a.body)
	}
	if a = w.do(http.DefaultClient, http.MethodDelete, at, "", "", auth...); a.status != http.StatusNoContent {
		w.t.Errorf("DELETE = %d %s, want 204", a.status, a.body)
	}
}

func TestHealth(t *testing.T) {
	w := start(t)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/nothing": 404, "/api/v2": 401, "/api/v2/../authorize": 401} {
		if a := w.do(http.DefaultClient, http.MethodGet, w.url+path, "", ""); a.status != want {
			t.Errorf("GET %s = %d, want %d", path, a.status, want)
		}
	}
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
		if a := w.do(http.DefaultClient, http.MethodGet, w.url+path, "", ""); a.status != want {
			t.Errorf("GET %s without a store = %d, want %d", path, a.status, want)
		}
	}
	if _, err := oidc.NewProvider(context.WithoutCancel(t.Context()), w.url); err != nil {
		t.Errorf("discovery without a store = %v, want it to work", err)
	}
}

// machine returns an access token of the management client.
func (w *world) machine() string {
	w.t.Helper()
	c := clientcredentials.Config{
		ClientID: w.first.Management.ID, ClientSecret: w.first.Management.Secret, TokenURL: w.url + "/oauth/token",
		EndpointParams: url.Values{"audience": {w.url + "/api/v2/"}}, AuthStyle: oauth2.AuthStyleInParams,
	}
	tok, err := c.Token(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return tok.AccessToken
}
