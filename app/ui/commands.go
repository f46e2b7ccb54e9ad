//go:build js

package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// command is something that can be done, by the name that the palette lists.
type command struct {
	find.Entry
	keys, icon string
	can        condition
	run        func(*editorPage, app.Context)
}

// condition is what a command needs. The zero value is met always.
type condition struct {
	met func(*editorPage) bool
	why string // what to do first; "" when nothing can be said
}

// reason says why a command cannot be run now; ok is true when it can.
func (c condition) reason(p *editorPage) (why string, ok bool) {
	switch {
	case c.met == nil || c.met(p):
		return "", true
	case p.ed.ReadOnly():
		return t.ReadOnly, false
	}
	return c.why, false
}

func selected(p *editorPage) int { return len(p.ed.State().Selection.Nodes) }

// The conditions of commands.
var (
	always  condition
	free    = condition{met: func(p *editorPage) bool { return !p.ed.ReadOnly() }}
	picked  = condition{func(p *editorPage) bool { return selected(p) > 0 }, t.SelectNode}
	onStep  = onNode(model.StepNode, t.SelectStep)
	onRoute = onNode(model.RouterNode, t.SelectRouter)
)

// pickedFree asks for at least n selected nodes in a form that may be changed.
func pickedFree(n int) condition {
	why := [...]string{1: t.SelectNode, 2: t.SelectTwo, 3: t.SelectThree}[n]
	return condition{func(p *editorPage) bool { return !p.ed.ReadOnly() && selected(p) >= n }, why}
}

func onNode(kind model.NodeType, why string) condition {
	return condition{func(p *editorPage) bool {
		n, _ := p.ed.State().Form.Node(p.ed.State().Selection.Only())
		return !p.ed.ReadOnly() && n != nil && n.Type == kind
	}, why}
}

// does returns what a control of the page does.
func does(name, arg string) func(*editorPage, app.Context) {
	return func(p *editorPage, ctx app.Context) { p.do(ctx, name, arg) }
}

// onCanvas returns what the canvas does.
func onCanvas(f func(*editorPage)) func(*editorPage, app.Context) {
	return func(p *editorPage, _ app.Context) {
		if p.island != nil {
			f(p)
		}
	}
}

func arranges(name string, places func(*graph.Scene, map[string]bool) map[string]model.Point) func(*editorPage, app.Context) {
	return func(p *editorPage, ctx app.Context) { p.arrange(ctx, name, places) }
}

func aligns(how graph.Alignment) func(*graph.Scene, map[string]bool) map[string]model.Point {
	return func(s *graph.Scene, ids map[string]bool) map[string]model.Point { return graph.Align(s, ids, how) }
}

func distributes(axis graph.Axis) func(*graph.Scene, map[string]bool) map[string]model.Point {
	return func(s *graph.Scene, ids map[string]bool) map[string]model.Point {
		return graph.Distribute(s, ids, axis)
	}
}

