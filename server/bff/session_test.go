package bff_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// A modified cookie is refused and cleared.
func TestCookieTampered(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	here, _ := url.Parse(w.editor)
	jar := b.client.Jar
	good := jar.Cookies(here)[0]
	b.client.Jar = nil
	ask := func(value string) got {
		return b.app("GET", "/bff/user", "", "Cookie", good.Name+"="+value)
	}
	if g := ask(good.Value); g.status != 200 {
		t.Fatalf("got %d %s", g.status, g.body)
	}
	last := map[bool]string{true: "A", false: "B"}[good.Value[30] != 'A']
	for name, value := range map[string]string{
		"one character": good.Value[:30] + last + good.Value[31:], "empty": "", "words": "x",
		"long": strings.Repeat("a", 5000),
	} {
		g := ask(value)
		if g.status != 401 || g.code() != "session_expired" || !strings.Contains(g.header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("%s: got %d %v %s", name, g.status, g.header, g.body)
		}
	}
	if g := b.app("GET", "/bff/user", ""); g.status != 401 || g.header.Get("Set-Cookie") != "" {
		t.Errorf("no cookie: got %d %v", g.status, g.header)
	}
}

// While the session store is down, answers are 503 and the cookie stays.
func TestStoreDown(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	w.rows.down.Store(true)
	for _, g := range []got{b.app("GET", "/bff/user", ""), b.app("PATCH", "/bff/api/forms/ap_1", `{}`), b.app("POST", "/bff/logout", "")} {
		if g.status != 503 || g.code() != "session_unavailable" || g.header.Get("Set-Cookie") != "" || g.header.Get("Retry-After") == "" {
			t.Errorf("got %d %v %s", g.status, g.header, g.body)
		}
	}
	w.rows.down.Store(false)
	if !b.signedIn() || w.called() != 0 {
		t.Error("the session must live, and nothing be called")
	}
}

// A session ends after its idle time, which GET /bff/user does not extend.
func TestIdle(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for range 59 {
		w.clock.Move(time.Minute)
		if !b.signedIn() {
			t.Fatal("must live for an hour")
		}
	}
	w.clock.Move(time.Minute)
	if g := b.app("GET", "/bff/user", ""); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("asking must not slide: got %d %s", g.status, g.body)
	}
	b.signIn()
	w.clock.Move(59 * time.Minute)
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
		t.Fatalf("got %d %s", g.status, g.body)
	}
	w.clock.Move(59 * time.Minute)
	if !b.signedIn() {
		t.Error("use must slide")
	}
}

// Signing out ends the session here, whether the tenant answers or not.
func TestLogout(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	if g := b.app("GET", "/bff/logout", ""); g.status != 405 || g.header.Get("Allow") != "POST" {
		t.Errorf("GET: got %d %v", g.status, g.header)
	}
	if g := b.do("POST", "/bff/logout", ""); g.status != 403 || !b.signedIn() {
		t.Errorf("without header: got %d", g.status)
	}
	here, _ := url.Parse(w.editor)
	cookie := b.client.Jar.Cookies(here)[0]
	g := b.app("POST", "/bff/logout", "")
	var said map[string]string
	if err := json.Unmarshal([]byte(g.body), &said); err != nil {
		t.Fatal(err)
	}
	want := w.url + "/oidc/logout?" + url.Values{"client_id": {"editor"}, "post_logout_redirect_uri": {w.editor + "/"}}.Encode()
	if g.status != 200 || said["logout_url"] != want {
		t.Errorf("got %d %s", g.status, g.body)
	}
	if len(w.revoked) != 1 || w.revoked[0] != "refresh-token-1" {
		t.Errorf("revoked %v", w.revoked)
	}
	if g := b.app("POST", "/bff/logout", ""); g.status != 200 || len(w.revoked) != 1 {
		t.Errorf("twice: got %d, revoked %v", g.status, w.revoked)
	}
	b.client.Jar.SetCookies(here, []*http.Cookie{cookie})
	if b.signedIn() {
		t.Error("another tab must learn of it")
	}
	t.Run("tenant down", func(t *testing.T) {
		w := newWorld(t)
		b := w.browser()
		b.signIn()
		w.clock.Move(16 * time.Minute) // discovery must be asked again too
		w.ic.Issuer = "http://127.0.0.1:1"
		w.h = w.handler(w.ic)
		if g := b.app("POST", "/bff/logout", ""); g.status != 200 || !strings.Contains(g.body, w.editor+"/") {
			t.Errorf("got %d %s", g.status, g.body)
		}
		if b.signedIn() {
			t.Error("must be signed out here")
		}
	})
}

