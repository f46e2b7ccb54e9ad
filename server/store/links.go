package store

import (
	"context"
	"time"
)

// Link lets people without an account look at a form. The row is of no use to them: the address has a code that is derived from the ID with a
// key of the server.
type Link struct {
	ID      string // unique
	Form    string
	Label   string
	Version int // of the form that is shown, 0 for the newest one
	Author  Person
	Created time.Time
	Expires time.Time
	Opened  time.Time // last, zero if never
	Times   int       // how often it was opened
}

// Links stores the links to look at forms. All methods are safe for concurrent use, including by several processes. A link that was removed is
// unknown at once to all of them.
type Links interface {
	// List returns the links to a form, newest first, with those that have expired.
	List(ctx context.Context, form string) ([]Link, error)
	// Add stores a link, and removes those to the form that expired before a time. It returns ErrConflict if the ID is taken, and ErrTooMany if
	// the form has most other links.
	Add(ctx context.Context, l Link, most int, expired time.Time) error
	// Find returns a link, also one that has expired, or ErrNotFound.
	Find(ctx context.Context, id string) (Link, error)
	// Count counts that a link was opened at a time; the link may be gone.
	Count(ctx context.Context, id string, at time.Time) error
	// Remove removes a link to a form, or returns ErrNotFound.
	Remove(ctx context.Context, form string, id string) error
}
