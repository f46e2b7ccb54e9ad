package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// When a panel opens below or beside the canvas, what was in view stays in view, and nothing moves without need.
func TestKeepInView(t *testing.T) {
	was, low := graph.Vec{X: 700, Y: 750}, graph.Vec{X: 700, Y: 400}
	v := graph.Viewport{X: 30, Y: 10, Zoom: 1}
	inside := func(size graph.Vec) graph.Rect {
		return graph.Pane{Size: size, Tabs: graph.Rect{X: 16, Y: 10, W: 280, H: 34}}.Inside(revealMargin)
	}
	large := graph.Rect{W: 9000, H: 9000}
	const most = 400 - 80 // of the lower side of a card on the low canvas
	for _, tt := range []struct {
		name     string
		by       float64 // how far the canvas moves down
		size     graph.Vec
		selected graph.Rect
		y        float64
	}{
		{"selected above", 0, low, graph.Rect{X: 100, Y: 100, W: 280, H: 130}, 10},
		{"selected below", 0, low, graph.Rect{X: 100, Y: 500, W: 280, H: 130}, most - 630},
		{"selected elsewhere", 0, low, graph.Rect{X: 100, Y: 5000, W: 280, H: 130}, most - 365},
		{"nothing selected", 0, low, graph.Rect{}, most - 365},
		{"a banner", 40, graph.Vec{X: 700, Y: 710}, graph.Rect{}, -30},
		{"a banner over the selection", 40, graph.Vec{X: 700, Y: 710}, graph.Rect{X: 100, Y: 60, W: 280, H: 130}, 4},
		{"the panel closes", 0, graph.Vec{X: 700, Y: 900}, graph.Rect{X: 100, Y: 5000, W: 280, H: 130}, 10},
	} {
		if got, want := keepInView(v, graph.Vec{Y: tt.by}, was, tt.size, large, tt.selected, inside(tt.size)), (graph.Viewport{X: 30, Y: tt.y, Zoom: 1}); got != want {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
	for _, tt := range []struct {
		name     string
		by       float64 // how far the canvas moves to the right
		selected graph.Rect
		x        float64
	}{
		{"selected under the right panel", 0, graph.Rect{X: 350, Y: 100, W: 280, H: 130}, 30 + 400 - 48 - 660},
		{"selected half under it", 0, graph.Rect{X: 200, Y: 100, W: 280, H: 130}, 30 + 400 - 48 - 510},
		{"selected beside it", 0, graph.Rect{X: -20, Y: 100, W: 280, H: 130}, 30},
		{"selected elsewhere", 0, graph.Rect{X: 2000, Y: 100, W: 280, H: 130}, 30},
		{"nothing selected", 0, graph.Rect{}, 30},
		{"selected under the left panel", 300, graph.Rect{X: 20, Y: 100, W: 280, H: 130}, 30 - 300 + 48 - (20 + 30 - 300)},
		{"selected beside the left panel", 300, graph.Rect{X: 300, Y: 100, W: 280, H: 130}, 30 - 300},
	} {
		narrow := graph.Vec{X: 400, Y: was.Y}
		if got, want := keepInView(v, graph.Vec{X: tt.by}, was, narrow, large, tt.selected, inside(narrow)), (graph.Viewport{X: tt.x, Y: 10, Zoom: 1}); got != want {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
		}
	}
}

// The whole form stays in view where it was, and nothing becomes smaller without need, nor too small to read.
func TestKeepWholeInView(t *testing.T) {
	was, narrow := graph.Vec{X: 1200, Y: 800}, graph.Vec{X: 860, Y: 800}
	in := graph.Pane{Size: narrow}.Inside(revealMargin)
	selected := graph.Rect{X: 900, Y: 0, W: 100, H: 100}
	for _, tt := range []struct {
		name   string
		view   graph.Viewport
		whole  graph.Rect
		size   graph.Vec
		wanted graph.Viewport
	}{
		{"there is room", graph.Viewport{X: 100, Y: 100, Zoom: 1}, graph.Rect{W: 700, H: 400}, narrow, graph.Viewport{X: 100, Y: 100, Zoom: 1}},
		{"there is room at the left", graph.Viewport{X: 300, Y: 100, Zoom: 1}, graph.Rect{W: 700, H: 400}, narrow, graph.Viewport{X: 860 - 48 - 700, Y: 100, Zoom: 1}},
		{"smaller", graph.Viewport{X: 40, Y: 100, Zoom: 1}, graph.Rect{W: 1120, H: 400}, narrow, graph.Fit(graph.Rect{W: 1120, H: 400}, in, 1)},
		{
			"too small, selected under the panel",
			graph.Viewport{X: 40, Y: 100, Zoom: .5},
			graph.Rect{W: 2200, H: 400},
			narrow, graph.Viewport{X: 40, Y: 100, Zoom: .5}.Reveal(selected, in),
		},
		{"seen from far", graph.Viewport{X: 40, Y: 100, Zoom: .4}, graph.Rect{W: 2800, H: 400}, narrow, graph.Fit(graph.Rect{W: 2800, H: 400}, in, 1)},
		{"not in view before", graph.Viewport{X: 40, Y: 100, Zoom: 1}, graph.Rect{W: 1200, H: 400}, narrow, graph.Viewport{X: 860 - 48 - 1000, Y: 100, Zoom: 1}},
		{"the panel closes", graph.Viewport{X: 40, Y: 100, Zoom: .5}, graph.Rect{W: 1120, H: 400}, graph.Vec{X: 1500, Y: 800}, graph.Viewport{X: 40, Y: 100, Zoom: .5}},
	} {
		if got := keepInView(tt.view, graph.Vec{}, was, tt.size, tt.whole, selected, in); got != tt.wanted {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.wanted)
		}
	}
}
