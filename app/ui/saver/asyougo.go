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
	"github.com/formgraph/formgraph/model/schema"
)

// SavingAct is the act that sets whether the form is saved as it is edited; its argument is AsYouGo or ByHand.
const SavingAct = "choose-saving"

// The two ways to save a form, which hold for everybody who edits it.
const (
	AsYouGo = "as-you-go"
	ByHand  = "by-hand"
)

// asYouGo saves the form as it is edited, if the team has set that.
type asYouGo struct {
	on    bool
	known bool // on is what the server says
	pace  pace
	form  *model.Form // as this page knows it: any other one was edited here
	timer int         // the number of the latest timer: only that one counts
	auto  bool        // nobody asked for the last save
}

// Saving returns how the form is saved.
func (s *Saver) Saving() string {
	if s.going.on {
		return AsYouGo
	}
	return ByHand
}

// ReadSaving asks the server how the form is saved. A failure leaves it as it is.
func (s *Saver) ReadSaving(ctx app.Context) {
	s.Async(ctx, func(c context.Context) func(app.Context) {
		file, _, err := formapi.File(c, s.Client, s.ID, formapi.Settings)
		return func(ctx app.Context) {
			if err == nil {
				s.set(ctx, isOn(file))
			}
		}
	})
}

// saveAsYouGo is the setting.
const saveAsYouGo = "save_as_you_go"

func isOn(file *schema.Object) bool {
	on, _ := file.Get(saveAsYouGo)
	return on == true
}

// set sets how the form is saved.
func (s *Saver) set(ctx app.Context, on bool) {
	s.going.on, s.going.known = on, true
	s.Redraw(ctx)
}

// ChooseSaving sets how the form is saved for everybody. If somebody else has set it meanwhile, this is the last word.
func (s *Saver) ChooseSaving(ctx app.Context, how string) {
	on := how == AsYouGo
	if s.ReadOnly() || s.going.known && s.going.on == on {
		return
	}
	s.Async(ctx, func(c context.Context) func(app.Context) {
		err := s.storeSaving(c, on)
		return func(ctx app.Context) {
			if err != nil {
				s.Say(ctx, kit.Sentence(err))
				return
			}
			if s.set(ctx, on); !on {
				s.Say(ctx, "For everybody, this form is saved when somebody presses Save.")
				return
			}
			s.going.pace.edited(time.Now()) // what is unsaved already
			s.Say(ctx, "For everybody, this form is saved as it is edited.")
		}
	})
}

// storeTries is how often a setting is stored that others change at the same time.
const storeTries = 3

func (s *Saver) storeSaving(c context.Context, on bool) (err error) {
	for range storeTries {
		var etag string
		if _, etag, err = formapi.File(c, s.Client, s.ID, formapi.Settings); err != nil {
			return err
		}
		file := schema.NewObject(schema.Member{Key: saveAsYouGo, Value: on})
		if _, err = formapi.SaveFile(c, s.Client, s.ID, formapi.Settings, file, etag); client.CodeOf(err) != "conflict" {
			return err
		}
	}
	return errors.New("others are changing this setting at the same time")
}

// heardSaving handles the event that somebody has set how the form is saved.
func (s *Saver) heardSaving(ctx app.Context, e client.FormEvent) {
	if e.AsYouGo == s.going.on && s.going.known {
		return
	}
	s.set(ctx, e.AsYouGo)
	who := e.Name
	if who == "" {
		who = "Somebody"
	}
	if e.AsYouGo {
		s.Say(ctx, who+" has set that this form is saved as it is edited.")
	} else {
		s.Say(ctx, who+" has set that this form is saved when somebody presses Save.")
	}
}

// Took records that the form has changed, but not by an edit of this page: that is not a reason to save it here.
func (s *Saver) Took() { s.going.form = s.Editor.State().Form }

// follow saves the form as it is edited. It is called after every change.
func (s *Saver) follow(ctx app.Context) {
	g := &s.going
	if now := s.Editor.State().Form; g.form != now {
		if g.form != nil {
			g.pace.edited(time.Now())
		}
		g.form = now
	}
	if !g.on || !g.pace.waits() || s.ReadOnly() {
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

// barred reports whether the form cannot be saved: there is a problem that a person must fix, a conflict, or no session, network or form.
func (s *Saver) barred() bool {
	return !s.still() || s.last.state == Offline || s.last.signedOut || s.last.gone || s.last.forbidden || len(s.Editor.Own()) > 0 ||
		s.Editor.Changes().Empty() || s.news != nil && s.news.deleted
}

// held reports whether the form must not be saved at this moment: the person is in the middle of a gesture or a dialog, or the version of
// somebody else is being taken.
func (s *Saver) held() bool {
	return s.Dialog.Name() != "" || s.news != nil || s.Canvas != nil && s.Canvas.Busy()
}
