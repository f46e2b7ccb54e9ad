package bff_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/bff"
)

func TestForward(t *testing.T) {
	for _, x := range []struct{ method, target, body, want string }{
		{"GET", "/bff/api/forms", "", "GET /api/v2/forms"},
		{"GET", "/bff/api/forms?page=1&per_page=50&include_totals=true", "", "GET /api/v2/forms?include_totals=true&page=1&per_page=50"},
		{"POST", "/bff/api/forms", `{"name":"x"}`, `POST /api/v2/forms {"name":"x"}`},
		{"GET", "/bff/api/forms/ap_1", "", "GET /api/v2/forms/ap_1"},
		{"PATCH", "/bff/api/forms/ap_1", `{"name": "x",  "nodes":[1e2]}`, `PATCH /api/v2/forms/ap_1 {"name": "x",  "nodes":[1e2]}`},
		{"DELETE", "/bff/api/forms/ap_1", "", "DELETE /api/v2/forms/ap_1"},
		{"GET", "/bff/api/flows", "", "GET /api/v2/flows"},
		// Arbitrary data, whatever its name.
		{"PATCH", "/bff/api/forms/__proto__", `{"__proto__":{"constructor":1}}`, `PATCH /api/v2/forms/__proto__ {"__proto__":{"constructor":1}}`},
	} {
		t.Run(x.method+" "+x.target, func(t *testing.T) {
			w := newWorld(t)
			b := w.browser()
			b.signIn()
			g := b.app(x.method, x.target, x.body, "If-Match", `"v1"`)
			if g.status != 200 || strings.TrimSpace(g.body) != `{"id":"ap_1"}` || g.header.Get("ETag") != `"v2"` ||
				g.header.Get("Content-Type") != "application/json" || g.header.Get("Cache-Control") != "no-store" {
				t.Errorf("got %d %v %s", g.status, g.header, g.body)
			}
			if w.called() != 1 {
				t.Fatalf("%d calls", w.called())
			}
			r := w.seen[0]
			if got := strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + w.bodies[0]); got != x.want {
				t.Errorf("called %q, want %q", got, x.want)
			}
			if r.Header.Get("Authorization") != "Bearer access-token-1" || r.Header.Get("If-Match") != `"v1"` {
				t.Errorf("sent %v", r.Header)
			}
		})
	}
}

