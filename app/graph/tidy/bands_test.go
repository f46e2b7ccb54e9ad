package tidy_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model/sizetest"
)

// A form of many ranks is cut into bands that fill a page, but never within a chain.
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
	for _, n := range []int{7, 30} { // a chain is one line, however long
		for _, c := range chain(n, 4).Cards() {
			if c.Rect.Y != 0 {
				t.Errorf("a chain of %d steps is not straight: %s is at %v", n, c.ID, c.Rect)
			}
		}
	}
	rnd := rand.New(rand.NewPCG(41, 42))
	for range sizetest.Of(0, 2, 20) {
		b := tidied(t, graphtest.Random(t, rnd, 300, 0), nil).Bounds()
		if ratio := b.W / b.H; ratio < .4 || ratio > 2 {
			t.Errorf("300 nodes are %v wide and %v high", b.W, b.H)
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
			if e.Dangling() || e.Curve.Shape != graph.Lines {
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
