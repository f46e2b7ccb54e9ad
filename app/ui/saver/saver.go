// Package saver sends the changes of a form to the server, reports the outcome, and merges the work of two
// people.
package saver

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// State is the state of saving. It is the value of the attribute data-save-state.
type State string

// States of saving.
const (
	Saved    State = "saved"
	Dirty    State = "dirty"
	Saving   State = "saving"
	Conflict State = "conflict"
	Offline  State = "offline"
	Error    State = "error"
)

// Saver saves the form of a workspace. The form may be edited during a save: these edits stay and are saved by the next one.
type Saver struct {
	standing
	slow    bool      // a save is taking long
	wait    kit.Wait  // before the save in progress is sent again
	tries   int       // consecutive tries that could not reach the server
	retryAt time.Time // time of the next try
	cancel  context.CancelFunc
	rounds  int // consecutive saves that others were ahead of
	shared  Shared
	waits   int // how often the save in progress has waited for shared
	catching
	going   asYouGo
	Setting Setting
	// Away reports whether the server cannot be reached; nil for no.
	Away func() bool
}

// Shared is the form that people edit together.
type Shared interface {
	// Told reports whether others have everything that the local form has to tell.
	Told(local *model.Form) bool
	// ToSave returns the form to save: the local one without what the person has to decide first.
	ToSave(local *model.Form) *model.Form
	// ID is not "" if the page shares a form, and Joined reports whether there are others to share it with.
	ID() string
	Joined() bool
	// Saved returns the recent shared form whose content equals a saved form, or nil.
	Saved(saved *model.Form) *model.Form
}

// catching is how the version of others is caught up with.
type catching struct {
	news    *news       // what others did since this version; nil for none
	reading bool        // their version is being read, or will be
	typed   *model.Form // the form as it was when busy last saw it change while the person typed
	typedAt time.Time
}

// job is what a save sends.
type job struct {
	form  *model.Form
	patch model.Patch
	etag  string
	auto  bool // nobody asked for it
}

// New returns the saver of a form in the server's version.
func New(w *workspace.Workspace, shared Shared, f *model.Form, etag string) *Saver {
	at := standing{Workspace: w, etag: etag, savedAt: savedTime(f), last: outcome{state: Saved}}
	s := &Saver{standing: at, shared: shared, Setting: Setting{Workspace: w}}
	s.Setting.begun = func() { s.going.pace.edited(time.Now()) }
	return s
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
func (s *Saver) Save(ctx app.Context) {
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
func (s *Saver) save(ctx app.Context) {
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
	s.last = outcome{state: Saving, signedOut: s.last.signedOut, gone: s.last.gone}
	s.send(ctx, j)
}

// send sends a save. If the tenant asks to wait, it sends the same again after that time.
func (s *Saver) send(ctx app.Context, j job) {
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
		f, etag, err := formapi.Save(call, s.Client, s.Editor.Base().ID, j.patch, j.etag, j.auto)
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
func (s *Saver) sendAgain(ctx app.Context, j job) {
	if !s.Over() {
		s.send(ctx, j)
	}
}

// Cancel cancels the save in progress. One that waits to be sent again has not been made.
func (s *Saver) Cancel() {
	if s.wait.Waiting() {
		s.wait.Stop()
		s.last.state = Saved
		return
	}
	s.cancel()
}

// Online retries a save that could not reach the server.
func (s *Saver) Online(ctx app.Context) {
	if s.last.state == Offline {
		s.save(ctx)
	}
}

// retryLater schedules another try of a save that could not reach the server.
func (s *Saver) retryLater(ctx app.Context) {
	if s.last.state != Offline {
		s.tries = 0
		return
	}
	wait := retryAfter(s.tries)
	s.tries++
	at := time.Now().Add(wait)
	s.retryAt = at
	ctx.After(wait, func(ctx app.Context) {
		if s.last.state == Offline && s.retryAt.Equal(at) && !s.Over() {
			s.save(ctx)
		}
	})
}
