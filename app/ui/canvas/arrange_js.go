package canvas

import (
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Places computes positions from the form as it is drawn.
func (s *Island) Places(of func(*graph.Scene) map[string]model.Point) map[string]model.Point {
	return of(s.scene)
}

// animateTime is how long cards take to move to their new positions.
const animateTime = 180 * time.Millisecond

// Animate makes the cards glide to the positions that the next command gives them. The
// edges reappear when the cards have arrived. For people who ask their system for less
// motion, the style sheet shows the result at once.
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

// PointerAt returns the grid position in the form under the pointer, and whether the
// pointer is over the canvas.
func (s *Island) PointerAt() (model.Point, bool) {
	if !s.host.Call("matches", ":hover").Bool() {
		return model.Point{}, false
	}
	at := s.chart.Viewport().ToForm(s.chart.Pointer())
	return at.Point(), true
}

// RevealSelection brings the selection into view. It moves the view if the selection fits. If not, it zooms out to show all of it,
// or only its beginning if the whole would be too small to read.
func (s *camera) RevealSelection() {
	r := s.selected()
	if r.Empty() {
		return
	}
	v, p := s.goal(), s.pane()
	if in := p.Inside(revealMargin); r.W*v.Zoom > in.W || r.H*v.Zoom > in.H {
		s.glide(p.FitReadable(r, r, graph.Rect{}, nil, s.padding()))
		return
	}
	s.reveal(r)
}
