package gesture

import (
	"math"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// drag moves cards, or copies of them while Alt is held.
type drag struct {
	*canvas
	card       *graph.Card      // the card that the pointer holds
	sel        editor.Selection // the dragged elements, which are selected after the release
	by         graph.Vec        // the distance of the cards from their places
	guides     *graph.Guides    // to which the cards snap
	guided     graph.Rect       // the part of the form from which the guides were made
	lines      []graph.GuideLine
	insertEdge *graph.Edge // the edge into which a release now would insert the card
}

func (*drag) phase() Phase  { return Dragging }
func (*drag) shows() Redraw { return RedrawMoved | RedrawSelection }

func (g *drag) follow() Effect {
	g.by = g.offset()
	g.findInsertEdge()
	if g.mods.Alt {
		return Effect{Redraw: RedrawMoved, Cursor: CopyCursor}
	}
	return Effect{Redraw: RedrawMoved, Cursor: GrabbingCursor}
}

// offset returns the distance of the dragged cards from their places. The card under the pointer snaps to the grid and the others move
// along, so that distances between them stay. The left side or the handles of a card that is off the grid take precedence over the grid.
// Control turns both off. No card leaves the bounds of coordinates.
func (g *drag) offset() graph.Vec {
	by := g.here().Sub(g.began)
	if g.lines = nil; g.mods.Control {
		by = graph.Vec{X: math.Round(by.X), Y: math.Round(by.Y)}
	} else {
		by = g.snapped(by)
	}
	lo, hi := graph.Vec{X: math.Inf(-1), Y: math.Inf(-1)}, graph.Vec{X: math.Inf(1), Y: math.Inf(1)}
	for _, id := range g.sel.Nodes {
		if card := g.scene.Card(id); card != nil {
			lo.X, lo.Y = max(lo.X, -model.MaxCoordinate-card.Rect.X), max(lo.Y, -model.MaxCoordinate-card.Rect.Y)
			hi.X, hi.Y = min(hi.X, model.MaxCoordinate-card.Rect.X), min(hi.Y, model.MaxCoordinate-card.Rect.Y)
		}
	}
	return graph.Vec{X: max(lo.X, min(hi.X, by.X)), Y: max(lo.Y, min(hi.Y, by.Y))}
}

// onLine is a zoom at which only positions exactly on a line snap to it.
const onLine = 100

// snapped returns the offset nearest to by that the grid and the guides allow, and sets the lines to show.
func (g *drag) snapped(by graph.Vec) graph.Vec {
	if r := g.view.Visible(g.size); g.guides == nil || r != g.guided {
		moving := map[string]bool{}
		for _, id := range g.sel.Nodes {
			moving[id] = true
		}
		g.guides, g.guided = graph.NewGuides(g.scene, moving, r), r
	}
	anchor, caught := g.card.Rect.Origin(), g.guides.Snap(by, g.view.Zoom)
	by = anchor.Add(by).Snapped().Sub(anchor)
	left, top := anchor.X+caught.By.X, anchor.Y+caught.By.Y
	for _, l := range caught.Lines {
		switch {
		case l.Gap != 0:
		case caught.OnX && l.From.X == left && l.To.X == left:
			by.X = math.Round(caught.By.X)
		case caught.OnY && l.From.Y == l.To.Y && (l.From.Y == top || l.From.Y == top+graph.HeaderHeight/2):
			by.Y = math.Round(caught.By.Y)
		}
	}
	g.lines = g.guides.Snap(by, onLine).Lines
	return by
}

// findInsertEdge looks for an edge under the pointer while a single unconnected card is dragged.
func (g *drag) findInsertEdge() {
	g.insertEdge = nil
	if g.mods.Alt || g.sel.Only() != g.card.Key || g.card.Kind == graph.StartKind || g.card.Kind == graph.EndingKind || connected(g.card) {
		return
	}
	g.insertEdge = g.edgeNear(func(e *graph.Edge) bool {
		return g.ed.Can(editor.InsertOnEdge{Edge: refOf(e), Node: g.card.Key}) == nil
	})
}

// connected reports whether an edge begins or ends at a card.
func connected(c *graph.Card) bool {
	for _, e := range c.Edges() {
		if e != nil {
			return true
		}
	}
	return len(c.Ins()) > 0
}

// release moves or copies the cards, or inserts one into an edge.
func (g *drag) release(eff *Effect) {
	g.follow()
	if g.mods.Alt {
		// If a row of the card were selected, the row would be copied.
		g.ed.Select(editor.SelectNodes(g.sel.Nodes...))
		d := g.ed.Make().Duplicate()
		d.By = g.by.Point()
		eff.Err = g.ed.Run(d)
		return
	}
	g.ed.Select(g.sel)
	if g.insertEdge == nil {
		eff.Err = g.moveBy(g.sel.Nodes, g.by.Point(), false)
		return
	}
	eff.Err = g.ed.Run(editor.InsertAt(g.insertEdge, g.card, g.card.Rect.Moved(g.by), g.scene))
}