// Parallel calls of one session, through two processes, refresh its token once.
func TestRefreshOnce(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	w.clock.Move(10 * time.Minute)
	here, _ := url.Parse(w.editor)
	cookies := b.client.Jar.Cookies(here)
	other := w.handler(w.ic)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "/bff/api/forms", nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.RequestURI = "/bff/api/forms"
			r.Header.Set("X-CSRF", "1")
			for _, c := range cookies {
				r.AddCookie(c)
			}
			rec := &memory{header: http.Header{}}
			[]http.Handler{w.h, other}[i%2].ServeHTTP(rec, r)
			if rec.status != 200 {
				t.Errorf("got %d %s", rec.status, rec.body.String())
			}
		})
	}
	wg.Wait()
	if n := w.count("/oauth/token"); n != 2 {
		t.Errorf("%d token requests, want the sign-in's and one", n)
	}
	for _, r := range w.seen {
		if got := r.Header.Get("Authorization"); got != "Bearer access-token-2" {
			t.Fatalf("called with %q", got)
		}
	}
}

type memory struct {
	header http.Header
	status int
	body   strings.Builder
}

func (m *memory) Header() http.Header         { return m.header }
func (m *memory) WriteHeader(status int)      { m.status = status }
func (m *memory) Write(p []byte) (int, error) { return m.body.Write(p) }

// A refused refresh ends the session; any other fault is 503 and keeps it.
func TestRefreshRefused(t *testing.T) {
	answer := func(status int, contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}
	const js = "application/json"
	for _, x := range []struct {
		name   string
		h      http.HandlerFunc
		status int
		code   string
		alive  bool
	}{
		{"invalid_grant", answer(400, js, `{"error":"invalid_grant"}`), 401, "session_expired", false},
		{"invalid_grant with 403", answer(403, js, `{"error":"invalid_grant"}`), 401, "session_expired", false},
		{"invalid_target", answer(400, js, `{"error":"invalid_target"}`), 401, "session_expired", false},
		{"invalid_grant with 500", answer(500, js, `{"error":"invalid_grant"}`), 503, "upstream_unavailable", true},
		{"invalid_client", answer(401, js, `{"error":"invalid_client"}`), 503, "upstream_unavailable", true},
		{"500", answer(500, "text/plain", "boom"), 503, "upstream_unavailable", true},
		{"429", answer(429, js, `{}`), 503, "upstream_unavailable", true},
		{"HTML", answer(200, "text/html", "<html>"), 503, "upstream_unavailable", true},
		{"no access token", answer(200, js, `{}`), 503, "upstream_unavailable", true},
		{"huge", answer(200, js, `{"access_token":"`+strings.Repeat("a", 2<<20)+`"}`), 503, "upstream_unavailable", true},
		{"46: cut off after the tenant has committed", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, 503, "upstream_unavailable", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			b := w.browser()
			b.signIn()
			w.clock.Move(10 * time.Minute)
			w.bend(func(s *stub) { s.token = x.h })
			g := b.app("GET", "/bff/api/forms", "")
			if g.status != x.status || g.code() != x.code || w.called() != 0 {
				t.Errorf("got %d %s after %d calls", g.status, g.body, w.called())
			}
			if x.status == 503 && g.header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			if strings.Contains(w.log.String(), "boom") {
				t.Error("the answer stands in the log")
			}
			if b.signedIn() != x.alive {
				t.Errorf("lives: %v, want %v", !x.alive, x.alive)
			}
			if !x.alive {
				return
			}
			w.bend(func(s *stub) { s.token = nil })
			if g := b.app("GET", "/bff/api/forms", ""); g.status != 200 {
				t.Errorf("once it is back: got %d %s", g.status, g.body)
			}
		})
	}
}

