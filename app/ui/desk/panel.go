// Package desk shows the screens that take the place of the canvas: languages, messages and style. A worker draws them, and a script of the
// page shows what it draws; the panel tells the worker of the form, and runs the changes that it asks for.
package desk

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the desk. The zero value with a workspace shows the canvas.
type Panel struct {
	*workspace.Workspace

	page   string // that is shown, "" for the canvas
	worker *worker.Worker
	sent   *model.Form // that the worker has, nil if it has none
	base   *model.Form // the saved form that the records of translations describe
	file   file

	compared comparison
	talk     talk
	settled  func(app.Context) // waits until the worker has done what the person did; nil for nothing
}

// file is the records of translations that the server keeps.
type file struct {
	text, etag string
	reading    bool
	read       bool
	due        *message.Order // to be answered with new records
	tries      int
}

// views are the tabs above the canvas.
var views = []struct{ key, name string }{
	{workspace.Graph, "Graph"}, {message.Languages, "Languages"}, {message.Messages, "Messages"}, {message.Style, "Style"},
}

// Shown reports whether a page of the desk is shown.
func (p *Panel) Shown() bool { return p.page != "" }

// Beside reports whether a page of the desk is beside the canvas: the comparison, the comments, or the links.
func (p *Panel) Beside() bool {
	return p.Compares() || p.page == message.Comments || p.page == message.Links
}

// Compares reports whether the comparison is shown.
func (p *Panel) Compares() bool { return p.page == message.Compare }

// Covers reports whether a page of the desk is in the place of the canvas.
func (p *Panel) Covers() bool { return p.Shown() && !p.Beside() }

// Show shows a page, or the canvas.
func (p *Panel) Show(ctx app.Context, page string) {
	if p.Editor == nil {
		return
	}
	if page == workspace.Graph {
		p.Close(ctx)
		return
	}
	if p.Compares() {
		mark(p.Workspace, nil)
	}
	p.page = page
	p.start(ctx)
	order := message.Order{Page: page}
	p.bring(&order)
	p.post(order)
	if p.Covers() {
		p.read(ctx)
	}
	p.Redraw(ctx)
}

// bring adds the present form to an order: its edits if the worker has an earlier one, else all of it.
func (p *Panel) bring(o *message.Order) {
	if p.sent != nil {
		o.Edits = p.edits()
		return
	}
	p.sent = p.State().Form
	o.Form, o.ReadOnly = p.sent.Tree(), p.ReadOnly()
}

// Close shows the canvas.
func (p *Panel) Close(ctx app.Context) {
	if p.page == "" {
		return
	}
	p.leave()
	kit.Focus("#canvas")
	p.Redraw(ctx)
}

// Yield closes a page beside the canvas, to make room for something else.
func (p *Panel) Yield() {
	if p.Beside() {
		p.leave()
	}
}

func (p *Panel) leave() {
	if p.Compares() {
		mark(p.Workspace, nil)
	}
	p.page = ""
}

// End ends the worker.
func (p *Panel) End() {
	if p != nil {
		p.worker.End()
		p.worker, p.sent, p.page, p.base, p.file, p.compared, p.talk, p.settled = nil, nil, "", nil, file{}, comparison{}, talk{}, nil
	}
}

func (p *Panel) start(ctx app.Context) {
	if p.worker != nil {
		return
	}
	p.worker = worker.Start(ctx, p.Workspace, worker.Desk, p.take, func(ctx app.Context) { p.lost(ctx, "") })
}

// lost returns to the canvas when the worker has failed. why tells people the reason; "" means that its program could not be loaded.
func (p *Panel) lost(ctx app.Context, why string) {
	p.worker.End()
	p.worker, p.sent = nil, nil
	if p.page != "" {
		p.Close(ctx)
		if why == "" {
			why = "The page could not be loaded. Check the connection, then open it again."
		}
		p.Say(ctx, why)
	}
}

// settleTime is how long Settle waits for the worker, which may be busy.
const settleTime = time.Second

// Settle calls then when the form has what the person did on the page that is shown: a key may have been pressed a moment ago.
func (p *Panel) Settle(ctx app.Context, then func(app.Context)) {
	if !p.Covers() || p.worker == nil {
		then(ctx)
		return
	}
	p.settled = then
	p.post(message.Order{Settle: true})
	ctx.After(settleTime, p.settle)
}

// settle calls what waits.
func (p *Panel) settle(ctx app.Context) {
	if then := p.settled; then != nil {
		p.settled = nil
		then(ctx)
	}
}

func (p *Panel) post(o message.Order) { p.worker.Post(o.Text()) }

