package gesture

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// Clicked reports whether the last press was a click on something that is no spot.
func (c *Chart) Clicked() bool { return c.clicked }

// Hover returns the element under the pointer while no gesture runs.
func (c *Chart) Hover() graph.Hit { return c.rest.hover }

// Selection returns the selection to draw: during a gesture, the one that it would make.
func (c *Chart) Selection() editor.Selection {
	switch g := c.running.(type) {
	case *drag:
		return g.sel
	case *marquee:
		return g.sel
	}
	return c.canvas.ed.State().Selection
}

// Dragged returns the dragged nodes and how far they have been dragged, in form units; nil if there are none.
func (c *Chart) Dragged() ([]string, graph.Vec) {
	if g, ok := c.running.(*drag); ok {
		return g.sel.Nodes, g.by
	}
	return nil, graph.Vec{}
}

// Guides returns the lines to which the dragged cards snap.
func (c *Chart) Guides() []graph.GuideLine {
	if g, ok := c.running.(*drag); ok {
		return g.lines
	}
	return nil
}

// InsertEdge returns the edge into which a release now would insert the dragged card, or nil.
func (c *Chart) InsertEdge() *graph.Edge {
	if g, ok := c.running.(*drag); ok {
		return g.insertEdge
	}
	return nil
}

// Line returns the connection that is being drawn, and whether there is one.
func (c *Chart) Line() (Line, bool) {
	if g, ok := c.running.(*connect); ok {
		return g.Line, true
	}
	return Line{}, false
}

// Carry returns the component or rule that is being dragged, or nil. The next event changes it.
func (c *Chart) Carry() *Carry {
	if g, ok := c.running.(*carry); ok {
		return &g.Carry
	}
	return nil
}

// Marquee returns the selection rectangle in the form, and whether there is one.
func (c *Chart) Marquee() (graph.Rect, bool) {
	if g, ok := c.running.(*marquee); ok {
		return g.rect(), true
	}
	return graph.Rect{}, false
}

// Plus returns the edge that currently has a button for adding a node in its middle, and the button's middle on the screen, or nil if there
// is none. It is the edge under the pointer, else the selected one.
func (c *Chart) Plus() (*graph.Edge, graph.Vec) {
	if p := c.Phase(); p != Idle && p != Pressing {
		return nil, graph.Vec{}
	}
	return c.rest.plus()
}

// Spots returns the card whose spots are shown, nil for none, and the index of the row whose are, -1 for none: those under the pointer, else
// the selected ones.
func (c *Chart) Spots() (card *graph.Card, row int) {
	if p := c.Phase(); p != Idle && p != Pressing {
		return nil, -1
	}
	return c.rest.spots()
}
