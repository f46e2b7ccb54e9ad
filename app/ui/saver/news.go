package saver

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// news is what somebody did to the form that the version on this page does not have.
type news struct {
	who     string // the subject of a sentence
	where   string // " in another window", or ""
	at      time.Time
	deleted bool
}

const (
	// idlePause is how soon the page looks again whether a gesture or the typing is over.
	idlePause = 500 * time.Millisecond
	// readPause is how soon the form is read again if it could not be read.
	readPause = 10 * time.Second
)

// Heard handles an event about the form. What this page has done itself, or has already, is no news.
func (s *Saver) Heard(ctx app.Context, e client.FormEvent) {
	switch {
	case e.Tab != "" && e.Tab == s.Client.Tab:
		return
	case e.Kind != client.Deleted && e.ETag != "" && e.ETag == s.etag:
		return
	case e.Kind == client.Hello && (e.ETag == "" && !e.Missed || s.news != nil):
		return // the tenant has no versions, or the news has a name
	}
	n := &news{who: e.Name, at: e.At, deleted: e.Kind == client.Deleted}
	switch {
	case e.Sub != "" && e.Sub == s.User.Sub:
		n.who, n.where = "You", " in another window"
	case n.who == "":
		n.who = "Somebody"
	}
	s.news = n
	s.Redraw(ctx)
	s.CatchUp(ctx)
}

// CatchUp takes the version that somebody saved, if there is one, as soon as nothing on this page is unsaved and the person is not in the
// middle of something. Call it after every change.
func (s *Saver) CatchUp(ctx app.Context) {
	switch {
	case s.news == nil || s.news.deleted || s.catching || !s.still():
		return
	case s.busy():
		s.later(ctx, idlePause)
		return
	}
	s.catching = true
	told := s.news
	s.Async(ctx, func(c context.Context) func(app.Context) {
		theirs, etag, err := formapi.Read(c, s.Client, s.ID)
		return func(ctx app.Context) {
			s.catching = false
			switch {
			case kit.StatusOf(err) == 404:
				told.deleted = true
				s.Redraw(ctx)
			case err != nil:
				s.later(ctx, readPause)
			case etag != s.etag && (!s.still() || s.busy()):
				s.CatchUp(ctx) // the person has begun something meanwhile
			default:
				s.take(ctx, told, theirs, etag)
			}
		}
	})
}

// still reports whether nothing is unsaved, being saved or asked.
func (s *Saver) still() bool {
	return !s.Editor.Unsaved() && s.last.state != Saving && s.last.state != Conflict
}

// busy reports whether the person is in the middle of something that a change of the form would disturb.
func (s *Saver) busy() bool {
	return s.Typing != "" || s.Dialog.Name() != "" || s.Canvas != nil && s.Canvas.Busy()
}

// later calls CatchUp after a while.
func (s *Saver) later(ctx app.Context, after time.Duration) {
	s.catching = true
	ctx.After(after, func(ctx app.Context) {
		s.catching = false
		if !s.Over() {
			s.CatchUp(ctx)
		}
	})
}

// take takes the version that others saved. Undo and redo go on with the person's own steps.
func (s *Saver) take(ctx app.Context, told *news, theirs *model.Form, etag string) {
	if s.news == told {
		s.news = nil
	}
	if etag == s.etag && etag != "" {
		s.Redraw(ctx)
		return
	}
	changed := !model.Diff(s.Editor.Base(), theirs).Empty()
	s.etag, s.savedAt, s.last = etag, savedTime(theirs), outcome{state: Saved, signedOut: s.last.signedOut}
	s.Editor.TakeSaved(theirs)
	if changed {
		s.Say(ctx, told.who+" saved this form"+told.where+". You are seeing the new version.")
	}
	s.Redraw(ctx)
	s.CatchUp(ctx)
}

// drawNews draws the news that the person has to decide about; nil for none.
func (s *Saver) drawNews() app.UI {
	switch n := s.news; {
	case n == nil:
		return nil
	case n.deleted:
		return s.drawDeleted(n.who + " deleted this form" + n.where + ".")
	case s.Editor.Unsaved():
		at := ""
		if !n.at.IsZero() {
			at = " at " + n.at.Local().Format(kit.TimeOfDay)
		}
		return kit.Banner("user", n.who+" saved this form"+n.where+at+". Your changes stay here: merge them now, or when you save.",
			kit.TextButton(ImpactAct, "See the impact", "secondary"), kit.TextButton("merge", "Review now", "secondary"))
	}
	return nil
}

// drawDeleted offers to keep the work on a form that was deleted.
func (s *Saver) drawDeleted(text string) app.UI {
	switch {
	case s.User.Can("create:forms"):
		return kit.Banner("warn", text+" Your work stays in this browser. Save it as a new form to keep it.",
			kit.TextButton("save-as-new", "Save as a new form", "primary"))
	default:
		return kit.Banner("warn", text+" Your work stays in this browser. Export it to keep it elsewhere.",
			kit.TextButton("export", "Export", "primary"))
	}
}
