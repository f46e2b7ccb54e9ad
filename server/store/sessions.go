package store

import (
	"context"
	"time"
)

// Session is one row of a signed-in browser at the backend-for-frontend. Data
// is sealed by the caller: an engine sees neither tokens nor people.
type Session struct {
	ID      []byte    // SHA-256 of the cookie's secret
	Data    []byte    // sealed record
	Version int64     // 1 for a new row, one more with each UpdateSession
	Created time.Time // absolute age counts from here
	Seen    time.Time // idle age counts from here
	// Person and SignIn find the row again, see EndSessions: keyed hashes of the caller's. nil for none.
	// They are written by CreateSession, stay, and are not read back.
	Person, SignIn []byte
}

// Sessions keeps sessions. All methods are safe for concurrent use, also by
// several processes that share one store.
type Sessions interface {
	// Session returns one row, or ErrNotFound. It does not look at its age.
	Session(ctx context.Context, id []byte) (Session, error)
	// CreateSession keeps a new row with Version 1. ErrConflict when the ID is taken.
	CreateSession(ctx context.Context, s Session) error
	// UpdateSession replaces Data and raises Version by one if the row still has
	// the version given: of two that update at once, one wins. ErrConflict when
	// it has another, ErrNotFound when it is gone.
	UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error
	// TouchSession moves Seen forward, never back. Version stays. ErrNotFound
	// when the row is gone.
	TouchSession(ctx context.Context, id []byte, seen time.Time) error
	// DeleteSession removes a row; one that does not exist is not an error.
	DeleteSession(ctx context.Context, id []byte) error
	// EndSessions removes the rows of one of the people and of one of the sign-ins, and returns how many
	// there were. An empty list lets all pass, of two empty ones nothing is removed.
	EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error)
	// LeaseSession gives owner the right to refresh the tokens of a row until
	// the time until. ErrConflict when another lease ends after now or the row
	// has another version, ErrNotFound when it is gone. Version stays.
	LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error
	// ReleaseSession ends the lease if owner still holds it; else nothing happens.
	ReleaseSession(ctx context.Context, id []byte, owner string) error
	// SweepSessions forgets rows created before created or last seen before
	// seen, and returns how many there were.
	SweepSessions(ctx context.Context, created, seen time.Time) (int64, error)
}
