//go:build js

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
	id := p.id
	ctx.Async(func() {
		theirs, etag, err := p.client.Form(context.Background(), id)
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			if p.id != id || p.ed == nil {
				return
			}
			var conflicts []model.Conflict
			if err == nil {
				conflicts, err = p.ed.Merge(theirs)
			}
			if err != nil {
				p.say(ctx, kit.Sentence(err))
				return
			}
			p.saver.etag, p.saver.state, p.saver.savedAt = etag, stateSaved, savedTime(theirs)
			p.typing = ""
			// Where two people moved one node is no question worth asking.
			p.conflicts = slices.DeleteFunc(conflicts, model.Conflict.Layout)
			p.redraw(ctx)
			if len(p.conflicts) > 0 {
				p.openDialog(ctx, "conflicts")
				return
			}
			p.say(ctx, t.Merged)
		})
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
