package gesture

import (
	"errors"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// Carry is something that is being dragged to a place: a new component, a new node, or the component or rule of a row of a card.
type Carry struct {
	Brought
	From   *graph.Card // the card with the row, else nil
	Row    int         // in From.Rows
	Edge   *graph.Edge // on which a release now would put a new node, or nil
	Card   *graph.Card // to which a release now would bring it; nil over empty canvas and outside the canvas
	Before int         // the index of the component or rule of Card before which it would go
	Line   graph.Vec   // where the line begins that shows the place, in the form; only if Card is not nil and Reason is ""
	Reason string      // why a release now would be refused, "" if it would not
}

// carry drags a component or rule to a place on a card. A new node goes on an edge or to empty canvas, and so does a component, which there
// gets a new step.
type carry struct {
	*canvas
	Carry
	behind  *editor.EdgeRef // the way out behind the card over which a new node is held, or nil
	held    bool            // a finger that rested on the row lifted it
	entered bool            // the pointer has been away from the borders of the canvas, which may now move the view
}

func (*carry) phase() Phase  { return Carrying }
func (*carry) shows() Redraw { return RedrawCarry | RedrawTarget }

// carry returns the drag of what is pressed.
func (g *press) carry() *carry {
	return &carry{canvas: g.canvas, Carry: Carry{Brought: g.brought, From: g.hit.Card, Row: g.hit.Row}}
}

// part reports whether a component or rule is pressed that can be dragged.
func (g *press) part() bool {
	return g.hit.Card != nil && g.hit.Row >= 0 && g.hit.Card.Rows[g.hit.Row].Part() &&
		!g.hit.Card.Broken() && !g.ed.ReadOnly() && g.view.Zoom >= graph.SpotZoom
}

// follow finds the place below the pointer. The editor is asked once for each card, not at every move.
func (g *carry) follow() Effect {
	g.entered = g.entered || depth(g.at.X, g.size.X) == 0 && depth(g.at.Y, g.size.Y) == 0
	was, on := g.Card, g.Edge
	if g.Card, g.Edge, g.behind = nil, nil, nil; g.inside() {
		g.aim()
	}
	eff := Effect{Redraw: RedrawCarry, Cursor: GrabbingCursor}
	if g.Card != nil {
		g.Before, g.Line = g.Card.Between(g.here().Y)
	}
	if g.Edge != on {
		eff.Redraw |= RedrawTarget
	}
	if g.Card != was {
		eff.Redraw |= RedrawTarget
		if g.Reason = ""; g.Card != nil {
			if err := g.ed.Can(g.command()); err != nil {
				g.Reason = err.Error()
			}
		}
	}
	if g.Reason != "" {
		eff.Cursor = NotAllowedCursor
	}
	return eff
}

// aim finds what is below the pointer. A node that is held over a card goes behind it.
func (g *carry) aim() {
	card := g.scene.CardAt(g.here(), g.ed.State().Selection.Has)
	switch {
	case g.Node == "" && card != nil:
		g.Card = card
	case card != nil:
		way := editor.WayToAdd(editor.State{Form: g.ed.State().Form, Selection: editor.SelectNodes(card.Key)})
		g.behind, g.Edge = &way, g.scene.Edge(way.From, way.Port)
	case g.step():
		g.Edge = g.edgeNear(func(e *graph.Edge) bool { return !e.Dangling() })
	}
}

// step reports whether a release over the canvas would add a node.
func (g *carry) step() bool {
	return g.Node != "" || g.Kind != nil || g.From.Rows[g.Row].Kind == graph.ComponentRow
}

// inside reports whether the pointer is over the canvas.
func (g *carry) inside() bool {
	return g.at.X >= 0 && g.at.Y >= 0 && g.at.X <= g.size.X && g.at.Y <= g.size.Y
}

// sel returns the selection of the row that is dragged.
func (g *carry) sel() editor.Selection {
	return selectionOf(graph.Hit{Card: g.From, Out: -1, Row: g.Row})
}

// command returns the command that a release would run.
func (g *carry) command() editor.Command {
	m := g.ed.Make()
	switch {
	case g.Card != nil && g.Kind != nil:
		return m.Component(g.Kind, g.Card.Key, g.Before)
	case g.Card != nil:
		return m.PartTo(g.sel(), g.Card.Key, g.Before)
	case g.Node != "":
		return m.NodeIn(g.Node, g.spot())
	case g.Kind != nil:
		return m.StepWith(g.Kind, g.spot())
	default:
		return m.StepFrom(g.sel(), g.spot())
	}
}

// spot returns where a new node goes. The pointer would hold it by its head. Away from edges it follows the step of the row that is dragged,
// else what is selected.
func (g *carry) spot() editor.Spot {
	at := g.here().Sub(graph.Vec{X: graph.HeaderHeight, Y: graph.HeaderHeight / 2})
	switch {
	case g.behind != nil:
		return editor.SpotOn(*g.behind, g.scene)
	case g.Edge != nil:
		return editor.SpotInto(g.Edge, at, g.scene)
	}
	s := g.ed.State()
	if g.From != nil {
		s.Selection = editor.SelectNodes(g.From.Key)
	}
	return editor.SpotAt(at, editor.WayToAdd(s), g.scene)
}

// pressReach is how far a pointer that pressed a control of a node may move for a press, in screen pixels: the controls lie over the canvas.
const pressReach = 24

// release brings what is dragged to its place. Outside the canvas it changes nothing. The label of a new component, or the name of a new node, is
// edited next.
func (g *carry) release(eff *Effect) {
	g.follow()
	switch {
	case g.held && !g.beyondThreshold():
		(&press{canvas: g.canvas, hit: graph.Hit{Card: g.From, Out: -1, Row: g.Row}}).chooseForMenu()
		eff.Menu = true
		eff.Redraw |= RedrawSelection
	case !g.inside():
	case g.Node != "" && g.at.Sub(g.from).Len() < pressReach:
		eff.Action = command.AddOf(g.Node) // the press of the control, by an unsteady hand
	case g.Reason != "":
		eff.Err = errors.New(g.Reason)
	default:
		c := g.command()
		if g.From != nil {
			g.ed.Select(g.sel())
		}
		eff.Err = g.ed.Run(c)
		if eff.Carried = eff.Err == nil; eff.Carried && g.From == nil {
			eff.Action = command.EditLabel
		}
	}
}
