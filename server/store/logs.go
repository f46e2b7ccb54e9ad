package store

import (
	"context"
	"time"
)

// Event is one entry of the sign-in log: who attempted what, and the outcome. It contains no secret. It does not contain an address that
// the tenant does not know either, since people type passwords into the wrong field.
type Event struct {
	ID          string // made by the store; a later event has a greater one
	At          time.Time
	Type        string // a code of the vendor's public log, such as s or fp
	UserID      string // empty for an unknown person
	ClientID    string
	Address     string // network address without a port
	Audience    string
	Scope       []string
	Description string // the cause of a failure, in our words
}

// Types of events about authentication that several parts of the tenant log. The names are the vendor's, except the last two:
// the vendor has none for a failed enrollment of an app or for a cloned passkey.
const (
	EventEnrolled        = "gd_enrollment_complete"
	EventRemoved         = "gd_unenroll"
	EventPasskeyRefused  = "gd_webauthn_enrollment_failed" //nolint:gosec // a name, no secret
	EventEnrolmentFailed = "gd_enrollment_failed"
	EventCloned          = "gd_webauthn_cloned" // a passkey's counter decreased: the passkey may have been copied
)

// The limits of the log: how many events are kept, and for how long. Both are our choice: a month is what people remember, and the number
// keeps a flood of failures from filling the disk.
const (
	MaxEvents = 20_000
	EventLife = 30 * 24 * time.Hour
)

// EventFilter selects events; an empty field matches all.
type EventFilter struct {
	Find

	Type, UserID, ClientID string
}

// Events stores the sign-in log. All methods are safe for concurrent use.
type Events interface {
	// AddEvent stores an event and deletes those that exceed MaxEvents or are older than EventLife at e.At.
	AddEvent(ctx context.Context, e Event) error
	// Event returns one event, or ErrNotFound.
	Event(ctx context.Context, id string) (Event, error)
	// ListEvents returns up to limit events that match f, newest first, as Users.ListUsers does. A search looks at type,
	// address and description, at ID and name of the client, and at ID, name and address of the person.
	ListEvents(ctx context.Context, f EventFilter, offset, limit int) (page []Event, total int, err error)
}
