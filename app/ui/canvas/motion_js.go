package canvas

import (
	"math"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/graph"
)

// motion is an animation of the view. The zero motion is none.
type motion struct {
	from, to graph.Viewport
	start    float64 // in milliseconds of the frames' clock
	running  bool
}

// motionTime is how long the view takes to another place, in milliseconds.
const motionTime = 150

// restTime is how long the view has not moved when it is at rest.
const restTime = 120 * time.Millisecond

// now returns the time of the frames' clock.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// goal returns the view that a running animation leads to, else the view.
func (s *Island) goal() graph.Viewport {
	if s.motion.running {
		return s.motion.to
	}
	return s.chart.Viewport()
}

// glide brings the view to another place, at once for those who asked their
// system for less motion.
func (s *Island) glide(to graph.Viewport) {
	from := s.chart.Viewport()
	s.fitted = true
	if from == to {
		s.motion = motion{}
		return
	}
	if js.Global().Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool() {
		s.SetViewport(to)
		return
	}
	s.motion = motion{from: from, to: to, start: now(), running: true}
	s.redraw(dirtyView)
}

// advance takes the animation a frame on.
func (s *Island) advance(t float64) {
	if !s.motion.running {
		return
	}
	p := max(0, min(1, (t-s.motion.start)/motionTime))
	s.chart.SetViewport(s.motion.from.Between(s.motion.to, 1-(1-p)*(1-p)*(1-p)))
	s.dirty |= dirtyView
	if p == 1 {
		s.motion = motion{}
	}
}

// viewMoved marks the view as moving, until nothing has moved it for a while.
func (s *Island) viewMoved() {
	if s.restTimer.IsUndefined() {
		s.world.Get("classList").Call("add", "cv-moving")
	} else {
		js.Global().Call("clearTimeout", s.restTimer)
	}
	s.restTimer = js.Global().Call("setTimeout", s.rest, restTime.Milliseconds())
}

func (s *Island) rested() {
	s.restTimer = js.Undefined()
	s.world.Get("classList").Call("remove", "cv-moving")
	s.redraw(0) // the minimap is behind
	s.thicken()
	s.enlarge()
	if cell := gridCell(s.drawn.Zoom); cell != s.cell {
		s.drawGrid(cell, false)
	}
	// Zooming in leaves cards behind that are far out of sight.
	if sight := s.chart.Viewport().Visible(s.chart.Size()); s.culled.W > recullFrom*sight.W {
		s.culled = graph.Rect{}
		s.redraw(dirtyView)
	}
	if s.opts.OnViewport != nil {
		s.opts.OnViewport()
	}
}

// recullFrom is how many times wider than the view the region in the DOM may be
// once the view rests.
const recullFrom = 2.5

// leastStroke is how thin an edge may become on the screen, in pixels: below it
// a line that falls between two rows of pixels can hardly be seen.
const leastStroke = 1.2

// thicken keeps edges visible far out, once the view rests: it touches every edge.
func (s *Island) thicken() {
	width := math.Round(max(2, leastStroke/s.chart.Viewport().Zoom)*10) / 10
	if width != s.stroke {
		s.stroke = width
		s.paths.Get("style").Call("setProperty", "--cv-stroke", width)
	}
}
