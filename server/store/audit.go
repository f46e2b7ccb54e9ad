package store

import (
	"context"
	"time"
)

// AuditEntry is one row of the audit log: who did what to which object, and the outcome. Fields that do not apply are empty. No field
// contains a secret, or content of a form.
type AuditEntry struct {
	At time.Time
	// ID is chosen by the caller, unique among all replicas, and never empty. Entries of the same time are in the order of their IDs.
	ID     string
	Source string // the part of the program that recorded it
	Event  string

	Issuer, Subject, Email string // who did it: Subject is unique at Issuer
	ClientID               string // the application through which the tenant was asked

	Object, ObjectID string // the kind of the object, such as form, and which one
	Detail           string // which part of the object, or a number
	Before, After    string // the entity tags of the versions
	Outcome          string
	Status           int // the HTTP status of the tenant's answer or of the refusal; 0 for none

	RequestID string
	Address   string // network address without a port
}

// AuditPlace is a place in the audit log: behind the entry with this time and ID, and behind all earlier ones. With an empty ID it is before
// all entries of the time.
type AuditPlace struct {
	At time.Time
	ID string
}

// Place returns the place behind the entry.
func (e AuditEntry) Place() AuditPlace { return AuditPlace{e.At, e.ID} }

// Audit stores the audit log. Unlike Events it is not visible through the tenant's API, has no maximum number of entries, and has entries of
// the editor. All methods are safe for concurrent use, including by several processes.
type Audit interface {
	// AddAudit stores entries, all or none. Those that are stored already stay as they are, so that a call can be repeated when it is unknown
	// whether it succeeded.
	AddAudit(ctx context.Context, entries []AuditEntry) error
	// ListAudit returns up to limit entries behind a place and before a time, in the order of time and ID.
	ListAudit(ctx context.Context, after AuditPlace, until time.Time, limit int) ([]AuditEntry, error)
	// SweepAudit deletes up to limit of the entries before a time, the oldest first, and returns their number. It skips those that another
	// process is deleting.
	SweepAudit(ctx context.Context, until time.Time, limit int) (int64, error)
}
