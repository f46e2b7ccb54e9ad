package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// tenant counts refreshes and rotates tokens: a used token is refused permanently.
type tenant struct {
	mu    sync.Mutex
	calls int
	valid string
	clock *clock
	block chan struct{}
	enter chan struct{}
}

func (n *tenant) refresh(ctx context.Context, audience string, g session.Grant) (session.Token, string, error) {
	n.mu.Lock()
	n.calls++
	call := n.calls
	ok := g.Refresh == n.valid
	n.mu.Unlock()
	if n.enter != nil {
		close(n.enter)
	}
	if n.block != nil {
		select {
		case <-n.block:
		case <-ctx.Done():
			return session.Token{}, "", ctx.Err()
		}
	}
	if !ok {
		return session.Token{}, "", session.ErrRevoked
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.valid = fmt.Sprint("refresh-", call)
	return session.Token{Access: fmt.Sprint("access-", call, "-", audience), Expiry: n.clock.Now().Add(10 * time.Minute)}, n.valid, nil
}

// onEngines runs a test with the rows of two processes that share a database. The second ends with end, as if its process were killed.
func onEngines(t *testing.T, test func(t *testing.T, one, other store.Sessions, end func())) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		db := sqlitetest.Open(t)
		test(t, db, db, func() {})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := postgrestest.URL(t)
		other := postgrestest.OpenURL(t, url)
		test(t, postgrestest.OpenURL(t, url), other, func() {
			if err := other.Close(); err != nil {
				t.Error(err)
			}
		})
	})
}

// Parallel requests refresh a token once. Two stores are two processes.
func TestOneRefresh(t *testing.T) {
	onEngines(t, func(t *testing.T, one, other store.Sessions, _ func()) { t.Helper(); oneRefresh(t, one, other) })
}

func oneRefresh(t *testing.T, one, other store.Sessions) {
	t.Helper()
	c := newClock()
	a, b := newStore(t, one, c, nil), newStore(t, other, c, nil)
	ck := begin(t, a, "ana", grant(c.Now().Add(-time.Minute)))
	n := &tenant{valid: "refresh-0", clock: c}
	var wg sync.WaitGroup
	for i := range sizetest.Of(0, 20, 100) {
		s := []*session.Store{a, b}[i%2]
		ss := read(t, s, ck)
		wg.Go(func() {
			got, err := s.Access(t.Context(), ss, "api", "", n.refresh)
			if err != nil || got.Access != "access-1-api" {
				t.Errorf("got %q, %v", got.Access, err)
			}
		})
	}
	wg.Wait()
	if n.calls != 1 {
		t.Errorf("%d refreshes, want 1", n.calls)
	}
	if got := a.GrantOf(read(t, a, ck)); got.Refresh != "refresh-1" {
		t.Errorf("the rotated token is lost: %q", got.Refresh)
	}
}

func TestLiveTokenNeedsNoRefresh(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(time.Minute)))
	n := &tenant{valid: "refresh-0", clock: c}
	if got, err := s.Access(t.Context(), read(t, s, ck), "api", "", n.refresh); err != nil || got.Access != "access-0" || n.calls != 0 {
		t.Errorf("got %q, %v after %d calls", got.Access, err, n.calls)
	}
	if got, err := s.Access(t.Context(), read(t, s, ck), "api", "access-0", n.refresh); err != nil || got.Access != "access-1-api" ||
		n.calls != 1 {
		t.Errorf("refused token: got %q, %v after %d calls", got.Access, err, n.calls)
	}
	if got, err := s.Access(t.Context(), read(t, s, ck), "me", "", n.refresh); err != nil || got.Access != "access-2-me" {
		t.Errorf("second audience: got %q, %v", got.Access, err)
	}
	if got := s.GrantOf(read(t, s, ck)).Tokens; len(got) != 2 {
		t.Errorf("both audiences must be kept, got %v", got)
	}
	if _, err := s.Access(t.Context(), read(t, s), "api", "", n.refresh); !errors.Is(err, session.ErrExpired) {
		t.Errorf("without a session: got %v", err)
	}
}

