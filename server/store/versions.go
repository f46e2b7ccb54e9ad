package store

import (
	"context"
	"time"
)

// Version is one saved version of a form.
type Version struct {
	Form   string
	Number int // at least 1, unique for the form
	Saved  time.Time
	// Author is the name of the person who saved it, and AuthorID their subject; both are empty if unknown.
	Author, AuthorID string
	Summary          string // what changed, in words
	// Automatic reports that nobody asked for this save: the form is saved as it is edited.
	Automatic bool
	// Note and Name are given by people. A version that has one of them is never removed by Prune.
	Note, Name string
	Hash       []byte // of the content
	// Base is the number of the version that Body is edits of, which is less than Number, or Number itself if Body is the whole form.
	Base int
	Body []byte // nil in lists
	// Changed names the elements that the version changed, as package versions encodes them; empty if that is not known. Only Changes and
	// Describe return it.
	Changed []byte
}

// Versions stores the versions of forms. All methods are safe for concurrent use, including by several processes. Every version that is
// stored can be read: its chain of bases is complete.
type Versions interface {
	// List returns up to limit versions of a form without their Body and Changed, newest first by Saved and then by Number, after skipping offset, and the
	// total.
	List(ctx context.Context, form string, offset, limit int) (page []Version, total int, err error)
	// Named returns all versions of a form that have a name or a note, as List does.
	Named(ctx context.Context, form string) ([]Version, error)
	// Newest returns the newest version of each of the forms that have any, without Body and Changed, in any order.
	Newest(ctx context.Context, forms []string) ([]Version, error)
	// Changes returns up to limit versions of a form without their Body, newest first as in List.
	Changes(ctx context.Context, form string, limit int) ([]Version, error)
	// Sizes returns how many bytes the Body and Changed of each version of a form take together, by number. It does not read them.
	Sizes(ctx context.Context, form string) (map[int]int, error)
	// Chain returns a version and those that it is based on, in the order of their numbers: the first has a whole form, and the last is the
	// version. It returns ErrNotFound if there is no such version.
	Chain(ctx context.Context, form string, number int) ([]Version, error)
	// Last returns the greatest number of a form's versions, 0 for none.
	Last(ctx context.Context, form string) (number int, err error)
	// Add stores a version. It returns ErrConflict if the number exists, or if the base does not.
	Add(ctx context.Context, v Version) error
	// Describe calls change with a version, without its Body, while no other writer can intervene, and stores the Author, AuthorID, Note,
	// Name and Changed that it returns. If change fails, its error is returned unchanged and nothing is written. It returns ErrNotFound if there is no
	// such version.
	Describe(ctx context.Context, form string, number int, change func(*Version) error) (Version, error)
	// Prune removes versions by their numbers, after it has replaced Base and Body of those in again. It does all or nothing, and returns
	// ErrConflict if one to be removed has a name or note or does not exist, or if a version that remains would have no base.
	Prune(ctx context.Context, form string, remove []int, again []Version) error
	// Forms returns up to limit forms, after a form in the order of their IDs, that have versions without a name and note saved before a time.
	// Those of other tenants are not among them: their versions stay as they are until a server serves that tenant again.
	Forms(ctx context.Context, before time.Time, after string, limit int) ([]string, error)
}