// Where a proxy takes ETag or If-Match away, their copies arrive.
func TestCopiesOfTags(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, headers := range [][]string{{"X-If-Match", `"v1"`}, {"x-if-match", `"v1"`, "If-Match", `W/"v1-gzip"`}} {
		g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, headers...)
		if sent := w.seen[w.called()-1].Header.Get("If-Match"); g.status != 200 || sent != `"v1"` || g.header.Get("X-ETag") != g.header.Get("ETag") {
			t.Errorf("with %q, %s was sent and %v answered", headers, sent, g.header)
		}
	}
	if g := b.app("GET", "/bff/api/forms/ap_1", ""); g.header.Get("X-ETag") != `"v2"` {
		t.Errorf("read: %v", g.header)
	}
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-If-Match", `"`+strings.Repeat("x", 256)); g.status != 400 {
		t.Errorf("a long one: %d", g.status)
	}
}

// A request that may come from another site is refused, and nothing is called.
func TestGate(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	patch := func(headers ...string) got {
		return b.do("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, append([]string{"Content-Type", "application/json"}, headers...)...)
	}
	for name, g := range map[string]got{
		"30: user":              b.do("GET", "/bff/user", ""),
		"30: list":              b.do("GET", "/bff/api/forms", ""),
		"30: flows":             b.do("GET", "/bff/api/flows", ""),
		"30: form":              b.do("GET", "/bff/api/forms/ap_1", ""),
		"30: delete":            b.do("DELETE", "/bff/api/forms/ap_1", "", "Origin", w.editor, "Sec-Fetch-Site", "same-origin"),
		"30: patch":             patch("Origin", w.editor, "Sec-Fetch-Site", "same-origin"),
		"30: logout":            b.do("POST", "/bff/logout", "", "Origin", w.editor, "Sec-Fetch-Site", "same-origin"),
		"30: other value":       b.do("GET", "/bff/user", "", "X-CSRF", "0"),
		"30: twice":             b.do("GET", "/bff/user", "", "X-CSRF", "1", "X-CSRF", "1"),
		"31: cross-site":        patch("X-CSRF", "1", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"),
		"31: same-site sibling": patch("X-CSRF", "1", "Origin", "https://a.example", "Sec-Fetch-Site", "same-site"),
		"31: null origin":       patch("X-CSRF", "1", "Origin", "null"),
		"31: form post": b.do("POST", "/bff/api/forms", "name=x", "Content-Type", "application/x-www-form-urlencoded", "Origin",
			"https://evil.example", "Sec-Fetch-Site", "cross-site"),
		"31: text/plain":             b.do("POST", "/bff/api/forms", "{}", "Content-Type", "text/plain", "Sec-Fetch-Site", "cross-site"),
		"32: Sec-Fetch-Site none":    patch("X-CSRF", "1", "Sec-Fetch-Site", "none"),
		"32: neither header":         patch("X-CSRF", "1"),
		"32: other port":             patch("X-CSRF", "1", "Origin", w.editor+"1"),
		"32: http":                   patch("X-CSRF", "1", "Origin", strings.Replace(w.editor, "https", "http", 1)),
		"32: user in the origin":     patch("X-CSRF", "1", "Origin", strings.Replace(w.editor, "//", "//u@", 1)),
		"32: two origins":            patch("X-CSRF", "1", "Origin", w.editor, "Origin", "https://evil.example"),
		"32: unknown Sec-Fetch-Site": patch("X-CSRF", "1", "Origin", w.editor, "Sec-Fetch-Site", "sibling"),
		"33: preflight": b.do("OPTIONS", "/bff/api/forms/ap_1", "", "Origin", "https://evil.example",
			"Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers", "x-csrf"),
		"33: preflight of our own":    b.do("OPTIONS", "/bff/user", "", "Origin", w.editor, "Access-Control-Request-Method", "GET"),
		"33: preflight of the logout": b.do("OPTIONS", "/bff/logout", "", "Origin", "https://evil.example"),
	} {
		if g.status != http.StatusForbidden || g.code() != "csrf" {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
		for header := range g.header {
			if strings.HasPrefix(header, "Access-Control") {
				t.Errorf("%s: has %s", name, header)
			}
		}
	}
	if w.called() != 0 {
		t.Errorf("%d calls", w.called())
	}
	for name, g := range map[string]got{
		"a test client with an exact Origin": patch("X-CSRF", "1", "Origin", w.editor),
		"a browser":                          patch("X-CSRF", "1", "Origin", w.editor, "Sec-Fetch-Site", "same-origin"),
		"GET needs the header alone":         b.do("GET", "/bff/api/forms", "", "X-CSRF", "1"),
	} {
		if g.status != 200 {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
	}
	for _, target := range []string{"/", "/bff/login", "/bff/callback", "/web/app.css", "/nowhere"} {
		for header := range b.do("GET", target, "", "Origin", "https://evil.example").header {
			if strings.HasPrefix(header, "Access-Control") {
				t.Errorf("33: %s has %s", target, header)
			}
		}
	}
}

// Every route of the backend that a session protects needs the header X-CSRF, whatever else a request has.
func TestEveryRouteNeedsTheHeader(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	routes := append(bff.APIRoutes(), [][2]string{{"GET", "/bff/user"}, {"GET", "/bff/draft-keys"}, {"POST", "/bff/logout"}, {"GET", scenariosPath}, {"PUT", scenariosPath}}...)
	if len(routes) < 40 {
		t.Fatalf("only %d routes", len(routes))
	}
	for _, r := range routes {
		for _, value := range []string{"", "0", "true"} {
			g := b.do(r[0], r[1], "{}", "X-CSRF", value, "Origin", w.editor, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/json")
			if g.status != http.StatusForbidden || g.code() != "csrf" {
				t.Errorf("%s %s with X-CSRF %q: %d %s", r[0], r[1], value, g.status, g.body)
			}
		}
	}
	if w.called() != 0 || !b.signedIn() {
		t.Errorf("%d calls, signed in %v", w.called(), b.signedIn())
	}
}

// A call for which the token lacks the scope is refused with the code scope, here without a call or as the tenant does, and the
// session stays.
func TestScope(t *testing.T) {
	w := newWorld(t)
	w.scope = "openid read:forms update:formsX"
	b := w.browser()
	b.signIn()
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
		t.Errorf("read: got %d %s", g.status, g.body)
	}
	g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
	if g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, `"scope":"update:forms"`) || w.called() != 1 {
		t.Errorf("51: got %d %s after %d calls", g.status, g.body, w.called())
	}
	w.bend(func(s *stub) {
		s.api = func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, 403, map[string]string{"errorCode": "insufficient_scope"})
		}
	})
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 403 || g.code() != "scope" {
		t.Errorf("63: got %d %s", g.status, g.body)
	}
	if !b.signedIn() {
		t.Error("63: the session must stay")
	}
}

func TestOmittedScopeIsTheRequestedOne(t *testing.T) {
	w := newWorld(t)
	w.scope = ""
	b := w.browser()
	b.signIn()
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 200 {
		t.Errorf("got %d %s", g.status, g.body)
	}
}

// No header of the browser or the tenant that could carry a credential or change the interpretation of the answer is
// passed on.
func TestHeadersStay(t *testing.T) {
	w := newWorld(t)
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		for name, v := range map[string]string{
			"Set-Cookie": "a=b", "Location": "https://evil.example", "Access-Control-Allow-Origin": "*",
			"Content-Security-Policy": "default-src *", "Clear-Site-Data": `"*"`, "Server": "stub", "WWW-Authenticate": "Bearer",
			"Cache-Control": "public", "X-RateLimit-Remaining": "49",
		} {
			rw.Header().Set(name, v)
		}
		writeJSON(rw, 200, 1)
	}
	b := w.browser()
	b.signIn()
	g := b.app("GET", "/bff/api/forms/ap_1", "", "Authorization", "Bearer evil", "DPoP", "x", "X-Forwarded-For", "6.6.6.6", "X-Forwarded-Host",
		"evil", "Forwarded", "host=evil",
		"Connection", "Authorization", "X-HTTP-Method-Override", "DELETE", "Referer", "https://x/", "Accept-Language", "de")
	var names []string
	for name := range w.seen[0].Header {
		names = append(names, name)
	}
	slices.Sort(names)
	if d := cmp.Diff(names, []string{"Accept", "Authorization", "User-Agent"}); d != "" {
		t.Error(d)
	}
	if r := w.seen[0]; r.Header.Get("Authorization") != "Bearer access-token-1" || "http://"+r.Host != w.url || r.Method != http.MethodGet {
		t.Errorf("sent %v to %s", r.Header, r.Host)
	}
	for _, name := range []string{"Set-Cookie", "Location", "Access-Control-Allow-Origin", "Clear-Site-Data", "Server", "Www-Authenticate"} {
		if v := g.header.Get(name); v != "" {
			t.Errorf("%s: %s came through", name, v)
		}
	}
	if g.header.Get("Cache-Control") != "no-store" || !strings.HasPrefix(g.header.Get("Content-Security-Policy"), "default-src 'none'") ||
		g.header.Get("X-Ratelimit-Remaining") != "49" {
		t.Errorf("got %v", g.header)
	}
}

// Each refusal and fault of the tenant becomes a stable code.
func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		name        string
		status      int
		body        string
		want        int
		code        string
		text        string
		contentType string
	}{
		{"400 with problems", 400, `{"statusCode":400,"message":"Payload validation error","problems":[{"path":"name","code":"length",` +
			`"detail":"must be at most 150 characters, is 151"}]}`, 400, "invalid_body", `"problems":[{"path":"name","code":"length",` +
			`"detail":"must be at most 150 characters, is 151"}]`, ""},
		{"400 of another shape", 400, `["x"]`, 400, "invalid_body", `"detail":"x"`, ""},
		{"400 in words", 400, `Error in nodes.0.config`, 400, "invalid_body", `"path":"nodes[0].config"`, "text/plain"},
		{"400 without words", 400, `<p>no`, 400, "invalid_body", "refused this", "text/html"},
		{
			"422", 422, `{"message":"no","errors":{"nodes.0.id":["bad"]}}`, 422, "invalid_body",
			`"path":"nodes[0].id","code":"value","detail":"bad"`, "",
		},
		{"409 with words", 409, `{"message":"The name is taken."}`, 409, "conflict", "The name is taken.", ""},
		{"410", 410, `{}`, 404, "not_found", "no such form", ""},
		{"401", 401, `{}`, 401, "upstream_refused", "", ""},
		{"403", 403, `{}`, 403, "scope", "update:forms", ""},
		{"404", 404, `{}`, 404, "not_found", "no such form", ""},
		{"409", 409, `{}`, 409, "conflict", "", ""},
		{"412", 412, `{}`, 412, "conflict", "", ""},
		{"413", 413, `{}`, 413, "too_large", "", ""},
		{"415", 415, `{}`, 415, "media_type", "", ""},
		{"418", 418, `{}`, 502, "upstream_rejected", "", ""},
		{"429", 429, `{}`, 429, "rate_limited", "", ""},
		{"500", 500, `<html>stack trace`, 502, "upstream_unavailable", "", "text/html"},
		{"503", 503, `{}`, 502, "upstream_unavailable", "", ""},
		{"database away", 503, `{"errorCode":"service_unavailable"}`, 503, "upstream_unavailable", `"outcome":"unknown"`, ""},
		{"disk full", 503, `{"errorCode":"storage_full"}`, 503, "upstream_unavailable", `Free space`, ""},
		{"disk full, not saved", 503, `{"errorCode":"storage_full"}`, 503, "upstream_unavailable", `"outcome":"not_saved"`, ""},
		{"read-only", 503, `{"errorCode":"storage_read_only"}`, 503, "upstream_unavailable", `"outcome":"not_saved"`, ""},
		{"301", 301, ``, 502, "upstream_unavailable", "", ""},
		{"200 HTML", 200, `<html>stack trace`, 502, "upstream_unavailable", "", "text/html"},
		{"200 with our token", 200, `{"a":"access-token-1"}`, 502, "upstream_unavailable", "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			w.api = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				if x.contentType != "" {
					rw.Header().Set("Content-Type", x.contentType)
				}
				rw.Header().Set("Location", "https://evil.example/")
				rw.WriteHeader(x.status)
				_, _ = rw.Write([]byte(x.body))
			}
			b := w.browser()
			b.signIn()
			g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
			if g.status != x.want || g.code() != x.code || !strings.Contains(g.body, x.text) {
				t.Errorf("got %d %s", g.status, g.body)
			}
			if strings.Contains(g.body, "stack trace") {
				t.Error("the tenant's inside is shown")
			}
			want := 1
			switch x.status {
			case 401:
				want = 2 // one more with a new token, and no loop
			case 429:
				want = 2 // after a pause
				if g.header.Get("Retry-After") != "" {
					t.Errorf("got %v, and the tenant has named no time", g.header)
				}
			}
			if w.called() != want {
				t.Errorf("%d calls, want %d", w.called(), want)
			}
			if !b.signedIn() {
				t.Error("the session must stay")
			}
		})
	}
}

// Malformed ids, other methods and other paths are refused before
// anything is called.
func TestBadPaths(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	raw := func(method, target string) got { // as it stands, without the client's cleaning
		u, err := url.Parse(w.editor)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Request{
			Method: method, URL: &url.URL{Scheme: "https", Host: u.Host, Opaque: target},
			Header: http.Header{"X-Csrf": {"1"}, "Origin": {w.editor}, "Content-Type": {"application/json"}},
		}
		for _, c := range b.client.Jar.Cookies(u) {
			r.AddCookie(c)
		}
		res, err := w.cert.Transport.RoundTrip(r.WithContext(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		var p struct {
			Code string `json:"code"`
		}
		_ = json.NewDecoder(res.Body).Decode(&p)
		return got{res.StatusCode, res.Header, p.Code}
	}
	for _, id := range []string{
		"..%2fusers", "..%2Fusers%2Fx", "%2e%2e", "..", ".", "a%2Fb", "ap_1%00", "ap_1%0d%0aHost:x", "%252e%252e%252f",
		"ap_1;v=2", "ap_1%3fx=1", "ap_1?x", "ap_1?", strings.Repeat("a", 31), "", "%C3%BC", "..%5cusers", "a%20b", "a+b", "a:b", "a@b", "~",
		"%61p_1",
	} {
		for _, method := range []string{"GET", "PATCH", "DELETE"} {
			if g := raw(method, "/bff/api/forms/"+id); g.status != 400 || g.body != "invalid_id" && g.body != "invalid_query" {
				t.Errorf("55: %s %q: got %d %s", method, id, g.status, g.body)
			}
		}
	}
	for _, x := range []struct {
		method, target string
		status         int
	}{
		{"PUT", "/bff/api/forms/ap_1", 405},
		{"POST", "/bff/api/forms/ap_1", 405},
		{"HEAD", "/bff/api/forms", 405},
		{"TRACE", "/bff/api/forms", 405},
		{"DELETE", "/bff/api/forms", 405},
		{"POST", "/bff/api/flows", 405},
		{"FOO", "/bff/user", 405},
		{"POST", "/bff/login", 405},
		{"POST", "/", 405},
		{"GET", "/bff/logout", 405},
		{"POST", "/web/app.css", 405},
		{"GET", "/bff/api/users", 404},
		{"GET", "/bff/api/forms/a/b", 404},
		{"GET", "/bff/api/forms/a/../b", 404},
		{"GET", "/bff//api/forms", 404},
		{"GET", "//bff/api/forms", 404},
		{"GET", "/bff/api/forms//ap_1", 404},
		{"GET", "/bff/api/flows/af_1", 404},
		{"GET", "/bff", 404},
		{"GET", "/bff/", 404},
		{"GET", "/BFF/user", 404},
		{"GET", "/bff/api%2fforms", 404},
		{"GET", "/bff/api/me", 404},
		{"GET", "/bff/api/me/", 404},
		{"GET", "/bff/api/me/x", 404},
		{"GET", "/bff/api/me/factors/x", 404},
		{"GET", "/bff/api/me/sessions/x/y", 404},
		{"GET", "/bff/api/me/authentication-methods/passkey%7Ca/x", 404},
		{"GET", "/bff/api/me/forms", 404},
		{"POST", "/bff/api/me/factors", 405},
		{"GET", "/bff/api/me/sessions/x", 405},
		{"PATCH", "/bff/api/me/consents/x", 405},
		{"GET", "/bff/api/me/authentication-methods/passkey%7Cnew/verify", 405},
		{"GET", "/bff/backchannel", 405},
		{"PUT", "/bff/backchannel", 405},
		{"GET", "/bff/backchannel/x", 404},
		{"GET", "/bff/api/admin", 404},
		{"GET", "/bff/api/admin/forms", 404},
		{"GET", "/bff/api/admin/people", 404},
		{"GET", "/bff/api/admin/tickets/password-change", 404},
		{"GET", "/bff/api/admin/users/u/sessions", 404},
		{"GET", "/bff/api/admin/users/u/roles/r", 404},
		{"GET", "/bff/api/admin/users/..%2fx/roles", 400},
		{"PUT", "/bff/api/admin/users/u", 405},
		{"GET", "/bff/api/admin/clients/c/rotate-secret", 405},
		{"PATCH", "/bff/api/admin/logs/x", 405},
		{"GET", "/bff/events/ap_1", 404},
		{"POST", "/bff/events", 405},
		{"GET", "/debug/pprof/", 404},
		{"GET", "/metrics", 404},
		{"GET", "/forms/", 404},
		{"GET", "/forms/..%2f", 404},
		{"GET", "/accounts", 404},
		{"GET", "/.git/config", 404},
		{"GET", "https://evil.example/bff/user", 404},
	} {
		if g := raw(x.method, x.target); g.status != x.status {
			t.Errorf("56, 101: %s %s: got %d, want %d", x.method, x.target, g.status, x.status)
		}
	}
	if w.called() != 0 {
		t.Errorf("%d calls", w.called())
	}
	for _, query := range []string{
		"?x=1", "?page=1&page=2", "?page=-1", "?page=1e3", "?page=99999999", "?page=%zz", "?page=a",
		"?page=1&fields=x", "?",
	} {
		if g := b.app("GET", "/bff/api/forms"+query, ""); g.status != 400 || g.code() != "invalid_query" {
			t.Errorf("query %s: got %d %s", query, g.status, g.body)
		}
	}
	if w.called() != 0 {
		t.Errorf("%d calls", w.called())
	}
}
