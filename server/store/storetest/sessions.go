package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// Sessions checks an engine's store.Sessions. open returns an empty store that
// lives until the test ends.
func Sessions(t *testing.T, open func(t *testing.T) store.Sessions) {
	t.Helper()
	s := sessionsTest{open}
	t.Run("create and read", s.createAndRead)
	t.Run("update counts versions", s.updateCountsVersions)
	t.Run("of parallel updates one wins", s.oneUpdateWins)
	t.Run("touch moves forward only", s.touchMovesForward)
	t.Run("delete", s.delete)
	t.Run("end those of a person, of a sign-in, of both", s.end)
	t.Run("lease", s.lease)
	t.Run("sweep", s.sweep)
}

// sessionsTest is the suite over one engine.
type sessionsTest struct {
	open func(t *testing.T) store.Sessions
}

func sessionRow(name string) store.Session {
	id := sha256.Sum256([]byte(name))
	return store.Session{ID: id[:], Data: []byte("sealed " + name), Created: sessionTime(), Seen: sessionTime()}
}

// sessionTime is when the rows are created. It is not a whole second.
func sessionTime() time.Time { return noon().Add(7 * time.Millisecond) }

// start opens a store with a row for each name.
func (test sessionsTest) start(t *testing.T, names ...string) (context.Context, store.Sessions) {
	t.Helper()
	rows := test.open(t)
	for _, name := range names {
		sessionErr(t, "create", rows.CreateSession(t.Context(), sessionRow(name)), nil)
	}
	return t.Context(), rows
}

func readSession(t *testing.T, s store.Sessions, name string) store.Session {
	t.Helper()
	got, err := s.Session(t.Context(), sessionRow(name).ID)
	sessionErr(t, "read "+name, err, nil)
	return got
}

func (test sessionsTest) createAndRead(t *testing.T) {
	t0 := sessionTime()
	ctx, s := test.start(t, "a")
	got := readSession(t, s, "a")
	if !bytes.Equal(got.Data, sessionRow("a").Data) || got.Version != 1 || !got.Created.Equal(t0) || !got.Seen.Equal(t0) ||
		!bytes.Equal(got.ID, sessionRow("a").ID) {
		t.Errorf("got %+v", got)
	}
	sessionErr(t, "create twice", s.CreateSession(ctx, sessionRow("a")), store.ErrConflict)
	_, err := s.Session(ctx, sessionRow("b").ID)
	sessionErr(t, "read unknown", err, store.ErrNotFound)
}

func (test sessionsTest) updateCountsVersions(t *testing.T) {
	ctx, s := test.start(t, "a")
	sessionErr(t, "update", s.UpdateSession(ctx, sessionRow("a").ID, 1, []byte("two")), nil)
	sessionErr(t, "update of an old version", s.UpdateSession(ctx, sessionRow("a").ID, 1, []byte("lost")), store.ErrConflict)
	sessionErr(t, "update of none", s.UpdateSession(ctx, sessionRow("b").ID, 1, nil), store.ErrNotFound)
	if got := readSession(t, s, "a"); string(got.Data) != "two" || got.Version != 2 {
		t.Errorf("got %q version %d", got.Data, got.Version)
	}
}

func (test sessionsTest) oneUpdateWins(t *testing.T) {
	ctx, s := test.start(t, "a")
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			switch err := s.UpdateSession(ctx, sessionRow("a").ID, 1, []byte("x")); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrConflict):
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d updates won, want 1", won.Load())
	}
}

func (test sessionsTest) touchMovesForward(t *testing.T) {
	t0 := sessionTime()
	ctx, s := test.start(t, "a")
	later := t0.Add(time.Minute)
	sessionErr(t, "touch", s.TouchSession(ctx, sessionRow("a").ID, later), nil)
	sessionErr(t, "touch back", s.TouchSession(ctx, sessionRow("a").ID, t0), nil)
	sessionErr(t, "touch none", s.TouchSession(ctx, sessionRow("b").ID, later), store.ErrNotFound)
	if got := readSession(t, s, "a"); !got.Seen.Equal(later) || got.Version != 1 {
		t.Errorf("got %v version %d", got.Seen, got.Version)
	}
}

func (test sessionsTest) delete(t *testing.T) {
	ctx, s := test.start(t, "a", "b")
	sessionErr(t, "delete", s.DeleteSession(ctx, sessionRow("a").ID), nil)
	sessionErr(t, "delete again", s.DeleteSession(ctx, sessionRow("a").ID), nil)
	_, err := s.Session(ctx, sessionRow("a").ID)
	sessionErr(t, "read deleted", err, store.ErrNotFound)
	readSession(t, s, "b")
}