// commands lists everything that can be done, in the order the palette has when
// nothing is typed.
func commands() []command {
	list := []command{
		{named(t.Save), "Ctrl S", "check", free, does("save", "")},
		{named(t.Undo), "Ctrl Z", "undo", condition{met: func(p *editorPage) bool { return p.ed.UndoLabel() != "" }}, does("undo", "")},
		{named(t.Redo), "Ctrl Shift Z", "redo", condition{met: func(p *editorPage) bool { return p.ed.RedoLabel() != "" }}, does("redo", "")},
		{named(t.Find), "Ctrl F", "search", always, func(p *editorPage, ctx app.Context) { p.openSearch(ctx, "find") }},
		{nodeEntry(t.Step), "N S", "step", free, does("add-node", string(model.StepNode))},
		{nodeEntry(t.Flow), "N F", "flow", free, does("add-node", string(model.FlowNode))},
		{nodeEntry(t.Router), "N R", "router", free, does("add-node", string(model.RouterNode))},
		{named(t.AddRule), "", "plus", onRoute, does("add-rule", "")},
		{named(t.Connect), "C", "edge", pickedFree(1), func(p *editorPage, ctx app.Context) { p.openDialog(ctx, "connect") }},
		{named(t.Copy), "Ctrl C", "legal", picked, func(p *editorPage, ctx app.Context) { p.copyByCommand(ctx, false) }},
		{named(t.Cut), "Ctrl X", "legal", pickedFree(1), func(p *editorPage, ctx app.Context) { p.copyByCommand(ctx, true) }},
		{named(t.Duplicate), "Ctrl D", "cards", pickedFree(1), func(p *editorPage, ctx app.Context) { p.run(ctx, p.ed.NewDuplicate()) }},
		{named(t.Delete), "Delete", "trash", pickedFree(1), does("delete", "")},
		{named(t.DeleteHeal), "Ctrl Delete", "trash", pickedFree(1), func(p *editorPage, ctx app.Context) { p.remove(ctx, true) }},
		{named(t.SelectAll), "Ctrl A", "select", always, func(p *editorPage, _ app.Context) { p.ed.Select(editor.SelectAll(p.ed.State())) }},
		{named(t.SelectUp), "Shift ←", "select", picked, func(p *editorPage, _ app.Context) { p.selectStream(editor.Upstream) }},
		{named(t.SelectDown), "Shift →", "select", picked, func(p *editorPage, _ app.Context) { p.selectStream(editor.Downstream) }},
		{named(t.TidyUp), "", "tidy", free, func(p *editorPage, ctx app.Context) { p.arrangeAll(ctx) }},
		{named(t.FitView), "Shift 1", "fit", always, onCanvas(func(p *editorPage) { p.island.FitView() })},
		{named(t.FitSelection), "Shift 2", "fit", picked, onCanvas(func(p *editorPage) { p.island.FitSelection() })},
		{named(t.ZoomIn), "+", "plus", always, onCanvas(func(p *editorPage) { p.island.ZoomIn() })},
		{named(t.ZoomOut), "−", "minus", always, onCanvas(func(p *editorPage) { p.island.ZoomOut() })},
		{named(t.NextProblem), "F8", "warn", always, func(p *editorPage, ctx app.Context) { p.stepProblem(ctx, 1) }},
		{named(t.PreviousProblem), "Shift F8", "warn", always, func(p *editorPage, ctx app.Context) { p.stepProblem(ctx, -1) }},
		{named(t.ShowComponents), "", "panel-left", always, does("tab", "components")},
		{named(t.ShowOutline), "", "panel-left", always, does("tab", "outline")},
		{named(t.ShowProblems), "", "panel-left", always, does("tab", "problems")},
		{named(t.ShowHistory), "", "panel-left", always, does("tab", "history")},
		{named(t.Import), "", "file", free, does("import", "")},
		{named(t.Export), "", "file", always, does("export", "")},
		{named(t.ExportFlows), "", "flow", always, does("export-flows", "")},
		{named(t.Theme), "", "theme", always, does("theme", "")},
		{named(t.Help), "?", "help", always, does("help", "")},
		{named(t.AllForms), "", "home", always, does("home", "")},
	}
	list = append(list, arranging()...)
	for i := range model.Kinds {
		k := &model.Kinds[i]
		list = append(list, command{kindEntry(k), "", k.Icon, onStep, func(p *editorPage, ctx app.Context) { p.addComponent(ctx, k) }})
	}
	return list
}

// arranging are the commands that place several nodes.
func arranging() []command {
	return []command{
		{named(t.TidySelection), "", "tidy", pickedFree(2), arranges(t.TidyUp, graph.Tidy)},
		{named(t.AlignLeft), "", "align-left", pickedFree(2), arranges(t.AlignLeft, aligns(graph.AlignLeft))},
		{named(t.AlignCenters), "", "align-centers", pickedFree(2), arranges(t.AlignCenters, aligns(graph.AlignCenter))},
		{named(t.AlignRight), "", "align-right", pickedFree(2), arranges(t.AlignRight, aligns(graph.AlignRight))},
		{named(t.AlignTop), "", "align-top", pickedFree(2), arranges(t.AlignTop, aligns(graph.AlignTop))},
		{named(t.AlignMiddles), "", "align-middles", pickedFree(2), arranges(t.AlignMiddles, aligns(graph.AlignMiddle))},
		{named(t.AlignBottom), "", "align-bottom", pickedFree(2), arranges(t.AlignBottom, aligns(graph.AlignBottom))},
		{named(t.DistributeAcross), "", "distribute", pickedFree(3), arranges(t.Distribute, distributes(graph.Horizontal))},
		{named(t.DistributeDown), "", "distribute", pickedFree(3), arranges(t.Distribute, distributes(graph.Vertical))},
	}
}

// arrange moves the selected nodes to places that are computed from where they
// are drawn.
func (p *editorPage) arrange(ctx app.Context, name string, places func(*graph.Scene, map[string]bool) map[string]model.Point) {
	ids := map[string]bool{}
	for _, id := range p.ed.State().Selection.Nodes {
		ids[id] = true
	}
	p.place(ctx, name, ids, places)
}

// arrangeAll tidies the whole form up and shows it.
func (p *editorPage) arrangeAll(ctx app.Context) {
	if p.place(ctx, t.TidyUp, nil, graph.Tidy) {
		p.island.FitReadable()
	}
}

func (p *editorPage) place(ctx app.Context, name string, ids map[string]bool, places func(*graph.Scene, map[string]bool) map[string]model.Point) bool {
	if p.island == nil {
		return false
	}
	moved := p.island.Places(func(s *graph.Scene) map[string]model.Point { return places(s, ids) })
	if len(moved) == 0 {
		p.say(ctx, t.NothingMoved)
		return false
	}
	p.island.Animate()
	return p.run(ctx, editor.PlaceNodes{Places: moved, Name: name})
}

func (p *editorPage) selectStream(of func(editor.State, []string) editor.Selection) {
	s := p.ed.State()
	p.ed.Select(of(s, s.Selection.Nodes))
}
