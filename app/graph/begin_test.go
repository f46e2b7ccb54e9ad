package graph_test

import (
	"math"
	"math/rand/v2"
	"slices"
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

// A form that fits the view leaves the corner free that the minimap covers, but is not smaller than it has to be.
func TestFitBesideTheMinimap(t *testing.T) {
	size, corner := graph.Vec{X: 1000, Y: 700}, graph.Rect{X: 800, Y: 580, W: 182, H: 110}
	for _, tt := range []struct {
		name  string
		cards []graph.Rect
		want  func(plain graph.Viewport, all graph.Rect) graph.Viewport
	}{
		{
			"nothing there",
			[]graph.Rect{{W: 280, H: 100}, {X: 3000, Y: 1000, W: 280, H: 100}, {Y: 2000, W: 280, H: 100}},
			func(plain graph.Viewport, _ graph.Rect) graph.Viewport { return plain },
		},
		{
			"high",
			[]graph.Rect{{W: 280, H: 100}, {X: 1500, Y: 2000, W: 600, H: 100}},
			func(_ graph.Viewport, all graph.Rect) graph.Viewport {
				return graph.Fit(all, graph.Vec{X: 800, Y: 700}, 40, 1)
			},
		},
		{
			"wide",
			[]graph.Rect{{W: 280, H: 100}, {X: 3000, Y: 1500, W: 600, H: 400}},
			func(_ graph.Viewport, all graph.Rect) graph.Viewport {
				return graph.Fit(all, graph.Vec{X: 1000, Y: 580}, 40, 1)
			},
		},
	} {
		all := graph.Rect{}
		for _, c := range tt.cards {
			all = all.Union(c)
		}
		hits := func(part graph.Rect) bool { return slices.ContainsFunc(tt.cards, part.Overlaps) }
		want := tt.want(graph.Fit(all, size, 40, 1), all)
		if got := graph.FitBeside(all, size, 40, 1, corner, hits); got != want {
			t.Errorf("%s: got %v, want %v", tt.name, got, want)
		}
		if got := graph.FitBeside(all, size, 40, 1, graph.Rect{}, hits); got != graph.Fit(all, size, 40, 1) {
			t.Errorf("%s: got %v without a minimap", tt.name, got)
		}
		for _, c := range tt.cards {
			a, b := want.ToScreen(c.Origin()), want.ToScreen(graph.Vec{X: c.Right(), Y: c.Bottom()})
			if corner.Overlaps(graph.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}) {
				t.Errorf("%s: a card lies below the minimap", tt.name)
			}
		}
	}
}