// A token that the tenant refuses is refreshed once, without a loop.
func TestRefusedToken(t *testing.T) {
	w := newWorld(t)
	w.api = func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer access-token-2" {
			writeJSON(rw, 401, map[string]string{})
			return
		}
		writeJSON(rw, 200, map[string]string{})
	}
	b := w.browser()
	b.signIn()
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`); g.status != 200 || w.called() != 2 || w.bodies[1] != `{"name":"x"}` {
		t.Errorf("got %d %s after %d calls", g.status, g.body, w.called())
	}
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 401, 1) }
		s.refresh = "gone"
	})
	if g := b.app("GET", "/bff/api/forms", ""); g.status != 401 || g.code() != "session_expired" || b.signedIn() {
		t.Errorf("revoked: got %d %s", g.status, g.body)
	}
}

// If the tenant is down, the message is clear and the work stays.
func TestTenantDown(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(rw).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}
	})
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{}`); g.status != 502 || g.code() != "upstream_unavailable" || w.called() != 1 {
		t.Errorf("got %d %s after %d calls", g.status, g.body, w.called())
	}
	if !strings.Contains(w.log.String(), `"event":"form_saved"`) || !strings.Contains(w.log.String(), `"outcome":"failed"`) {
		t.Errorf("no audit: %s", w.log.String())
	}
}

// A request that the browser abandons is also cancelled at the tenant.
func TestBrowserLeaves(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	w.bend(func(s *stub) {
		s.api = func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
			close(ended)
		}
	})
	done := make(chan struct{})
	inner := w.h
	w.h = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { inner.ServeHTTP(rw, r); close(done) })
	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, w.editor+"/bff/api/forms/ap_1", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"X-Csrf": {"1"}, "Origin": {w.editor}, "Content-Type": {"application/json"}}
	if res, err := b.client.Do(r); err == nil {
		_ = res.Body.Close()
		t.Error("want an error")
	}
	<-ended
	<-done
	if !strings.Contains(w.log.String(), `"outcome":"browser_left"`) {
		t.Errorf("no audit: %s", w.log.String())
	}
}

// TestNoTokenLeaves searches every answer and log line of a whole run, with every
// failure that involves tokens, for a token.
func TestNoTokenLeaves(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	b.app("GET", "/bff/user", "")
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
	w.clock.Move(10 * time.Minute)
	b.app("GET", "/bff/api/forms", "")
	w.bend(func(s *stub) {
		s.token = func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, 400, map[string]string{"error": "odd", "error_description": "refresh-token-2", "access_token": "access-token-2"})
		}
	})
	w.clock.Move(10 * time.Minute)
	b.app("GET", "/bff/api/forms", "")
	b.do("GET", w.consent(b.begin("")), "")
	w.bend(func(s *stub) { s.token, s.claims = nil, map[string]any{"nonce": "other"} })
	b.do("GET", w.consent(b.begin("")), "")
	b.app("POST", "/bff/logout", "")
	secrets := []string{"access-token-", "refresh-token-", clientSecret, "eyJhbGciOi"}
	for _, f := range w.forms {
		if v := f.Get("code_verifier"); v != "" {
			secrets = append(secrets, v)
		}
		if v := f.Get("code"); v != "" {
			secrets = append(secrets, v)
		}
	}
	if len(secrets) < 8 {
		t.Fatalf("the run is too short: %v", secrets)
	}
	for _, secret := range secrets {
		if strings.Contains(b.all.String(), secret) {
			t.Errorf("%q stands in an answer", secret)
		}
		if strings.Contains(w.log.String(), secret) {
			t.Errorf("%q stands in the log", secret)
		}
	}
	if !strings.Contains(w.log.String(), `"event":"signed_in"`) {
		t.Error("the log is empty")
	}
}

// The page of the preview needs no session, sets no cookie and may be embedded by our own pages.
func TestPreview(t *testing.T) {
	b := newWorld(t).browser()
	for target, images := range map[string]bool{"/preview": false, "/preview?img=1": true, "/preview?img=0": false, "/preview?x=1": false} {
		g := b.do("GET", target, "", "Accept", "text/html")
		csp := g.header.Get("Content-Security-Policy")
		if g.status != 200 || g.body != "<preview>" || !strings.HasPrefix(csp, "sandbox allow-scripts;") ||
			!strings.Contains(csp, "; script-src 'sha256-x'; ") || !strings.Contains(csp, "frame-ancestors 'self'") ||
			strings.Contains(csp, "img-src https:") != images || g.header.Get("X-Frame-Options") != "SAMEORIGIN" || len(g.header.Values("Set-Cookie")) > 0 {
			t.Errorf("%s: got %d %s %v", target, g.status, g.body, g.header)
		}
	}
	if g := b.do("POST", "/preview", ""); g.status != http.StatusMethodNotAllowed {
		t.Errorf("POST: got %d", g.status)
	}
	if g := b.do("GET", "/preview/x", "", "Accept", "text/html"); g.status != 404 {
		t.Errorf("below it: got %d", g.status)
	}
}

