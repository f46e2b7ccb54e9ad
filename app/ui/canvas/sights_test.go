package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// What panels took from the view comes back when they close, in any nest, but not over what the person has moved since.
func TestViewComesBack(t *testing.T) {
	view := func(x float64) graph.Viewport { return graph.Viewport{X: x, Zoom: 1} }
	wide, less, least := graph.Vec{X: 900, Y: 500}, graph.Vec{X: 600, Y: 500}, graph.Vec{X: 600, Y: 300}
	at := graph.Vec{X: 240}
	var l sights
	l.follow(sight{view(1), at, wide}, at, less, view(2))
	l.follow(sight{view(2), at, less}, at, least, view(3))
	for size, want := range map[graph.Vec]float64{less: 2, wide: 1} {
		m := l
		if got := m.follow(sight{view(3), at, least}, at, size, view(9)); got != view(want) {
			t.Errorf("back at %v the view is %v, want %v", size, got, want)
		}
	}
	if got := l.follow(sight{view(3), at, least}, graph.Vec{}, wide, view(9)); got != view(9) {
		t.Errorf("elsewhere the view is %v", got)
	}
	l = sights{}
	l.follow(sight{view(1), at, wide}, at, less, view(2))
	if got := l.follow(sight{view(5), at, less}, at, wide, view(9)); got != view(9) {
		t.Errorf("after it was moved, the view is %v", got)
	}
	for i := range 100 {
		l.follow(sight{l.after, at, graph.Vec{X: float64(i)}}, at, graph.Vec{X: float64(i + 1)}, view(float64(i)))
	}
	if len(l.before) > mostSights {
		t.Errorf("%d views are remembered", len(l.before))
	}
}

// A view that is held comes back whatever moved it, once the canvas has its place.
func TestHeldViewComesBack(t *testing.T) {
	held, moved := graph.Viewport{X: 1, Y: 2, Zoom: .7}, graph.Viewport{X: 50, Zoom: .45}
	wide, less := graph.Vec{X: 900, Y: 500}, graph.Vec{X: 300, Y: 400}
	var l sights
	l.hold(sight{held, graph.Vec{}, wide})
	l.follow(sight{held, graph.Vec{}, wide}, graph.Vec{}, less, moved)
	if got := l.follow(sight{moved, graph.Vec{}, less}, graph.Vec{}, wide, moved); got != moved {
		t.Errorf("before it is released, the view is %v", got)
	}
	if view, now := l.release(graph.Vec{}, wide); !now || view != held {
		t.Errorf("in its place, %v is released: %t", view, now)
	}
	if _, now := l.release(graph.Vec{}, wide); now {
		t.Error("it is released twice")
	}
	l.hold(sight{held, graph.Vec{}, wide})
	if _, now := l.release(graph.Vec{}, less); now {
		t.Error("it is released in another place")
	}
	if got := l.follow(sight{moved, graph.Vec{}, less}, graph.Vec{}, graph.Vec{X: 700, Y: 400}, moved); got != moved {
		t.Errorf("on the way, the view is %v", got)
	}
	if got := l.follow(sight{moved, graph.Vec{}, less}, graph.Vec{}, wide, moved); got != held {
		t.Errorf("back in its place, the view is %v", got)
	}
}

// The path of a run is fitted at 45 % or more, with the current card in view, and the view stays if all of it is there.
func TestFitPath(t *testing.T) {
	in := graph.Rect{X: 20, Y: 20, W: 400, H: 300}
	current := graph.Rect{X: 5000, Y: 100, W: 280, H: 120}
	for _, tt := range []struct {
		name   string
		around graph.Rect
		zoom   float64
	}{
		{"a card", current, 1},
		{"three cards", graph.Rect{X: 4600, Y: 0, W: 800, H: 400}, .5},
		{"too many", graph.Rect{X: 2000, Y: 0, W: 3280, H: 3000}, graph.NameZoom},
	} {
		v := fitPath(graph.Viewport{Zoom: .2}, current, tt.around, in)
		if v.Zoom != tt.zoom || v.Reveal(current, in) != v {
			t.Errorf("%s: the view is %v", tt.name, v)
		}
		if again := fitPath(v, current, current, in); again != v {
			t.Errorf("%s: the view moves from %v to %v", tt.name, v, again)
		}
	}
}
