package clienttests

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/auth0/go-auth0"
	"github.com/auth0/go-auth0/management"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

var (
	action = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)
	hidden = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"`)
)

// zitadel/oidc's relying party signs a person in by code and PKCE, checks the tokens, reads the person's name and refreshes.
func TestZitadelRelyingParty(t *testing.T) {
	s := start(t)
	ctx := t.Context()
	var party rp.RelyingParty
	var back *oidc.Tokens[*oidc.IDTokenClaims]
	var info *oidc.UserInfo
	mux := http.NewServeMux()
	app := httptest.NewServer(mux)
	t.Cleanup(app.Close)

	m, err := management.New(s.host(), management.WithInsecure(), management.WithClientCredentials(ctx, s.Client.ID, s.Client.Secret))
	if err != nil {
		t.Fatal(err)
	}
	made := &management.Client{
		Name: auth0.String("A web application"), AppType: auth0.String("regular_web"), IsFirstParty: auth0.Bool(true),
		GrantTypes: &[]string{"authorization_code", "refresh_token"}, Callbacks: &[]string{app.URL + "/callback"},
	}
	if err := m.Client.Create(ctx, made); err != nil {
		t.Fatal(err)
	}
	cookies := httphelper.NewCookieHandler([]byte("0123456789abcdef0123456789abcdef"), []byte("0123456789abcdef"), httphelper.WithUnsecure())
	party, err = rp.NewRelyingPartyOIDC(ctx, s.Tenant, made.GetClientID(), made.GetClientSecret(), app.URL+"/callback",
		[]string{"openid", "profile", "email", "offline_access"}, rp.WithCookieHandler(cookies), rp.WithPKCE(cookies))
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/login", rp.AuthURLHandler(func() string { return "some-state" }, party))
	mux.Handle("/callback", rp.CodeExchangeHandler(rp.UserinfoCallback(
		func(w http.ResponseWriter, _ *http.Request, tokens *oidc.Tokens[*oidc.IDTokenClaims], _ string, _ rp.RelyingParty, who *oidc.UserInfo) {
			back, info = tokens, who
			_, _ = io.WriteString(w, "signed in")
		}), party))

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	do := func(method, address, body string, header ...string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		res, err := browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page := do(http.MethodGet, app.URL+"/login", "")
	form := action.FindStringSubmatch(page)
	if form == nil {
		t.Fatalf("no sign-in page: %s", page)
	}
	fields := url.Values{"email": {s.Admin.Email}, "password": {s.Admin.Password}}
	for _, f := range hidden.FindAllStringSubmatch(page, -1) {
		fields.Set(f[1], html.UnescapeString(f[2]))
	}
	end := do(http.MethodPost, s.Tenant+html.UnescapeString(form[1]), fields.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Origin", s.Tenant)
	if end != "signed in" || info == nil || info.Email != s.Admin.Email || back.RefreshToken == "" {
		t.Fatalf("ended at %q as %v", end, info)
	}
	again, err := rp.RefreshTokens[*oidc.IDTokenClaims](context.WithoutCancel(ctx), party, back.RefreshToken, "", "")
	if err != nil || again.AccessToken == back.AccessToken {
		t.Errorf("refresh: %v, %v", again, err)
	}
	if err := rp.RevokeToken(ctx, party, again.RefreshToken, "refresh_token"); err != nil {
		t.Errorf("revoke: %v", err)
	}
	if _, err := rp.RefreshTokens[*oidc.IDTokenClaims](ctx, party, again.RefreshToken, "", ""); err == nil {
		t.Error("a revoked token is refreshed")
	}
}