func (test sessionsTest) end(t *testing.T) {
	_, s := test.start(t, "nobody")
	for name, of := range map[string][2]string{"a1": {"a", "1"}, "a2": {"a", "2"}, "b1": {"b", "1"}, "b3": {"b", "3"}} {
		r := sessionRow(name)
		r.Person, r.SignIn = []byte(of[0]), []byte(of[1])
		sessionErr(t, "create", s.CreateSession(t.Context(), r), nil)
	}
	words := func(list ...string) (out [][]byte) {
		for _, w := range list {
			out = append(out, []byte(w))
		}
		return out
	}
	for _, x := range []struct {
		people, signIns [][]byte
		ended           int64
		left            string
	}{
		{nil, nil, 0, "nobody a1 a2 b1 b3"},
		{words("c"), nil, 0, "nobody a1 a2 b1 b3"},
		{words("c"), words("1"), 0, "nobody a1 a2 b1 b3"},
		{words("c", "b"), words("1", "2"), 1, "nobody a1 a2 b3"},
		{nil, words("3", "4"), 1, "nobody a1 a2"},
		{words("x", "a"), nil, 2, "nobody"},
		{words(""), words(""), 0, "nobody"},
	} {
		n, err := s.EndSessions(t.Context(), x.people, x.signIns)
		sessionErr(t, "end", err, nil)
		if n != x.ended {
			t.Errorf("%s and %s: ended %d, want %d", x.people, x.signIns, n, x.ended)
		}
		for name := range strings.FieldsSeq("nobody a1 a2 b1 b3") {
			_, err := s.Session(t.Context(), sessionRow(name).ID)
			if there := err == nil; there != slices.Contains(strings.Fields(x.left), name) {
				t.Errorf("%s and %s: %s is there: %v", x.people, x.signIns, name, there)
			}
		}
	}
}

func (test sessionsTest) lease(t *testing.T) {
	t0 := sessionTime()
	ctx, s := test.start(t, "a")
	id, until := sessionRow("a").ID, t0.Add(20*time.Second)
	sessionErr(t, "lease", s.LeaseSession(ctx, id, 1, "one", t0, until), nil)
	sessionErr(t, "second lease", s.LeaseSession(ctx, id, 1, "two", t0.Add(time.Second), until), store.ErrConflict)
	sessionErr(t, "lease after the end", s.LeaseSession(ctx, id, 1, "two", until, until.Add(time.Minute)), nil)
	sessionErr(t, "release of a lost lease", s.ReleaseSession(ctx, id, "one"), nil)
	sessionErr(t, "still held", s.LeaseSession(ctx, id, 1, "one", until, until.Add(time.Second)), store.ErrConflict)
	sessionErr(t, "release", s.ReleaseSession(ctx, id, "two"), nil)
	sessionErr(t, "lease after release", s.LeaseSession(ctx, id, 1, "one", t0, until), nil)
	sessionErr(t, "update under a lease", s.UpdateSession(ctx, id, 1, []byte("x")), nil)
	sessionErr(t, "release", s.ReleaseSession(ctx, id, "one"), nil)
	sessionErr(t, "lease of a passed version", s.LeaseSession(ctx, id, 1, "one", t0, until), store.ErrConflict)
	sessionErr(t, "lease of none", s.LeaseSession(ctx, sessionRow("b").ID, 1, "one", t0, until), store.ErrNotFound)
}

func (test sessionsTest) sweep(t *testing.T) {
	t0 := sessionTime()
	ctx, s := test.start(t, "idle", "old", "good")
	sessionErr(t, "touch", s.TouchSession(ctx, sessionRow("old").ID, t0.Add(2*time.Hour)), nil)
	sessionErr(t, "touch", s.TouchSession(ctx, sessionRow("good").ID, t0.Add(2*time.Hour)), nil)
	n, err := s.SweepSessions(ctx, t0, t0.Add(time.Hour))
	sessionErr(t, "sweep idle", err, nil)
	if n != 1 {
		t.Errorf("swept %d, want 1", n)
	}
	readSession(t, s, "good")
	n, err = s.SweepSessions(ctx, t0.Add(time.Millisecond), t0)
	sessionErr(t, "sweep old", err, nil)
	if n != 2 {
		t.Errorf("swept %d, want 2", n)
	}
}

func sessionErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) || (want == nil) != (got == nil) {
		t.Fatalf("%s: got error %v, want %v", what, got, want)
	}
}
