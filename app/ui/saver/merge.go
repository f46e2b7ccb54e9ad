package saver

import (
	"context"
	"errors"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// errUnchanged means that there is nothing to merge. The tenant's answer to the last save stays visible.
var errUnchanged = errors.New("nothing was changed elsewhere")

// maxRounds is how often in a row a save is sent again because somebody else saved first.
const maxRounds = 5

// fetch reads the version at the server and calls use with it. If the version of this page changes meanwhile, because a save has ended, what was
// read may be older than that save, and is read again.
func (s *Saver) fetch(ctx app.Context, use func(ctx app.Context, theirs *model.Form, etag string, err error)) {
	from := s.etag
	s.Async(ctx, func(c context.Context) func(app.Context) {
		theirs, etag, err := formapi.Read(c, s.Client, s.ID)
		return func(ctx app.Context) {
			if err == nil && s.etag != from {
				s.fetch(ctx, use)
				return
			}
			use(ctx, theirs, etag, err)
		}
	})
}

// Merge reads the version saved elsewhere and merges it with the work in this editor. It does not save the result.
func (s *Saver) Merge(ctx app.Context) {
	s.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		if err == nil && model.Diff(s.Editor.Base(), theirs).Empty() {
			err = errUnchanged
		}
		if err != nil {
			s.Say(ctx, kit.Sentence(err))
			return
		}
		s.etag, s.Typing = "", ""
		s.take(ctx, s.told(), theirs, etag)
	})
}

// meet reads the version that others saved before this save and merges it. If both changed something different, the save is sent again;
// otherwise the person decides first.
func (s *Saver) meet(ctx app.Context) {
	s.last.state = Saving
	s.rounds++
	s.fetch(ctx, func(ctx app.Context, theirs *model.Form, etag string, err error) {
		defer s.Redraw(ctx)
		if err != nil {
			s.last = outcomeOf(err, false)
			s.retryLater(ctx)
			return
		}
		s.etag, s.Typing = "", ""
		conflicts := s.take(ctx, s.told(), theirs, etag)
		switch {
		case conflicts:
			if !s.going.auto { // the message asks somebody who is in the middle of something
				s.Review(ctx)
			}
		case s.rounds > maxRounds:
			s.last = outcome{state: Error, message: "Others keep saving this form. Your work stays here."}
		default:
			s.save(ctx)
		}
	})
}

// told returns the news about the version that is being taken, whoever saved it.
func (c *catching) told() *news {
	if c.news != nil {
		return c.news
	}
	return &news{who: "Somebody"}
}

// DrawDialog returns the open dialog if it is one of the Saver's, else nil.
func (s *Saver) DrawDialog() app.UI {
	switch s.Dialog.Name() {
	case ConflictsDialog:
		return s.review.draw(s.Workspace)
	case ChangesDialog:
		return s.arrival.draw(&s.Dialog)
	}
	return nil
}
