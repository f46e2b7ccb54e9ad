package tidy

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// columns are the horizontal positions of the layers.
type columns struct {
	x     []float64 // left side of each layer
	width []float64
}

// total returns the total width of all columns.
func (c columns) total() float64 { return c.end(len(c.x) - 1) }

func (c columns) end(i int) float64 { return c.x[i] + c.width[i] }

// columnsOf returns the columns of a layering: as wide as their widest cards.
func columnsOf(s *layering) columns {
	n := s.depth()
	c := columns{x: make([]float64, n), width: make([]float64, n)}
	for v, card := range s.cards {
		i := s.layer[v]
		c.width[i] = max(c.width[i], card.Rect.W)
	}
	x := 0.0
	for i := range n {
		c.x[i] = x
		x += graph.SnapUp(c.width[i]) + graph.LayerGap
	}
	return c
}

// upright is the extent of a vertical line of an edge between two columns.
type upright struct{ lo, hi float64 }

// widen moves the columns of a placing apart where more edges than usual turn between them.
func (p *placing) widen() {
	lines := make([][]*upright, len(p.x))
	add := func(gap int32, y, end float64) {
		if gap >= 0 && int(gap) < len(lines) && y != end {
			lines[gap] = append(lines[gap], &upright{min(y, end), max(y, end)})
		}
	}
	for i := range p.links {
		l := &p.links[i]
		y, end := p.top(l.from)+l.lo, p.top(l.to)+p.cards[l.to].InY
		switch {
		case l.back:
			add(p.layer[l.from], y, y-1)
			add(p.layer[l.to]-1, end, end-1)
		case l.bend >= 0 && p.level[i]:
			at := p.top(l.bend)
			add(p.layer[l.from], y, at)
			add(p.layer[l.to]-1, at, end)
		default:
			add(p.layer[l.to]-1, y, end)
		}
	}
	by := 0.0
	for i := range p.x {
		p.x[i] += by
		if n := beside(lines[i]); n > usualLines {
			by += graph.SnapUp(float64(n-usualLines) * graph.LaneStep)
		}
	}
}

// beside returns how many lines are beside each other where there are most.
func beside(lines []*upright) (most int) {
	slices.SortFunc(lines, func(a, b *upright) int { return cmp.Compare(a.lo, b.lo) })
	var ends []float64
	for _, l := range lines {
		ends = slices.DeleteFunc(ends, func(y float64) bool { return y < l.lo })
		ends = append(ends, l.hi)
		most = max(most, len(ends))
	}
	return most
}