// Each visitor gets the right page. No page can be framed, and none reveals anything about the process.
func TestPages(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	for target, want := range map[string]int{"/": 200, "/forms": 200, "/forms/ap_1": 200, "/web/x": 200, "/nowhere": 404, "/forms/a b": 404} {
		g := b.do("GET", strings.ReplaceAll(target, " ", "%20"), "", "Accept", "text/html")
		if g.status != want || want == 404 && !strings.HasPrefix(g.body, "<page>Page not found") {
			t.Errorf("%s: got %d %s", target, g.status, g.body)
		}
		if csp := g.header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'none'") ||
			!strings.Contains(csp, "require-trusted-types-for 'script'") ||
			strings.Contains(csp, "unsafe-eval'") != strings.Contains(csp, "wasm-unsafe-eval'") {
			t.Errorf("%s: policy %q", target, csp)
		}
		if g.header.Get("X-Frame-Options") != "DENY" || g.header.Get("X-Content-Type-Options") != "nosniff" ||
			g.header.Get("Strict-Transport-Security") == "" {
			t.Errorf("%s: got %v", target, g.header)
		}
	}
	if g := b.do("GET", "/nowhere", "", "Accept", "text/html"); strings.Contains(g.body, "not_found") {
		t.Errorf("the page shows the code: %s", g.body)
	}
	if g := b.do("GET", "/nowhere", ""); g.status != 404 || g.code() != "not_found" {
		t.Errorf("got %d %s", g.status, g.body)
	}
	if g := b.do("HEAD", "/forms", ""); g.status != 200 {
		t.Errorf("HEAD: got %d", g.status)
	}
}

// Cookies belong to a host name, so a browser is redirected to the public one before it signs in.
func TestOtherNameOfThisMachine(t *testing.T) {
	w := newWorld(t)
	here, _ := url.Parse(w.editor) // 127.0.0.1 and a port
	for host, moves := range map[string]bool{
		"localhost:" + here.Port(): true, "[::1]:" + here.Port(): true, here.Host: false,
		"localhost:1": false, "evil.example:" + here.Port(): false, "evil.example": false,
	} {
		for _, target := range []string{"/forms?x=1", "/bff/login?return_to=/forms"} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.editor+target, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = host
			res, err := w.browser().client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			if got := res.Header.Get("Location") == w.editor+target; got != moves {
				t.Errorf("%s%s: got %d to %q", host, target, res.StatusCode, res.Header.Get("Location"))
			}
		}
	}
}

// Nothing in a request can begin a new line of the log.
func TestLogLines(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.do("GET", "/bff/api/forms/a%0d%0a%1b%5b31m?token=in-the-query", "", "X-CSRF", "1", "User-Agent", "evil")
	b.do("GET", "/bff/callback?code=in-the-query&state=in%0d%0astate&iss=x", "")
	b.do("GET", "/bff/callback?error=in%0d%0a%1b%5b31m&state="+b.begin("").Get("state")+"&iss="+url.QueryEscape(w.url), "")
	for line := range strings.Lines(w.log.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil || v["msg"] == nil {
			t.Errorf("no JSON line: %q", line)
		}
	}
	if strings.ContainsAny(w.log.String(), "\x1b\r") || strings.Contains(w.log.String(), "in-the-query") {
		t.Errorf("got %s", w.log.String())
	}
}

// A clock jump never ends a session before its time according to the clock, and never extends one by more than the jump.
func TestClockThatJumps(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	alive := func(b *browser, want bool, when string) {
		t.Helper()
		if got := b.app("GET", "/bff/api/forms", ""); (got.status == 200) != want || got.status != 200 && got.code() != "session_expired" {
			t.Errorf("%s: got %d %s", when, got.status, got.body)
		}
	}
	w.clock.Move(-time.Hour)
	alive(b, true, "an hour behind")
	w.browser().signIn()
	w.clock.Move(time.Hour)
	alive(b, true, "corrected")
	w.clock.Move(24 * time.Hour)
	alive(b, false, "a day ahead")
	b.signIn()
	alive(b, true, "a day ahead, signed in again")
	w.clock.Move(-24 * time.Hour)
	alive(b, true, "corrected, with a session from tomorrow")
	w.clock.Move(36 * time.Hour)
	alive(b, false, "after twelve hours and the jump")
}
