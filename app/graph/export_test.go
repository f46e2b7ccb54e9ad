package graph

import (
	"math"

	"github.com/formgraph/formgraph/model"
)

// TidyStrip is Tidy without bands: every part is one strip, however wide.
func TidyStrip(s *Scene, only map[string]bool) map[string]model.Point {
	return tidy(s, only, math.Inf(1))
}
