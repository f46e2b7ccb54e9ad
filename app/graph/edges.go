package graph

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// edges are the edges of a scene by slot, with an index to find them by place.
type edges struct {
	all  []*Edge // nil where an edge was removed
	free []int32 // slots to reuse
	at   *index  // by the regions on which their paths depend, which contain the paths

	lanes   *lanes
	waiting []*Edge // whose detours are looked for when all direct paths are known
	shifted []Rect  // where direct paths have changed
}

// newEdges returns no edges, in the memory of others.
func newEdges(was edges, n int) edges {
	return edges{all: emptied(was.all), at: newIndex(n), lanes: newLanes(n)}
}

// link updates the edges of a card to its ways out. byID has the target card of each id.
func (s *edges) link(c *Card, byID map[string]*Card) {
	was := c.edges
	c.edges = make([]*Edge, len(c.Outs))
	for i, o := range c.Outs {
		if o.To == "" {
			continue
		}
		var e *Edge
		for j, w := range was {
			if w != nil && w.Port == o.Port {
				e, was[j] = w, nil
				break
			}
		}
		if e == nil {
			e = &Edge{Port: o.Port, slot: -1}
		}
		e.source, e.out, e.To = c, i, o.To
		c.edges[i] = e
		e.aim(byID)
		if e.slot < 0 {
			s.admit(e)
		}
		s.route(e)
	}
	for _, w := range was {
		if w != nil {
			s.dismiss(w)
		}
	}
}

// aim finds the target card of an edge. Nothing points to the start, because its id is not a valid pointer.
func (e *Edge) aim(byID map[string]*Card) {
	var t *Card
	if e.To != model.StartID {
		t = byID[string(e.To)]
	}
	if t == e.target && t != nil {
		return
	}
	if e.target != nil {
		e.target.drop(e)
	}
	e.target = t
	if t != nil {
		t.ins = append(t.ins, e)
	}
}

func (c *Card) drop(e *Edge) {
	for i, in := range c.ins {
		if in == e {
			c.ins = slices.Delete(c.ins, i, i+1)
			return
		}
	}
}

// emptied returns a list for other edges in the memory of one. It keeps no edge, which would keep the form to which it belonged.
func emptied(list []*Edge) []*Edge {
	clear(list)
	return list[:0]
}

func (s *edges) admit(e *Edge) {
	if n := len(s.free); n > 0 {
		e.slot, s.free = s.free[n-1], s.free[:n-1]
		s.all[e.slot] = e
		return
	}
	e.slot = int32(len(s.all)) //nolint:gosec // a form has at most 200,000 values
	s.all = append(s.all, e)
}

func (s *edges) dismiss(e *Edge) {
	if e.target != nil {
		e.target.drop(e)
	}
	if e.slot >= 0 {
		if !e.plan.detour {
			s.shifted = append(s.shifted, e.plan.Bounds())
		}
		s.lanes.drop(e)
		s.at.remove(e.slot)
		s.all[e.slot] = nil
		s.free = append(s.free, e.slot)
	}
}

// route finds the direct path of an edge. Its detour, and the places of its lines, are found by settle.
func (s *edges) route(e *Edge) {
	p, seen, ok := e.path(Vec{}, Vec{}, true)
	if !ok {
		s.waiting = append(s.waiting, e)
		if !e.plan.detour && s.at.has(e.slot) {
			s.shifted = append(s.shifted, e.plan.Bounds())
		}
		e.plan.detour = true
		return
	}
	if !e.plan.detour && s.at.has(e.slot) {
		s.shifted = append(s.shifted, e.plan.Bounds())
	}
	s.shifted = append(s.shifted, p.Bounds())
	s.set(e, p, seen)
}

func (s *edges) set(e *Edge, p plan, seen Rect) {
	e.plan, e.lane, e.Curve, e.seen = p, p.want, p.Curve, seen
	s.lanes.set(e)
	s.at.put(e.slot, seen.Union(p.Bounds()))
}

// settle finds the detours of the edges that wait for it, and of those whose detours depend on direct paths that have changed. Then it gives the
// lines of all that have changed their places, and those of the edges beside them.
func (s *edges) settle() {
	for _, r := range s.shifted {
		for _, i := range s.at.query(r) {
			if e := s.all[i]; e.plan.detour {
				s.waiting = append(s.waiting, e)
			}
		}
	}
	done := make(map[int32]bool, len(s.waiting))
	for _, e := range s.waiting {
		if s.all[e.slot] == e && !done[e.slot] {
			done[e.slot] = true
			p, seen, _ := e.path(Vec{}, Vec{}, false)
			s.set(e, p, seen)
		}
	}
	clear(s.waiting)
	s.waiting, s.shifted = s.waiting[:0], s.shifted[:0]
	for slot := range s.lanes.settle(s.all) {
		e := s.all[slot]
		if c := e.plan.at(e.lane[0], e.lane[1], e.lane[2]); c != e.Curve {
			e.Curve = c
			s.at.put(slot, e.seen.Union(c.Bounds()))
		}
	}
}

// reroute routes the edges whose path depends on the cards in a region.
func (s *edges) reroute(r Rect) {
	for _, i := range s.at.query(r) {
		s.route(s.all[i])
	}
}

// near returns the edge nearest to a place that is within reach, or nil.
func (s *edges) near(at Vec, reach float64) *Edge {
	var best *Edge
	for _, i := range s.at.query(Rect{at.X, at.Y, 0, 0}.Grown(reach)) {
		e := s.all[i]
		d := e.Curve.Distance(at)
		// Of two edges at the same distance the one with the later slot wins, so that
		// the result does not depend on the order of the index.
		if d < reach || best != nil && d == reach && e.slot > best.slot {
			best, reach = e, d
		}
	}
	return best
}
