package gesture

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// Clicked reports whether the last press was a click on something that is no spot.
func (c *Chart) Clicked() bool { return c.clicked }

// Shown returns what the canvas draws of the chart.
func (c *Chart) Shown() Shown { return Shown{c} }

// Shown is what the canvas draws of a chart. It is that of the present state at each call.
type Shown struct{ chart *Chart }

// Hover returns the element under the pointer while no gesture runs.
func (s Shown) Hover() graph.Hit { return s.chart.rest.hover }

// Selection returns the selection to draw: during a gesture, the one that it would make.
func (s Shown) Selection() editor.Selection {
	switch g := s.chart.running.(type) {
	case *drag:
		return g.sel
	case *marquee:
		return g.sel
	}
	return s.chart.canvas.ed.State().Selection
}

// Dragged returns the dragged nodes and how far they have been dragged, in form units; nil if there are none.
func (s Shown) Dragged() ([]string, graph.Vec) {
	if g, ok := s.chart.running.(*drag); ok {
		return g.sel.Nodes, g.by
	}
	return nil, graph.Vec{}
}

// Guides returns the lines to which the dragged cards snap.
func (s Shown) Guides() []graph.GuideLine {
	if g, ok := s.chart.running.(*drag); ok {
		return g.lines
	}
	return nil
}

// InsertEdge returns the edge into which a release now would insert the dragged card or a new one, or nil.
func (s Shown) InsertEdge() *graph.Edge {
	switch g := s.chart.running.(type) {
	case *drag:
		return g.insertEdge
	case *carry:
		return g.Edge
	}
	return nil
}

// Line returns the connection that is being drawn, and whether there is one.
func (s Shown) Line() (Line, bool) {
	if g, ok := s.chart.running.(*connect); ok {
		return g.Line, true
	}
	return Line{}, false
}

// Carry returns what is being dragged to a place, or nil. The next event changes it.
func (s Shown) Carry() *Carry {
	if g, ok := s.chart.running.(*carry); ok {
		return &g.Carry
	}
	return nil
}

// Marquee returns the selection rectangle in the form, and whether there is one.
func (s Shown) Marquee() (graph.Rect, bool) {
	if g, ok := s.chart.running.(*marquee); ok {
		return g.rect(), true
	}
	return graph.Rect{}, false
}

// Plus returns the edge that currently has a button for adding a node in its middle, and the button's middle on the screen, or nil if there
// is none. It is the edge under the pointer, else the selected one.
func (s Shown) Plus() (*graph.Edge, graph.Vec) {
	if p := s.chart.Phase(); p != Idle && p != Pressing {
		return nil, graph.Vec{}
	}
	return s.chart.rest.plus()
}

// Spots returns the card whose spots are shown, nil for none, and the index of the row whose are, -1 for none: those under the pointer, else
// the selected ones.
func (s Shown) Spots() (card *graph.Card, row int) {
	if p := s.chart.Phase(); p != Idle && p != Pressing {
		return nil, -1
	}
	return s.chart.rest.spots()
}
