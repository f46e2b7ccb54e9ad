package gesture

import (
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// pan moves the view along with the pointer.
type pan struct {
	*canvas
	last graph.Vec // the position of the pointer when the view last moved, on the screen
}

func (*pan) phase() Phase    { return Panning }
func (*pan) shows() Redraw   { return 0 }
func (*pan) release(*Effect) {}

func (g *pan) follow() Effect {
	if g.at == g.last {
		return Effect{}
	}
	g.view = g.view.Panned(g.at.Sub(g.last))
	g.last = g.at
	return Effect{Redraw: RedrawViewport, Cursor: GrabbingCursor}
}

// fingers are the fingers on the canvas, in the order in which they touched it.
type fingers []finger

type finger struct {
	id int
	at graph.Vec
}

func (f fingers) of(pointer int) int {
	return slices.IndexFunc(f, func(f finger) bool { return f.id == pointer })
}

// put records a finger that touches the canvas and reports whether it is an additional one: the lift of a finger may not have been
// reported.
func (f *fingers) put(e Event) bool {
	if f.move(e) {
		return false
	}
	*f = append(*f, finger{e.Pointer, e.At})
	return true
}

// move records the position of a finger and reports whether it is on the canvas.
func (f fingers) move(e Event) bool {
	i := f.of(e.Pointer)
	if i >= 0 {
		f[i].at = e.At
	}
	return i >= 0
}

func (f *fingers) lift(pointer int) {
	*f = slices.DeleteFunc(*f, func(f finger) bool { return f.id == pointer })
}

// pinch moves and zooms the view with two fingers.
type pinch struct {
	*canvas
	fingers *fingers
}

func (*pinch) phase() Phase    { return Pinching }
func (*pinch) follow() Effect  { return Effect{} }
func (*pinch) release(*Effect) {}
func (*pinch) shows() Redraw   { return 0 }

// leastPinch is the minimum distance of two fingers to zoom, in screen pixels.
const leastPinch = 10

// move keeps the points of the form under the first two fingers in place.
func (g *pinch) move(e Event) Effect {
	f := *g.fingers
	i := f.of(e.Pointer)
	if i < 0 || len(f) < 2 {
		return Effect{}
	}
	a, b := f[0].at, f[1].at
	f[i].at = e.At
	if i > 1 {
		return Effect{}
	}
	p, q := f[0].at, f[1].at
	before, after := b.Sub(a).Len(), q.Sub(p).Len()
	g.view = g.view.Panned(p.Add(q).Sub(a.Add(b)).Scale(.5))
	if before > leastPinch && after > leastPinch {
		g.view = g.view.ZoomAt(p.Add(q).Scale(.5), after/before)
	}
	return Effect{Redraw: RedrawViewport, Taken: true}
}

// pan returns the pan with the remaining finger.
func (g *pinch) pan() *pan {
	last := (*g.fingers)[0]
	g.press(Event{Pointer: last.id, Device: Touch, At: last.at, Mods: g.mods})
	return &pan{canvas: g.canvas, last: last.at}
}
