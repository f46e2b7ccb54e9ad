// Package desk shows the screens that take the place of the canvas: languages, messages and style. A worker draws them, and a script of the
// page shows what it draws; the panel tells the worker of the form, and runs the changes that it asks for.
package desk

import (
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/worker"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the desk. New makes it.
type Panel struct {
	*workspace.Workspace

	Comparison *Comparison
	// Here returns the subjects of the people who have the form open.
	Here func() []string

	page    string // that is shown, "" for the canvas
	worker  *worker.Worker
	sent    *model.Form // that the worker has, nil if it has none
	records records
	talk    talk
	settled func(app.Context) // waits until the worker has done what the person did; nil for nothing
}

// New returns the desk of a workspace, which shows the canvas.
func New(w *workspace.Workspace) *Panel {
	p := &Panel{Workspace: w, talk: talk{Workspace: w}}
	p.Comparison = &Comparison{
		Workspace: w, show: func(ctx app.Context) { p.Show(ctx, message.Compare) }, shown: p.Compares, post: p.post,
	}
	p.records = records{Workspace: w, shown: p.Shown, tell: func(o message.Order) {
		if p.worker != nil {
			p.post(o)
		}
	}, ask: func(ctx app.Context, o message.Order) {
		p.start(ctx)
		p.post(o)
	}}
	return p
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

// Go shows a property on a page and moves the focus to its control.
func (p *Panel) Go(ctx app.Context, page string, path schema.Path) {
	p.Panels.Left = p.Panels.Left && workspace.Wide() // a drawer would cover it
	p.show(ctx, message.Order{Page: page, Go: path.String()})
}

// Show shows a page, or the canvas.
func (p *Panel) Show(ctx app.Context, page string) { p.show(ctx, message.Order{Page: page}) }

func (p *Panel) show(ctx app.Context, order message.Order) {
	page := order.Page
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
	p.bring(&order)
	p.post(order)
	if p.Covers() {
		p.records.read(ctx)
	}
	p.Redraw(ctx)
}

// bring adds the present form to an order: its edits if the worker has an earlier one, else all of it. It adds the unsent comments, too.
func (p *Panel) bring(o *message.Order) {
	if p.page == message.Comments {
		p.talk.here = p.Here()
		o.Unsent, o.Here = p.talk.tell(p.worker), p.talk.here
	}
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
		p.worker, p.sent, p.page, p.settled = nil, nil, "", nil
		p.records.base, p.records.file, p.talk.read, p.Comparison.of = nil, file{}, nil, sides{}
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

// Settle calls then when the form has what the person did on the page that is shown, or was a moment ago: the worker may still be busy with a key.
func (p *Panel) Settle(ctx app.Context, then func(app.Context)) {
	if p.worker == nil {
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
		p.Comparison.keep(ctx)
	}
	p.records.follow(ctx)
}

// Meet tells the worker who has the form open, when somebody has come or left while the comments are shown.
func (p *Panel) Meet() {
	if p.page != message.Comments {
		return
	}
	if here := p.Here(); !slices.Equal(here, p.talk.here) {
		p.talk.here = here
		p.post(message.Order{Here: here})
	}
}

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
		p.records.save(ctx, r.Sources)
	}
	if r.Read != nil {
		p.Comparison.fetch(ctx, *r.Read)
	}
	if r.Call != nil {
		p.ask(ctx, p.page, r.Call)
	}
	if r.Unsent != nil && p.talk.wrote(p.worker, r.Unsent) {
		p.Redraw(ctx)
	}
	if r.Marks != nil && p.Compares() {
		mark(p.Workspace, r.Marks)
	}
	switch {
	case r.Select != "":
		if p.Panels.Sheet == workspace.FullSheet { // it covers the canvas
			p.Panels.Sheet = workspace.HalfSheet
			p.Redraw(ctx)
		}
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
