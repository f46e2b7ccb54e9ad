package saver

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// sending sends the form to the server. Of what others saved it knows only that there is something to catch up with, and asks for that when
// they were ahead.
type sending struct {
	*standing
	shared  Shared
	setting *Setting
	others  *catching
	slow    bool     // a save is taking long
	wait    kit.Wait // before the save in progress is sent again
	cancel  context.CancelFunc
	tries   int       // consecutive tries that could not reach the server
	retryAt time.Time // time of the next try
	rounds  int       // consecutive saves that others were ahead of
	waits   int       // how often the save in progress has waited for shared
	going   asYouGo
}

// job is what a save sends.
type job struct {
	form  *model.Form
	patch model.Patch
	etag  string
	auto  bool // nobody asked for it
}

// A save waits until others have what it saves, so that they recognize it: for tellPause at a time, and not longer than a request takes.
const (
	tellPause = 50 * time.Millisecond
	maxWaits  = 20
)

// slowAfter is how long a save may take before the page shows more than "Saving…" and offers to cancel it.
const slowAfter = 6 * time.Second

// Save sends the smallest patch. A tenant that is not ours gets the graph whole if any of it changed, since it may judge the patch alone. If
// conflicts are not settled, it asks about them instead.
func (s *sending) Save(ctx app.Context) {
	switch {
	case s.last.state == Saving:
		return
	case s.State() == Conflict:
		s.Review(ctx)
		return
	}
	s.going.auto = false
	s.save(ctx)
}

// save is Save while nothing is being saved or asked.
func (s *sending) save(ctx app.Context) {
	if s.waits < maxWaits && !s.shared.Told(s.Editor.State().Form) {
		s.waits++
		ctx.After(tellPause, func(ctx app.Context) {
			if !s.Over() && s.still() {
				s.save(ctx)
			}
		})
		return
	}
	s.waits, s.review = 0, review{}
	s.going.pace.rest()
	form := s.shared.ToSave(s.Editor.State().Form)
	j := job{form, s.Editor.ChangesTo(form), s.etag, s.going.auto}
	if j.patch.Empty() {
		s.last = outcome{state: Saved, signedOut: s.last.signedOut}
		s.Redraw(ctx)
		return
	}
	if s.Editor.Remote() {
		j.patch = j.patch.WithGraph(j.form)
	}
	next := outcome{state: Saving, signedOut: s.last.signedOut, gone: s.last.gone}
	if s.last.state == Offline {
		next.message, next.again = s.last.message, true
	}
	s.last = next
	s.send(ctx, j)
}

// send sends a save. If the tenant asks to wait, it sends the same again after that time.
func (s *sending) send(ctx app.Context, j job) {
	s.slow = false
	// Leaving the page does not end a save.
	call, cancel := context.WithCancel(context.WithoutCancel(s.Context()))
	s.cancel = cancel
	s.Redraw(ctx)
	ctx.After(slowAfter, func(ctx app.Context) {
		if call.Err() == nil && s.last.state == Saving {
			s.slow = true
			s.Redraw(ctx)
		}
	})
	s.Async(ctx, func(context.Context) func(app.Context) {
		f, etag, err := formapi.Save(call, s.Client, s.Editor.Base(), j.patch, j.etag, j.auto)
		return func(ctx app.Context) {
			defer s.Redraw(ctx)
			cancelled := call.Err() != nil
			cancel()
			if !cancelled && s.wait.Begin(ctx, err, func(ctx app.Context) { s.sendAgain(ctx, j) }) {
				return
			}
			s.last = outcomeOf(err, cancelled)
			if s.last.state == Conflict {
				s.meet(ctx)
				return
			}
			if err == nil {
				s.etag, s.savedAt, s.rounds = etag, savedTime(f), 0
				s.answered(j.form, f)
			}
			s.retryLater(ctx)
		}
	})
}

// sendAgain sends a save after a wait, unless the person has left the page: their draft is kept.
func (s *sending) sendAgain(ctx app.Context, j job) {
	if !s.Over() {
		s.send(ctx, j)
	}
}

// Cancel cancels the save in progress. One that waits to be sent again has not been made.
func (s *sending) Cancel() {
	if s.wait.Waiting() {
		s.wait.Stop()
		s.last.state = Saved
		return
	}
	s.cancel()
}

// answered adopts the tenant's answer to a save and shows the person what the tenant changed.
func (s *sending) answered(sent, answer *model.Form) {
	var changed []merge.Change
	var conflicts []merge.Conflict
	s.Outside("", func() { changed, conflicts = s.Editor.Answered(sent, answer) })
	s.Took()
	if n := len(changed); n > 0 {
		s.Typing = ""
		s.arrival = arrival{
			title: "What the server changed", before: sent, after: s.Editor.Base(), tenant: true,
			text: "The server saved the form with these changes. The form on this page now has them, too.",
		}
		s.arrival.put(changed)
		text := kit.Several(n, "The server changed 1 thing", "The server changed %d things")
		s.Toast.SayMore(text+": "+schema.Shorten(s.arrival.say(&changed[0]), changeLength), ChangesDialog, "Show")
	}
	s.Ask("the server", conflicts)
}

// maxRounds is how often in a row a save is sent again because somebody else saved first.
const maxRounds = 5

// meet merges the version that others saved before this save. If both changed something different, the save is sent again; otherwise the
// person decides first. Where a proxy changes the ETag, nobody has saved anything.
func (s *sending) meet(ctx app.Context) {
	s.last.state = Saving
	s.rounds++
	s.others.meet(ctx, func(ctx app.Context, same, conflicts bool, err error) {
		defer s.Redraw(ctx)
		switch {
		case err != nil:
			s.last = outcomeOf(err, false)
			s.retryLater(ctx)
		case conflicts:
			if !s.going.auto { // the message asks somebody who is in the middle of something
				s.Review(ctx)
			}
		case s.rounds > maxRounds:
			s.last = outcome{state: Error, message: "Others keep saving this form. Your work stays here."}
			if same {
				s.last.message = "The server says that others have changed this form, but nobody has. A proxy may be changing its ETag."
			}
		default:
			if same && s.rounds > 1 {
				s.etag = "" // it is of no use: the form itself is compared
			}
			s.save(ctx)
		}
	})
}
