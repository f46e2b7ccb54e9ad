package canvas

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Warm computes the values that drawing a form needs and discards them; it
// does not touch the document. See the page's warm.
func Warm(f *model.Form) {
	s := graph.New(f)
	var b []byte
	for _, c := range s.Cards() {
		b = appendCard(b, c, look{content: c.Content, id: c.ID, row: -1}, false)
	}
	s.Edges(func(e *graph.Edge) { b = appendEdge(b, e, e.Curve, e.Gaps(), plain) })
	packScene(s, picked{}, nil)
	fitSmall(s.Bounds())
}
