package gesture

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// How far a pointer moves, in screen pixels, before a press becomes a drag.
const (
	mouseThreshold = 4
	touchThreshold = 6
)

// nothing is the hit of empty canvas.
var nothing = graph.Hit{Out: -1, Row: -1}

// canvas is the data that the states share: the form, its drawing, the visible part of it, and the pointer.
type canvas struct {
	ed    *editor.Editor
	scene *graph.Scene
	opts  Options
	view  graph.Viewport
	size  graph.Vec
	pointer
}

// pointer is the pointer of the current or last gesture.
type pointer struct {
	id       int
	device   Device
	from, at graph.Vec // where it was pressed and where it is now, on the screen
	began    graph.Vec // where it was pressed, in the form
	mods     Mods      // the keyboard changes them too
}

// press starts a new gesture with the pointer of an event.
func (c *canvas) press(e Event) {
	c.pointer = pointer{id: e.Pointer, device: e.Device, from: e.At, at: e.At, began: c.view.ToForm(e.At), mods: e.Mods}
}

func (p *pointer) moveTo(e Event) { p.at, p.mods = e.At, e.Mods }

// beyondThreshold reports whether the pointer has moved far enough from its press to drag.
func (p *pointer) beyondThreshold() bool {
	threshold := float64(mouseThreshold)
	if p.device == Touch {
		threshold = touchThreshold
	}
	return p.at.Sub(p.from).Len() >= threshold
}

// here returns the position of the pointer in the form.
func (c *canvas) here() graph.Vec { return c.view.ToForm(c.at) }

// moveBy moves nodes with one command. Nodes without coordinates move from where they are drawn.
func (c *canvas) moveBy(ids []string, by model.Point, burst bool) error {
	if by == (model.Point{}) || len(ids) == 0 {
		return nil
	}
	from := map[string]model.Point{}
	for _, id := range ids {
		if card := c.scene.Card(id); card != nil && card.Auto {
			from[id] = card.Rect.Origin().Point()
		}
	}
	return c.ed.Run(editor.MoveNodes{IDs: ids, By: by, From: from, Burst: burst})
}

// insertReach is how near to an edge the pointer must be for a card to be inserted into it, in screen pixels.
const insertReach = 14

// edgeNear returns the edge nearest to the pointer of those that are right for a card, nil if none is near.
func (c *canvas) edgeNear(right func(*graph.Edge) bool) (near *graph.Edge) {
	at, reach := c.here(), insertReach/c.view.Zoom
	for _, e := range c.scene.EdgesIn(graph.Rect{X: at.X, Y: at.Y}.Grown(reach), nil) {
		if d := e.Curve.Distance(at); d < reach && right(e) {
			near, reach = e, d
		}
	}
	return near
}

func refOf(e *graph.Edge) editor.EdgeRef { return editor.EdgeRef{From: e.Source().Key, Port: e.Port} }
