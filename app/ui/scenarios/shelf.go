package scenarios

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/scenario/rename"
	"github.com/formgraph/formgraph/model/schema"
)

// shelf is the copy of the scenarios that the server keeps for the team.
type shelf struct {
	known bool        // whether it has been read
	saved list        // what the server has
	etag  string      // its version
	form  *model.Form // that was saved when it was read: its ids are those of the scenarios
	busy  bool        // a read or a save is under way
	err   error       // of the last read or save
	wait  kit.Wait
}

// tries bounds how often a save is repeated because others saved in between.
const tries = 5

// read reads the scenarios. What was changed here since the last read stays.
func (p *Panel) read(ctx app.Context) {
	if p.shelf.busy {
		return
	}
	p.shelf.busy = true
	p.Async(ctx, func(c context.Context) func(app.Context) {
		theirs, etag, err := p.fetch(c)
		return func(ctx app.Context) {
			p.shelf.busy = false
			if p.shelf.wait.Begin(ctx, err, p.read) {
				return
			}
			if p.shelf.err = err; err == nil {
				p.take(theirs, etag)
				if p.Shown() {
					p.replay(ctx)
				} else {
					p.Follow(ctx)
				}
			}
			p.Redraw(ctx)
		}
	})
}

func (p *Panel) fetch(ctx context.Context) (theirs list, etag string, err error) {
	file, etag, err := formapi.File(ctx, p.Client, p.ID, formapi.Scenarios)
	if err == nil {
		theirs, err = read(file)
	}
	return theirs, etag, err
}

// take makes the server's list the base of the one that is shown.
func (p *Panel) take(theirs list, etag string) {
	p.list = merge(p.shelf.saved, p.list, theirs)
	p.shelf.known, p.shelf.saved, p.shelf.etag, p.shelf.form = true, theirs, etag, p.Editor.Base()
}

// followed returns scenarios with the ids that their elements have in the form under edit. The stored ones follow when the form is saved.
func (s *shelf) followed(of list, form *model.Form) list {
	if s.form == nil {
		return of
	}
	r := flow.SureRenamesOf(s.form, form)
	if r.Empty() {
		return of
	}
	next := slices.Clone(of)
	for i, of := range of {
		next[i] = rename.Scenario(of, r)
	}
	return next
}

// Unsaved reports whether the server lacks a change.
func (p *Panel) Unsaved() bool {
	return p != nil && p.shelf.known && !slices.EqualFunc(p.list, p.shelf.saved, func(a, b *schema.Object) bool { return schema.Equal(a, b) })
}

// save sends the list if it has changed. If others have saved in between, both lists are merged.
func (p *Panel) save(ctx app.Context) {
	if p.shelf.busy || !p.Unsaved() {
		return
	}
	p.shelf.busy, p.shelf.err = true, nil
	base, sent, etag := p.shelf.saved, p.list, p.shelf.etag
	p.Async(ctx, func(c context.Context) func(app.Context) {
		saved := sent
		next, err := formapi.SaveFile(c, p.Client, p.ID, formapi.Scenarios, saved.file(), etag)
		for i := 1; kit.StatusOf(err) == 412 && i < tries; i++ {
			var theirs list
			if theirs, etag, err = p.fetch(c); err != nil {
				break
			}
			saved = merge(base, sent, theirs)
			next, err = formapi.SaveFile(c, p.Client, p.ID, formapi.Scenarios, saved.file(), etag)
		}
		return func(ctx app.Context) {
			p.shelf.busy = false
			if p.shelf.wait.Begin(ctx, err, p.save) {
				return
			}
			if p.shelf.err = err; err == nil {
				p.list = merge(sent, p.list, saved)
				p.shelf.saved, p.shelf.etag = saved, next
				p.save(ctx) // what changed meanwhile
			}
			p.Redraw(ctx)
		}
	})
}
