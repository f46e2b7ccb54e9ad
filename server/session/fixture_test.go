package session_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
)

// clock does not move unless it is set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) Move(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// downRows is a store that can be taken down.
type downRows struct {
	store.Sessions
	down bool
}

var errDown = errors.New("disk is gone")

func (d *downRows) Session(ctx context.Context, id []byte) (store.Session, error) {
	if d.down {
		return store.Session{}, errDown
	}
	return d.Sessions.Session(ctx, id)
}

func (d *downRows) DeleteSession(ctx context.Context, id []byte) error {
	if d.down {
		return errDown
	}
	return d.Sessions.DeleteSession(ctx, id)
}

func key(id byte) session.Key {
	return session.Key{ID: id, Secret: bytes.Repeat([]byte{id}, 32)}
}

func newStore(t *testing.T, rows store.Sessions, c *clock, log *bytes.Buffer, keys ...session.Key) *session.Store {
	t.Helper()
	if len(keys) == 0 {
		keys = []session.Key{key(1)}
	}
	out := &lockedWriter{}
	if log != nil {
		out.w = log
	}
	s, err := session.NewStore(session.Config{Rows: rows, Keys: keys, Now: c.Now, Log: slog.New(slog.NewJSONHandler(out, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type lockedWriter struct {
	mu sync.Mutex
	w  *bytes.Buffer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.w == nil {
		return len(b), nil
	}
	return l.w.Write(b)
}

func request(cookies ...*http.Cookie) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "https://forms.example/", nil)
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return r
}

// begin signs somebody in and returns the session's cookie.
func begin(t *testing.T, s *session.Store, subject string, g session.Grant) *http.Cookie {
	t.Helper()
	r, w := request(), httptest.NewRecorder()
	ss, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	ss.Values["sub"] = subject
	s.SetGrant(ss, g)
	if err := s.Save(r, w, ss); err != nil {
		t.Fatal(err)
	}
	return w.Result().Cookies()[0]
}

func read(t *testing.T, s *session.Store, cookies ...*http.Cookie) *sessions.Session {
	t.Helper()
	ss, err := s.Of(request(cookies...))
	if err != nil {
		t.Fatal(err)
	}
	return ss
}

// rowID returns the ID of a cookie's row.
func rowID(t *testing.T, s *session.Store, ck *http.Cookie) []byte {
	t.Helper()
	id, err := hex.DecodeString(read(t, s, ck).ID)
	if err != nil || len(id) == 0 {
		t.Fatalf("no row: %v", err)
	}
	return id
}

func row(t *testing.T, rows store.Sessions, id []byte) store.Session {
	t.Helper()
	got, err := rows.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// replace replaces the row with its ID, including the version.
func replace(t *testing.T, rows store.Sessions, s store.Session) {
	t.Helper()
	if err := rows.DeleteSession(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	if err := rows.CreateSession(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}
