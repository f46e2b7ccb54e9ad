package drafts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// OpenLimit is how long a form waits for its draft: a browser whose database hangs must not prevent the form from
// opening.
const OpenLimit = 5 * time.Second

// Keeping stores the draft of the form that is open on a page.
type Keeping struct {
	taken  *Taken        // nil if the browser stores nothing
	failed error         // the reason why it does not
	keeper *draft.Keeper // nil until the form is open
	back   time.Time     // time of the last change in the restored work, zero for none
	merged bool          // it was merged with changes saved since
}

// OpenFor opens the draft of a form. It must not run on the page's goroutine.
func OpenFor(ctx context.Context, c *client.Client, form string) *Keeping {
	store, err := Open(ctx, c)
	if err != nil {
		return &Keeping{failed: err}
	}
	taken, err := store.Take(ctx, form)
	if err != nil {
		store.Close()
	}
	return &Keeping{taken: taken, failed: err}
}

// NewEditor returns the editor of the server's version of a form, with the unsaved work of its draft, and the
// conflicts between the two.
func (d *Keeping) NewEditor(f *model.Form, c editor.Config) (*editor.Editor, []merge.Conflict) {
	d.back, d.merged = time.Time{}, false
	if d.taken == nil || d.taken.Log == nil || c.ReadOnly {
		return editor.New(f, c), nil
	}
	ed := editor.Restore(d.taken.Past, c)
	var conflicts []merge.Conflict
	if !model.Diff(d.taken.Past.Saved, f).Empty() {
		var err error
		if conflicts, err = ed.Merge(f); err != nil {
			return editor.New(f, c), nil
		}
		d.merged = true
	}
	if !ed.Unsaved() { // the work was saved after all
		ed = editor.New(f, c)
	} else {
		d.back = d.taken.Changed
	}
	return ed, conflicts
}

// Follow starts storing the work of an editor returned by NewEditor.
func (d *Keeping) Follow(ed *editor.Editor, etag func() string, changed func()) {
	c := draft.KeeperConfig{
		Store: Broken{Err: d.failed}, Editor: ed, ETag: etag, Now: time.Now,
		Run: Run, After: After, Changed: changed,
	}
	if d.taken != nil {
		c.Store = d.taken.Place
	}
	switch {
	case !d.back.IsZero():
		d.keeper = draft.Continue(c, d.taken.Log, d.back)
		d.keeper.Follow()
	case d.taken != nil && d.taken.Log != nil && !ed.ReadOnly():
		go func() { _ = d.taken.Delete() }() // its work is saved
		fallthrough
	default:
		d.keeper = draft.NewKeeper(c)
	}
	ed.Observe(d.keeper.Follow)
}

// Close writes pending changes and releases the draft to other pages.
func (d *Keeping) Close() {
	if d == nil {
		return
	}
	taken := d.taken
	if d.keeper != nil {
		d.keeper.Close(taken.Release)
	} else {
		taken.Release()
	}
}

// Status returns the value of data-draft.
func (d *Keeping) Status() draft.Status {
	if d == nil || d.keeper == nil {
		return draft.None
	}
	s, _ := d.keeper.Status()
	return s
}

// Banner reports that work was restored, or that it cannot be stored; nil if there is nothing to report.
func (d *Keeping) Banner(unsaved bool) app.UI {
	if d == nil || d.keeper == nil {
		return nil
	}
	status, err := d.keeper.Status()
	switch {
	case status == draft.Failed && unsaved:
		text := "This browser cannot keep your unsaved work. Save before you close this tab."
		if errors.Is(err, ErrNoRoom) {
			text = "This browser has no room left to keep your unsaved work. Save before you close this tab, or free some space."
		}
		return kit.Banner("warn", text, kit.TextButton("save", "Save", "secondary"))
	case status == draft.Restored:
		text := fmt.Sprintf("Your unsaved work is back, last changed %s.", kit.Ago(d.back, time.Now()))
		if d.merged {
			text += " " + "Someone saved the form in the meantime; both versions are merged."
		}
		if d.taken.Damaged != nil {
			text += " " + "Its last steps could not be read."
		}
		buttons := []app.UI{}
		if n := d.taken.More; n > 0 {
			text += " " + kit.Several(n, "Another tab has more unsaved work on this form.", "%d other tabs have more unsaved work on this form.")
			buttons = append(buttons, kit.El("a.secondary target=_blank href=%", kit.Address()).Text("Open it in a new tab"))
		}
		buttons = append(buttons, kit.TextButton("discard-draft", "Discard", "secondary"), kit.IconButton("keep-draft", "Close", "close", true))
		return kit.Banner("history", text, buttons...)
	}
	return nil
}

// Leave stops storing before the page is reloaded.
func (d *Keeping) Leave(discard bool, load func()) {
	switch {
	case d == nil || d.keeper == nil:
		load()
	case discard:
		d.keeper.Stop()
		load()
	default:
		d.keeper.Close(load)
	}
}

// KeptAt returns the time when the work was last stored, the zero time if it is not stored.
func (d *Keeping) KeptAt() time.Time {
	if d.Status() == draft.Failed || d == nil || d.keeper == nil {
		return time.Time{}
	}
	return d.keeper.KeptAt()
}

// Work returns the form with the work left in this browser, nil for none.
func (d *Keeping) Work() *model.Form {
	if d == nil || d.taken == nil || d.taken.Log == nil {
		return nil
	}
	return d.taken.Past.Now().Form
}

// Dismiss records that the person has seen that the work was restored.
func (d *Keeping) Dismiss() { d.keeper.Dismiss() }

// Delete stops storing and deletes the stored work. It must not run on the page's goroutine.
func (d *Keeping) Delete() error {
	if d == nil || d.taken == nil {
		return nil
	}
	if d.keeper != nil {
		d.keeper.Stop()
	}
	return d.taken.Delete()
}

// Limits of the wait for a draft to be written.
const (
	settleTries = 40
	settlePause = 25 * time.Millisecond
)

// Settle waits until the draft is written, for at most a second. It must not run on the page's goroutine.
func (d *Keeping) Settle() {
	for i := 0; i < settleTries && d != nil && d.keeper != nil && d.keeper.Busy(); i++ {
		time.Sleep(settlePause)
	}
}
