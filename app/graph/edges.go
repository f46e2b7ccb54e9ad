package graph

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
)

// edges are the edges of a scene by slot, with an index to find them by place.
type edges struct {
	all  []*Edge // nil where an edge was removed
	free []int32 // slots to reuse

	at     *index  // the regions on which the paths of edges depend, which contain the paths, by a number of their own
	owner  []*Edge // of a region
	unused []int32 // numbers of regions to reuse
	round  uint32  // number of the last search by region
	found  []*Edge
	direct *index // the direct paths, by slot
	turned *index // the detours to the right, by slot: those to the left depend on them

	way     way // of the edge that is being looked at
	lanes   *lanes
	redrawn []*Edge // whose paths may have changed
	gone    []Curve // the paths of edges that were removed
	ranked  bool    // the ranks of cards are right
	fresh   bool    // all detours are yet to be found
	waiting []*Edge // whose detours are looked for when all direct paths are known
	shifted []Rect  // where paths that others see have changed
}

// shiftedRegions is how many regions are kept of where paths or lines have changed. More are united, and cost more work than they must.
const shiftedRegions = 64

// newEdges returns no edges, in the memory of others.
func newEdges(was edges, n int) edges {
	return edges{
		all: emptied(was.all), owner: emptied(was.owner), at: newIndex(2 * n), direct: newIndex(n), turned: newIndex(n),
		lanes: newLanes(n), round: was.round, fresh: true,
	}
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
		s.ranked = s.ranked && e.out == i && e.To == o.To && e.source == c
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
			s.ranked = false
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
		s.leave(s.direct, e)
		s.leave(s.turned, e)
		if !s.fresh {
			s.gone = append(s.gone, e.Curve)
		}
		s.lanes.drop(e)
		s.cover(e, nil)
		s.all[e.slot] = nil
		s.free = append(s.free, e.slot)
	}
}

// route finds the direct path of an edge. Its detour, and the places of its lines, are found by settle.
func (s *edges) route(e *Edge) {
	p, seen, ok := e.path(Vec{}, Vec{}, true)
	switch {
	case !ok:
		s.leave(s.direct, e)
		if e.left() {
			s.leave(s.turned, e)
		}
		s.waiting = append(s.waiting, e)
		e.plan.detour = true
		return
	case p != e.plan || !s.direct.has(e.slot):
		s.leave(s.direct, e)
		s.leave(s.turned, e)
		if p.Shape != Stub {
			s.shift(&p.Curve)
			s.direct.put(e.slot, p.Bounds())
		}
	}
	s.set(e, p, seen)
}

// leave tells that an edge no longer has its path in an index, if it has one there.
func (s *edges) leave(paths *index, e *Edge) {
	if paths.has(e.slot) {
		s.shift(&e.plan.Curve)
		paths.remove(e.slot)
	}
}

// shift tells that a path is gone or new.
func (s *edges) shift(c *Curve) {
	for i := 1; i < len(c.P) && !s.fresh; i++ {
		if a, b := c.P[i-1], c.P[i]; a != b {
			s.shifted = add(s.shifted, RectOf(a, b), shiftedRegions)
		}
	}
}

func (s *edges) set(e *Edge, p plan, seen []Rect) {
	if len(e.parts) == 0 || p != e.plan {
		s.redraw(e)
		e.plan, e.lane, e.Curve = p, p.want, p.Curve
		s.lanes.set(e)
	}
	e.seen = append(e.seen[:0], seen...)
	s.reach(e)
}

// reach keeps the regions of an edge, with the one around its path.
func (s *edges) reach(e *Edge) {
	for i := 1; i < e.Curve.Len(); i++ {
		e.seen = add(e.seen, RectOf(e.Curve.P[i-1], e.Curve.P[i]), seenRegions)
	}
	if e.Curve.Shape == Stub {
		e.seen = add(e.seen, e.Curve.Bounds(), seenRegions)
	}
	s.cover(e, e.seen)
}

// cover sets the regions of an edge.
func (s *edges) cover(e *Edge, regions []Rect) {
	for len(e.parts) > len(regions) {
		n := e.parts[len(e.parts)-1]
		e.parts = e.parts[:len(e.parts)-1]
		s.at.remove(n)
		s.owner[n] = nil
		s.unused = append(s.unused, n)
	}
	for i, r := range regions {
		if i < len(e.parts) {
			if s.at.items[e.parts[i]].rect != r {
				s.at.put(e.parts[i], r)
			}
			continue
		}
		n := int32(len(s.owner)) //nolint:gosec // a form has at most 200,000 values
		if l := len(s.unused); l > 0 {
			n, s.unused = s.unused[l-1], s.unused[:l-1]
			s.owner[n] = e
		} else {
			s.owner = append(s.owner, e)
		}
		e.parts = append(e.parts, n)
		s.at.put(n, r)
	}
}

// in returns the edges of which a region overlaps r, in no particular order. The slice is valid until the next call.
func (s *edges) in(r Rect) []*Edge {
	s.round++
	s.found = s.found[:0]
	for _, n := range s.at.query(r) {
		if e := s.owner[n]; e.met != s.round {
			e.met = s.round
			s.found = append(s.found, e)
		}
	}
	return s.found
}

// settle finds the detours of the edges that wait for it, and of those whose detours depend on direct paths that have changed. Then it gives the
// lines of all that have changed their places, and those of the edges beside them.
func (s *edges) settle() {
	s.detours(false)
	s.detours(true)
	clear(s.waiting)
	s.waiting, s.shifted = s.waiting[:0], s.shifted[:0]
	for _, n := range s.lanes.settle(s.all) {
		e := s.all[n/linesOfEdge]
		if c := e.plan.at(e.lane[0], e.lane[1], e.lane[2]); c != e.Curve {
			s.redraw(e)
			e.Curve = c
			s.reach(e)
		}
	}
	s.uncross()
	s.fresh = false
}

// detours finds the detours of the edges to the left, or of the others, that wait for it or depend on paths that have changed.
func (s *edges) detours(left bool) {
	for _, r := range s.shifted {
		for _, e := range s.in(r) {
			if e.plan.detour {
				s.waiting = append(s.waiting, e)
			}
		}
	}
	s.round++
	round := s.round
	for _, e := range s.waiting {
		if e.slot < 0 || s.all[e.slot] != e || !e.plan.detour || e.met == round || e.left() != left {
			continue
		}
		e.met = round
		pause.Now()
		p, seen, _ := e.path(Vec{}, Vec{}, false)
		if !left && (p != e.plan || !s.turned.has(e.slot)) {
			s.leave(s.turned, e)
			s.shift(&p.Curve)
			s.turned.put(e.slot, p.Bounds())
		}
		s.set(e, p, seen)
	}
}

// left reports whether an edge leads to the left.
func (e *Edge) left() bool { return e.target.InAt().X < e.source.OutAt(e.out).X+leave+arrive }

// reroute routes the edges whose path depends on the cards in a region.
func (s *edges) reroute(r Rect) {
	for _, e := range s.in(r) {
		s.route(e)
	}
}

// near returns the edge nearest to a place that is within reach, or nil.
func (s *edges) near(at Vec, reach float64) *Edge {
	var best *Edge
	for _, e := range s.in(Rect{at.X, at.Y, 0, 0}.Grown(reach)) {
		d := e.Curve.Distance(at)
		// Of two edges at the same distance the one with the later slot wins, so that
		// the result does not depend on the order of the index.
		if d < reach || best != nil && d == reach && e.slot > best.slot {
			best, reach = e, d
		}
	}
	return best
}
