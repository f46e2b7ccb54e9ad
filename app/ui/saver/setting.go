package saver

import (
	"context"
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// SavingAct is the act that sets whether the form is saved as it is edited; its argument is AsYouGo or ByHand.
const SavingAct = "choose-saving"

// The two ways to save a form, which hold for everybody who edits it.
const (
	AsYouGo = "as-you-go"
	ByHand  = "by-hand"
)

// Setting is how the form is saved, for everybody who edits it.
type Setting struct {
	*workspace.Workspace
	on    bool
	known bool   // on is what the server says
	begun func() // called when this page has set that the form is saved as it is edited
}

// Choice returns how the form is saved.
func (s *Setting) Choice() string {
	if s.on {
		return AsYouGo
	}
	return ByHand
}

// Draw draws the setting as a line of the inspector of the form; nil for somebody who may not save the form.
func (s *Setting) Draw() app.UI {
	if s.ReadOnly() {
		return nil
	}
	state, to := "Off", AsYouGo
	if s.Choice() == AsYouGo {
		state, to = "On", ByHand
	}
	return kit.Tree("button.page-link type=button aria-pressed=% title=% data-act=% data-arg=% { span.grow { % } small { % } }",
		[]string{kit.Yes(s.on), "For everybody who edits this form", SavingAct, to, "Save while editing", state})
}

// Read asks the server how the form is saved. A failure leaves it as it is.
func (s *Setting) Read(ctx app.Context) {
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
func (s *Setting) set(ctx app.Context, on bool) {
	s.on, s.known = on, true
	s.Redraw(ctx)
}

// Choose sets how the form is saved for everybody. If somebody else has set it meanwhile, this is the last word.
func (s *Setting) Choose(ctx app.Context, how string) {
	on := how == AsYouGo
	if s.ReadOnly() || s.known && s.on == on {
		return
	}
	s.Async(ctx, func(c context.Context) func(app.Context) {
		err := s.store(c, on)
		return func(ctx app.Context) {
			if err != nil {
				s.Say(ctx, kit.Sentence(err))
				return
			}
			if s.set(ctx, on); !on {
				s.Say(ctx, "For everybody, this form is saved when somebody presses Save.")
				return
			}
			s.begun() // what is unsaved already
			s.Say(ctx, "For everybody, this form is saved as it is edited.")
		}
	})
}

// storeTries is how often a setting is stored that others change at the same time.
const storeTries = 3

func (s *Setting) store(c context.Context, on bool) (err error) {
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

// heard handles the event that somebody has set how the form is saved.
func (s *Setting) heard(ctx app.Context, e client.FormEvent) {
	if e.AsYouGo == s.on && s.known {
		return
	}
	s.set(ctx, e.AsYouGo)
	who := schema.Isolate(e.Name)
	if who == "" {
		who = "Somebody"
	}
	if e.AsYouGo {
		s.Say(ctx, who+" has set that this form is saved as it is edited.")
	} else {
		s.Say(ctx, who+" has set that this form is saved when somebody presses Save.")
	}
}
