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
