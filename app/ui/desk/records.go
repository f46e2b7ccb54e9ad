package desk

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// records keeps the records of translations, which say what is stale. The worker makes them, and the server stores them beside the form.
type records struct {
	*workspace.Workspace
	shown func() bool                      // a page of the desk is shown
	tell  func(message.Order)              // gives the worker an order, if there is a worker
	ask   func(app.Context, message.Order) // gives the worker, which is started if necessary, an order

	base *model.Form // the saved form that the records describe
	file file
}

// file is the records that the server keeps.
type file struct {
	text, etag string
	reading    bool
	read       bool
	due        *message.Order // to be answered with new records
	tries      int
}

// follow keeps the records when the form was saved.
func (r *records) follow(ctx app.Context) {
	base := r.Editor.Base()
	if before := r.base; before != nil && before != base && !r.ReadOnly() && (translated(before) || translated(base)) {
		r.record(ctx, &message.Order{Before: before.Tree(), Form: base.Tree()})
	}
	r.base = base
}

func translated(f *model.Form) bool { return f.Tree().Object("translations").Len() > 0 }

// read reads the records of translations, once.
func (r *records) read(ctx app.Context) {
	if r.file.reading || r.file.read {
		return
	}
	r.file.reading = true
	r.Async(ctx, func(c context.Context) func(app.Context) {
		o, etag, err := formapi.File(c, r.Client, r.ID, formapi.Sources)
		return func(ctx app.Context) {
			r.file.reading = false
			if err != nil {
				r.file.due = nil
				if r.shown() {
					r.Say(ctx, "Stale translations are not marked: "+err.Error()+".")
				}
				return
			}
			r.file.read, r.file.etag = true, etag
			r.set(string(schema.Encode(o)))
			if due := r.file.due; due != nil {
				r.file.due = nil
				r.record(ctx, due)
			}
		}
	})
}

// set replaces the records, here and in the worker.
func (r *records) set(text string) {
	r.file.text = text
	r.tell(message.Order{Sources: text})
}

// record asks the worker for the records after a save.
func (r *records) record(ctx app.Context, order *message.Order) {
	r.file.due = order
	if !r.file.read {
		r.read(ctx)
		return
	}
	order.Sources = r.file.text
	r.ask(ctx, *order)
}

// maxTries bounds how often records are saved again because somebody else has saved theirs meanwhile.
const maxTries = 3

// save stores new records. They only mark what is stale, so a failure is not told.
func (r *records) save(ctx app.Context, text string) {
	due, etag := r.file.due, r.file.etag
	r.file.due = nil
	if text == r.file.text || r.ReadOnly() {
		return
	}
	tree, problems := schema.DecodeGrown([]byte(text))
	o, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		return
	}
	r.Async(ctx, func(c context.Context) func(app.Context) {
		next, err := formapi.SaveFile(c, r.Client, r.ID, formapi.Sources, o, etag)
		return func(ctx app.Context) {
			switch {
			case err == nil:
				r.file.etag, r.file.tries = next, 0
				r.set(text)
			case kit.StatusOf(err) == 412 && r.file.tries < maxTries:
				r.file.tries++
				r.file.read, r.file.due = false, due
				r.read(ctx)
			}
		}
	})
}