// A refresh is finished for the others even if its first caller leaves before the tenant answers.
func TestCallerLeaves(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	n := &tenant{valid: "refresh-0", clock: c, block: make(chan struct{}), enter: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	ss := read(t, s, ck)
	go func() { _, err := s.Access(ctx, ss, "api", "", n.refresh); first <- err }()
	<-n.enter
	n.enter = nil
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("first caller: got %v", err)
	}
	close(n.block)
	got, err := s.Access(t.Context(), read(t, s, ck), "api", "", n.refresh)
	if err != nil || got.Access != "access-1-api" || n.calls != 1 {
		t.Errorf("got %q, %v after %d calls", got.Access, err, n.calls)
	}
}

// When a process dies with the lease, another refreshes after the lease has ended.
func TestDeadHolder(t *testing.T) {
	onEngines(t, deadHolder)
}

func deadHolder(t *testing.T, rows, dead store.Sessions, end func()) {
	t.Helper()
	c := newClock()
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	id := rowID(t, s, ck)
	if err := dead.LeaseSession(t.Context(), id, 1, "dead", c.Now(), c.Now().Add(20*time.Second)); err != nil {
		t.Fatal(err)
	}
	end()
	n := &tenant{valid: "refresh-0", clock: c}
	waiting := &firstLease{Sessions: rows, tried: make(chan struct{})}
	s = newStore(t, waiting, c, nil)
	ss := read(t, s, ck)
	done := make(chan error, 1)
	go func() { _, err := s.Access(t.Context(), ss, "api", "", n.refresh); done <- err }()
	<-waiting.tried
	if n.calls != 0 {
		t.Error("no refresh while the lease lasts")
	}
	c.Move(20 * time.Second)
	if err := <-done; err != nil || n.calls != 1 {
		t.Errorf("after the lease: got %v after %d calls", err, n.calls)
	}
}

// firstLease signals when a lease was first attempted.
type firstLease struct {
	store.Sessions
	once  sync.Once
	tried chan struct{}
}

func (f *firstLease) LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error {
	err := f.Sessions.LeaseSession(ctx, id, version, owner, now, until)
	f.once.Do(func() { close(f.tried) })
	return err
}

// Only a refused refresh ends the session.
func TestRefreshFails(t *testing.T) {
	for _, x := range []struct {
		name  string
		left  time.Duration // of the old access token
		err   error
		want  error
		alive bool
	}{
		{"invalid_grant", -time.Minute, fmt.Errorf("token: %w", session.ErrRevoked), session.ErrExpired, false},
		{"invalid_grant with a token still good", 10 * time.Second, session.ErrRevoked, session.ErrExpired, false},
		{"500, token over", -time.Minute, errors.New("500"), session.ErrRefresh, true},
		{"500, token over just now", 0, errors.New("500"), session.ErrRefresh, true},
		{"500, token still good", 10 * time.Second, errors.New("500"), nil, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newClock()
			s := newStore(t, sqlitetest.Open(t), c, nil)
			ck := begin(t, s, "ana", grant(c.Now().Add(x.left)))
			fail := func(context.Context, string, session.Grant) (session.Token, string, error) {
				return session.Token{}, "", x.err
			}
			got, err := s.Access(t.Context(), read(t, s, ck), "api", "", fail)
			if !errors.Is(err, x.want) || (x.want == nil) != (err == nil) {
				t.Errorf("got %q, %v, want %v", got.Access, err, x.want)
			}
			if alive := !read(t, s, ck).IsNew; alive != x.alive {
				t.Errorf("session lives: %v, want %v", alive, x.alive)
			}
			n := &tenant{valid: "refresh-0", clock: c}
			if _, err := s.Access(t.Context(), read(t, s, ck), "api", "access-0", n.refresh); x.alive && err != nil {
				t.Errorf("the lease must be free after a failure: %v", err)
			}
		})
	}
}

