package gesture

import (
	"slices"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// press is a pointer that is down and has not moved far: so far a click.
type press struct {
	*canvas
	hit     graph.Hit
	plus    *graph.Edge // the edge whose button is pressed, or nil
	brought Brought     // what the pressed control brings; zero if the canvas was pressed
}

func (*press) phase() Phase   { return Pressing }
func (*press) follow() Effect { return Effect{} }
func (*press) shows() Redraw  { return 0 }

// begin returns the gesture that a press becomes when its pointer moves. A card that no command can name counts as canvas.
func (g *press) begin() gesture {
	card := g.hit.Card
	switch {
	case g.brought != (Brought{}), g.hit.Spot == graph.GripSpot:
		return g.carry()
	case g.hit.Edge != nil && g.graspable(g.hit.Edge):
		return g.grasp(g.hit.Edge)
	case card != nil && !card.Broken() && !g.ed.ReadOnly():
		if g.hit.Out >= 0 {
			return &connect{canvas: g.canvas, Line: Line{Card: card, Out: g.hit.Out, Edge: card.Edges()[g.hit.Out]}}
		}
		return g.drag(card)
	case g.device == Touch || g.ed.ReadOnly():
		return &pan{canvas: g.canvas, last: g.from}
	}
	m := &marquee{canvas: g.canvas}
	if g.mods.Shift || g.mods.Control {
		m.before = g.ed.State().Selection.Nodes
	}
	return m
}

// drag returns the drag of a card, together with the other selected cards if it is one of them.
func (g *press) drag(card *graph.Card) gesture {
	sel := g.ed.State().Selection
	switch {
	case sel.Has(card.Key):
	case g.mods.Shift:
		sel = sel.Toggle(card.Key)
	default:
		sel = editor.SelectNodes(card.Key)
	}
	return &drag{canvas: g.canvas, card: card, sel: sel}
}

// release is a click: it selects.
func (g *press) release(eff *Effect) {
	if g.brought != (Brought{}) {
		return // the control acts
	}
	switch g.hit.Spot {
	case graph.MoreSpot:
		g.chooseForMenu()
		eff.Menu = true
		return
	case graph.DuplicateSpot, graph.DeleteSpot:
		g.ed.Select(selectionOf(g.hit))
		eff.Action = command.Duplicate
		if g.hit.Spot == graph.DeleteSpot {
			eff.Action = command.Delete
		}
		return
	case graph.NoSpot, graph.GripSpot:
	}
	g.choose()
	eff.Chose = true
	if folded(g.hit) && !g.mods.Shift && !g.mods.Control {
		eff.Action = command.Parts
	}
	if g.plus != nil {
		eff.Drop = &Drop{From: refOf(g.plus), At: g.plus.Curve.At(.5), Middle: true}
	}
}

// another returns the id of the component that was hit if a click with Shift or Control selects it together with others of the selected step,
// or takes it from them; "" otherwise.
func (g *press) another() string {
	sel, h := g.ed.State().Selection, g.hit
	if h.Card == nil || h.Row < 0 || h.Out >= 0 || sel.Only() != h.Card.Key || sel.Rule != "" {
		return ""
	}
	if r := h.Card.Rows[h.Row]; r.Kind == graph.ComponentRow && r.ID != sel.Component {
		return r.ID
	}
	return ""
}

// chooseForMenu selects what was hit, but keeps a selection of several nodes or components that contains it.
func (g *press) chooseForMenu() {
	g.mods = Mods{}
	sel := g.ed.State().Selection
	if g.hit.Card == nil || len(sel.Nodes) < 2 && !slices.Contains(sel.Parts, g.another()) || !sel.Has(g.hit.Card.Key) {
		g.choose()
	}
}

func (g *press) choose() {
	h, add := g.hit, g.mods.Shift || g.mods.Control
	switch {
	case h.Card != nil && h.Card.Broken():
		// No command can act on it; the problems panel leads to it.
	case add && g.another() != "":
		g.ed.Select(g.ed.State().Selection.TogglePart(g.another()))
	case h.Card != nil && add:
		g.ed.Select(g.ed.State().Selection.Toggle(h.Card.Key))
	case h.Card != nil:
		g.ed.Select(selectionOf(h))
	case h.Edge != nil:
		ref := refOf(h.Edge)
		g.ed.Select(editor.Selection{Edge: &ref})
	case !add:
		g.ed.Select(editor.Selection{})
	}
}

// folded reports whether a hit is on the row that stands for folded rows.
func folded(h graph.Hit) bool {
	return h.Card != nil && h.Row >= 0 && h.Card.Rows[h.Row].Kind == graph.MoreRow
}

func selectionOf(h graph.Hit) editor.Selection {
	sel := editor.SelectNodes(h.Card.Key)
	row := h.Row
	if h.Out >= 0 {
		row = h.Card.Outs[h.Out].Row
	}
	if row < 0 {
		return sel
	}
	switch r := h.Card.Rows[row]; r.Kind {
	case graph.ComponentRow:
		sel.Component = r.ID
	case graph.RuleRow:
		sel.Rule = r.ID
	case graph.FallbackRow, graph.FlowRow, graph.MoreRow, graph.EmptyRow:
	}
	return sel
}
