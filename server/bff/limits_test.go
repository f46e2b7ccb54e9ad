package bff_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
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
