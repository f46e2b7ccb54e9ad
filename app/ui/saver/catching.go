package saver

import (
	"context"
	"errors"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// catching catches up with the versions that others save. It knows nothing of sending but that follow comes first.
type catching struct {
	*standing
	shared  Shared
	follow  func(app.Context) // saves what is edited, if the form is saved as it is edited
	news    *news             // what others did since this version; nil for none
	reading bool              // their version is being read, or will be
	typed   *model.Form       // the form as it was when busy last saw it change while the person typed
	typedAt time.Time
}

// waiting reports whether somebody did something that this page has not taken, and deleted whether that is the end of the form.
func (c *catching) waiting() bool { return c.news != nil }
func (c *catching) deleted() bool { return c.news != nil && c.news.deleted }

const (
	// idlePause is how soon the page looks again whether a gesture or the typing is over.
	idlePause = 500 * time.Millisecond
	// typingPause is how long somebody who types must pause.
	typingPause = 2 * time.Second
	// readPause is how soon the form is read again if it could not be read.
	readPause = 10 * time.Second
)

// hear handles an event about the form that is not of this page.
func (c *catching) hear(ctx app.Context, e client.FormEvent) {
	switch {
	case e.Kind != client.Deleted && e.ETag != "" && e.ETag == c.etag:
		return
	case e.Kind == client.Hello && (e.ETag == "" && !e.Missed || c.news != nil):
		return // the tenant has no versions, or the news has a name
	}
	n := &news{who: schema.Isolate(e.Name), deleted: e.Kind == client.Deleted}
	switch {
	case e.Sub != "" && e.Sub == c.User.Sub:
		n.who, n.where = "You", " in another window"
	case n.who == "":
		n.who = "Somebody"
	}
	c.news = n
	c.Redraw(ctx)
	c.CatchUp(ctx)
}

// CatchUp takes the version that somebody saved, if there is one, as soon as the person is not in the middle of something. Call it after
// every change.
func (c *catching) CatchUp(ctx app.Context) {
	c.follow(ctx)
	switch {
	case c.news == nil || c.news.deleted || c.reading || !c.still():
		return
	case c.busy():
		c.later(ctx, idlePause)
		return
	}
	c.reading = true
	told := c.news
	c.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		c.reading = false
		switch {
		case kit.StatusOf(err) == 404:
			told.deleted = true
			c.Redraw(ctx)
		case err != nil:
			c.later(ctx, readPause)
		case etag != c.etag && (!c.still() || c.busy()):
			c.CatchUp(ctx) // the person has begun something meanwhile
		case etag != c.etag && told.unknown(c.shared, theirs):
			c.later(ctx, idlePause)
		default:
			c.take(ctx, told, theirs, etag)
			c.CatchUp(ctx)
		}
	})
}

// busy reports whether the person is in the middle of something that a change of the form would disturb.
func (c *catching) busy() bool {
	if c.Typing != "" {
		if now := c.Editor.State().Form; c.typed != now {
			c.typed, c.typedAt = now, time.Now()
		}
		if time.Since(c.typedAt) < typingPause {
			return true
		}
	}
	return c.Dialog.Name() != "" || c.Canvas != nil && c.Canvas.Busy()
}

// later calls CatchUp after a while.
func (c *catching) later(ctx app.Context, after time.Duration) {
	c.reading = true
	ctx.After(after, func(ctx app.Context) {
		c.reading = false
		if !c.Over() {
			c.CatchUp(ctx)
		}
	})
}

