package tidy

import "github.com/formgraph/formgraph/app/graph"

// columns are the horizontal positions of the layers.
type columns struct {
	x     []float64 // left side of each layer
	width []float64
}

// total returns the total width of all columns.
func (c columns) total() float64 { return c.end(len(c.x) - 1) }

func (c columns) end(i int) float64 { return c.x[i] + c.width[i] }

// columnsOf returns the columns of a layering: as wide as their widest cards, and as far apart as the edges between them require.
func columnsOf(s *layering) columns {
	n := s.depth()
	passing, far := make([]int32, n+1), make([]bool, n+1)
	for i := range s.links {
		l := &s.links[i]
		a, b := s.layer[l.from], s.layer[l.to]
		passing[min(a, b)] += l.count
		passing[max(a, b)] -= l.count
		if l.back && graph.LoopPad+graph.LaneStep*l.lane > graph.LayerGap-lineGap/2 {
			far[a+1], far[b] = true, true // to the right of its beginning and the left of its end
		}
	}
	c := columns{x: make([]float64, n), width: make([]float64, n)}
	router := make([]bool, n)
	for v, card := range s.cards {
		i := s.layer[v]
		c.width[i] = max(c.width[i], card.Rect.W)
		router[i] = router[i] || card.Kind == graph.RouterKind
	}
	x, pass := 0.0, int32(0)
	for i := range n {
		c.x[i] = x
		pass += passing[i]
		gap := float64(graph.LayerGap)
		switch {
		case router[i]:
			gap = graph.RuleGap
		case pass >= manyPass || far[i+1]:
			gap = wideGap
		}
		x += graph.SnapUp(c.width[i]) + gap
	}
	return c
}
