package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gorilla/sessions"
	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// ErrRevoked is returned by a Refresh when the tenant reports that the refresh token is no longer valid (RFC 6749, section 5.2,
// invalid_grant). The session survives any other error.
var ErrRevoked = errors.New("refresh token is revoked")

// ErrRefresh means that no new access token is available now. The session continues.
var ErrRefresh = errors.New("access token cannot be refreshed now")

// Refresh asks the tenant for a token for audience, using the refresh token and the key of a grant. It also returns the rotated refresh
// token, or "" if that has not changed.
type Refresh func(ctx context.Context, audience string, g Grant) (Token, string, error)

const (
	// margin is how long a token must remain valid to be used: longer than it takes until the token of a call with a slow body is checked.
	margin = 30 * time.Second
	// TokenTimeout bounds one token request.
	TokenTimeout = 8 * time.Second
	// leaseTime is longer than TokenTimeout: if a lease expired during its token request, a second request could use the same refresh
	// token, which the tenant treats as theft.
	leaseTime = 20 * time.Second
	// flightTime bounds a refresh that waits for another process's lease and then makes its own request.
	flightTime = leaseTime + TokenTimeout + 2*time.Second
	// leasePoll is how often a waiting refresh checks whether another process has finished.
	leasePoll = 25 * time.Millisecond
	// keepPoll is the time between attempts to write a refreshed token while the store is unavailable.
	keepPoll = 100 * time.Millisecond
)

// refresher supplies access tokens and refreshes them, one refresh at a time for each session.
type refresher struct {
	*records

	owner   string // identifies this process among those that share the store
	observe observe.Func
	flight  singleflight.Group
}

// Access returns a valid access token for audience, refreshing it if necessary. refused is a token that the API has just refused, or "". Of
// all requests of a session, in this process and in others with the same store, one refreshes and the others wait for it. The refresh
// continues if its caller leaves, since otherwise the rotated token would be lost.
//
// The error wraps ErrExpired when the session has ended (its row is then deleted), ErrRefresh when the tenant cannot be reached, or
// ErrUnavailable when the store cannot; or it is that of ctx.
func (s *refresher) Access(ctx context.Context, ss *sessions.Session, audience, refused string, refresh Refresh) (Token, error) {
	st := stateOf(ss)
	if st == nil || st.id == nil {
		return Token{}, ErrExpired
	}
	if t, ok := s.usable(st.rec, audience, refused); ok {
		return t, nil
	}
	// At most two rounds: a refresh that began before refused was refused may return that very token.
	for range 2 {
		ch := s.flight.DoChan(ss.ID+" "+audience, func() (any, error) {
			bg, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
			defer cancel()
			return s.fly(bg, st.secret, audience, refused, refresh)
		})
		select {
		case <-ctx.Done():
			return Token{}, ctx.Err()
		case res := <-ch:
			if res.Err != nil {
				return Token{}, res.Err
			}
			if t, ok := res.Val.(Token); ok && t.Access != refused {
				return t, nil
			}
		}
	}
	return Token{}, fmt.Errorf("%w: the tenant gives the same token again", ErrRefresh)
}

func (s *refresher) usable(rec record, audience, refused string) (Token, bool) {
	t, ok := rec.Grant.Tokens[audience]
	return t, ok && t.Access != refused && t.Expiry.After(s.now().Add(margin))
}

// fly acquires the lease of the row and refreshes, or waits until the holder has refreshed.
func (s *refresher) fly(ctx context.Context, secret []byte, audience, refused string, refresh Refresh) (Token, error) {
	poll := time.NewTicker(leasePoll)
	defer poll.Stop()
	for {
		st, err := s.load(ctx, secret)
		if err != nil {
			return Token{}, err
		}
		if t, ok := s.usable(st.rec, audience, refused); ok {
			return t, nil
		}
		if st.rec.Grant.Refresh == "" {
			return Token{}, s.end(ctx, st, "no refresh token")
		}
		now := s.now()
		switch err := s.rows.LeaseSession(ctx, st.id, st.version, s.owner, now, now.Add(leaseTime)); {
		case err == nil:
			return s.refreshLeased(ctx, st, audience, refused, refresh)
		case errors.Is(err, store.ErrNotFound):
			return Token{}, ErrExpired
		case !errors.Is(err, store.ErrConflict):
			return Token{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		select {
		case <-ctx.Done():
			return Token{}, fmt.Errorf("%w: another process holds the lease", ErrRefresh)
		case <-poll.C:
		}
	}
}

func (s *refresher) refreshLeased(ctx context.Context, st *state, audience, refused string, refresh Refresh) (Token, error) {
	defer func() {
		if err := s.rows.ReleaseSession(ctx, st.id, s.owner); err != nil {
			s.log.WarnContext(ctx, "release session lease", "error", err)
		}
	}()
	outcome := "failed"
	ctx, end := s.observe.Begin(ctx, observe.Refresh, "")
	defer func() { end(outcome) }()
	call, cancel := context.WithTimeout(ctx, TokenTimeout)
	defer cancel()
	t, rotated, err := refresh(call, audience, st.rec.Grant)
	switch {
	case errors.Is(err, ErrRevoked):
		outcome = "revoked"
		return Token{}, s.end(ctx, st, "refresh token revoked")
	case err != nil:
		s.log.WarnContext(ctx, "refresh", "session", shortID(st.id), "error", err)
		// The margin is our own: the old token works until it really expires.
		if old, ok := st.rec.Grant.Tokens[audience]; ok && old.Access != refused && old.Expiry.After(s.now()) {
			return old, nil
		}
		return Token{}, fmt.Errorf("%w: %w", ErrRefresh, err)
	}
	if err := s.keep(ctx, st, func(rec *record) { rec.Grant = rec.Grant.with(audience, t, rotated) }); err != nil {
		outcome = "lost"
		// The rotated token is lost now, so the next refresh will be refused.
		s.log.ErrorContext(ctx, "keep refreshed token", "session", shortID(st.id), "error", err)
		return Token{}, err
	}
	outcome = "renewed"
	return t, nil
}

// keep writes a refreshed token. While the store is unavailable, it tries again until ctx ends: the tenant has already
// invalidated the refresh token that is stored, and only this call knows the new one.
func (s *refresher) keep(ctx context.Context, st *state, edit func(*record)) error {
	poll := time.NewTicker(keepPoll)
	defer poll.Stop()
	for {
		err := s.change(ctx, st, edit)
		if !errors.Is(err, ErrUnavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-poll.C:
		}
	}
}
