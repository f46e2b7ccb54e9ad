package tidy

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// How often places are improved. Each round propagates a change by one link, and blocks shorten long paths.
const (
	springRounds = 40
	largeRounds  = 10 // if there are more than largeSheet vertices
	largeSheet   = 5000
)

// pair states that one block is below another in some layer.
type pair struct {
	upper, lower int32
	u, v         int32 // the vertices that meet
}

// placing finds the heights of blocks.
type placing struct {
	alignment
	columns
	y      []float64 // of blocks
	want   []float64
	up     []float64
	least  []float64 // the bounds of y
	most   []float64
	sum    []float64
	weight []float64
	height []float64 // of vertices
	skirt  []float64 // of cards: the free space below each
	down   []*pair   // by the upper block, from the top
	back   []*pair   // by the lower block, from below
}

// place finds the heights: springs pull the ends of links level, the stacks keep cards apart, and cards move out of the way of edges.
func place(a *alignment, cols columns) sheet {
	p := &placing{alignment: *a, columns: cols}
	p.measure()
	p.regroup()
	p.squeeze()
	copy(p.want, p.least)
	p.part()
	rounds := springRounds
	if p.scale > largeSheet {
		rounds = largeRounds
	}
	for range rounds {
		p.pull()
		p.part()
	}
	p.round()
	p.levelEnding()
	p.widen()
	return p.sheet()
}

// sheet returns the places of the cards.
func (p *placing) sheet() sheet {
	least := p.top(0)
	for v := range p.cards {
		least = min(least, p.top(int32(v)))
	}
	sh := sheet{at: make([]graph.Vec, len(p.cards)), size: graph.Vec{X: p.total()}}
	for v := range p.cards {
		sh.at[v] = graph.Vec{X: p.x[p.layer[v]], Y: p.top(int32(v)) - least}
		sh.size.Y = max(sh.size.Y, sh.at[v].Y+p.height[v]+p.skirt[v]-graph.CardGap)
	}
	return sh
}

// levelEnding places an Ending to which nothing leads level with Start. Ending is alone in its column.
func (p *placing) levelEnding() {
	start, ending := int32(-1), int32(-1)
	for v, c := range p.cards {
		switch c.Kind {
		case graph.StartKind:
			start = int32(v)
		case graph.EndingKind:
			ending = int32(v)
		default:
		}
	}
	led := func(l link) bool { return l.to == ending }
	if start >= 0 && ending >= 0 && !slices.ContainsFunc(p.links, led) {
		p.y[p.block[ending]] = p.top(start)
	}
}

func (p *placing) top(v int32) float64 { return p.y[p.block[v]] + p.off[v] }

// measure sets the heights of vertices and the free space below them.
func (p *placing) measure() {
	p.height, p.skirt = make([]float64, len(p.layer)), make([]float64, len(p.cards))
	for v, c := range p.cards {
		p.height[v], p.skirt[v] = math.Ceil(c.Rect.H), graph.CardGap
	}
	for i := range p.links {
		l := &p.links[i]
		if l.bend >= 0 {
			for k := range p.spanOf(l) - 1 {
				p.height[l.bend+k] = graph.SnapUp(l.hi - l.lo)
			}
		}
	}
}

// regroup makes the blocks and puts each at the height of its first vertex.
func (p *placing) regroup() {
	p.join()
	m := int(p.blocks)
	p.y, p.want, p.up = make([]float64, m), make([]float64, m), make([]float64, m)
	p.sum, p.weight = make([]float64, m), make([]float64, m)
	p.pairUp()
}

// pairUp lists which block is directly above which, in topological order from the top, and from below. The orders exist because blocks do
// not cross.
func (p *placing) pairUp() {
	waits := make([]int32, p.blocks)
	below := make([][]int32, p.blocks)
	p.down = p.down[:0]
	for _, column := range p.stacks {
		for j := 1; j < len(column); j++ {
			u, v := column[j-1], column[j]
			p.down = append(p.down, &pair{p.block[u], p.block[v], u, v})
			below[p.block[u]] = append(below[p.block[u]], p.block[v])
			waits[p.block[v]]++
		}
	}
	rank := make([]int32, p.blocks)
	var ready []int32
	for b, w := range waits {
		if w == 0 {
			ready = append(ready, int32(b))
		}
	}
	for i := 0; i < len(ready); i++ {
		rank[ready[i]] = int32(i)
		for _, b := range below[ready[i]] {
			if waits[b]--; waits[b] == 0 {
				ready = append(ready, b)
			}
		}
	}
	p.back = append(p.back[:0], p.down...)
	slices.SortFunc(p.down, func(a, b *pair) int { return cmp.Or(cmp.Compare(rank[a.upper], rank[b.upper]), cmp.Compare(a.v, b.v)) })
	slices.SortFunc(p.back, func(a, b *pair) int { return cmp.Or(cmp.Compare(rank[b.lower], rank[a.lower]), cmp.Compare(a.u, b.u)) })
}

// apart returns how much lower the lower block must be than the upper one.
func (p *placing) apart(q *pair) float64 {
	return p.off[q.u] + p.height[q.u] + p.gap(q.u, q.v) - p.off[q.v]
}

// gap returns the free space between two vertices, one directly above the other.
func (p *placing) gap(u, v int32) float64 {
	switch a, b := p.card(u), p.card(v); {
	case a && b:
		return p.skirt[u]
	case !a && !b:
		return graph.LaneStep
	}
	return lineGap
}

// round rounds places to whole numbers. All distances are whole, so none becomes smaller.
func (p *placing) round() {
	for b := range p.y {
		p.y[b] = math.Round(p.y[b])
	}
}

// pull sets the desired place of each block: half way to where its links would be level. The other half comes from their other ends.
func (p *placing) pull() {
	clear(p.sum)
	clear(p.weight)
	for i := range p.links {
		l := &p.links[i]
		a, b := p.block[l.from], p.block[l.to]
		if l.back || a == b {
			continue
		}
		w := 1 / float64(p.spanOf(l))
		d := p.top(l.from) + (l.lo+l.hi)/2 - p.top(l.to) - p.cards[l.to].InY
		p.sum[a], p.weight[a] = p.sum[a]-w*d, p.weight[a]+w
		p.sum[b], p.weight[b] = p.sum[b]+w*d, p.weight[b]+w
	}
	for b := range p.want {
		p.want[b] = p.y[b]
		if p.weight[b] > 0 {
			p.want[b] += p.sum[b] / p.weight[b] / 2
		}
	}
}

// part moves blocks to their desired places, and apart where they would overlap. The result is the mean of pushing all down and pushing all
// up: each of the two keeps the distances, so the mean does too.
func (p *placing) part() {
	copy(p.y, p.want)
	for _, q := range p.down {
		p.y[q.lower] = max(p.y[q.lower], p.y[q.upper]+p.apart(q))
	}
	copy(p.up, p.want)
	for _, q := range p.back {
		p.up[q.upper] = min(p.up[q.upper], p.up[q.lower]-p.apart(q))
	}
	for b := range p.y {
		p.y[b] = max(p.least[b], min(p.most[b], (p.y[b]+p.up[b])/2))
	}
}
