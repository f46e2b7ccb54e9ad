//go:build js

package ui

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// command is something that can be done, by the name that the palette lists.
type command struct {
	name, keys, icon string
	can              *condition // nil for always
	run              func(*editorPage, app.Context)
}

// condition is what a command needs.
type condition struct {
	met func(*editorPage) bool
	why string // what to do first; "" when nothing can be said
}

// reason says why a command cannot be run now; ok is true when it can.
func (c *condition) reason(p *editorPage) (why string, ok bool) {
	switch {
	case c == nil || c.met(p):
		return "", true
	case p.ed.ReadOnly():
		return t.ReadOnly, false
	}
	return c.why, false
}

func selected(p *editorPage) int { return len(p.ed.State().Selection.Nodes) }

// The conditions of commands.
var (
	free    = &condition{met: func(p *editorPage) bool { return !p.ed.ReadOnly() }}
	canUndo = &condition{met: func(p *editorPage) bool { return p.ed.UndoLabel() != "" }}
	canRedo = &condition{met: func(p *editorPage) bool { return p.ed.RedoLabel() != "" }}
	picked  = &condition{func(p *editorPage) bool { return selected(p) > 0 }, t.SelectNode}
	one     = pickedFree(1, t.SelectNode)
	two     = pickedFree(2, t.SelectTwo)
	three   = pickedFree(3, t.SelectThree)
	onStep  = onNode(model.StepNode, t.SelectStep)
	onRoute = onNode(model.RouterNode, t.SelectRouter)
)

// pickedFree asks for at least n selected nodes in a form that may be changed.
func pickedFree(n int, why string) *condition {
	return &condition{func(p *editorPage) bool { return !p.ed.ReadOnly() && selected(p) >= n }, why}
}

// onNode asks for one selected node of a kind in a form that may be changed.
func onNode(kind model.NodeType, why string) *condition {
	return &condition{func(p *editorPage) bool {
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
		{t.Save, "Ctrl S", "check", free, does("save", "")},
		{t.Undo, "Ctrl Z", "undo", canUndo, does("undo", "")},
		{t.Redo, "Ctrl Shift Z", "redo", canRedo, does("redo", "")},
		{t.Find, "Ctrl F", "search", nil, func(p *editorPage, ctx app.Context) { p.openSearch(ctx, "find") }},
		{fmt.Sprintf(t.AddNodeKind, t.Step), "N S", "step", free, does("add-node", string(model.StepNode))},
		{fmt.Sprintf(t.AddNodeKind, t.Flow), "N F", "flow", free, does("add-node", string(model.FlowNode))},
		{fmt.Sprintf(t.AddNodeKind, t.Router), "N R", "router", free, does("add-node", string(model.RouterNode))},
		{t.AddRule, "", "plus", onRoute, does("add-rule", "")},
		{t.Connect, "C", "edge", one, func(p *editorPage, ctx app.Context) { p.openDialog(ctx, "connect") }},
		{t.Copy, "Ctrl C", "legal", picked, func(p *editorPage, ctx app.Context) { p.copyByCommand(ctx, false) }},
		{t.Cut, "Ctrl X", "legal", one, func(p *editorPage, ctx app.Context) { p.copyByCommand(ctx, true) }},
		{t.Duplicate, "Ctrl D", "cards", one, func(p *editorPage, ctx app.Context) { p.run(ctx, p.ed.NewDuplicate()) }},
		{t.Delete, "Delete", "trash", one, does("delete", "")},
		{t.DeleteHeal, "Ctrl Delete", "trash", one, func(p *editorPage, ctx app.Context) { p.remove(ctx, true) }},
		{t.SelectAll, "Ctrl A", "select", nil, func(p *editorPage, _ app.Context) { p.ed.Select(editor.SelectAll(p.ed.State())) }},
		{t.SelectUp, "Shift ←", "select", picked, func(p *editorPage, _ app.Context) { p.selectStream(editor.Upstream) }},
		{t.SelectDown, "Shift →", "select", picked, func(p *editorPage, _ app.Context) { p.selectStream(editor.Downstream) }},
		{t.TidyUp, "", "tidy", free, func(p *editorPage, ctx app.Context) { p.arrangeAll(ctx) }},
		{t.FitView, "Shift 1", "fit", nil, onCanvas(func(p *editorPage) { p.island.FitView() })},
		{t.FitSelection, "Shift 2", "fit", picked, onCanvas(func(p *editorPage) { p.island.FitSelection() })},
		{t.ZoomIn, "+", "plus", nil, onCanvas(func(p *editorPage) { p.island.ZoomIn() })},
		{t.ZoomOut, "−", "minus", nil, onCanvas(func(p *editorPage) { p.island.ZoomOut() })},
		{t.NextProblem, "F8", "warn", nil, func(p *editorPage, ctx app.Context) { p.stepProblem(ctx, 1) }},
		{t.PreviousProblem, "Shift F8", "warn", nil, func(p *editorPage, ctx app.Context) { p.stepProblem(ctx, -1) }},
		{t.ShowComponents, "", "panel-left", nil, does("tab", "components")},
		{t.ShowOutline, "", "panel-left", nil, does("tab", "outline")},
		{t.ShowProblems, "", "panel-left", nil, does("tab", "problems")},
		{t.ShowHistory, "", "panel-left", nil, does("tab", "history")},
		{t.Import, "", "file", free, does("import", "")},
		{t.Export, "", "file", nil, does("export", "")},
		{t.ExportFlows, "", "flow", nil, does("export-flows", "")},
		{t.Theme, "", "theme", nil, does("theme", "")},
		{t.Help, "?", "help", nil, does("help", "")},
		{t.AllForms, "", "home", nil, does("home", "")},
	}
	list = append(list, arranging()...)
	for i := range model.Kinds {
		k := &model.Kinds[i]
		list = append(list, command{fmt.Sprintf(t.AddComponentKind, k.Label), "", k.Icon, onStep, func(p *editorPage, ctx app.Context) { p.addComponent(ctx, k) }})
	}
	return list
}

// arranging are the commands that place several nodes.
func arranging() []command {
	return []command{
		{t.TidySelection, "", "tidy", two, arranges(t.TidyUp, graph.Tidy)},
		{t.AlignLeft, "", "align-left", two, arranges(t.AlignLeft, aligns(graph.AlignLeft))},
		{t.AlignCenters, "", "align-centers", two, arranges(t.AlignCenters, aligns(graph.AlignCenter))},
		{t.AlignRight, "", "align-right", two, arranges(t.AlignRight, aligns(graph.AlignRight))},
		{t.AlignTop, "", "align-top", two, arranges(t.AlignTop, aligns(graph.AlignTop))},
		{t.AlignMiddles, "", "align-middles", two, arranges(t.AlignMiddles, aligns(graph.AlignMiddle))},
		{t.AlignBottom, "", "align-bottom", two, arranges(t.AlignBottom, aligns(graph.AlignBottom))},
		{t.DistributeAcross, "", "distribute", three, arranges(t.Distribute, distributes(graph.Horizontal))},
		{t.DistributeDown, "", "distribute", three, arranges(t.Distribute, distributes(graph.Vertical))},
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
