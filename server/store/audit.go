package store

import (
	"context"
	"time"
)

// AuditEntry is one row of the audit log: who did what to which object, and the outcome. Fields that do not apply are empty. No field
// contains a secret or the content of a form.
type AuditEntry struct {
	At time.Time
	// ID is chosen by the caller, unique across all replicas, and never empty. Entries with the same time are ordered by ID.
	ID     string
	Source string // the part of the program that recorded it
	Event  string

	Issuer, Subject, Email string // who did it: Subject is unique at Issuer
	ClientID               string // the client whose token was used to call the tenant

	Object, ObjectID string // the kind of the object, such as form, and its ID
	Detail           string // which part of the object, or a number
	Before, After    string // the entity tags of the old and the new version
	Outcome          string
	Status           int // the HTTP status of the tenant's response or of the refusal; 0 for none

	RequestID string
	Address   string // network address without a port
}

// AuditPlace is a position in the audit log: after the entry with this time and ID and all earlier ones. With an empty ID it is before all
// entries with that time.
type AuditPlace struct {
	At time.Time
	ID string
}

// Place returns the position after the entry.
func (e AuditEntry) Place() AuditPlace { return AuditPlace{e.At, e.ID} }

// Audit stores the audit log. Unlike Events, it is not accessible through the tenant's API, has no maximum number of entries, and includes
// entries of the editor. All methods are safe for concurrent use, including by several processes.
type Audit interface {
	// AddAudit stores all entries or none. Entries that are already stored are left unchanged, so a call can be repeated if it is unknown
	// whether it succeeded.
	AddAudit(ctx context.Context, entries []AuditEntry) error
	// ListAudit returns up to limit entries after a position and before a time, ordered by time and ID.
	ListAudit(ctx context.Context, after AuditPlace, until time.Time, limit int) ([]AuditEntry, error)
	// SweepAudit deletes up to limit entries before a time, oldest first, and returns their number. It skips entries that another process
	// is deleting.
	SweepAudit(ctx context.Context, until time.Time, limit int) (int64, error)
}
