//go:build e2e && !js

package e2e

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/network"
)

// signedIn returns the cookies of a new session, made without a browser: tests whose subject is not the sign-in start with them. If the sign-in
// asks for more than a password, signedIn returns nil.
func (s *server) signedIn(email, password string) []*network.CookieParam {
	s.t.Helper()
	jar := &cookieJar{kept: map[string]*network.CookieParam{}}
	client := &http.Client{Jar: jar}
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
	action := regexp.MustCompile(`<form[^>]*action="([^"]*)"`).FindStringSubmatch(page)
	if action == nil {
		s.t.Fatalf("no sign-in page: %s", page)
	}
	fields := url.Values{"email": {email}, "password": {password}}
	for _, m := range regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	to, err := url.Parse(s.Ready.Tenant + "/")
	if err == nil {
		to, err = to.Parse(html.UnescapeString(action[1]))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if page = do(http.MethodPost, to.String(), fields.Encode()); !strings.Contains(page, "app-wasm-loader") {
		return nil
	}
	return jar.all()
}

// cookieJar keeps the cookies of one host, whatever the port, and sends Secure ones over http too, as Chromium does for localhost.
type cookieJar struct {
	mu   sync.Mutex
	kept map[string]*network.CookieParam
}

func (j *cookieJar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range cookies {
		if c.MaxAge < 0 {
			delete(j.kept, c.Name)
			continue
		}
		j.kept[c.Name] = &network.CookieParam{
			Name: c.Name, Value: c.Value, URL: u.Scheme + "://" + u.Host, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HttpOnly,
			SameSite: map[http.SameSite]network.CookieSameSite{
				http.SameSiteLaxMode: network.CookieSameSiteLax, http.SameSiteStrictMode: network.CookieSameSiteStrict, http.SameSiteNoneMode: network.CookieSameSiteNone,
			}[c.SameSite],
		}
	}
}

func (j *cookieJar) Cookies(*url.URL) []*http.Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []*http.Cookie
	for _, c := range j.kept {
		out = append(out, &http.Cookie{Name: c.Name, Value: c.Value})
	}
	return out
}

func (j *cookieJar) all() []*network.CookieParam {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []*network.CookieParam
	for _, c := range j.kept {
		out = append(out, c)
	}
	return out
}
