package session_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

func grant(expiry time.Time) session.Grant {
	return session.Grant{Refresh: "refresh-0", Tokens: map[string]session.Token{"api": {
		Access: "access-0", Type: "Bearer", Expiry: expiry,
		Scope: "read:forms",
	}}}
}

func TestCookie(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(time.Hour)))
	if ck.Name != "__Host-Http-fg" || !ck.Secure || !ck.HttpOnly || ck.SameSite != http.SameSiteStrictMode || ck.Path != "/" ||
		ck.Domain != "" {
		t.Errorf("got %+v", ck)
	}
	if strings.Contains(ck.String(), "ana") || strings.Contains(ck.String(), "access-0") {
		t.Errorf("the cookie names the person: %s", ck)
	}
	got := read(t, s, ck)
	if got.IsNew || got.Values["sub"] != "ana" || s.GrantOf(got).Refresh != "refresh-0" {
		t.Errorf("got new %v, %v", got.IsNew, got.Values)
	}
	plain, err := session.NewStore(session.Config{Rows: sqlitetest.Open(t), Keys: []session.Key{key(1)}, Plain: true, Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	if ck := begin(t, plain, "ana", session.Grant{}); ck.Name != "fg" || ck.Secure || !ck.HttpOnly ||
		ck.SameSite != http.SameSiteStrictMode {
		t.Errorf("cookie over http: got %+v", ck)
	}
}

func TestKeysAreChecked(t *testing.T) {
	for name, keys := range map[string][]session.Key{
		"none":  nil,
		"short": {{ID: 1, Secret: make([]byte, 31)}},
		"twice": {key(1), key(1)},
	} {
		if _, err := session.NewStore(session.Config{Keys: keys}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

// Only a cookie that verifies is a session.
func TestBadCookies(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	old := newStore(t, rows, c, nil, key(1))
	s := newStore(t, rows, c, nil, key(2), key(1))
	ck := begin(t, old, "ana", session.Grant{})
	if read(t, s, ck).IsNew {
		t.Error("a session of the second key must open")
	}
	tossed := &http.Cookie{Name: ck.Name, Value: "tossed-by-a-sibling"}
	if ss := read(t, s, tossed, ck); ss.IsNew || s.Named(request(tossed, ck)) != ss.ID {
		t.Error("a bad cookie of the name must not hide the good one")
	}
	flipped := *ck
	flipped.Value = ck.Value[:20] + map[bool]string{true: "A", false: "B"}[ck.Value[20] != 'A'] + ck.Value[21:]
	for name, bad := range map[string]*http.Cookie{
		"one changed character": &flipped,
		"empty":                 {Name: ck.Name, Value: ""},
		"of another name":       {Name: "fg", Value: ck.Value},
	} {
		if ss := read(t, s, bad); !ss.IsNew || ss.ID != "" || len(ss.Values) != 0 || s.Named(request(bad)) != "" {
			t.Errorf("%s: got id %q, %v", name, ss.ID, ss.Values)
		}
	}
	if !read(t, newStore(t, rows, c, nil, key(3)), ck).IsNew {
		t.Error("a cookie of a retired key must not open")
	}
	id := rowID(t, s, ck)
	if err := rows.DeleteSession(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if ss := read(t, s, ck); !ss.IsNew || ss.ID != "" {
		t.Error("a cookie of a deleted row must not open")
	}
	if other := begin(t, s, "bo", session.Grant{}); !read(t, s, ck, other).IsNew || s.Named(request(ck, other)) != s.Named(request(ck)) {
		t.Error("a cookie of a session that has ended must not make a second client of another one")
	}
}

// A row that was changed or copied does not make a session.
func TestChangedRows(t *testing.T) {
	for name, tamper := range map[string]func(mine, other store.Session) store.Session{
		"row of another session": func(mine, other store.Session) store.Session { mine.Data = other.Data; return mine },
		"one changed byte": func(mine, _ store.Session) store.Session {
			mine.Data = bytes.Clone(mine.Data)
			mine.Data[len(mine.Data)-1] ^= 1
			return mine
		},
		"empty": func(mine, _ store.Session) store.Session { mine.Data = []byte{}; return mine },
		"other key": func(mine, _ store.Session) store.Session {
			mine.Data = append([]byte{9}, mine.Data[1:]...)
			return mine
		},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			c, rows := newClock(), sqlitetest.Open(t)
			s := newStore(t, rows, c, &log)
			ana, eve := begin(t, s, "ana", session.Grant{}), begin(t, s, "eve", session.Grant{})
			mine, other := row(t, rows, rowID(t, s, ana)), row(t, rows, rowID(t, s, eve))
			replace(t, rows, tamper(mine, other))
			if !read(t, s, ana).IsNew {
				t.Error("must be gone")
			}
			if !strings.Contains(log.String(), `"event":"seal"`) {
				t.Errorf("no audit: %s", log.String())
			}
			if read(t, s, eve).IsNew {
				t.Error("the other session must live")
			}
		})
	}
	t.Run("rolled back", func(t *testing.T) {
		c, rows := newClock(), sqlitetest.Open(t)
		s := newStore(t, rows, c, nil)
		ck := begin(t, s, "ana", session.Grant{})
		before := row(t, rows, rowID(t, s, ck))
		r := request(ck)
		ss, err := s.Of(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Save(r, httptest.NewRecorder(), ss); err != nil {
			t.Fatal(err)
		}
		// The old data with the new version, as a restored page would contain.
		if err := rows.UpdateSession(t.Context(), before.ID, 2, before.Data); err != nil {
			t.Fatal(err)
		}
		if !read(t, s, ck).IsNew {
			t.Error("must be gone")
		}
	})
}

// A failing store does not end a session.
func TestStoreDown(t *testing.T) {
	c, rows := newClock(), &downRows{Sessions: sqlitetest.Open(t)}
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", session.Grant{})
	id := read(t, s, ck).ID
	rows.down = true
	if got := s.Named(request(ck)); got != id {
		t.Errorf("the request names %q, want %q", got, id)
	}
	if _, err := s.Of(request(ck)); !errors.Is(err, session.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if ss, err := s.Of(request()); err != nil || !ss.IsNew {
		t.Errorf("without a cookie the store is not needed: %v", err)
	}
	rows.down = false
	if read(t, s, ck).IsNew {
		t.Error("the session must live on")
	}
}

// A session ends by its idle time and by its absolute age.
func TestAges(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	idle := begin(t, s, "ana", session.Grant{})
	c.Move(session.DefaultIdle - time.Second)
	if ss := read(t, s, idle); ss.IsNew || s.Left(ss) != time.Second {
		t.Errorf("reading must not slide, left %v", s.Left(ss))
	}
	c.Move(time.Second)
	if !read(t, s, idle).IsNew {
		t.Error("idle for 60 minutes must end")
	}
	used := begin(t, s, "ana", session.Grant{})
	for range 23 {
		c.Move(30 * time.Minute)
		ss := read(t, s, used)
		if ss.IsNew {
			t.Fatal("a session in use must live")
		}
		s.Touch(t.Context(), ss)
	}
	if ss := read(t, s, used); s.Left(ss) != 30*time.Minute {
		t.Errorf("left %v, want the rest of 12 hours", s.Left(ss))
	}
	c.Move(30 * time.Minute)
	if !read(t, s, used).IsNew {
		t.Error("12 hours must end it, used or not")
	}
}

// A sign-in makes a new ID, and the old one ends.
func TestRenew(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	planted := begin(t, s, "attacker", grant(c.Now()))
	r, w := request(planted), httptest.NewRecorder()
	ss, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Renew(ss)
	ss.Values["sub"] = "victim"
	if err := s.Save(r, w, ss); err != nil {
		t.Fatal(err)
	}
	if !read(t, s, planted).IsNew {
		t.Error("the planted id must be worth nothing")
	}
	got := read(t, s, w.Result().Cookies()[0])
	if got.Values["sub"] != "victim" || s.GrantOf(got).Refresh != "" {
		t.Errorf("nothing of the old session may stay: %v", got.Values)
	}
}

// noNewRows is a store that cannot create a session.
type noNewRows struct{ store.Sessions }

func (noNewRows) CreateSession(context.Context, store.Session) error { return store.ErrUnavailable }

// A sign-in that cannot be stored leaves the session that it would have replaced.
func TestFailedRenewalKeepsTheSession(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	ck := begin(t, newStore(t, rows, c, nil), "ana", grant(c.Now()))
	s := newStore(t, noNewRows{rows}, c, nil)
	r, w := request(ck), httptest.NewRecorder()
	ss, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	s.Renew(ss)
	if err := s.Save(r, w, ss); !errors.Is(err, session.ErrUnavailable) || len(w.Result().Cookies()) != 0 {
		t.Errorf("Save = %v with cookies %v, want ErrUnavailable and none", err, w.Result().Cookies())
	}
	if got := read(t, s, ck); got.IsNew || got.Values["sub"] != "ana" {
		t.Errorf("the old session is gone: %v", got.Values)
	}
}

func TestSaveDeletes(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", grant(c.Now()))
	r, w := request(ck), httptest.NewRecorder()
	ss, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	ss.Options.MaxAge = -1
	if err := s.Save(r, w, ss); err != nil {
		t.Fatal(err)
	}
	if got := w.Result().Cookies()[0]; got.MaxAge >= 0 || got.Value != "" {
		t.Errorf("got %v", got)
	}
	if !read(t, s, ck).IsNew {
		t.Error("must be gone")
	}
	if !ss.IsNew || ss.ID != "" || s.GrantOf(ss).Refresh != "" || s.Left(ss) != 0 {
		t.Error("the request must forget it too")
	}
}

func TestSweep(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", session.Grant{})
	id := rowID(t, s, ck)
	c.Move(session.DefaultIdle + time.Minute)
	if err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Session(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestNothingReadableAtRest(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana-the-subject", grant(c.Now().Add(time.Hour)))
	got := row(t, rows, rowID(t, s, ck))
	for _, secret := range []string{"ana-the-subject", "access-0", "refresh-0", "read:forms"} {
		if bytes.Contains(got.Data, []byte(secret)) {
			t.Errorf("%q stands in the row", secret)
		}
	}
}
