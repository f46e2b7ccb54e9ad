package ui

import (
	"context"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// merge gets what was saved elsewhere and brings it together with the work here.
// Nothing is saved by it: the result is there to be looked at first.
func (p *editorPage) merge(ctx app.Context) {
	p.readSaved(ctx, func(ctx app.Context, theirs *model.Form) error {
		conflicts, err := p.ed.Merge(theirs)
		if err == nil && !p.askConflicts(ctx, conflicts) {
			p.say(ctx, "Merged. Look at it, then save.")
		}
		return err
	})
}

// readSaved reads the form as it is saved now, for use to take it over as the base
// of what is to be saved.
func (p *editorPage) readSaved(ctx app.Context, use func(app.Context, *model.Form) error) {
	id := p.id
	ctx.Async(func() {
		theirs, etag, err := p.client.Form(context.Background(), id)
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			if p.id != id || p.ed == nil {
				return
			}
			if err == nil {
				err = use(ctx, theirs)
			}
			if err != nil {
				p.say(ctx, kit.Sentence(err))
				return
			}
			p.saver.etag, p.saver.state, p.saver.savedAt = etag, stateSaved, savedTime(theirs)
			p.typing = ""
			p.redraw(ctx)
		})
	})
}

// askConflicts asks about what both sides changed, and reports whether there is
// anything to ask. Where two people moved one node is not worth a question.
func (p *editorPage) askConflicts(ctx app.Context, conflicts []model.Conflict) bool {
	p.conflicts = slices.DeleteFunc(conflicts, model.Conflict.Layout)
	if len(p.conflicts) == 0 {
		return false
	}
	p.openDialog(ctx, "conflicts")
	return true
}

// loadSaved puts what was saved elsewhere in the place of the form; undo brings
// the work here back.
func (p *editorPage) loadSaved(ctx app.Context) {
	p.readSaved(ctx, func(ctx app.Context, theirs *model.Form) error {
		err := p.ed.LoadSaved(theirs)
		if err == nil {
			p.say(ctx, "This is the saved version. Undo brings your work back.")
		}
		return err
	})
}

// takeTheirs settles one conflict.
func (p *editorPage) takeTheirs(ctx app.Context, arg string) {
	i, err := strconv.Atoi(arg)
	if err != nil || i >= len(p.conflicts) || !p.run(ctx, editor.TakeTheirs{Conflict: p.conflicts[i]}) {
		return
	}
	p.conflicts = slices.Delete(slices.Clone(p.conflicts), i, i+1)
	if len(p.conflicts) == 0 {
		p.dialog = ""
	}
}
