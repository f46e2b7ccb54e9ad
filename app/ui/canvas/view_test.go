package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// A card that is brought into view is below the tabs, with its id, and above an open sheet.
func TestBroughtIntoView(t *testing.T) {
	size := graph.Vec{X: 390, Y: 700}
	for _, tt := range []struct{ top, bottom, least float64 }{
		{0, 0, revealMargin}, {10, 0, revealMargin}, {44, 0, 64}, {60, 0, 80}, {60, 350, 80},
	} {
		in := freeOf(size, tt.top, tt.bottom)
		for _, y := range []float64{-500, 10, 500, 3000} {
			v := graph.Viewport{Zoom: 1}.Reveal(graph.Rect{X: 60, Y: y, W: 280, H: 130}, in, revealMargin)
			if top := y + v.Y; top < tt.least || top+130 > size.Y-tt.bottom-revealMargin {
				t.Errorf("covered %v and %v: a card at %v goes to %v", tt.top, tt.bottom, y, top)
			}
		}
	}
	if in := freeOf(graph.Vec{X: 390, Y: 200}, 60, 180); in.H < 3*revealMargin {
		t.Errorf("of a low canvas only %v is left", in)
	}
}

// When a panel opens below the canvas, what was in view stays in view, and nothing moves without need.
func TestKeepInView(t *testing.T) {
	was, low := graph.Vec{X: 700, Y: 750}, graph.Vec{X: 700, Y: 400}
	v := graph.Viewport{X: 30, Y: 10, Zoom: 1}
	in := freeOf(low, 44, 0)
	for _, tt := range []struct {
		name     string
		by       float64 // how far the canvas moves down
		size     graph.Vec
		selected graph.Rect
		y        float64
	}{
		{"selected above", 0, low, graph.Rect{X: 100, Y: 100, W: 280, H: 130}, 10},
		{"selected below", 0, low, graph.Rect{X: 100, Y: 500, W: 280, H: 130}, 400 - revealBottom - revealMargin - 630},
		{"selected elsewhere", 0, low, graph.Rect{X: 100, Y: 5000, W: 280, H: 130}, 400 - revealBottom - revealMargin - 365},
		{"nothing selected", 0, low, graph.Rect{}, 400 - revealBottom - revealMargin - 365},
		{"a banner", 40, graph.Vec{X: 700, Y: 710}, graph.Rect{}, -30},
		{"a banner over the selection", 40, graph.Vec{X: 700, Y: 710}, graph.Rect{X: 100, Y: 60, W: 280, H: 130}, 4},
		{"the panel closes", 0, graph.Vec{X: 700, Y: 900}, graph.Rect{X: 100, Y: 5000, W: 280, H: 130}, 10},
	} {
		free := in
		if tt.size != low {
			free = freeOf(tt.size, 44, 0)
		}
		if got, want := keepInView(v, graph.Vec{Y: tt.by}, was, tt.size, tt.selected, free), (graph.Viewport{X: 30, Y: tt.y, Zoom: 1}); got != want {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}
