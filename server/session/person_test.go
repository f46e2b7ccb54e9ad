package session_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// beginAs signs somebody in and sets the session's person and sign-in.
func beginAs(t *testing.T, s *session.Store, person, signIn string) *http.Cookie {
	t.Helper()
	r, w := request(), httptest.NewRecorder()
	ss, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	s.SetGrant(ss, grant(time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)))
	s.SetPerson(ss, person, signIn)
	if err := s.Save(r, w, ss); err != nil {
		t.Fatal(err)
	}
	return w.Result().Cookies()[0]
}

// Sessions end by subject or sign-in, even after a new key was added.
func TestEndOf(t *testing.T) {
	for _, x := range []struct {
		name           string
		person, signIn string
		ended          int
		alive          []bool // of the sessions below
	}{
		{"person", "ana", "", 2, []bool{false, false, true, true}},
		{"sign-in", "", "s1", 2, []bool{false, true, false, true}},
		{"both", "ana", "s1", 1, []bool{false, true, true, true}},
		{"person and another's sign-in", "ana", "s3", 0, []bool{true, true, true, true}},
		{"another person", "eve", "", 0, []bool{true, true, true, true}},
		{"the other way round", "s1", "ana", 0, []bool{true, true, true, true}},
		{"neither", "", "", 0, []bool{true, true, true, true}},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, rows := newClock(), sqlitetest.Open(t)
			old := newStore(t, rows, c, nil, key(1))
			cookies := []*http.Cookie{beginAs(t, old, "ana", "s1"), beginAs(t, old, "ana", "s2")}
			s := newStore(t, rows, c, nil, key(2), key(1))
			cookies = append(cookies, beginAs(t, s, "bob", "s1"), beginAs(t, s, "bob", ""))
			n, err := s.EndOf(t.Context(), x.person, x.signIn)
			if err != nil || n != x.ended {
				t.Errorf("EndOf = %d, %v, want %d", n, err, x.ended)
			}
			for i, ck := range cookies {
				if alive := !read(t, s, ck).IsNew; alive != x.alive[i] {
					t.Errorf("session %d lives: %v, want %v", i, alive, x.alive[i])
				}
			}
		})
	}
}

// seenRows records the rows that are created.
type seenRows struct {
	store.Sessions

	created []store.Session
	down    bool
}

func (s *seenRows) CreateSession(ctx context.Context, row store.Session) error {
	s.created = append(s.created, row)
	return s.Sessions.CreateSession(ctx, row)
}

func (s *seenRows) EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error) {
	if s.down {
		return 0, errDown
	}
	return s.Sessions.EndSessions(ctx, people, signIns)
}

// The store learns neither the person nor that a person and a sign-in have the same name, and a new key makes new marks.
func TestMarksRevealNothing(t *testing.T) {
	c, rows := newClock(), &seenRows{Sessions: sqlitetest.Open(t)}
	beginAs(t, newStore(t, rows, c, nil, key(1)), "ana", "ana")
	s := newStore(t, rows, c, nil, key(2), key(1))
	beginAs(t, s, "ana", "")
	one, two := rows.created[0], rows.created[1]
	if len(one.Person) != 32 || len(one.SignIn) != 32 || bytes.Equal(one.Person, one.SignIn) || bytes.Equal(one.Person, two.Person) ||
		two.SignIn != nil {
		t.Errorf("marks are %x and %x, then %x and %x", one.Person, one.SignIn, two.Person, two.SignIn)
	}
	rows.down = true
	if _, err := s.EndOf(t.Context(), "ana", ""); !errors.Is(err, session.ErrUnavailable) {
		t.Errorf("EndOf = %v, want ErrUnavailable", err)
	}
}
