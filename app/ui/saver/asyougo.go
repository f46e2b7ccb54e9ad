package saver

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// asYouGo saves the form as it is edited, if the team has set that.
type asYouGo struct {
	pace  pace
	timer int  // the number of the latest timer: only that one counts
	auto  bool // nobody asked for the last save
}

// follow saves the form as it is edited. It is called after every change.
func (s *sending) follow(ctx app.Context) {
	g := &s.going
	if now := s.Editor.State().Form; s.known != now {
		if s.known != nil {
			g.pace.edited(time.Now())
		}
		s.known = now
	}
	if !s.setting.on || !g.pace.waits() || s.ReadOnly() {
		return
	}
	if !s.Editor.Unsaved() {
		g.pace.rest()
		return
	}
	if s.barred() {
		return // what ends that is a change, after which this is called again
	}
	wait := g.pace.next(time.Now(), s.held())
	if wait == 0 {
		g.auto = true
		s.save(ctx)
		return
	}
	g.timer++
	n := g.timer
	ctx.After(wait, func(ctx app.Context) {
		if n == g.timer && !s.Over() {
			s.follow(ctx)
		}
	})
}

// soon reports whether what was edited is saved by itself.
func (s *sending) soon() bool { return s.setting.on && s.going.pace.waits() && !s.barred() }

// barred reports whether the form cannot be saved: there is a problem that a person must fix, a conflict, or no session, network or form.
func (s *sending) barred() bool {
	return !s.still() || s.last.state == Offline || s.last.signedOut || s.last.gone || s.last.forbidden || len(s.Editor.Found().Own()) > 0 ||
		s.Editor.Changes().Empty() || s.others.deleted()
}

// held reports whether the form must not be saved at this moment: the person is in the middle of a gesture or a dialog, or the version of
// somebody else is being taken.
func (s *sending) held() bool {
	return s.Dialog.Name() != "" || s.others.waiting() || s.Canvas != nil && s.Canvas.Busy()
}
