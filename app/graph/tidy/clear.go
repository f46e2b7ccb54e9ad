package tidy

import (
	"cmp"
	"math"

	"github.com/formgraph/formgraph/app/graph"
)

// Limits of moving cards out of the way of edges. A release frees the cards that are level with an end of the edge they lie on; the
// following rounds move them away.
const (
	releases    = 4
	clearRounds = 12
	blockedCost = 2500 // of an edge over a card, as units of rise and fall
	clearance   = 16   // between an edge and a card that it passes
)

// blocked is a card in the way of a link.
type blocked struct {
	link, card int32
	up, down   float64 // how far the card must move to be out of the way
	side       int     // -1 if the card belongs above the link, 1 below, 0 if either is good
}

// clearWays moves cards out of the way of the edges that pass their column, as the scene draws them. It keeps the best placing that it
// finds, by how often an edge still runs over a card.
func (p *placing) clearWays() {
	var list []blocked
	p.snapAll()
	best, least := p.tops(), p.cost(p.inTheWay(&list))
	lefts, rights := append([]int32(nil), p.left...), append([]int32(nil), p.right...)
	for range releases {
		if len(list) == 0 {
			break
		}
		p.releaseFor(list)
		for range clearRounds {
			p.moveFor(list)
			p.part()
			p.snapAll()
			n := p.inTheWay(&list)
			if c := p.cost(n); c < least {
				best, least = p.tops(), c
				lefts, rights = append(lefts[:0], p.left...), append(rights[:0], p.right...)
			}
			if n == 0 {
				break
			}
		}
	}
	p.left, p.right = lefts, rights
	p.regroup(best)
	copy(p.y, p.want)
}

// snapAll rounds places to the grid. All distances are multiples of it, so none becomes smaller.
func (p *placing) snapAll() {
	for b := range p.y {
		p.y[b] = graph.Snap(p.y[b])
	}
}

// tops returns the height of every vertex in the stacks.
func (p *placing) tops() []float64 {
	t := make([]float64, len(p.layer))
	for _, column := range p.stacks {
		for _, v := range column {
			t[v] = p.top(v)
		}
	}
	return t
}

// releaseFor frees the cards that cannot move out of the way of a link because they are in a block with one of its ends.
func (p *placing) releaseFor(list []blocked) {
	changed := false
	for _, b := range list {
		l := &p.links[b.link]
		if l.back {
			continue
		}
		if p.block[b.card] == p.block[l.from] && p.right[l.from] >= 0 {
			changed = true
			p.release(p.right[l.from])
		}
		if p.block[b.card] == p.block[l.to] && p.left[l.to] >= 0 {
			changed = true
			p.release(p.left[l.to])
		}
	}
	if changed {
		p.regroup(p.tops())
	}
}

// moveFor sets the desired places of blocks so that no card is in the way.
func (p *placing) moveFor(list []blocked) {
	copy(p.want, p.y)
	up, down := p.sum, p.weight
	clear(up)
	clear(down)
	side := p.up
	clear(side)
	for i := range list {
		b := &list[i]
		k := p.block[b.card]
		up[k], down[k] = max(up[k], b.up), max(down[k], b.down)
		side[k] += float64(b.side)
	}
	for k := range p.want {
		switch {
		case up[k] == 0:
		case side[k] < 0 || side[k] == 0 && up[k] < down[k]:
			p.want[k] -= graph.SnapUp(up[k])
		default:
			p.want[k] += graph.SnapUp(down[k])
		}
	}
}

// cost rates a placing by the blocked edges and by how far edges rise and fall.
func (p *placing) cost(inTheWay int) float64 {
	rise := 0.0
	for i := range p.links {
		l := &p.links[i]
		if !l.back {
			rise += math.Abs(p.top(l.from) + l.lo - p.top(l.to) - p.cards[l.to].InY)
		}
	}
	return rise + blockedCost*float64(inTheWay)
}

