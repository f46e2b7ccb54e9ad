package store

import (
	"context"
	"time"
)

// Document is a stored form or flow: a name for lists, two dates and the JSON text.
type Document struct {
	ID      string
	Name    string
	Created time.Time
	Updated time.Time // strictly increases with each change; equal to Created until the first
	Body    []byte    // JSON text of the properties, without id and dates; nil in lists
}

// Team is what the editor's backend keeps for the people who edit forms together, at whichever tenant.
type Team interface {
	// Scenarios returns the files of scenarios. Their IDs are those of their forms, and their names are "".
	Scenarios() Documents
	// Sources returns the files that name of which source each translation was made. Their IDs are those of their forms, and their names are
	// "".
	Sources() Documents
	// Settings returns the settings of forms, which hold for the whole team. Their IDs are those of their forms, and their names are "".
	Settings() Documents
	// Versions returns the saved versions of forms.
	Versions() Versions
	// Rooms returns the shared forms of people who edit a form together.
	Rooms() Rooms
	// Presences returns who has which form open.
	Presences() Presences
	// Comments returns the comments on forms.
	Comments() Comments
	// Links returns the links to look at forms.
	Links() Links
}

// Documents stores the documents of one kind. All methods are safe for concurrent use.
type Documents interface {
	// List returns up to limit documents without their Body, oldest first, after skipping offset, and the total. A page past
	// the end is empty, which is not an error.
	List(ctx context.Context, offset, limit int) (page []Document, total int, err error)
	// Get returns one document, or ErrNotFound. The caller owns the Body.
	Get(ctx context.Context, id string) (Document, error)
	// Create stores a new document with d.Created as both of its dates and returns it as stored. It returns ErrConflict if the ID is taken.
	Create(ctx context.Context, d Document) (Document, error)
	// Update calls change with the stored document while no other writer can intervene, and stores the Name and Body that it returns, dated
	// After(Updated, now). If both are unchanged, nothing is written and Updated stays. If change fails, its error is returned unchanged
	// and nothing is written. It returns ErrNotFound if the document does not exist; change is not called then.
	Update(ctx context.Context, id string, now time.Time, change func(Document) (Document, error)) (Document, error)
	// Delete removes a document, or returns ErrNotFound.
	Delete(ctx context.Context, id string) error
}
