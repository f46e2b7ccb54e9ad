package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/model"
)

// draftLimit is how long a form waits for its draft.
const draftLimit = 5 * time.Second

// drafting keeps the draft of the form that a page has open.
type drafting struct {
	taken  *drafts.Taken // nil when the browser keeps nothing
	failed error         // why it does not
	keeper *draft.Keeper // nil until the form is open
	back   time.Time     // when the work that was brought back was changed last, zero for none
	merged bool          // it was merged with what was saved since
}

// takeDraft opens the draft of a form, beside the page's goroutine.
func takeDraft(ctx context.Context, c *client.Client, form string) drafting {
	store, err := drafts.Open(ctx, c)
	if err != nil {
		return drafting{failed: err}
	}
	taken, err := store.Take(ctx, form)
	if err != nil {
		store.Close()
	}
	return drafting{taken: taken, failed: err}
}

// newEditor returns the editor of a form as the server holds it, with the unsaved
// work of its draft, and the conflicts between the two.
func (d *drafting) newEditor(f *model.Form, c editor.Config) (*editor.Editor, []model.Conflict) {
	d.back, d.merged = time.Time{}, false
	if d.taken == nil || d.taken.Log == nil || c.ReadOnly {
		return editor.New(f, c), nil
	}
	ed := editor.Restore(d.taken.Past, c)
	var conflicts []model.Conflict
	if !model.Diff(d.taken.Past.Saved, f).Empty() {
		var err error
		if conflicts, err = ed.Merge(f); err != nil {
			return editor.New(f, c), nil
		}
		d.merged = true
	}
	if !ed.Unsaved() { // it was saved after all
		ed = editor.New(f, c)
	} else {
		d.back = d.taken.Changed
	}
	return ed, conflicts
}

// follow begins to keep the work of an editor that newEditor returned.
func (d *drafting) follow(ed *editor.Editor, etag func() string, changed func()) {
	c := draft.KeeperConfig{
		Store: drafts.Broken{Err: d.failed}, Editor: ed, ETag: etag, Now: time.Now,
		Run: drafts.Run, After: drafts.After, Changed: changed,
	}
	if d.taken != nil {
		c.Store = d.taken.Place
	}
	switch {
	case !d.back.IsZero():
		d.keeper = draft.Continue(c, d.taken.Log, d.back)
		d.keeper.Follow()
	case d.taken != nil && d.taken.Log != nil && !ed.ReadOnly():
		go func() { _ = d.taken.Delete() }() // what it held is saved
		fallthrough
	default:
		d.keeper = draft.NewKeeper(c)
	}
	ed.Observe(d.keeper.Follow)
}

// close writes what is left and gives the draft back to other pages.
func (d *drafting) close() {
	taken := d.taken
	if d.keeper != nil {
		d.keeper.Close(taken.Release)
	} else {
		taken.Release()
	}
}

// status returns the value of data-draft.
func (d *drafting) status() draft.Status {
	if d.keeper == nil {
		return draft.None
	}
	s, _ := d.keeper.Status()
	return s
}

// banner tells of work that was brought back, and of work that is not kept.
func (p *editorPage) draftBanner() app.UI {
	if p.draft.keeper == nil {
		return nil
	}
	status, err := p.draft.keeper.Status()
	switch {
	case status == draft.Failed && p.ed.Unsaved():
		text := "This browser cannot keep your unsaved work. Save before you close this tab."
		if errors.Is(err, drafts.ErrNoRoom) {
			text = "This browser has no room left to keep your unsaved work. Save before you close this tab, or free some space."
		}
		return banner("warn", text, kit.TextButton("save", "Save", "secondary"))
	case status == draft.Restored:
		text := fmt.Sprintf("Your unsaved work is back, last changed %s (%s).", kit.Ago(p.draft.back, time.Now()), p.draft.back.Local().Format("2 January 2006, 15:04:05"))
		if p.draft.merged {
			text += " " + "Someone saved the form in the meantime; both versions are merged."
		}
		if p.draft.taken.Damaged != nil {
			text += " " + "Its last steps could not be read."
		}
		buttons := []app.UI{}
		if n := p.draft.taken.More; n > 0 {
			text += " " + kit.Several(n, "Another tab has more unsaved work on this form.", "%d other tabs have more unsaved work on this form.")
			buttons = append(buttons, kit.El("a.secondary target=_blank href=%", kit.Path()).Text("Open it in a new tab"))
		}
		buttons = append(buttons, kit.TextButton("discard-draft", "Discard", "secondary"), kit.TextButton("keep-draft", "Continue", "primary"))
		return banner("history", text, buttons...)
	}
	return nil
}

// signOut ends the session once the draft is written, so that it is asked about.
func (p *editorPage) signOut(ctx app.Context) {
	ctx.Async(func() {
		for i := 0; i < settleTries && p.draft.keeper != nil && p.draft.keeper.Busy(); i++ {
			time.Sleep(settlePause)
		}
		signout.Run(p.client)
	})
}

// The wait for a draft to be written.
const (
	settleTries = 40
	settlePause = 25 * time.Millisecond
)

// watchSession takes the page out of sight when the person signs out elsewhere.
func (p *editorPage) watchSession() (stop func()) {
	return signout.Watch(p.client, func() string { return p.user.Sub }, func(discard bool, load func()) { p.draft.leave(discard, load) })
}

// leave ends the keeping before the page is loaded anew.
func (d *drafting) leave(discard bool, load func()) {
	switch {
	case d.keeper == nil:
		load()
	case discard:
		d.keeper.Stop()
		load()
	default:
		d.keeper.Close(load)
	}
}

// saveAsNew makes a new form of the work on one that is gone.
func (p *editorPage) saveAsNew(ctx app.Context) {
	var f *model.Form
	switch {
	case p.ed != nil:
		f = p.ed.State().Form
	case p.draft.taken != nil && p.draft.taken.Log != nil:
		f = p.draft.taken.Past.Now().Form
	default:
		return
	}
	taken := p.draft.taken
	ctx.Async(func() {
		made, err := p.client.Create(context.Background(), content(f))
		if err == nil && taken != nil {
			if p.draft.keeper != nil {
				p.draft.keeper.Stop()
			}
			err = taken.Delete()
		}
		ctx.Dispatch(func(ctx app.Context) {
			if err != nil {
				p.say(ctx, kit.Sentence(err))
			}
			if made != nil {
				ctx.Navigate(p.site.form(made.ID))
			}
		})
	})
}

// discardDraft gives up the work that was brought back. Undo brings it back again.
func (p *editorPage) discardDraft(ctx app.Context) {
	if p.run(ctx, p.ed.Discard()) {
		p.say(ctx, "Discarded. Undo brings it back.")
	}
	p.draft.keeper.Dismiss()
}