// Follow tells the worker of edits, and keeps the records of translations when the form was saved.
func (p *Panel) Follow(ctx app.Context) {
	if p.Shown() {
		p.follow()
		p.keep(ctx)
	}
	base := p.Editor.Base()
	if before := p.base; before != nil && before != base && !p.ReadOnly() && (translated(before) || translated(base)) {
		p.record(ctx, &message.Order{Before: before.Tree(), Form: base.Tree()})
	}
	p.base = base
}

func translated(f *model.Form) bool { return f.Tree().Object("translations").Len() > 0 }

func (p *Panel) follow() {
	if edits := p.edits(); edits != nil {
		p.post(message.Order{Edits: edits})
	}
}

// edits returns what has changed since the worker was told, nil for nothing.
func (p *Panel) edits() []schema.Edit {
	now := p.State().Form
	if p.sent == nil || now == p.sent {
		return nil
	}
	edits := schema.Delta(p.sent.Tree(), now.Tree())
	p.sent = now
	return edits
}

// take handles a message of the worker.
func (p *Panel) take(ctx app.Context, text string) {
	r, err := message.ParseReport(text)
	switch {
	case err != nil:
		p.Say(ctx, kit.Sentence(err))
		return
	case r.Fault != "":
		p.lost(ctx, kit.AsSentence(r.Fault))
		return
	}
	if r.Run != nil {
		p.Run(ctx, *r.Run)
		p.post(message.Order{Ran: true, Edits: p.edits()})
	}
	if r.Settled {
		p.settle(ctx)
	}
	if r.Say != "" {
		p.Say(ctx, r.Say)
	}
	if r.Sources != "" {
		p.save(ctx, r.Sources)
	}
	if r.Read != nil {
		p.fetch(ctx, *r.Read)
	}
	if r.Call != nil {
		p.ask(ctx, p.page, r.Call)
	}
	if r.Marks != nil && p.Compares() {
		mark(p.Workspace, r.Marks)
	}
	switch {
	case r.Select != "":
		find(p.Workspace, r.Select, r.Part)
	case r.Leave:
		p.Close(ctx)
	case r.Show != "":
		p.Show(ctx, r.Show)
	case r.Go != "":
		if path, err := schema.ParsePath(r.Go); err == nil {
			p.Close(ctx)
			p.ShowPlace(ctx, path)
		}
	}
}

// read reads the records of translations, once.
func (p *Panel) read(ctx app.Context) {
	if p.file.reading || p.file.read {
		return
	}
	p.file.reading = true
	p.Async(ctx, func(c context.Context) func(app.Context) {
		o, etag, err := formapi.File(c, p.Client, p.ID, formapi.Sources)
		return func(ctx app.Context) {
			p.file.reading = false
			if err != nil {
				p.file.due = nil
				if p.Shown() {
					p.Say(ctx, "Stale translations are not marked: "+err.Error()+".")
				}
				return
			}
			p.file.read, p.file.etag = true, etag
			p.set(string(schema.Encode(o)))
			if due := p.file.due; due != nil {
				p.file.due = nil
				p.record(ctx, due)
			}
		}
	})
}

// set replaces the records, here and in the worker.
func (p *Panel) set(text string) {
	p.file.text = text
	if p.worker != nil {
		p.post(message.Order{Sources: text})
	}
}

// record asks the worker for the records after a save.
func (p *Panel) record(ctx app.Context, order *message.Order) {
	p.file.due = order
	if !p.file.read {
		p.read(ctx)
		return
	}
	p.start(ctx)
	order.Sources = p.file.text
	p.post(*order)
}

// maxTries bounds how often records are saved again because somebody else has saved theirs meanwhile.
const maxTries = 3

// save stores new records. They only mark what is stale, so a failure is not told.
func (p *Panel) save(ctx app.Context, text string) {
	due, etag := p.file.due, p.file.etag
	p.file.due = nil
	if text == p.file.text || p.ReadOnly() {
		return
	}
	tree, problems := schema.DecodeGrown([]byte(text))
	o, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		return
	}
	p.Async(ctx, func(c context.Context) func(app.Context) {
		next, err := formapi.SaveFile(c, p.Client, p.ID, formapi.Sources, o, etag)
		return func(ctx app.Context) {
			switch {
			case err == nil:
				p.file.etag, p.file.tries = next, 0
				p.set(text)
			case kit.StatusOf(err) == 412 && p.file.tries < maxTries:
				p.file.tries++
				p.file.read, p.file.due = false, due
				p.read(ctx)
			}
		}
	})
}
