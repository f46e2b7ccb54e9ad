package tidy

import (
	"math"

	"github.com/formgraph/formgraph/app/graph"
)

// Limits of how much worse a layout that keeps places may be than a new one.
const (
	ratedCards = 1000 // with more cards there is no new one to compare it with
	mostCost   = 1.4  // of its lines
	leastScale = .5   // at which a page shows it
	leastLevel = .7   // of the edges that are level
	crossCost  = 150  // the length that counts as much as a crossing
	ratedLines = 1000 // with more lines crossings are not counted
)

// rating rates a layout by the straight lines between its handles.
type rating struct {
	overlaps, level, crossings int
	length, scale              float64
}

// rate rates a layout of cards at some places.
func rate(cards []*graph.Card, parts []part, at []graph.Vec) (r rating) {
	var lines [][2]graph.Vec
	var around graph.Rect
	rects := make([]graph.Rect, len(cards))
	for i, c := range cards {
		rects[i] = graph.Rect{X: at[i].X, Y: at[i].Y, W: c.Rect.W, H: c.Rect.H}
		around = around.Union(rects[i])
		for _, o := range rects[:i] {
			if o.Overlaps(rects[i]) {
				r.overlaps++
			}
		}
		for _, a := range parts[0].arcs[i] {
			from, to := at[i].Add(graph.Vec{X: c.Rect.W, Y: c.Outs[a.out].Y}), at[a.to].Add(graph.Vec{Y: cards[a.to].InY})
			if levelLine(from, to) {
				r.level++
			}
			r.length += math.Abs(to.X-from.X) + math.Abs(to.Y-from.Y)
			lines = append(lines, [2]graph.Vec{from, to})
		}
	}
	r.scale = graph.PageScale(graph.Vec{X: around.W, Y: around.H})
	if len(lines) > ratedLines {
		return r
	}
	for i, a := range lines {
		for _, b := range lines[:i] {
			if crossing(a, b) {
				r.crossings++
			}
		}
	}
	return r
}

// levelLine reports whether a line runs level to the right.
func levelLine(from, to graph.Vec) bool { return from.X < to.X && math.Abs(from.Y-to.Y) < 1 }

// crossing reports whether two lines cross inside both.
func crossing(a, b [2]graph.Vec) bool {
	side := func(l [2]graph.Vec, p graph.Vec) bool {
		return (l[1].X-l[0].X)*(p.Y-l[0].Y) > (l[1].Y-l[0].Y)*(p.X-l[0].X)
	}
	return a[0] != b[0] && a[1] != b[1] && side(a, b[0]) != side(a, b[1]) && side(b, a[0]) != side(b, a[1])
}

// cost returns how long the lines are, and how often they cross.
func (r rating) cost() float64 { return r.length + crossCost*float64(r.crossings) }

// holds reports whether a layout that keeps places is hardly worse than a new one.
func (r rating) holds(anew rating) bool {
	return r.overlaps <= anew.overlaps && float64(r.level) >= leastLevel*float64(anew.level) && r.cost() <= mostCost*anew.cost() &&
		r.scale >= leastScale*anew.scale
}
