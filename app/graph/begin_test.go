package graph_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// A form opens with its first card 20 pixels from the left in the upper third, and at a zoom of at least 60 %.
func TestBeginAndFitReadable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		size := graph.Vec{X: 300 + 1500*rnd.Float64(), Y: 300 + 900*rnd.Float64()}
		bounds := graph.Rect{X: 4000*rnd.Float64() - 2000, Y: 4000*rnd.Float64() - 2000, W: 5000 * rnd.Float64(), H: 3000 * rnd.Float64()}
		first := graph.Rect{X: bounds.X, Y: bounds.Y + bounds.H*rnd.Float64(), W: 96, H: 40}
		v := graph.Begin(first, graph.Rect{}, size, 1)
		if at := v.ToScreen(first.Origin()); math.Abs(at.X-20) > 1e-6 || v.ToScreen(first.Center()).Y > size.Y/3 || at.Y < 0 || v.Zoom != 1 {
			t.Fatalf("on %v the form begins at %v, zoom %v", size, at, v.Zoom)
		}
		v = graph.FitReadable(bounds, first, size, 40)
		at := v.ToScreen(first.Origin())
		if v.Zoom < graph.ReadableZoom || v.Zoom > 1 || at.X < 0 || at.X > size.X || at.Y < -20 || at.Y > size.Y {
			t.Fatalf("on %v %v is fitted at %v, the beginning at %v", size, bounds, v.Zoom, at)
		}
		if fit := graph.Fit(bounds, size, 40, 1); fit.Zoom >= graph.ReadableZoom && fit != v {
			t.Fatalf("got %v, want %v", v, fit)
		}
	}
}

// The target of the start is fully in view, or as much of it as there is room for while the start is in view.
func TestBeginShowsTheNextCard(t *testing.T) {
	first := graph.Rect{W: 96, H: 40}
	for _, tt := range []struct {
		name     string
		next     graph.Rect
		from, to float64 // of next on the screen, whose height is 800
		start    float64
	}{
		{"level", graph.Rect{X: 240, W: 280, H: 200}, 204, 404, 204},
		{"far above", graph.Rect{X: 240, Y: -400, W: 280, H: 200}, 20, 220, 420},
		{"a little below the middle", graph.Rect{X: 240, Y: 500, W: 280, H: 200}, 580, 780, 80},
		{"too far above", graph.Rect{X: 240, Y: -900, W: 280, H: 200}, -160, 40, 740},
		{"too far below", graph.Rect{X: 240, Y: 1500, W: 280, H: 200}, 1520, 1720, 20},
	} {
		v := graph.Begin(first, tt.next, graph.Vec{X: 900, Y: 800}, 1)
		a, b := v.ToScreen(tt.next.Origin()).Y, v.ToScreen(graph.Vec{Y: tt.next.Bottom()}).Y
		if start := v.ToScreen(first.Origin()).Y; a != tt.from || b != tt.to || start != tt.start || v.ToScreen(first.Origin()).X != 20 {
			t.Errorf("%s: next from %v to %v, want %v to %v; start at %v, want %v", tt.name, a, b, tt.from, tt.to, start, tt.start)
		}
	}
}
