// Package signintest lets tests sign people in without a browser: it keeps cookies, and reads sign-in pages.
package signintest

import (
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"sync"
)

// Jar keeps cookies by host and port and sends Secure ones over http too, as browsers do for localhost. It is safe for concurrent use.
type Jar struct {
	mu   sync.Mutex
	kept map[string]map[string]*http.Cookie
}

// NewJar returns an empty jar.
func NewJar() *Jar { return &Jar{kept: map[string]map[string]*http.Cookie{}} }

// SetCookies implements http.CookieJar.
func (j *Jar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kept[u.Host] == nil {
		j.kept[u.Host] = map[string]*http.Cookie{}
	}
	for _, c := range cookies {
		if c.MaxAge < 0 {
			delete(j.kept[u.Host], c.Name)
			continue
		}
		j.kept[u.Host][c.Name] = c
	}
}

// Cookies implements http.CookieJar. Of each cookie, requests have the name and the value.
func (j *Jar) Cookies(u *url.URL) []*http.Cookie { return j.Kept(u.Host) }

// Kept returns the cookies of a host and port as they were set.
func (j *Jar) Kept(host string) []*http.Cookie {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Values(j.kept[host]))
}

var (
	formAction = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)
	hidden     = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"`)
)

// Form returns where the form of a sign-in page is sent, relative to the tenant's address, and its hidden fields. ok is false if the page
// has no form.
func Form(page string) (action string, fields url.Values, ok bool) {
	to := formAction.FindStringSubmatch(page)
	if to == nil {
		return "", nil, false
	}
	fields = url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(page, -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	return html.UnescapeString(to[1]), fields, true
}