func TestNoRefreshToken(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	ck := begin(t, s, "ana", session.Grant{Tokens: map[string]session.Token{"api": {Access: "a", Expiry: c.Now()}}})
	if _, err := s.Access(t.Context(), read(t, s, ck), "api", "", nil); !errors.Is(err, session.ErrExpired) {
		t.Errorf("got %v", err)
	}
	if !read(t, s, ck).IsNew {
		t.Error("the session must be gone")
	}
}

// A request that saves values after another one has refreshed must not restore the old tokens.
func TestSaveKeepsRefreshedTokens(t *testing.T) {
	c := newClock()
	s := newStore(t, sqlitetest.Open(t), c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	r := request(ck)
	slow, err := s.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	n := &tenant{valid: "refresh-0", clock: c}
	if _, err := s.Access(t.Context(), read(t, s, ck), "api", "", n.refresh); err != nil {
		t.Fatal(err)
	}
	slow.Values["theme"] = "dark"
	if err := s.Save(r, newRecorder(), slow); err != nil {
		t.Fatal(err)
	}
	got := read(t, s, ck)
	if s.GrantOf(got).Refresh != "refresh-1" || got.Values["theme"] != "dark" {
		t.Errorf("got %q, %v", s.GrantOf(got).Refresh, got.Values)
	}
}

// conflicts makes the next updates fail with a conflict.
type conflicts struct {
	store.Sessions
	left atomic.Int32
}

func (f *conflicts) UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error {
	if f.left.Add(-1) >= 0 {
		return store.ErrConflict
	}
	return f.Sessions.UpdateSession(ctx, id, version, data)
}

func TestConflictingWriterDoesNotLoseTheToken(t *testing.T) {
	c, rows := newClock(), &conflicts{Sessions: sqlitetest.Open(t)}
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	rows.left.Store(3)
	n := &tenant{valid: "refresh-0", clock: c}
	if _, err := s.Access(t.Context(), read(t, s, ck), "api", "", n.refresh); err != nil {
		t.Fatal(err)
	}
	if got := s.GrantOf(read(t, s, ck)).Refresh; got != "refresh-1" {
		t.Errorf("got %q", got)
	}
}

// outage is a store whose next reads and updates of sessions fail.
type outage struct {
	store.Sessions

	left atomic.Int32
}

func (o *outage) Session(ctx context.Context, id []byte) (store.Session, error) {
	if o.left.Add(-1) >= 0 {
		return store.Session{}, store.ErrUnavailable
	}
	return o.Sessions.Session(ctx, id)
}

func (o *outage) UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error {
	if o.left.Add(-1) >= 0 {
		return store.ErrUnavailable
	}
	return o.Sessions.UpdateSession(ctx, id, version, data)
}

// A database that restarts while the tenant rotates a refresh token does not end the session.
func TestOutageDoesNotLoseTheToken(t *testing.T) {
	c, rows := newClock(), &outage{Sessions: sqlitetest.Open(t)}
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	n := &tenant{valid: "refresh-0", clock: c}
	down := func(ctx context.Context, audience string, g session.Grant) (session.Token, string, error) {
		rows.left.Store(3)
		return n.refresh(ctx, audience, g)
	}
	if got, err := s.Access(t.Context(), read(t, s, ck), "api", "", down); err != nil || got.Access != "access-1-api" {
		t.Fatalf("got %q, %v", got.Access, err)
	}
	if got := s.GrantOf(read(t, s, ck)).Refresh; got != "refresh-1" {
		t.Errorf("the stored refresh token is %q, want the rotated one", got)
	}
}

// A token request that hangs ends after 8 s, within its lease.
func TestSlowRefresh(t *testing.T) {
	c := newClock()
	rows := sqlitetest.Open(t)
	s := newStore(t, rows, c, nil)
	ck := begin(t, s, "ana", grant(c.Now().Add(-time.Minute)))
	ss := read(t, s, ck)
	var bound time.Duration
	_, err := s.Access(t.Context(), ss, "api", "", func(ctx context.Context, _ string, _ session.Grant) (session.Token, string, error) {
		end, ok := ctx.Deadline()
		if !ok {
			t.Error("the token request has no deadline")
		}
		bound = time.Until(end)
		return session.Token{}, "", context.DeadlineExceeded
	})
	if !errors.Is(err, session.ErrRefresh) {
		t.Errorf("got %v", err)
	}
	if bound > session.TokenTimeout || bound < session.TokenTimeout/2 {
		t.Errorf("bound is %v, want about %v", bound, session.TokenTimeout)
	}
}

// A change of a token by one request keeps the tokens that another request has refreshed meanwhile.
func TestEditTokenKeepsARefreshedToken(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	n := &tenant{valid: "r1", clock: c}
	s := newStore(t, rows, c, nil)
	cookie := begin(t, s, "ana", session.Grant{Refresh: "r1", Tokens: map[string]session.Token{
		"api": {Access: "old", Scope: "read:forms update:forms", Expiry: c.Now()},
	}})
	early := read(t, s, cookie)
	fresh, err := s.Access(t.Context(), read(t, s, cookie), "api", "", n.refresh)
	if err != nil {
		t.Fatal(err)
	}
	deny := func(x *session.Token) { x.Denied = "update:forms" }
	if err := s.EditToken(t.Context(), early, "api", deny); err != nil {
		t.Fatal(err)
	}
	if err := s.EditToken(t.Context(), early, "other", deny); err != nil {
		t.Fatal(err)
	}
	g := s.GrantOf(read(t, s, cookie))
	if got := g.Tokens["api"]; got.Access != fresh.Access || got.Denied != "update:forms" || g.Refresh == "r1" || len(g.Tokens) != 1 {
		t.Errorf("grant %+v", g)
	}
	if err := s.EditToken(t.Context(), read(t, s), "api", deny); !errors.Is(err, session.ErrExpired) {
		t.Errorf("without a session: %v", err)
	}
}

// Tokens that are refreshed remain bound to the key of the sign-in, which only the session's cookie opens.
func TestKeyStaysWithItsGrant(t *testing.T) {
	c, rows := newClock(), sqlitetest.Open(t)
	var log bytes.Buffer
	s := newStore(t, rows, c, &log)
	secret := bytes.Repeat([]byte("k"), 32)
	g := grant(c.Now().Add(-time.Minute))
	g.Key = secret
	for _, want := range [][]byte{secret, nil} { // nil: a session from before
		g.Key = want
		ck := begin(t, s, "ana", g)
		n := &tenant{valid: "refresh-0", clock: c}
		for i, audience := range []string{"api", "me"} {
			refresh := func(ctx context.Context, audience string, g session.Grant) (session.Token, string, error) {
				if !bytes.Equal(g.Key, want) {
					t.Errorf("refresh %d with the key %q, want %q", i, g.Key, want)
				}
				return n.refresh(ctx, audience, g)
			}
			if _, err := s.Access(t.Context(), read(t, s, ck), audience, "", refresh); err != nil {
				t.Fatal(err)
			}
		}
		err := s.EditToken(t.Context(), read(t, s, ck), "api", func(t *session.Token) { t.Denied = "x" })
		if got := s.GrantOf(read(t, s, ck)); err != nil || !bytes.Equal(got.Key, want) || len(got.Tokens) != 2 {
			t.Errorf("kept %v, %v", got, err)
		}
		if bytes.Contains(row(t, rows, rowID(t, s, ck)).Data, secret) || strings.Contains(log.String(), string(secret)) {
			t.Error("the key is readable")
		}
	}
}
