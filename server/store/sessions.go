package store

import (
	"context"
	"time"
)

// Session is the row of a signed-in browser at the backend-for-frontend. The caller encrypts Data: an engine sees neither tokens nor
// people.
type Session struct {
	ID      []byte    // SHA-256 of the cookie's secret
	Data    []byte    // sealed record
	Version int64     // 1 for a new row, one more with each UpdateSession
	Created time.Time // the absolute age counts from here
	Seen    time.Time // the idle age counts from here
	// Person and SignIn identify the row for EndSessions: keyed hashes made by the caller, nil for none. CreateSession writes them; they
	// never change and are not read back.
	Person, SignIn []byte
}

// Sessions stores sessions. All methods are safe for concurrent use, including by several processes that share one store.
type Sessions interface {
	// Session returns one row, or ErrNotFound. It ignores its age.
	Session(ctx context.Context, id []byte) (Session, error)
	// CreateSession stores a new row with Version 1. It returns ErrConflict if the ID is taken.
	CreateSession(ctx context.Context, s Session) error
	// UpdateSession replaces Data and increments Version if the row still has the given version: of two updates at once, one wins. It
	// returns ErrConflict if the row has another version, and ErrNotFound if it no longer exists.
	UpdateSession(ctx context.Context, id []byte, version int64, data []byte) error
	// TouchSession moves Seen forward, never back. Version stays. It returns ErrNotFound if the row no longer exists.
	TouchSession(ctx context.Context, id []byte, seen time.Time) error
	// DeleteSession removes a row; one that does not exist is not an error.
	DeleteSession(ctx context.Context, id []byte) error
	// EndSessions removes the rows that belong both to one of the people and to one of the sign-ins, and returns their number. An empty
	// list matches all rows, but two empty lists remove nothing.
	EndSessions(ctx context.Context, people, signIns [][]byte) (int64, error)
	// LeaseSession gives owner the right to refresh the tokens of a row until the time until. Version stays. It returns ErrConflict if
	// another lease ends after now or the row has another version, and ErrNotFound if the row no longer exists.
	LeaseSession(ctx context.Context, id []byte, version int64, owner string, now, until time.Time) error
	// ReleaseSession ends the lease if owner still holds it, and otherwise does nothing.
	ReleaseSession(ctx context.Context, id []byte, owner string) error
	// SweepSessions deletes rows created before created or last seen before seen, and returns their number.
	SweepSessions(ctx context.Context, created, seen time.Time) (int64, error)
}
