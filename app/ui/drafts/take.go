package drafts

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/draft"
)

// Taken is a draft that is open on this page.
type Taken struct {
	Place
	draft.Draft
	Log     *draft.Log // nil for a new draft
	Damaged error      // why the end of the history is missing, nil if it is complete
	More    int        // number of drafts of the form that are left for other pages
	release func()
}

// Release releases the draft to other pages and closes its store.
func (t *Taken) Release() {
	if t != nil && t.release != nil {
		t.Store.Close()
		t.release()
		t.release = nil
	}
}

// Take opens the newest draft of a form that no other page has open. If there
// is none, it opens a new, empty one, whose Log is nil.
func (s *Store) Take(ctx context.Context, form string) (*Taken, error) {
	all, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	var taken *Taken
	more := 0
	for _, found := range all {
		if found.Form != form {
			continue
		}
		release, ok := Hold(found.ID)
		switch {
		case !ok: // another page has it open
		case taken != nil:
			release()
			more++
		default:
			if taken = s.take(ctx, found.ID, release); taken == nil {
				release()
			}
		}
	}
	if taken == nil {
		id := app.Window().Get("crypto").Call("randomUUID").String()
		release, _ := Hold(id)
		taken = &Taken{Place: Place{s, id}, release: release}
	}
	taken.More = more
	return taken, nil
}

// take reads a draft, and returns nil if it is unreadable.
func (s *Store) take(ctx context.Context, id string, release func()) *Taken {
	t := &Taken{Place: Place{s, id}, release: release}
	if t.Draft, t.Log, t.Damaged = s.Read(ctx, id); t.Log == nil {
		return nil
	}
	return t
}

// Broken is a draft.Store that always fails, for a browser that stores
// nothing.
type Broken struct{ Err error }

// Write implements draft.Store.
func (b Broken) Write(draft.Batch) error { return b.Err }

// Delete implements draft.Store.
func (b Broken) Delete() error { return b.Err }

// Run is the Run of a draft.KeeperConfig. It outlives the page's component, so
// that the last changes are still written.
func Run(work func() error, then func(error)) { go func() { then(work()) }() }

// After is the After of a draft.KeeperConfig.
func After(d time.Duration, f func()) {
	go func() {
		time.Sleep(d)
		f()
	}()
}
