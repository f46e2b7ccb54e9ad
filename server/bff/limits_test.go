package bff_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

// from sends a request to the handler as if from an address.
func (w *world) from(address, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.RemoteAddr = address
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	return rec
}

func TestStrangersAreLimitedByNetwork(t *testing.T) {
	for _, x := range []struct {
		name, method, target, body string
		burst, otherwise           int
	}{
		{"login", "GET", "/bff/login", "", 1000, 302},
		{"callback", "GET", "/bff/callback?error=x&state=y", "", 100, 400},
		{"back-channel logout", "POST", "/bff/backchannel", "logout_token=x", 100, 400},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			send := func(address string, more ...string) *httptest.ResponseRecorder {
				return w.from(address, x.method, x.target, x.body, append(more, "Content-Type", "application/x-www-form-urlencoded")...)
			}
			for i := range x.burst {
				if rec := send("[2001:db8::1]:1"); rec.Code != x.otherwise {
					t.Fatalf("request %d: %d %s", i, rec.Code, rec.Body)
				}
			}
			rec := send("[2001:db8::ffff]:1") // of the same /64
			if rec.Code != http.StatusTooManyRequests || rec.Header().Get("Retry-After") != "1" ||
				rec.Header().Get("Content-Type") != "application/problem+json" ||
				!strings.Contains(rec.Body.String(), `"code":"rate_limited"`) || rec.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("one more: %d %v %s", rec.Code, rec.Header(), rec.Body)
			}
			if x.method == "GET" {
				rec := send("[2001:db8::1]:1", "Accept", "text/html")
				if rec.Code != http.StatusTooManyRequests || rec.Header().Get("Retry-After") != "1" ||
					!strings.HasPrefix(rec.Body.String(), "<page>Too many sign-ins|") {
					t.Errorf("a browser: %d %v %s", rec.Code, rec.Header(), rec.Body)
				}
			}
			if rec := send("[2001:db8:0:1::1]:1"); rec.Code != x.otherwise {
				t.Errorf("another network: %d, want %d", rec.Code, x.otherwise)
			}
			w.clock.Move(100 * time.Millisecond)
			if rec := send("[2001:db8::1]:1"); rec.Code != x.otherwise {
				t.Errorf("later: %d, want %d", rec.Code, x.otherwise)
			}
		})
	}
}

// untouched is a body that must not be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

// sent sends a request of the page of a session to the handler. cookie is what the browser sends.
func (w *world) sent(cookie, method, target string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, body)
	r.Header = http.Header{"Cookie": {cookie}, "X-Csrf": {"1"}, "Origin": {w.editor}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	return rec
}

// cookie returns the header of a signed-in browser.
func (b *browser) cookie() string {
	b.w.t.Helper()
	here, err := url.Parse(b.w.editor)
	if err != nil {
		b.w.t.Fatal(err)
	}
	return b.client.Jar.Cookies(here)[0].String()
}

// A session that makes too many requests is refused before it is read, whatever it asks for, and nobody else is.
func TestRequestsOfASessionAreLimited(t *testing.T) {
	w := newWorld(t)
	eve, ana := w.browser(), w.browser()
	eve.signIn()
	ana.signIn()
	cookie := eve.cookie()
	name, _, _ := strings.Cut(cookie, "=")
	for range 2 * 1000 { // of another site, which does not count
		if rec := w.sent(cookie, "GET", "/bff/user", nil, "Origin", "https://evil.example"); rec.Code != http.StatusForbidden {
			t.Fatalf("another site: %d %s", rec.Code, rec.Body)
		}
	}
	for n := range 1000 {
		if rec := w.sent(cookie, "GET", "/bff/draft-keys", nil); rec.Code != http.StatusOK {
			t.Fatalf("request %d: %d %s", n, rec.Code, rec.Body)
		}
	}
	reads := w.rows.reads.Load()
	for _, x := range [][2]string{
		{"GET", "/bff/user"},
		{"GET", "/bff/api/forms"},
		{"PATCH", "/bff/api/forms/ap_1"},
		{"GET", "/bff/api/forms/ap_1/live"},
		{"POST", "/bff/api/forms/ap_1/live"},
		{"POST", "/bff/api/forms/ap_1/presence"},
		{"GET", "/bff/events?form=ap_1"},
		{"POST", "/bff/api/streams"},
		{"POST", "/bff/atlas"},
		{"POST", "/bff/logout"},
		{"GET", "/forms"},
	} {
		for _, cookie := range []string{cookie, name + "=made-up; " + cookie} {
			rec := w.sent(cookie, x[0], x[1], untouched{t}, "Content-Type", "application/json")
			if rec.Code != http.StatusTooManyRequests || rec.Header().Get("Retry-After") != "1" || rec.Header().Get("Set-Cookie") != "" ||
				!strings.Contains(rec.Body.String(), `"code":"rate_limited"`) || !strings.Contains(rec.Body.String(), "100 requests per second") {
				t.Fatalf("%s %s: %d %v %s", x[0], x[1], rec.Code, rec.Header(), rec.Body)
			}
		}
	}
	if rec := w.sent(cookie, "GET", "/forms", nil, "Accept", "text/html"); rec.Code != http.StatusTooManyRequests ||
		!strings.HasPrefix(rec.Body.String(), "<page>Too many requests|") {
		t.Errorf("a page: %d %s", rec.Code, rec.Body)
	}
	if n := w.rows.reads.Load() - reads; n != 0 {
		t.Errorf("the session is read %d times", n)
	}
	if rec := w.sent(cookie, "GET", "/web/app.css", nil); rec.Code != http.StatusOK {
		t.Errorf("a file: %d", rec.Code)
	}
	if !ana.signedIn() {
		t.Error("somebody else is refused")
	}
	w.clock.Move(time.Second)
	for n := range 100 {
		if rec := w.sent(cookie, "GET", "/bff/draft-keys", nil); rec.Code != http.StatusOK {
			t.Errorf("%d, later: %d %s", n, rec.Code, rec.Body)
		}
	}
	if rec := w.sent(cookie, "GET", "/bff/draft-keys", nil); rec.Code != http.StatusTooManyRequests {
		t.Errorf("one more: %d %s", rec.Code, rec.Body)
	}
}

