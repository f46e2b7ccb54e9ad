package store

import (
	"context"
	"time"
)

// Document is a stored form or flow, or a file beside a form: a name for lists, two dates and the JSON text.
type Document struct {
	ID      string
	Name    string
	Created time.Time
	Updated time.Time // strictly increases with each change; equal to Created until the first
	Body    []byte    // JSON text of the properties, without id and dates; nil in lists
}

// Files stores the files of one kind that the team has beside forms. Their IDs are those of their forms, and their names are "". All methods
// are safe for concurrent use.
type Files interface {
	// Get returns one document, or ErrNotFound. The caller owns the Body.
	Get(ctx context.Context, id string) (Document, error)
	// Create stores a new document with d.Created as both of its dates and returns it as stored. It returns ErrConflict if the ID is taken.
	Create(ctx context.Context, d Document) (Document, error)
	// Update calls change with the stored document while no other writer can intervene, and stores the Name and Body that it returns, dated
	// After(Updated, now). If both are unchanged, nothing is written and Updated stays. If change fails, its error is returned unchanged
	// and nothing is written. It returns ErrNotFound if the document does not exist; change is not called then.
	Update(ctx context.Context, id string, now time.Time, change func(Document) (Document, error)) (Document, error)
}

// Documents stores the forms or the flows of the embedded tenant. All methods are safe for concurrent use.
type Documents interface {
	Files
	// List returns up to limit documents without their Body, oldest first, after skipping offset, and the total. A page past
	// the end is empty, which is not an error.
	List(ctx context.Context, offset, limit int) (page []Document, total int, err error)
	// Missing returns which of some IDs no document has.
	Missing(ctx context.Context, ids []string) ([]string, error)
	// Delete removes a document, or returns ErrNotFound.
	Delete(ctx context.Context, id string) error
}
