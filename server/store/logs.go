package store

import (
	"context"
	"time"
)

// Event is one line of the sign-in log: who tried what and how it ended. It holds no secret, and no
// address of a person that the tenant does not know: people type passwords into the wrong field.
type Event struct {
	ID          string // made by the store; a later one sorts behind
	At          time.Time
	Type        string // a code of the vendor's public log, such as s or fp
	UserID      string // empty when the person is not known
	ClientID    string
	Address     string // network address without a port
	Audience    string
	Scope       []string
	Description string // why it failed, in our words
}

// Types of events about how people authenticate, which several parts of the tenant log. The names
// are the vendor's, but for the last two: the vendor tells no failed set-up of an app, and no clone.
const (
	EventEnrolled        = "gd_enrollment_complete"
	EventRemoved         = "gd_unenroll"
	EventPasskeyRefused  = "gd_webauthn_enrollment_failed" //nolint:gosec // a name, no secret
	EventEnrolmentFailed = "gd_enrollment_failed"
	EventCloned          = "gd_webauthn_cloned" // a passkey's counter went back: there may be a copy of it
)

// The bounds of the log: how many events are kept, and for how long. Both are ours; a month is what
// people remember, and the number keeps a flood of failures from filling the disk.
const (
	MaxEvents = 20_000
	EventLife = 30 * 24 * time.Hour
)

// EventFilter picks events; an empty member lets all through.
type EventFilter struct {
	Find

	Type, UserID, ClientID string
}

// Events keeps the sign-in log. All methods are safe for concurrent use.
type Events interface {
	// AddEvent keeps an event and forgets those that are too many or older than EventLife at e.At.
	AddEvent(ctx context.Context, e Event) error
	// Event returns one event, or ErrNotFound.
	Event(ctx context.Context, id string) (Event, error)
	// ListEvents returns up to limit events that f lets through, newest first, as Users.ListUsers does. They are found
	// by type, address, description, and by ID and name of the client and ID, name and address of the person.
	ListEvents(ctx context.Context, f EventFilter, offset, limit int) (page []Event, total int, err error)
}
