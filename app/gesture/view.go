package gesture

import (
	"math"
	"time"

	"github.com/formgraph/formgraph/app/graph"
)

// Auto-pan: within borderWidth pixels of the canvas's border the view moves, by
// panSpeed pixels a second at the very border, eased with the depth.
const (
	borderWidth = 40
	panSpeed    = 900
)

// maxTick bounds a frame, so that the view does not jump after the page was asleep.
const maxTick = 100 * time.Millisecond

// nearBorder returns how fast the view should move, from -1 to 1 on each axis.
func (c *Chart) nearBorder() graph.Vec {
	switch g := c.running.(type) {
	case *drag, *connect, *marquee:
	case *carry:
		if !g.entered || !g.inside() {
			return graph.Vec{}
		}
	default:
		return graph.Vec{}
	}
	at, size := c.canvas.at, c.canvas.size
	return graph.Vec{X: depth(at.X, size.X), Y: depth(at.Y, size.Y)}
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

// Ticking reports whether a Tick is wanted with the next frame: the view moves although the pointer may be still.
func (c *Chart) Ticking() bool { return c.nearBorder() != graph.Vec{} }

func (c *Chart) tick(e Event) Effect {
	v := c.nearBorder()
	if v == (graph.Vec{}) {
		return Effect{}
	}
	c.canvas.view = c.canvas.view.Panned(v.Scale(panSpeed * min(e.Dt, maxTick).Seconds()))
	return c.viewMoved()
}

// viewMoved lets the running gesture follow after the view moved below the pointer.
func (c *Chart) viewMoved() Effect {
	var eff Effect
	if c.running != nil {
		eff = c.running.follow()
	}
	eff.Redraw |= RedrawViewport
	return eff
}

// wheelLine and wheelPage are the pixels of a wheel's other units.
const (
	wheelLine = 20
	wheelPage = 400
)

// A notch of a wheel is 100 pixels and more, a pinch on a touch pad a few. The bound makes one notch about a sixth and keeps a pinch
// precise.
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
	view := &c.canvas.view
	if e.Mods.Control != c.canvas.opts.WheelZooms && !e.Mods.Shift {
		d := max(-zoomBound, min(zoomBound, w.Y))
		*view = view.ZoomAt(e.At, math.Exp2(-d*zoomRate))
	} else {
		// Some systems swap the axes themselves when Shift is held.
		if e.Mods.Shift && w.X == 0 {
			w.X, w.Y = w.Y, 0
		}
		*view = view.Panned(w.Scale(-1))
	}
	eff := c.viewMoved()
	eff.Taken = true
	return eff
}