// A session has one turn of large requests, even if its browser sends other cookies, too.
func TestCookiesMakeNoTurns(t *testing.T) {
	w := newWorld(t)
	release := make(chan struct{})
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) {
			<-release
			writeJSON(rw, 200, map[string]any{"id": "ap_1"})
		}
	})
	eve := w.browser()
	eve.signIn()
	cookie := eve.cookie()
	name, _, _ := strings.Cut(cookie, "=")
	large := `{"name":"` + strings.Repeat("x", httpx.LargeBody) + `"}`
	const most = 5 // that are worked on or wait
	answers := make(chan int)
	for n := range most + 1 {
		go func() {
			answers <- w.sent(fmt.Sprintf("%s=made-up-%d; %s", name, n, cookie), "PATCH", "/bff/api/forms/ap_1", strings.NewReader(large),
				"Content-Type", "application/json").Code
		}()
	}
	if status := <-answers; status != http.StatusTooManyRequests {
		t.Errorf("the first answer is %d, want 429", status)
	}
	close(release)
	for range most {
		if status := <-answers; status != http.StatusOK {
			t.Errorf("another answer is %d, want 200", status)
		}
	}
}

// A sign-in whose callback arrives too often is not used up: the browser may load the address again.
func TestLimitedCallbackWorksLater(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	at := w.consent(b.begin(""))
	for range 100 {
		b.do("GET", "/bff/callback?error=x&state=y", "")
	}
	if g := b.do("GET", at, ""); g.status != http.StatusTooManyRequests {
		t.Fatalf("callback: %d, want 429", g.status)
	}
	w.clock.Move(time.Second)
	if g := b.do("GET", at, ""); g.status != http.StatusSeeOther || !b.signedIn() {
		t.Errorf("later: %d %s", g.status, g.body)
	}
}

// A page of another site is refused whatever else its request contains.
func TestForeignOriginIsRefused(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	called := w.called()
	for _, x := range []struct{ method, target, body string }{
		{"GET", "/bff/user", ""},
		{"GET", "/bff/api/forms", ""},
		{"PATCH", "/bff/api/forms/ap_1", "{}"},
		{"DELETE", "/bff/api/forms/ap_1", ""},
		{"POST", "/bff/logout", ""},
		{"GET", "/bff/login", ""},
	} {
		for _, origin := range []string{"https://evil.example", "null", "http" + strings.TrimPrefix(w.editor, "https"), w.editor + "/", ""} {
			g := b.do(x.method, x.target, x.body, "X-CSRF", "1", "Sec-Fetch-Site", "same-origin", "Content-Type", "application/json", "Origin",
				origin)
			if g.status != http.StatusForbidden || g.code() != "csrf" {
				t.Errorf("%s %s from %q: %d %s", x.method, x.target, origin, g.status, g.body)
			}
		}
	}
	if w.called() != called || !b.signedIn() {
		t.Error("a refused request did something")
	}
}

// The address to which a tenant redirects may contain anything, so the log has only its host.
func TestRefusedRedirectIsNotLogged(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	at := w.consent(b.begin(""))
	w.bend(func(s *stub) {
		s.token = func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "https://elsewhere.example/path?"+url.Values{"code": {"the-secret-code"}}.Encode(), http.StatusTemporaryRedirect)
		}
	})
	if g := b.do("GET", at, ""); g.status != http.StatusServiceUnavailable {
		t.Errorf("callback: %d %s", g.status, g.body)
	}
	if log := w.log.String(); strings.Contains(log, "the-secret-code") || !strings.Contains(log, "elsewhere.example") {
		t.Errorf("log: %s", log)
	}
}

// Broken JSON of a tenant never reaches the browser as an answer.
func TestBrokenAnswerIsRefused(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, body := range []string{
		`{"id":"ap_1"`, `{"id":"ap_1"}}`, `{"id":"ap_1"} {}`, "{\"id\":\"\xff\"}", `{'id':1}`, "nothing",
	} {
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = rw.Write([]byte(body))
			}
		})
		if g := b.app("GET", "/bff/api/forms/ap_1", ""); g.status != http.StatusBadGateway || g.code() != "upstream_unavailable" {
			t.Errorf("%q: %d %s", body, g.status, g.body)
		}
	}
}
