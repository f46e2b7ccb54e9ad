package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// perform runs a command when it applies, and says what is missing when it does not.
func (p *editorPage) perform(ctx app.Context, id command.ID, arg string) {
	if remedy, ok := command.Of(id).Needs.Missing(p.context()); ok {
		p.carry(ctx, id, arg)
	} else if remedy != "" {
		p.say(ctx, remedy)
	}
}

// context returns what decides which commands apply.
func (p *editorPage) context() command.Context {
	if p.ed == nil {
		return command.Context{}
	}
	return command.Context{State: p.ed.State(), ReadOnly: p.ed.ReadOnly(), Undo: p.ed.UndoLabel(), Redo: p.ed.RedoLabel()}
}

// applies reports whether a command applies now.
func (p *editorPage) applies(id command.ID) bool {
	_, ok := command.Of(id).Needs.Missing(p.context())
	return ok
}

// carry does what a command is for.
func (p *editorPage) carry(ctx app.Context, id command.ID, arg string) {
	switch id {
	case command.Save:
		p.save(ctx)
	case command.Undo:
		p.undo(ctx)
	case command.Redo:
		p.redo(ctx)
	case command.Find:
		p.openSearch(ctx, "find")
	case command.Commands:
		p.openSearch(ctx, "commands")
	case command.AddNode:
		p.openMenu(ctx, !p.menu)
	case command.AddStep:
		p.addNode(ctx, model.StepNode)
	case command.AddFlow:
		p.addNode(ctx, model.FlowNode)
	case command.AddRouter:
		p.addNode(ctx, model.RouterNode)
	case command.AddRule:
		p.run(ctx, p.ed.NewRule(p.ed.State().Selection.Only()))
	case command.AddComponent:
		p.addComponent(ctx, model.KindOf(arg))
	case command.Connect:
		p.openDialog(ctx, "connect")
	case command.Edit:
		p.editText(ctx)
	case command.Parts:
		p.showFolded(ctx)
	case command.Copy:
		p.copyByCommand(ctx, false)
	case command.Cut:
		p.copyByCommand(ctx, true)
	case command.Paste:
		p.pasteByCommand(ctx)
	case command.Duplicate:
		p.run(ctx, p.ed.NewDuplicate())
	case command.Delete:
		p.remove(ctx, false)
	case command.DeleteHeal:
		p.remove(ctx, true)
	case command.SelectAll:
		p.ed.Select(editor.SelectAll(p.ed.State()))
	case command.SelectUpstream:
		p.ed.Select(editor.Upstream(p.ed.State(), p.ed.State().Selection.Nodes))
	case command.SelectDownstream:
		p.ed.Select(editor.Downstream(p.ed.State(), p.ed.State().Selection.Nodes))
	case command.ShowComponents:
		p.showTab(ctx, "components")
	case command.ShowOutline:
		p.showTab(ctx, "outline")
	case command.ShowProblems:
		p.showTab(ctx, "problems")
	case command.ShowHistory:
		p.showTab(ctx, "history")
	case command.NextProblem:
		p.stepProblem(ctx, 1)
	case command.PreviousProblem:
		p.stepProblem(ctx, -1)
	case command.Import:
		kit.Press(importInput)
	case command.Export:
		f := p.ed.State().Form
		kit.Download(fileName(f.Name), string(schema.EncodeIndent(content(f).Tree())))
	case command.ExportFlows:
		p.exportFlows(ctx)
	case command.Theme:
		kit.SwitchTheme()
	case command.Help:
		p.openDialog(ctx, "help")
	case command.AllForms:
		ctx.Navigate("/forms")
	default:
		if p.island != nil {
			p.carryOnCanvas(ctx, id)
		}
	}
}

// carryOnCanvas is carry for the commands that move the view or the cards.
func (p *editorPage) carryOnCanvas(ctx app.Context, id command.ID) {
	switch id {
	case command.FitView:
		p.island.FitView()
	case command.FitSelection:
		p.island.FitSelection()
	case command.ZoomIn:
		p.island.ZoomIn()
	case command.ZoomOut:
		p.island.ZoomOut()
	case command.ZoomReset:
		p.island.ZoomReset()
	case command.TidyUp:
		p.arrangeAll(ctx)
	case command.TidySelection:
		p.arrange(ctx, command.TidyUp, graph.Tidy)
	case command.AlignLeft:
		p.align(ctx, id, graph.AlignLeft)
	case command.AlignCenters:
		p.align(ctx, id, graph.AlignCenter)
	case command.AlignRight:
		p.align(ctx, id, graph.AlignRight)
	case command.AlignTop:
		p.align(ctx, id, graph.AlignTop)
	case command.AlignMiddles:
		p.align(ctx, id, graph.AlignMiddle)
	case command.AlignBottom:
		p.align(ctx, id, graph.AlignBottom)
	case command.DistributeAcross:
		p.distribute(ctx, id, graph.Horizontal)
	case command.DistributeDown:
		p.distribute(ctx, id, graph.Vertical)
	default: // carry does it
	}
}

func (p *editorPage) align(ctx app.Context, id command.ID, how graph.Alignment) {
	p.arrange(ctx, id, func(s *graph.Scene, ids map[string]bool) map[string]model.Point { return graph.Align(s, ids, how) })
}

func (p *editorPage) distribute(ctx app.Context, id command.ID, axis graph.Axis) {
	p.arrange(ctx, id, func(s *graph.Scene, ids map[string]bool) map[string]model.Point {
		return graph.Distribute(s, ids, axis)
	})
}

// places computes where the cards of some nodes go.
type places func(s *graph.Scene, ids map[string]bool) map[string]model.Point

// arrange moves the selected nodes to places that are computed from where they are
// drawn.
func (p *editorPage) arrange(ctx app.Context, id command.ID, to places) {
	ids := map[string]bool{}
	for _, id := range p.ed.State().Selection.Nodes {
		ids[id] = true
	}
	p.place(ctx, id, ids, to)
}

// arrangeAll tidies the whole form up and shows it.
func (p *editorPage) arrangeAll(ctx app.Context) {
	if p.place(ctx, command.TidyUp, nil, graph.Tidy) {
		p.island.FitReadable()
	}
}

// place puts cards where to says, as the undo step of a command.
func (p *editorPage) place(ctx app.Context, id command.ID, ids map[string]bool, to places) bool {
	moved := p.island.Places(func(s *graph.Scene) map[string]model.Point { return to(s, ids) })
	if len(moved) == 0 {
		p.say(ctx, "Everything is in its place already.")
		return false
	}
	p.island.Animate()
	return p.run(ctx, editor.PlaceNodes{Places: moved, Name: command.Of(id).Title})
}

// showTab shows a tab of the left panel.
func (p *editorPage) showTab(ctx app.Context, name string) {
	p.tab, p.left = name, true
	p.sync(ctx)
}
