package session_test

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

func newRecorder() *httptest.ResponseRecorder { return httptest.NewRecorder() }

// browser keeps cookies as a real one does.
type browser struct {
	t   *testing.T
	jar *cookiejar.Jar
	at  *url.URL
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, jar, &url.URL{Scheme: "https", Host: "forms.example", Path: "/"}}
}

func (b *browser) request() *http.Request { return request(b.jar.Cookies(b.at)...) }

func (b *browser) keep(w *httptest.ResponseRecorder) { b.jar.SetCookies(b.at, w.Result().Cookies()) }

func (b *browser) begin(s *session.Store, state string) {
	b.t.Helper()
	w := newRecorder()
	if err := s.Logins().Begin(w, b.request(), session.Login{
		State: state, Nonce: "nonce-" + state, Verifier: "verifier-" + state,
		ReturnTo: "/forms",
	}); err != nil {
		b.t.Fatal(err)
	}
	b.keep(w)
}

func (b *browser) take(s *session.Store, state string) (session.Login, bool) {
	w := newRecorder()
	l, ok := s.Logins().Take(w, b.request(), state)
	b.keep(w)
	return l, ok
}

func TestLogin(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	b := newBrowser(t)
	w := newRecorder()
	if err := s.Logins().Begin(w, b.request(), session.Login{State: "one", Verifier: "the-verifier", Nonce: "the-nonce"}); err != nil {
		t.Fatal(err)
	}
	ck := w.Result().Cookies()[0]
	if !ck.Secure || !ck.HttpOnly || ck.SameSite != http.SameSiteLaxMode || ck.MaxAge != 600 ||
		!strings.HasPrefix(ck.Name, "__Host-Http-fg-login-") {
		t.Errorf("got %v", ck)
	}
	for _, secret := range []string{"one", "the-verifier", "the-nonce"} {
		if strings.Contains(ck.Value, secret) {
			t.Errorf("%q stands in the cookie", secret)
		}
	}
	b.keep(w)
	stale := b.request()
	if _, ok := b.take(s, "other"); ok {
		t.Error("a state that was not begun here must be refused")
	}
	if _, ok := newBrowser(t).take(s, "one"); ok {
		t.Error("another browser must be refused")
	}
	if l, ok := b.take(s, "one"); !ok || l.Verifier != "the-verifier" || l.Nonce != "the-nonce" {
		t.Errorf("got %+v, %v", l, ok)
	}
	if _, ok := b.take(s, "one"); ok {
		t.Error("the second time must be refused")
	}
	if _, ok := s.Logins().Take(newRecorder(), stale, "one"); ok {
		t.Error("also when the browser sends the cookie again")
	}
	if _, ok := b.take(s, ""); ok {
		t.Error("no state must be refused")
	}
}

func TestLoginEnds(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	b := newBrowser(t)
	b.begin(s, "one")
	c.Move(session.LoginTime)
	if _, ok := b.take(s, "one"); ok {
		t.Error("after ten minutes it must be refused")
	}
}

// Of six sign-ins begun at once, the oldest is dropped and the others work.
func TestSixTabs(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	b := newBrowser(t)
	for i := range 6 {
		b.begin(s, fmt.Sprint("tab-", i))
		c.Move(time.Second)
	}
	if n := len(b.jar.Cookies(b.at)); n != 5 {
		t.Errorf("%d sign-ins are open, want 5", n)
	}
	for i := range 6 {
		if _, ok := b.take(s, fmt.Sprint("tab-", i)); ok != (i > 0) {
			t.Errorf("tab %d: got %v", i, ok)
		}
	}
	// Tabs that begin before the first answer arrives do not overwrite each other.
	empty := b.request()
	for i := range 3 {
		w := newRecorder()
		if err := s.Logins().Begin(w, empty, session.Login{State: fmt.Sprint("at-once-", i)}); err != nil {
			t.Fatal(err)
		}
		b.keep(w)
	}
	for i := range 3 {
		if _, ok := b.take(s, fmt.Sprint("at-once-", i)); !ok {
			t.Errorf("tab %d lost its sign-in", i)
		}
	}
}

func TestLoginCookieOfAnotherName(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	w := newRecorder()
	if err := s.Logins().Begin(w, request(), session.Login{State: "one"}); err != nil {
		t.Fatal(err)
	}
	other := newRecorder()
	if err := s.Logins().Begin(other, request(), session.Login{State: "two"}); err != nil {
		t.Fatal(err)
	}
	moved := &http.Cookie{Name: other.Result().Cookies()[0].Name, Value: w.Result().Cookies()[0].Value}
	if _, ok := s.Logins().Take(newRecorder(), request(moved), "two"); ok {
		t.Error("a cookie's value must not work under another name")
	}
}

// Ten thousand sign-ins that strangers begin and end must not keep anybody from signing in.
func TestEndedSignInsLockNobodyOut(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	stranger := newBrowser(t)
	for i := range 10_004 {
		state := fmt.Sprint("stranger-", i)
		stranger.begin(s, state)
		if _, ok := stranger.take(s, state); !ok {
			t.Fatalf("sign-in %d is refused", i)
		}
	}
	b := newBrowser(t)
	b.begin(s, "ours")
	again := b.request()
	if _, ok := b.take(s, "ours"); !ok {
		t.Error("a full memory of ended sign-ins refuses a new one")
	}
	if _, ok := s.Logins().Take(newRecorder(), again, "ours"); ok {
		t.Error("a sign-in that has just ended can be taken again")
	}
}
