package canvas

import (
	"math"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// motion is an animation of the view. The zero value is no animation.
type motion struct {
	from, to graph.Viewport
	start    float64 // in milliseconds of the frames' clock
	running  bool
}

// motionTime is the duration of an animation of the view, in milliseconds.
const motionTime = 150

// restTime is the time without movement after which the view is at rest, in
// milliseconds.
const restTime = 120 * time.Millisecond

// now returns the time of the frames' clock.
func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// goal returns the final view of a running animation, or else the current view.
func (s *camera) goal() graph.Viewport {
	if s.motion.running {
		return s.motion.to
	}
	return s.chart.Viewport()
}

// glide animates the view to a new one. For people who ask their system for less
// motion, it changes at once.
func (s *camera) glide(to graph.Viewport) {
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

// pressEffect is the maximum time, in milliseconds, between a press and what follows from it on a busy page.
const pressEffect = 2000

// takePress reports whether the canvas was pressed a moment ago, and forgets that: one caller waits for the second press of a double click.
func (s *camera) takePress() bool {
	recent := s.pressed > 0 && now() < s.pressed+pressEffect
	s.pressed = 0
	return recent
}

// Awaits reports whether the second press of a double click may follow near the right side.
func (s *camera) Awaits(fromRight float64) bool {
	return s.pressedAt.X > s.chart.Size().X-fromRight && s.takePress()
}

// glideAfterPress calls glide, after a press once no double click can follow it, unless the view has moved by then.
func (s *camera) glideAfterPress(to graph.Viewport) {
	s.turns++
	from, turn := s.chart.Viewport(), s.turns
	wait := to != from && s.takePress()
	classes := s.world.Get("classList")
	classes.Call("toggle", "cv-awaiting", wait)
	if !wait {
		s.glide(to)
		return
	}
	var after js.Func
	after = js.FuncOf(func(js.Value, []js.Value) any {
		after.Release()
		if s.closed || s.turns != turn {
			return nil
		}
		classes.Call("remove", "cv-awaiting")
		if s.chart.Phase() == gesture.Idle && s.goal() == from {
			s.glide(to)
		}
		return nil
	})
	js.Global().Call("setTimeout", after, DoubleClick.Milliseconds())
}

// advance moves the animation forward to the current frame.
func (s *camera) advance(t float64) {
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
func (s *ground) viewMoved() {
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
	s.redraw(0) // the minimap is out of date
	s.thicken()
	s.enlarge()
	s.drawLabels()
	if cell := gridCell(s.drawn.Zoom); cell != s.cell {
		s.drawGrid(cell, false)
	}
	// Zooming in leaves cards far outside the view in the DOM.
	if sight := s.chart.Viewport().Visible(s.chart.Size()); s.culled.W > recullFrom*sight.W {
		s.culled = graph.Rect{}
		s.redraw(dirtyView)
	}
	if s.opts.OnViewport != nil {
		s.opts.OnViewport()
	}
}

// recullFrom is how many times wider than the view the region in the DOM may be
// when the view comes to rest.
const recullFrom = 2.5

// leastStroke is the minimum width of an edge on the screen, in pixels: a thinner
// line that falls between two rows of pixels is hardly visible.
const leastStroke = 1.2

// thicken keeps edges visible when zoomed out. It runs once the view rests,
// because it changes every edge.
func (s *ground) thicken() {
	width := math.Round(max(2, leastStroke/s.chart.Viewport().Zoom)*10) / 10
	if width != s.stroke {
		s.stroke = width
		s.paths.Get("style").Call("setProperty", "--cv-stroke", width)
	}
}
