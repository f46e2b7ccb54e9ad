package tidy

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// layering is one part of a graph in layers. Its vertices are the cards of the part and, after them, a bend wherever a longer edge passes
// through a layer, which keeps cards out of the way of the edge.
type layering struct {
	cards  []*graph.Card
	links  []link
	layer  []int32 // of each vertex
	bendOf []int32 // of each bend: its link
	segs   []seg
	outs   lists // segs by their left vertex, from its upper side down
	ins    lists // segs by their right vertex
	scale  int   // the number of vertices, or in a band that of the whole layout: it limits the effort
}

// link represents the edges from one card to another.
type link struct {
	from, to int32
	lo, hi   float64 // heights of the first and the last handle
	count    int32
	bend     int32 // the first bend, from the left; -1 if there is none
	back     bool
	main     bool // on the main path
}

// seg is the segment of a link between two adjacent layers. The heights pu and pv, as
// fractions of a vertex from 0 to 1, order the segments at one vertex.
type seg struct {
	u, v   int32
	pu, pv float32
	link   int32
}

// lists holds a list of numbers for each vertex, all in one slice.
type lists struct {
	start []int32
	all   []int32
}

func (l *lists) of(v int32) []int32 { return l.all[l.start[v]:l.start[v+1]] }

func newLayering(cards []*graph.Card, p part) *layering {
	s := &layering{}
	last := make([]int32, len(p.members)) // of each member: the last link to it, to merge parallel edges
	for i := range last {
		last[i] = -1
	}
	for v, k := range p.members {
		c := cards[k]
		s.cards = append(s.cards, c)
		for _, a := range p.arcs[k] {
			if p.of[a.to] != p.number {
				continue
			}
			to, y := p.local[a.to], c.Outs[a.out].Y
			if i := last[to]; i >= 0 && s.links[i].from == int32(v) {
				l := &s.links[i]
				l.lo, l.hi, l.count, l.main = min(l.lo, y), max(l.hi, y), l.count+1, l.main || a.main
				continue
			}
			last[to] = int32(len(s.links)) //nolint:gosec // a form has at most 200,000 values
			s.links = append(s.links, link{from: int32(v), to: to, lo: y, hi: y, count: 1, bend: -1, back: a.back, main: a.main})
		}
	}
	s.setLayers()
	s.bendLinks()
	s.cutLinks()
	s.scale = len(s.layer)
	return s
}

// depth returns the number of layers.
func (s *layering) depth() int { return int(slices.Max(s.layer)) + 1 }

// card reports whether a vertex is a card and not a bend.
func (s *layering) card(v int32) bool { return int(v) < len(s.cards) }

// setLayers puts every card one layer to the right of the last card that leads to it.
func (s *layering) setLayers() {
	n := len(s.cards)
	s.layer = make([]int32, n)
	led, first := make([]bool, n), make([]int32, n)
	// Links are ordered by their left ends, and none leads to an earlier one, so one pass is enough.
	for _, l := range s.links {
		if !l.back {
			s.layer[l.to] = max(s.layer[l.to], s.layer[l.from]+1)
			led[l.to] = true
		}
	}
	for _, l := range s.links {
		if !l.back && (first[l.from] == 0 || s.layer[l.to] < first[l.from]) {
			first[l.from] = s.layer[l.to]
		}
	}
	most, ending := int32(-1), -1
	for v, c := range s.cards {
		if c.Kind == graph.EndingKind {
			ending = v // alone after all others
			continue
		}
		if !led[v] && first[v] > 0 && c.Kind != graph.StartKind {
			s.layer[v] = first[v] - 1 // nothing leads to it, so it goes next to its first target
		}
		most = max(most, s.layer[v])
	}
	if ending >= 0 {
		s.layer[ending] = most + 1
	}
}

// bendLinks gives longer links a bend in every layer they pass, the shortest first, as long as there are not many more bends than cards.
// The path of an edge through hundreds of layers does not matter.
func (s *layering) bendLinks() {
	var long []int32
	for i := range s.links {
		if !s.links[i].back && s.spanOf(&s.links[i]) > 1 {
			long = append(long, int32(i))
		}
	}
	slices.SortStableFunc(long, func(a, b int32) int { return cmp.Compare(s.spanOf(&s.links[a]), s.spanOf(&s.links[b])) })
	budget := int32(200 + 4*len(s.cards)) //nolint:gosec // a form has at most 200,000 values
	for _, i := range long {
		l := &s.links[i]
		n := s.spanOf(l) - 1
		if n > budget {
			break
		}
		budget -= n
		l.bend = int32(len(s.layer)) //nolint:gosec // a form has at most 200,000 values
		first := min(s.layer[l.from], s.layer[l.to]) + 1
		for k := range n {
			s.layer = append(s.layer, first+k)
			s.bendOf = append(s.bendOf, i)
		}
	}
}

func (s *layering) spanOf(l *link) int32 {
	d := s.layer[l.to] - s.layer[l.from]
	return max(d, -d)
}

// cutLinks makes the segments of all links whose bends exist.
func (s *layering) cutLinks() {
	for i := range s.links {
		l := &s.links[i]
		n := s.spanOf(l)
		if l.back || n == 0 || n > 1 && l.bend < 0 {
			continue
		}
		a, b := l.from, l.to
		pa, pb := float32(l.lo/(s.cards[a].Height+1)), float32(.5)
		for k := range n {
			g := seg{u: a, v: b, pu: pa, pv: pb, link: int32(i)}
			if k > 0 {
				g.u, g.pu = l.bend+k-1, .5
			}
			if k < n-1 {
				g.v, g.pv = l.bend+k, .5
			}
			s.segs = append(s.segs, g)
		}
	}
	s.outs = s.listed(func(g *seg) (int32, float32) { return g.u, g.pu })
	s.ins = s.listed(func(g *seg) (int32, float32) { return g.v, g.pv })
}

// listed lists the segments by one of their vertices, those of a vertex by height.
func (s *layering) listed(end func(*seg) (int32, float32)) lists {
	l := lists{start: make([]int32, len(s.layer)+1), all: make([]int32, len(s.segs))}
	for i := range s.segs {
		v, _ := end(&s.segs[i])
		l.start[v+1]++
	}
	for v := range s.layer {
		l.start[v+1] += l.start[v]
	}
	fill := slices.Clone(l.start)
	for i := range s.segs {
		v, _ := end(&s.segs[i])
		l.all[fill[v]] = int32(i)
		fill[v]++
	}
	for v := range s.layer {
		if part := l.of(int32(v)); len(part) > 1 {
			slices.SortStableFunc(part, func(a, b int32) int {
				_, x := end(&s.segs[a])
				_, y := end(&s.segs[b])
				return cmp.Compare(x, y)
			})
		}
	}
	return l
}
