package graph

import (
	"math"
	"slices"

	"github.com/formgraph/formgraph/model/flow"
)

// Measures of the gaps where edges cross.
const (
	gapHalf     = 5   // from the middle of a gap to its ends
	gapRest     = 4   // of a line between two gaps, at least: with less they are one
	mostRedrawn = 50  // paths that are looked at after an edit; with more all gaps are forgotten
	gapCrowd    = 200 // regions of edges along a line: a line with more has no gaps
)

// Back reports whether the edge is a jump back: it leads to its own node, or to one before it in flow.Order, so that it closes a round. It is
// drawn in a quieter stroke wherever edges differ. An edge of a node that cannot be reached from Start is none.
func (e *Edge) Back() bool {
	if e.target == nil {
		return false
	}
	e.source.all.rank()
	return e.source.rank >= 0 && e.target.rank >= 0 && e.target.rank <= e.source.rank
}

// rank gives the cards their ranks in the flow, if an edge may have changed them. All gaps are looked for anew then.
func (s *Scene) rank() {
	if s.edges.ranked {
		return
	}
	s.edges.ranked = true
	for _, c := range s.cards {
		c.rank = -1
	}
	order, reached := flow.Order(s.form)
	for i, n := range order[:reached] {
		s.cards[ends+n].rank = i + 1
	}
	s.cards[0].rank, s.cards[1].rank = 0, reached+1
	for _, e := range s.edges.all {
		if e != nil {
			e.known = false
		}
	}
}

// Gaps returns the middles of the gaps of the edge in its Curve, where it gives way to an edge that it crosses. Of two edges that cross, the
// jump back gives way, else the one that is vertical there. The caller must not change the slice. It stays as it is when the gaps change.
func (e *Edge) Gaps() []Vec {
	e.source.all.rank()
	if e.known {
		return e.gaps
	}
	e.known = true
	if gaps := e.source.all.edges.gapsOf(e); !slices.Equal(gaps, e.gaps) {
		e.gaps = gaps
	}
	return e.gaps
}

// Gap returns the ends of a gap of the curve, the left or upper one first. Gaps are on lines, not in corners.
func (c *Curve) Gap(g Vec) (from, to Vec) {
	for k := 1; k < c.Len(); k++ {
		if a, b := c.P[k-1], c.P[k]; a != b && a.X == b.X && g.X == a.X && (g.Y-a.Y)*(g.Y-b.Y) < 0 {
			return Vec{g.X, g.Y - gapHalf}, Vec{g.X, g.Y + gapHalf}
		}
	}
	return Vec{g.X - gapHalf, g.Y}, Vec{g.X + gapHalf, g.Y}
}

func (s *edges) gapsOf(e *Edge) (gaps []Vec) {
	back := e.Back()
	for k := 1; k < e.Curve.Len(); k++ {
		a, b := e.Curve.P[k-1], e.Curve.P[k]
		if a == b {
			continue
		}
		found := s.at.some(RectOf(a, b), gapCrowd)
		if len(found) > gapCrowd {
			continue
		}
		s.round++
		for _, n := range found {
			f := s.owner[n]
			if f == e || f.met == s.round {
				continue
			}
			f.met = s.round
			way := a.X == b.X
			if other := f.Back(); back != other {
				way = back
			}
			for j := 1; way && j < f.Curve.Len(); j++ {
				if c, d := f.Curve.P[j-1], f.Curve.P[j]; crosses(a, b, c, d) {
					at := Vec{c.X, a.Y}
					if a.X == b.X {
						at = Vec{a.X, c.Y}
					}
					gaps = addGap(gaps, at)
				}
			}
		}
	}
	return gaps
}

// addGap adds a gap in the order of places, which follows from the form.
func addGap(gaps []Vec, at Vec) []Vec {
	i := len(gaps)
	for i > 0 && (gaps[i-1].X > at.X || gaps[i-1].X == at.X && gaps[i-1].Y > at.Y) {
		i--
	}
	if i > 0 && gaps[i-1] == at {
		return gaps
	}
	gaps = append(gaps, at)
	copy(gaps[i+1:], gaps[i:])
	gaps[i] = at
	return gaps
}

// redraw tells that the path of an edge is about to change.
func (s *edges) redraw(e *Edge) {
	e.known = e.known && !s.fresh
	if !s.fresh && !e.drawn {
		e.was, e.drawn = e.Curve, true
		s.redrawn = append(s.redrawn, e)
	}
}

// uncross forgets the gaps of the edges whose paths have changed, and of those along these paths, as they were and are.
func (s *edges) uncross() {
	many := len(s.redrawn)+len(s.gone) > mostRedrawn
	along := func(c *Curve) {
		for k := 1; k < c.Len() && !many; k++ {
			if c.P[k-1] == c.P[k] {
				continue
			}
			for _, e := range s.in(RectOf(c.P[k-1], c.P[k])) {
				e.known = false
			}
		}
	}
	for _, e := range s.redrawn {
		if e.drawn = false; e.was != e.Curve {
			e.known = false
			along(&e.was)
			along(&e.Curve)
		}
	}
	for i := range s.gone {
		along(&s.gone[i])
	}
	if many {
		for _, e := range s.all {
			if e != nil {
				e.known = false
			}
		}
	}
	s.redrawn, s.gone = emptied(s.redrawn), s.gone[:0]
}

// appendLine appends a line that may have gaps, from the point at which the path is to b, which is included.
func appendLine(path []byte, a, b Vec, gaps []Vec) []byte {
	l := b.Sub(a)
	length := l.Len()
	way := unit(l)
	at := 0.0 // how far the line is drawn
	for {
		// The next gap, and those that it runs into.
		next, end := math.Inf(1), 0.0
		for _, g := range gaps {
			d := g.Sub(a)
			t := d.X*way.X + d.Y*way.Y
			if from := t - gapHalf; math.Abs(d.X*way.Y-d.Y*way.X) < 1 && from >= at && t+gapHalf <= length && from < next {
				next, end = from, t+gapHalf
			}
		}
		if end == 0 {
			return appendVec(append(path, 'L'), b)
		}
		for again := true; again; {
			again = false
			for _, g := range gaps {
				d := g.Sub(a)
				if t := d.X*way.X + d.Y*way.Y; math.Abs(d.X*way.Y-d.Y*way.X) < 1 && t-gapHalf <= end+gapRest && t+gapHalf > end && t+gapHalf <= length {
					end, again = t+gapHalf, true
				}
			}
		}
		path = appendVec(append(path, 'L'), a.Add(way.Scale(next)))
		path = appendVec(append(path, 'M'), a.Add(way.Scale(end)))
		at = end
	}
}
