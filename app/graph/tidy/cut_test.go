package tidy

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// row returns the cutter of a chain of n cards, each 100 wide and alone in its layer, with more links between
// layers.
func row(n int, more ...link) *cutter {
	s := &layering{}
	for i := range n {
		s.cards = append(s.cards, &graph.Card{Rect: graph.Rect{W: 100, H: 100}, Content: &graph.Content{}})
		s.layer = append(s.layer, int32(i))
		if i > 0 {
			s.links = append(s.links, link{from: int32(i - 1), to: int32(i), count: 1})
		}
	}
	s.links = append(s.links, more...)
	s.ins = lists{start: make([]int32, n+1)}
	c := newCutter(s, columnsOf(s))
	for i := range c.may {
		c.may[i] = true
	}
	return c
}

// Bands cover all layers in order.
func TestCutCoversAllLayers(t *testing.T) {
	for n := 1; n < 30; n++ {
		for k := 1; k <= n; k++ {
			bands, next := row(n).cut(k), 0
			for _, b := range bands {
				if b.first != next || b.last <= b.first {
					t.Fatalf("%d layers in %d bands: %v", n, k, bands)
				}
				next = b.last
			}
			if next != n {
				t.Fatalf("%d layers in %d bands: %v", n, k, bands)
			}
		}
	}
}

// A band ends earlier where fewer links pass on.
func TestCutWhereFewLinksPass(t *testing.T) {
	if got, want := row(10).cut(2), []band{{0, 5}, {5, 10}}; !slices.Equal(got, want) {
		t.Errorf("a chain: got %v, want %v", got, want)
	}
	over := row(10, link{from: 4, to: 6, count: 1})
	if got, want := over.cut(2)[0], (band{0, 4}); got != want {
		t.Errorf("with a link over the middle: got %v, want %v", got, want)
	}
}

// A short row is one strip; a long one is cut.
func TestBestCut(t *testing.T) {
	if cut, _ := row(3).best(1); cut != nil {
		t.Errorf("3 layers: got %v, want one strip", cut)
	}
	cut, height := row(60).best(1)
	if len(cut) < 2 || height < float64(len(cut))*100 {
		t.Errorf("60 layers: got %v, %v high", cut, height)
	}
}

// A chain is never cut, however long: a band begins behind a router, or where ways meet.
func TestCutOnlyWhereWaysPartOrMeet(t *testing.T) {
	c := row(30)
	clear(c.may)
	if got, want := c.cut(3), []band{{0, 30}}; !slices.Equal(got, want) {
		t.Errorf("a chain: got %v, want %v", got, want)
	}
	c.may[12], c.may[13] = true, true
	if got, want := c.cut(3), []band{{0, 12}, {12, 30}}; !slices.Equal(got, want) {
		t.Errorf("with a router: got %v, want %v", got, want)
	}
}
