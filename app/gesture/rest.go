package gesture

import "github.com/formgraph/formgraph/app/graph"

// PlusSize is the width of the button in the middle of an edge, in screen pixels; the style sheet has the same value.
const PlusSize = 24

// plusZoom is the minimum zoom at which an edge has its button: further out it would cover the edge.
const plusZoom = 0.4

// rest is the idle state: a pointer that hovers.
type rest struct {
	*canvas
	hover graph.Hit
	space bool // the space bar is held: a press pans
}

func (r *rest) move(e Event) Effect {
	if e.Device == Touch {
		return Effect{}
	}
	r.at, r.device = e.At, e.Device
	hit, _ := r.hitAt(e.At)
	eff := Effect{}
	if hit != r.hover {
		r.hover, eff.Redraw = hit, RedrawHover
	}
	eff.Cursor = r.cursor()
	return eff
}

// leave records that the pointer is over nothing.
func (r *rest) leave() Redraw {
	if r.hover == nothing {
		return 0
	}
	r.hover = nothing
	return RedrawHover
}

func (r *rest) cursor() Cursor {
	switch {
	case r.space:
		return GrabCursor
	case r.hover.Card != nil && r.hover.Out >= 0 && !r.ed.ReadOnly():
		return CrosshairCursor
	case r.hover.Card != nil, r.hover.Edge != nil:
		return PointerCursor
	}
	return DefaultCursor
}

// hitAt returns the element under a point of the screen, and the edge whose button is there, or nil. The button is wider than the zone of
// its edge.
func (r *rest) hitAt(at graph.Vec) (hit graph.Hit, plus *graph.Edge) {
	if e, middle := r.plus(); e != nil && at.Sub(middle).Len() <= PlusSize/2 {
		return graph.Hit{Edge: e, Out: -1, Row: -1}, e
	}
	hit = r.scene.Hit(r.view.ToForm(at), r.view.Zoom, r.ed.State().Selection.Has)
	if hit.Spot != graph.NoSpot && !r.shows(hit) {
		hit.Spot = graph.NoSpot
	}
	return hit, nil
}

// shows reports whether the spot that was hit is shown. A finger does not hover: for it, only the selected card and row show their spots.
func (r *rest) shows(hit graph.Hit) bool {
	if hit.Card.Broken() || hit.Spot != graph.MoreSpot && r.ed.ReadOnly() {
		return false
	}
	if r.device != Touch {
		return true
	}
	card, row := r.spots()
	return hit.Card == card && (hit.Spot == graph.MoreSpot || hit.Row == row)
}

// spots is Chart.Spots while no gesture runs.
func (r *rest) spots() (card *graph.Card, row int) {
	if r.view.Zoom < graph.SpotZoom {
		return nil, -1
	}
	card, row = r.hover.Card, r.hover.Row
	if card == nil {
		s := r.ed.State()
		if card = r.scene.Card(s.Selection.Only()); card == nil {
			return nil, -1
		}
		row = -1
		if at, ok := s.Selection.Place(s.Form); ok {
			row = card.RowOf(at.Part())
		}
	}
	if card.Broken() || card.Width != graph.CardWidth {
		return nil, -1
	}
	if row >= 0 && (r.ed.ReadOnly() || card.Rows[row].Kind != graph.ComponentRow && card.Rows[row].Kind != graph.RuleRow) {
		row = -1
	}
	return card, row
}

// plus is Chart.Plus while no gesture drags.
func (r *rest) plus() (*graph.Edge, graph.Vec) {
	if r.ed.ReadOnly() || r.view.Zoom < plusZoom {
		return nil, graph.Vec{}
	}
	e := r.hover.Edge
	if ref := r.ed.State().Selection.Edge; e == nil && ref != nil {
		e = r.scene.Edge(ref.From, ref.Port)
	}
	if e == nil || e.Dangling() {
		return nil, graph.Vec{}
	}
	at := e.Curve.At(.5)
	if len(r.scene.CardsIn(graph.Rect{X: at.X, Y: at.Y}, nil)) > 0 {
		return nil, graph.Vec{}
	}
	return e, r.view.ToScreen(at)
}
