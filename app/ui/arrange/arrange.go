// Package arrange carries out the commands that move the view or the cards: fit, zoom, tidy up,
// align, distribute.
package arrange

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Tool arranges the form of a workspace.
type Tool struct{ *workspace.Workspace }

// alignments maps the align commands to their alignments.
var alignments = map[command.ID]graph.Alignment{
	command.AlignLeft: graph.AlignLeft, command.AlignCenters: graph.AlignCenter, command.AlignRight: graph.AlignRight,
	command.AlignTop: graph.AlignTop, command.AlignMiddles: graph.AlignMiddle, command.AlignBottom: graph.AlignBottom,
}

// Carry runs a command that moves the view or the cards. It ignores other commands.
func (p *Tool) Carry(ctx app.Context, id command.ID) {
	if p.Canvas == nil {
		return
	}
	switch id {
	case command.FitView:
		p.Canvas.FitView()
	case command.FitSelection:
		p.Canvas.FitSelection()
	case command.ZoomIn:
		p.Canvas.ZoomIn()
	case command.ZoomOut:
		p.Canvas.ZoomOut()
	case command.ZoomReset:
		p.Canvas.ZoomReset()
	case command.TidyUp:
		p.all(ctx)
	case command.TidySelection:
		p.selected(ctx, command.TidyUp, tidy.Layout)
	case command.AlignLeft, command.AlignCenters, command.AlignRight, command.AlignTop, command.AlignMiddles, command.AlignBottom:
		p.align(ctx, id, alignments[id])
	case command.DistributeAcross:
		p.distribute(ctx, id, graph.Horizontal)
	case command.DistributeDown:
		p.distribute(ctx, id, graph.Vertical)
	default: // another part handles it
	}
}

func (p *Tool) align(ctx app.Context, id command.ID, how graph.Alignment) {
	p.selected(ctx, id, func(s *graph.Scene, ids map[string]bool) map[string]model.Point { return graph.Align(s, ids, how) })
}

func (p *Tool) distribute(ctx app.Context, id command.ID, axis graph.Axis) {
	p.selected(ctx, id, func(s *graph.Scene, ids map[string]bool) map[string]model.Point {
		return graph.Distribute(s, ids, axis)
	})
}

// places computes new positions for the cards of some nodes.
type places func(s *graph.Scene, ids map[string]bool) map[string]model.Point

// selected moves the selected nodes to positions computed from their current ones.
func (p *Tool) selected(ctx app.Context, id command.ID, to places) {
	ids := map[string]bool{}
	for _, id := range p.Editor.State().Selection.Nodes {
		ids[id] = true
	}
	p.place(ctx, id, ids, to)
}

// all tidies up the whole form and shows it.
func (p *Tool) all(ctx app.Context) {
	if p.place(ctx, command.TidyUp, nil, tidy.Layout) {
		p.Canvas.FitReadable()
	}
}

// place moves cards to the given positions as the undo step of a command.
func (p *Tool) place(ctx app.Context, id command.ID, ids map[string]bool, to places) bool {
	moved := p.Canvas.Places(func(s *graph.Scene) map[string]model.Point { return to(s, ids) })
	if len(moved) == 0 {
		p.Say(ctx, "Everything is already in place.")
		return false
	}
	p.Canvas.Animate()
	return p.Run(ctx, editor.PlaceNodes{Places: moved, Name: verb.Parse(command.Of(id).Title)})
}

// Buttons draws the commands for several selected nodes.
func Buttons(p *workspace.Workspace) app.UI {
	sel := p.Editor.State().Selection
	if len(sel.Nodes) < 2 || p.Editor.ReadOnly() {
		return kit.El("div hidden=true")
	}
	var items []app.UI
	for _, c := range command.Arranging() {
		if p.Applies(c.ID) {
			items = append(items, kit.IconButton(string(c.ID), c.Title, c.Icon, true))
		}
	}
	var words []app.UI
	for _, id := range []command.ID{command.Duplicate, command.Delete} {
		c := command.Of(id)
		if id == command.Delete && (sel.Has(model.StartID) || sel.Has(model.EndingID)) {
			continue // they always exist
		}
		words = append(words, kit.El("button.quiet type=button data-act=%", string(id)).Body(kit.Icon(c.Icon), kit.El("span").Text(c.Title)))
	}
	return kit.El("section.arrange").Body(kit.El("h3").Text("Arrange"), kit.El("div.row").Body(items...), kit.El("div.row").Body(words...))
}
