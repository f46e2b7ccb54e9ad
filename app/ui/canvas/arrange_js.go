package canvas

import (
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Places computes places from the form as it is drawn.
func (s *Island) Places(of func(*graph.Scene) map[string]model.Point) map[string]model.Point {
	return of(s.scene)
}

// animateTime is how long cards take to their new places.
const animateTime = 180 * time.Millisecond

// Animate has the cards glide to the places that the next command gives them. The
// edges are there again when they have arrived. Who asked their system for less
// motion sees the end at once; the style sheet knows.
func (s *Island) Animate() {
	classes := s.world.Get("classList")
	classes.Call("add", "cv-gliding")
	var end js.Func
	end = js.FuncOf(func(js.Value, []js.Value) any {
		classes.Call("remove", "cv-gliding")
		end.Release()
		return nil
	})
	js.Global().Call("setTimeout", end, animateTime.Milliseconds())
}

// PointerAt returns the place of the form under the pointer, on the grid, and
// whether the pointer is over the canvas.
func (s *Island) PointerAt() (model.Point, bool) {
	if !s.host.Call("matches", ":hover").Bool() {
		return model.Point{}, false
	}
	at := s.chart.Viewport().ToForm(s.chart.Pointer())
	return at.Point(), true
}

// RevealSelection brings what is selected into sight: by moving the view when it
// fits, else by showing all of it, or its beginning where all of it could not be read.
func (s *Island) RevealSelection() {
	r := s.selected()
	if r.Empty() {
		return
	}
	v, size := s.goal(), s.chart.Size()
	if r.W*v.Zoom > size.X-2*revealMargin || r.H*v.Zoom > size.Y-2*revealMargin {
		s.glide(graph.FitReadable(r, r, size, s.padding()))
		return
	}
	s.glide(v.Reveal(r, size, revealMargin))
}
