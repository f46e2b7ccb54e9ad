package gesture

import (
	"math"
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/graph"
)

// Auto-pan: within borderWidth pixels of the canvas's border the view moves, by
// panSpeed pixels a second at the very border, eased with the depth.
const (
	borderWidth = 40
	panSpeed    = 900
)

// maxTick bounds a frame, so that a page that was asleep does not jump.
const maxTick = 100 * time.Millisecond

// nearBorder returns how fast the view should move, from -1 to 1 on each axis.
func (c *Chart) nearBorder() graph.Vec {
	if c.phase != Dragging && c.phase != Connecting && c.phase != Selecting {
		return graph.Vec{}
	}
	return graph.Vec{X: depth(c.at.X, c.size.X), Y: depth(c.at.Y, c.size.Y)}
}

func depth(at, size float64) float64 {
	if size < 2*borderWidth {
		return 0
	}
	d := 0.0
	if at < borderWidth {
		d = min(1, (borderWidth-at)/borderWidth)
	} else if at > size-borderWidth {
		d = -min(1, (at-size+borderWidth)/borderWidth)
	}
	return d * math.Abs(d)
}

// Ticking reports whether a Tick is wanted with the next frame: the view moves
// although the pointer may be still.
func (c *Chart) Ticking() bool { return c.nearBorder() != graph.Vec{} }

func (c *Chart) tick(e Event) Effect {
	v := c.nearBorder()
	if v == (graph.Vec{}) {
		return Effect{}
	}
	c.guides = nil // other cards come into view
	c.view = c.view.Panned(v.Scale(panSpeed * min(e.Dt, maxTick).Seconds()))
	eff := c.drag()
	eff.Redraw |= RedrawViewport
	return eff
}

// wheelLine and wheelPage are the pixels of a wheel's other units.
const (
	wheelLine = 20
	wheelPage = 400
)

// A wheel's notch is 100 pixels and more, a pinch on a touch pad a few. The
// bound makes one notch about a sixth and leaves the pinch its fineness.
const (
	zoomBound = 24
	zoomRate  = 0.01
)

func (c *Chart) wheel(e Event) Effect {
	w := e.Wheel
	switch e.Unit {
	case Lines:
		w = w.Scale(wheelLine)
	case Pages:
		w = w.Scale(wheelPage)
	case Pixels:
	}
	if e.Mods.Control != c.opts.WheelZooms && !e.Mods.Shift {
		d := max(-zoomBound, min(zoomBound, w.Y))
		c.view = c.view.ZoomAt(e.At, math.Exp2(-d*zoomRate))
	} else {
		// Some systems turn the axis themselves when Shift is held.
		if e.Mods.Shift && w.X == 0 {
			w.X, w.Y = w.Y, 0
		}
		c.view = c.view.Panned(w.Scale(-1))
	}
	c.guides = nil
	eff := c.drag()
	eff.Redraw |= RedrawViewport
	eff.Taken = true
	return eff
}

// fingerOf returns the place in Chart.fingers of the finger that is a pointer, or -1.
func (c *Chart) fingerOf(pointer int) int {
	return slices.IndexFunc(c.fingers, func(f finger) bool { return f.id == pointer })
}

// touched notes a finger that is put down and reports whether it is one more. One that
// that was never reported as lifted is not.
func (c *Chart) touched(e Event) bool {
	if i := c.fingerOf(e.Pointer); i >= 0 {
		c.fingers[i].at = e.At
		return false
	}
	c.fingers = append(c.fingers, finger{e.Pointer, e.At})
	return true
}

// pinch keeps the places of the form under two fingers below them.
func (c *Chart) pinch(e Event) Effect {
	i := c.fingerOf(e.Pointer)
	if i < 0 || len(c.fingers) < 2 {
		return Effect{}
	}
	a, b := c.fingers[0].at, c.fingers[1].at
	c.fingers[i].at = e.At
	if i > 1 {
		return Effect{}
	}
	p, q := c.fingers[0].at, c.fingers[1].at
	before, after := b.Sub(a).Len(), q.Sub(p).Len()
	c.view = c.view.Panned(p.Add(q).Sub(a.Add(b)).Scale(.5))
	// Fingers closer than this are too close to zoom by.
	const least = 10
	if before > least && after > least {
		c.view = c.view.ZoomAt(p.Add(q).Scale(.5), after/before)
	}
	return Effect{Redraw: RedrawViewport, Taken: true}
}

// unpinch continues after a finger was lifted: the last one pans.
func (c *Chart) unpinch() Effect {
	switch len(c.fingers) {
	case 0:
		return c.end()
	case 1:
		c.phase, c.pointer, c.device = Panning, c.fingers[0].id, Touch
		c.from, c.at = c.fingers[0].at, c.fingers[0].at
	}
	return Effect{}
}

func (c *Chart) hovered(e Event) Effect {
	if e.Device == Touch {
		return Effect{}
	}
	c.at = e.At
	h := c.hitAt(e.At)
	if edge, ok := c.onPlus(e.At); ok {
		h = graph.Hit{Edge: edge, Out: -1, Row: -1} // the button is wider than the edge is near
	}
	eff := Effect{}
	if h != c.hover {
		c.hover, eff.Redraw = h, RedrawHover
	}
	eff.Cursor = c.idleCursor()
	return eff
}

func (c *Chart) idleCursor() Cursor {
	switch {
	case c.space:
		return GrabCursor
	case c.hover.Card != nil && c.hover.Out >= 0 && !c.ed.ReadOnly():
		return CrosshairCursor
	case c.hover.Card != nil, c.hover.Edge != nil:
		return PointerCursor
	}
	return DefaultCursor
}

func (c *Chart) leave() Effect { return Effect{Redraw: c.unhover()} }

func (c *Chart) unhover() Redraw {
	none := graph.Hit{Out: -1, Row: -1}
	if c.hover == none || c.hover == (graph.Hit{}) {
		return 0
	}
	c.hover = none
	return RedrawHover
}
