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
