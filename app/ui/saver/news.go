package saver

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// news is what somebody did to the form that the version on this page does not have.
type news struct {
	who     string // the subject of a sentence
	where   string // " in another window", or ""
	deleted bool
	at      time.Time // when it was saved, the zero time if that is not known
	tries   int       // how often the saved form was none that the page knows
}

const (
	// idlePause is how soon the page looks again whether a gesture or the typing is over.
	idlePause = 500 * time.Millisecond
	// typingPause is how long somebody who types must pause.
	typingPause = 2 * time.Second
	// readPause is how soon the form is read again if it could not be read.
	readPause = 10 * time.Second
)

// Heard handles an event about the form. What this page has done itself, or has already, is no news.
func (s *Saver) Heard(ctx app.Context, e client.FormEvent) {
	switch {
	case e.Tab != "" && e.Tab == s.Client.Tab:
		return
	case e.Kind == client.Settings:
		s.Setting.heard(ctx, e)
		return
	case e.Kind == client.Hello && e.Missed:
		s.Setting.Read(ctx)
	}
	switch {
	case e.Kind != client.Deleted && e.ETag != "" && e.ETag == s.etag:
		return
	case e.Kind == client.Hello && (e.ETag == "" && !e.Missed || s.news != nil):
		return // the tenant has no versions, or the news has a name
	}
	n := &news{who: e.Name, deleted: e.Kind == client.Deleted}
	if e.Kind == client.Saved {
		n.at = e.At
	}
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

// CatchUp takes the version that somebody saved, if there is one, as soon as the person is not in the middle of something. Call it after
// every change.
func (s *Saver) CatchUp(ctx app.Context) {
	s.follow(ctx)
	switch {
	case s.news == nil || s.news.deleted || s.reading || !s.still():
		return
	case s.busy():
		s.later(ctx, idlePause)
		return
	}
	s.reading = true
	told := s.news
	s.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		s.reading = false
		switch {
		case kit.StatusOf(err) == 404:
			told.deleted = true
			s.Redraw(ctx)
		case err != nil:
			s.later(ctx, readPause)
		case etag != s.etag && (!s.still() || s.busy()):
			s.CatchUp(ctx) // the person has begun something meanwhile
		case etag != s.etag && told.unknown(s.shared, theirs):
			s.later(ctx, idlePause)
		default:
			s.take(ctx, told, theirs, etag)
			s.CatchUp(ctx)
		}
	})
}

// unknown reports whether the saved form matches no recent shared form but may soon: the last edits of others may still be on their way.
func (n *news) unknown(shared Shared, theirs *model.Form) bool {
	n.tries++
	return n.tries <= maxTries && shared.Joined() && shared.Saved(theirs) == nil
}

// maxTries is how often a saved form that the page does not know is read again.
const maxTries = 3

// Refresh reads the saved form again.
func (s *Saver) Refresh(ctx app.Context) {
	if s.news == nil {
		s.news = &news{who: "Somebody"}
	}
	s.CatchUp(ctx)
}

// busy reports whether the person is in the middle of something that a change of the form would disturb.
func (s *Saver) busy() bool {
	if s.Typing != "" {
		if now := s.Editor.State().Form; s.typed != now {
			s.typed, s.typedAt = now, time.Now()
		}
		if time.Since(s.typedAt) < typingPause {
			return true
		}
	}
	return s.Dialog.Name() != "" || s.Canvas != nil && s.Canvas.Busy()
}

// later calls CatchUp after a while.
func (s *Saver) later(ctx app.Context, after time.Duration) {
	s.reading = true
	ctx.After(after, func(ctx app.Context) {
		s.reading = false
		if !s.Over() {
			s.CatchUp(ctx)
		}
	})
}

// take takes the version that others saved. Undo and redo go on with the person's own steps. It reports whether there are conflicts.
func (s *Saver) take(ctx app.Context, told *news, theirs *model.Form, etag string) (conflicts bool) {
	if s.news == told {
		s.news = nil
	}
	if etag == s.etag && etag != "" {
		s.Redraw(ctx)
		return false
	}
	before, unsaved := s.Editor.Base(), s.Editor.Unsaved()
	if s.ReadOnly() && s.shared.ID() != "" { // a reader sees what others have on their screens
		s.Editor.Saved(theirs)
		s.caughtUp(etag, theirs)
		s.Redraw(ctx)
		return false
	}
	shared := s.shared.Saved(theirs)
	changes, clash := s.Editor.TakeSaved(shared, theirs)
	s.Took()
	s.caughtUp(etag, theirs)
	if len(changes) > 0 {
		s.arrival = arrival{
			title: "What " + told.other() + " saved" + told.where, changes: changes, before: before, after: s.Editor.Base(),
			text: "These changes are in the form on this page now. Undo reverts only your own steps.",
		}
		text := told.who + " saved this form" + told.where
		if unsaved {
			s.Toast.SayMore(text+", too. Your changes and the saved ones are merged.", ChangesDialog, "Show")
		} else {
			s.Say(ctx, text+". You are seeing the new version.")
		}
	}
	if shared != nil && len(changes) == 0 && told.who != "Somebody" {
		s.Say(ctx, told.who+" saved this form"+told.where+".")
	}
	if conflicts = s.Ask(told.other(), clash); conflicts {
		s.review.at = told.at
		// A banner would move everything down under the hand of somebody who did not ask for it.
		s.Toast.SayMore(s.review.words(), ReviewAct, "Review")
	}
	s.Redraw(ctx)
	return conflicts
}

// other names whoever made the news inside a sentence.
func (n *news) other() string {
	if n.who == "You" || n.who == "Somebody" {
		return strings.ToLower(n.who)
	}
	return n.who
}

// draw draws the news if the person has to decide about it; nil if not. The news may be nil.
func (n *news) draw(of client.User) app.UI {
	if n == nil || !n.deleted {
		return nil
	}
	return drawDeleted(of, n.who+" deleted this form"+n.where+".")
}

// drawDeleted offers to keep the work on a form that was deleted.
func drawDeleted(of client.User, text string) app.UI {
	switch {
	case of.Can("create:forms"):
		return kit.Banner("warn", text+" Your work stays in this browser. Save it as a new form to keep it.",
			kit.TextButton("save-as-new", "Save as a new form", "primary"))
	default:
		return kit.Banner("warn", text+" Your work stays in this browser. Export it to keep it elsewhere.",
			kit.TextButton("export", "Export", "primary"))
	}
}