// take takes the version that others saved. Undo and redo go on with the person's own steps. It reports whether there are conflicts.
func (c *catching) take(ctx app.Context, told *news, theirs *model.Form, etag string) (conflicts bool) {
	if c.news == told {
		c.news = nil
	}
	if etag == c.etag && etag != "" {
		c.Redraw(ctx)
		return false
	}
	before, unsaved := c.Editor.Base(), c.Editor.Unsaved()
	if c.ReadOnly() && c.shared.ID() != "" { // a reader sees what others have on their screens
		c.Editor.Saved(theirs)
		c.caughtUp(etag, theirs)
		c.Redraw(ctx)
		return false
	}
	shared := c.shared.Saved(theirs)
	var changes []merge.Change
	var clash []merge.Conflict
	c.Outside(told.who, func() { changes, clash = c.Editor.TakeSaved(shared, theirs) })
	c.Took()
	c.caughtUp(etag, theirs)
	if len(changes) > 0 {
		c.arrival = arrival{
			title: "What " + told.other() + " saved" + told.where, before: before, after: c.Editor.Base(),
			text: "These changes are in the form on this page now. Undo reverts only your own steps.",
		}
		c.arrival.put(changes)
		text := told.who + " saved this form" + told.where
		if unsaved {
			c.Toast.SayMore(text+", too. Your changes and the saved ones are merged.", ChangesDialog, "Show")
		} else {
			c.sayUntilDeleted(ctx, text+". You are seeing the new version.")
		}
	}
	if shared != nil && len(changes) == 0 && told.who != "Somebody" {
		c.sayUntilDeleted(ctx, told.who+" saved this form"+told.where+".")
	}
	if conflicts = c.Ask(told.other(), clash); conflicts {
		// A banner would move everything down under the hand of somebody who did not ask for it.
		c.Toast.SayMore(c.review.words(c.Editor.State().Form, time.Now()), ReviewAct, "Review")
		c.Toast.While = func() bool { return len(c.review.conflicts) > 0 }
	}
	c.Redraw(ctx)
	return conflicts
}

// sayUntilDeleted shows a message that the deletion of the form contradicts.
func (c *catching) sayUntilDeleted(ctx app.Context, text string) {
	c.Say(ctx, text)
	c.Toast.While = func() bool { return !c.deleted() }
}

// Refresh reads the saved form again.
func (c *catching) Refresh(ctx app.Context) {
	if c.news == nil {
		c.news = &news{who: "Somebody"}
	}
	c.CatchUp(ctx)
}

// fetch reads the version at the server and calls use with it. If the version of this page changes meanwhile, because a save has ended, what was
// read may be older than that save, and is read again.
func (c *catching) fetch(ctx app.Context, use func(ctx app.Context, theirs *model.Form, etag string, err error)) {
	from := c.etag
	c.Async(ctx, func(call context.Context) func(app.Context) {
		theirs, etag, err := formapi.Read(call, c.Client, c.ID)
		return func(ctx app.Context) {
			if err == nil && c.etag != from {
				c.fetch(ctx, use)
				return
			}
			use(ctx, theirs, etag, err)
		}
	})
}

// errUnchanged means that there is nothing to merge. The tenant's answer to the last save stays visible.
var errUnchanged = errors.New("nothing was changed elsewhere")

// Merge reads the version saved elsewhere and merges it with the work in this editor. It does not save the result.
func (c *catching) Merge(ctx app.Context) {
	c.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		if err == nil && model.Diff(c.Editor.Base(), theirs).Empty() {
			err = errUnchanged
		}
		if err != nil {
			c.Say(ctx, kit.Sentence(err))
			return
		}
		c.merge(ctx, theirs, etag)
	})
}

// meet reads the version saved elsewhere, merges it with the work in this editor, and calls then with whether it is the same form as before,
// and whether there are conflicts.
func (c *catching) meet(ctx app.Context, then func(ctx app.Context, same, conflicts bool, err error)) {
	c.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		same := err == nil && model.Diff(c.Editor.Base(), theirs).Empty()
		then(ctx, same, err == nil && c.merge(ctx, theirs, etag), err)
	})
}

// merge takes the version saved elsewhere, whatever the person is in the middle of. It reports whether there are conflicts.
func (c *catching) merge(ctx app.Context, theirs *model.Form, etag string) (conflicts bool) {
	c.etag, c.Typing = "", ""
	return c.take(ctx, c.told(), theirs, etag)
}

// told returns the news about the version that is being taken, whoever saved it.
func (c *catching) told() *news {
	if c.news != nil {
		return c.news
	}
	return &news{who: "Somebody"}
}
