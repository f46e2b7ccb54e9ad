//go:build e2e && !js

package e2e

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/chromedp/cdproto/network"

	"github.com/formgraph/formgraph/server/signintest"
)

// signedIn returns the cookies of a new session, made without a browser: tests whose subject is not the sign-in start with them. If the sign-in
// asks for more than a password, signedIn returns nil.
func (s *server) signedIn(email, password string) []*network.CookieParam {
	s.t.Helper()
	jar := signintest.NewJar()
	client := &http.Client{Jar: jar, Transport: s.client().Transport}
	ctx, cancel := context.WithTimeout(context.Background(), pageTime())
	defer cancel()
	do := func(method, address, body string) string {
		s.t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
		if err != nil {
			s.t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html")
		req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36")
		if method == http.MethodPost {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			req.Header.Set("Origin", s.Ready.Tenant)
		}
		res, err := client.Do(req)
		if err != nil {
			s.t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		page, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			s.t.Fatalf("%s %s: %d %s (%v)", method, address, res.StatusCode, page, err)
		}
		return string(page)
	}
	page := do(http.MethodGet, s.Ready.Editor+"/bff/login?return_to=/forms", "")
	action, fields, ok := signintest.Form(page)
	if !ok {
		s.t.Fatalf("no sign-in page: %s", page)
	}
	fields.Set("email", email)
	fields.Set("password", password)
	to, err := url.Parse(s.Ready.Tenant + "/")
	if err == nil {
		to, err = to.Parse(action)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if page = do(http.MethodPost, to.String(), fields.Encode()); !strings.Contains(page, "app-wasm-loader") {
		return nil
	}
	sites := map[http.SameSite]network.CookieSameSite{
		http.SameSiteLaxMode: network.CookieSameSiteLax, http.SameSiteStrictMode: network.CookieSameSiteStrict, http.SameSiteNoneMode: network.CookieSameSiteNone,
	}
	var out []*network.CookieParam
	for _, at := range []string{s.Ready.Editor, s.Ready.Tenant} {
		for _, c := range jar.Kept(strings.TrimPrefix(strings.TrimPrefix(at, "http://"), "https://")) {
			out = append(out, &network.CookieParam{
				Name: c.Name, Value: c.Value, URL: at, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HttpOnly, SameSite: sites[c.SameSite],
			})
		}
	}
	return out
}