// inTheWay lists the cards in the way of links and returns how many edges are blocked, counted once for each card.
func (p *placing) inTheWay(list *[]blocked) int {
	*list = (*list)[:0]
	n := 0
	for i := range p.links {
		l := &p.links[i]
		a, b := p.layer[l.from], p.layer[l.to]
		switch {
		case l.back && (l.bend >= 0 || a-b < 2):
			source, target := p.rect(l.from), p.rect(l.to)
			c := graph.Back(graph.Vec{X: source.Right(), Y: source.Y}, graph.Vec{X: target.X, Y: target.Y}, source, target, int(l.lane))
			for k := b; k <= a; k++ {
				n += p.blockedIn(k, int32(i), -1, c.P[2].Y, c.P[2].Y, list)
			}
		case !l.back && l.bend >= 0 && !p.level[i]:
			n += p.blockedOn(int32(i), list)
		}
	}
	return n
}

// blockedOn lists the cards in the way of a link that leads to the right.
func (p *placing) blockedOn(i int32, list *[]blocked) int {
	l := &p.links[i]
	source, target := p.rect(l.from), p.rect(l.to)
	from, way := source.Right(), target.X-source.Right()
	upper, lower, end := source.Y+l.lo, source.Y+l.hi, target.Y+p.cards[l.to].InY
	n := 0
	for k := range p.spanOf(l) - 1 {
		v := l.bend + k
		x, w := p.x[p.layer[v]], p.width[p.layer[v]]
		f, g := along((x-from)/way), along((x+w-from)/way)
		lo := min(upper+(end-upper)*f, upper+(end-upper)*g)
		hi := max(lower+(end-lower)*f, lower+(end-lower)*g)
		n += p.blockedIn(p.layer[v], i, v, lo, hi, list)
	}
	return n
}

// blockedIn lists the cards of a column that lie in the way of a link that passes between two heights. The ends of the link never do: a
// loop keeps clear of its ends, and other edges do not pass their columns. bend is the link's vertex in the column, or -1.
func (p *placing) blockedIn(column, link, bend int32, lo, hi float64, list *[]blocked) int {
	cards := p.stacks[column]
	l := &p.links[link]
	// The column is sorted by height: skip the cards above.
	i, j := 0, len(cards)
	for i < j {
		m := (i + j) / 2
		if p.top(cards[m])+p.height[cards[m]] <= lo-clearance {
			i = m + 1
		} else {
			j = m
		}
	}
	n := 0
	for ; i < len(cards) && p.top(cards[i]) < hi+clearance; i++ {
		v := cards[i]
		if !p.card(v) {
			continue
		}
		b := blocked{link: link, card: v, up: p.top(v) + p.cards[v].Rect.H - lo + clearance, down: hi + clearance - p.top(v)}
		if b.up <= 0 {
			continue
		}
		if bend >= 0 && p.beside(v, l) {
			b.side = cmp.Compare(p.pos[v], p.pos[bend])
		}
		*list = append(*list, b)
		n += int(l.count)
	}
	return n
}

// beside reports whether a card and a link share a card from which they come or to which they lead. If so, the card stays on the
// side of its handle; if not, the nearer side is good enough.
func (p *placing) beside(v int32, l *link) bool {
	for _, k := range p.ins.of(v) {
		if p.segs[k].u == l.from {
			return true
		}
	}
	for _, k := range p.outs.of(v) {
		if p.segs[k].v == l.to {
			return true
		}
	}
	return false
}

func (p *placing) rect(v int32) graph.Rect {
	c := p.cards[v]
	return graph.Rect{X: p.x[p.layer[v]], Y: p.top(v), W: c.Rect.W, H: c.Rect.H}
}

// along returns the fraction of its height by which an edge has risen at the fraction x of its width. The curve of graph.Forward is x =
// 1.5t(1-t) + t³ and y = 3t² - 2t³.
func along(x float64) float64 {
	lo, hi := 0.0, 1.0
	for range 12 {
		t := (lo + hi) / 2
		if 1.5*t*(1-t)+t*t*t < x {
			lo = t
		} else {
			hi = t
		}
	}
	t := (lo + hi) / 2
	return t * t * (3 - 2*t)
}
