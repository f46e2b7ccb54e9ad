package gesture

import "github.com/formgraph/formgraph/app/graph"

// PlusSize is the width of the button in the middle of an edge, in screen pixels; the style sheet has the same.
const PlusSize = 24

// plusZoom is from which zoom on an edge has its button: further out it would cover the edge.
const plusZoom = 0.4

// Plus returns the edge that has a button in its middle now, to put a node there, and the button's middle on the
// screen; nil when none has. It is the edge that is pointed at, else the selected one.
func (c *Chart) Plus() (*graph.Edge, graph.Vec) {
	if c.phase != Idle && c.phase != Pressing || c.ed.ReadOnly() || c.view.Zoom < plusZoom {
		return nil, graph.Vec{}
	}
	e := c.hover.Edge
	if ref := c.ed.State().Selection.Edge; e == nil && ref != nil {
		e = c.scene.Edge(ref.From, ref.Port)
	}
	if e == nil || e.Dangling() {
		return nil, graph.Vec{}
	}
	at := e.Curve.At(.5)
	if len(c.scene.CardsIn(graph.Rect{X: at.X, Y: at.Y}, nil)) > 0 {
		return nil, graph.Vec{}
	}
	return e, c.view.ToScreen(at)
}

// onPlus returns the edge whose button lies under a place of the screen.
func (c *Chart) onPlus(at graph.Vec) (*graph.Edge, bool) {
	e, middle := c.Plus()
	return e, e != nil && at.Sub(middle).Len() <= PlusSize/2
}
