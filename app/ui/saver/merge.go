package saver

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// ConflictsDialog is the name of the dialog about conflicting changes.
const ConflictsDialog = "conflicts"

// errUnchanged means that there is nothing to merge. The tenant's answer to the last save stays visible.
var errUnchanged = errors.New("nothing was changed elsewhere")

// Merge reads the version saved elsewhere and merges it with the work in this editor. It does not save the
// result, so that the person can check it first.
func (s *Saver) Merge(ctx app.Context) {
	s.readSaved(ctx, func(ctx app.Context, theirs *model.Form) error {
		if s.last.state != Conflict && s.news == nil && model.Diff(s.Editor.Base(), theirs).Empty() {
			return errUnchanged
		}
		conflicts, err := s.Editor.Merge(theirs)
		if err == nil && !s.Ask(ctx, conflicts) {
			s.Say(ctx, "Merged. Check the form, then save.")
		}
		return err
	})
}

// LoadSaved replaces the form with the version saved elsewhere; undo restores the work.
func (s *Saver) LoadSaved(ctx app.Context) {
	s.readSaved(ctx, func(ctx app.Context, theirs *model.Form) error {
		err := s.Editor.LoadSaved(theirs)
		if err == nil {
			s.Say(ctx, "Loaded the saved version. Undo restores your work.")
		}
		return err
	})
}

// readSaved reads the saved version of the form and calls use, which adopts it as the base of the next
// save.
func (s *Saver) readSaved(ctx app.Context, use func(app.Context, *model.Form) error) {
	told := s.news
	s.Async(ctx, func(c context.Context) func(app.Context) {
		theirs, etag, err := formapi.Read(c, s.Client, s.ID)
		return func(ctx app.Context) {
			if err == nil {
				err = use(ctx, theirs)
			}
			if err != nil {
				s.Say(ctx, kit.Sentence(err))
				return
			}
			s.etag, s.last, s.savedAt = etag, outcome{state: Saved, signedOut: s.last.signedOut}, savedTime(theirs)
			s.Typing = ""
			if s.news == told {
				s.news = nil
			}
			s.Redraw(ctx)
		}
	})
}

// Ask asks about conflicting changes, and reports whether there are any. Positions changed by both sides
// are not worth a question.
func (s *Saver) Ask(ctx app.Context, conflicts []merge.Conflict) bool {
	s.conflicts = slices.DeleteFunc(conflicts, merge.Conflict.Layout)
	if len(s.conflicts) == 0 {
		return false
	}
	s.Dialog.Open(ctx, ConflictsDialog)
	return true
}

// TakeTheirs resolves a conflict, by its index in the dialog, in favour of the saved version.
func (s *Saver) TakeTheirs(ctx app.Context, i int) {
	if i < 0 || i >= len(s.conflicts) || !s.Run(ctx, editor.TakeTheirs{Conflict: s.conflicts[i]}) {
		return
	}
	s.conflicts = slices.Delete(slices.Clone(s.conflicts), i, i+1)
	if len(s.conflicts) == 0 {
		s.Dialog.Close()
	}
}

// DrawDialog returns the open dialog if it is one of the Saver's, else nil.
func (s *Saver) DrawDialog() app.UI {
	switch s.Dialog.Name() {
	case ConflictsDialog:
		return s.drawConflicts()
	case ChangesDialog:
		return s.drawChanges()
	}
	return nil
}

func (s *Saver) drawConflicts() app.UI {
	var items []app.UI
	for i, c := range s.conflicts {
		items = append(items, kit.El("li.conflict").Body(kit.El("span.grow").Text(c.String()),
			kit.El("button.secondary type=button data-act=take-theirs data-arg=%", strconv.Itoa(i)).Text("Use the saved version")))
	}
	return s.list("Conflicting changes",
		"Your version is kept in each place. Use the saved version where you prefer it; everything else is merged.", items)
}
