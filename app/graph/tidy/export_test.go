package tidy

import (
	"math"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Strip is Layout without bands: every part is one strip, however wide.
func Strip(s *graph.Scene, only map[string]bool) map[string]model.Point {
	return layout(s, only, math.Inf(1))
}

// Anew is Layout without regard to the present places.
func Anew(s *graph.Scene) map[string]model.Point {
	cards, _ := s.Chosen(nil)
	at, _ := layParts(cards, partsOf(cards), graph.PageWidth)
	moved := make(map[string]model.Point)
	for i, c := range cards {
		c.Give(moved, at[i].Add(cards[0].Rect.Origin().Sub(at[0]).Snapped()).Point())
	}
	return moved
}
