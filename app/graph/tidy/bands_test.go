package tidy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model/sizetest"
)

// The free part of the canvas beside both panels in a window of 1440x900.
var freeCanvas = graph.Rect{W: 780, H: 772}

// A form is not laid out as one line, however long the journey, and a form of a few steps is readable as a whole.
func TestTidyFillsAPage(t *testing.T) {
	chain := func(n, rows int) *graph.Scene {
		text := `{"name":"chain","start":{"next_node":"n0","coordinates":{"x":0,"y":0}},"nodes":[`
		for i := range n {
			next := fmt.Sprintf("n%d", i+1)
			if i == n-1 {
				next = "$ending"
			}
			if i > 0 {
				text += ","
			}
			text += fmt.Sprintf(`{"id":"n%d","type":"STEP","config":{"components":[`, i)
			for j := range rows {
				if j > 0 {
					text += ","
				}
				text += fmt.Sprintf(`{"id":"c%dx%d","category":"FIELD","type":"TEXT","label":"A"}`, i, j)
			}
			text += fmt.Sprintf(`],"next_node":%q}}`, next)
		}
		return tidied(t, graphtest.Form(t, text+"]}"), nil)
	}
	for _, rows := range []int{1, 4, 7} {
		if v := graph.Fit(chain(7, rows).Bounds(), freeCanvas, 1); v.Zoom < .6 {
			t.Errorf("7 steps of %d rows are shown at %v", rows, v.Zoom)
		}
	}
	if v := graph.Fit(chain(300, 3).Bounds(), freeCanvas, 1); v.Zoom < .08 {
		t.Errorf("300 steps are shown at %v", v.Zoom)
	}
	rnd := rand.New(rand.NewPCG(41, 42))
	for range sizetest.Of(0, 2, 20) {
		for _, s := range []*graph.Scene{chain(300, 3), tidied(t, graphtest.Random(t, rnd, 300, 0), nil)} {
			b := s.Bounds()
			if ratio := b.W / b.H; ratio < .4 || ratio > 2 {
				t.Errorf("300 nodes are %v wide and %v high", b.W, b.H)
			}
		}
	}
}

// An edge from one band to the next runs between them. Edges that pass a whole band may run over cards; forms as dense as these
// have many.
func TestBandsKeepEdgesOffCards(t *testing.T) {
	rnd := rand.New(rand.NewPCG(43, 44))
	var between, over int
	for range sizetest.Of(0, 50, 500) {
		s := tidied(t, graphtest.Random(t, rnd, 30, 0), nil)
		s.Edges(func(e *graph.Edge) {
			if e.Dangling() || e.Curve.Shape != graph.Loop {
				return
			}
			between++
			if len(through(s, e)) > 0 {
				over++
			}
		})
	}
	t.Logf("%d of %d loops and edges between bands run over cards", over, between)
	if 100*over > 20*between {
		t.Errorf("%d of %d loops and edges between bands run over cards", over, between)
	}
}
