package gesture

import (
	"errors"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Carry is a component or rule that is being dragged: a new component, or a row of a card.
type Carry struct {
	Kind   *model.Kind // of a new component, else nil
	From   *graph.Card // the card with the row, else nil
	Row    int         // in From.Rows
	Card   *graph.Card // to which a release now would bring it; nil over empty canvas and outside the canvas
	Before int         // the index of the component or rule of Card before which it would go
	Line   graph.Vec   // where the line begins that shows the place, in the form; only if Card is not nil and Reason is ""
	Reason string      // why a release now would be refused, "" if it would not
}

// carry drags a component or rule to a place on a card. Over empty canvas, a component gets a new step.
type carry struct {
	*canvas
	Carry
	held    bool // a finger that rested on the row lifted it
	entered bool // the pointer has been away from the borders of the canvas, which may now move the view
}

func (*carry) phase() Phase  { return Carrying }
func (*carry) shows() Redraw { return RedrawCarry | RedrawTarget }

// carry returns the drag of what is pressed.
func (g *press) carry() *carry {
	return &carry{canvas: g.canvas, Carry: Carry{Kind: g.kind, From: g.hit.Card, Row: g.hit.Row}}
}

// part reports whether a component or rule is pressed that can be dragged.
func (g *press) part() bool {
	return g.hit.Card != nil && g.hit.Row >= 0 && g.hit.Card.Rows[g.hit.Row].Part() &&
		!g.hit.Card.Broken() && !g.ed.ReadOnly() && g.view.Zoom >= graph.SpotZoom
}

// follow finds the place below the pointer. The editor is asked once for each card, not at every move.
func (g *carry) follow() Effect {
	g.entered = g.entered || depth(g.at.X, g.size.X) == 0 && depth(g.at.Y, g.size.Y) == 0
	was := g.Card
	if g.Card = nil; g.inside() {
		g.Card = g.scene.CardAt(g.here(), g.ed.State().Selection.Has)
	}
	eff := Effect{Redraw: RedrawCarry, Cursor: GrabbingCursor}
	if g.Card != nil {
		g.Before, g.Line = g.Card.Between(g.here().Y)
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
	case g.Kind != nil:
		return m.StepWith(g.Kind, g.place())
	default:
		return m.StepFrom(g.sel(), g.place())
	}
}

// place returns where a new step goes: the pointer would hold it by its head.
func (g *carry) place() model.Point {
	at := g.here().Sub(graph.Vec{X: graph.HeaderHeight, Y: graph.HeaderHeight / 2})
	return g.scene.FreePlace(at, graph.NewCardHeight).Point()
}

// release brings the component or rule to its place. Outside the canvas it changes nothing. The label of a new component is edited next.
func (g *carry) release(eff *Effect) {
	g.follow()
	switch {
	case g.held && !g.beyondThreshold():
		(&press{canvas: g.canvas, hit: graph.Hit{Card: g.From, Out: -1, Row: g.Row}}).chooseForMenu()
		eff.Menu = true
		eff.Redraw |= RedrawSelection
	case !g.inside():
	case g.Reason != "":
		eff.Err = errors.New(g.Reason)
	default:
		c := g.command()
		if g.From != nil {
			g.ed.Select(g.sel())
		}
		eff.Err = g.ed.Run(c)
		if eff.Carried = eff.Err == nil; eff.Carried && g.Kind != nil {
			eff.Action = command.EditLabel
		}
	}
}
