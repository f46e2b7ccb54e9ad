package graph

import (
	"github.com/formgraph/formgraph/model"
)

// Scene is a form laid out: its cards and edges, and an index to find them by
// place. Update brings it to another form at the cost of what differs. It is not
// safe for concurrent use.
type Scene struct {
	form   *model.Form
	cards  []*Card // Start, Ending, then the nodes in the form's order
	edges  []*Edge // by slot; nil where one was taken away
	free   []int32 // slots of edges to use again
	byKey  map[string]*Card
	byID   map[string]*Card // of the cards with one id the first: where a pointer leads
	cardAt *index
	edgeAt *index
	rev    int
	bounds Rect
	known  int // the rev that bounds belongs to
	found  []int32
}

// New returns the scene of a form.
func New(f *model.Form) *Scene {
	s := &Scene{known: -1}
	s.Update(f)
	return s
}

// Form returns the form that the scene shows.
func (s *Scene) Form() *model.Form { return s.form }

// Rev is a number that rises whenever Update changed a card or an edge.
func (s *Scene) Rev() int { return s.rev }

// Cards returns all cards in drawing order, the lowest first. The caller must
// not change the slice.
func (s *Scene) Cards() []*Card { return s.cards }

// Edges calls f for every edge.
func (s *Scene) Edges(f func(*Edge)) {
	for _, e := range s.edges {
		if e != nil {
			f(e)
		}
	}
}

// Card returns the card of a key, or nil; see model.Form.Keys. An id is the key of
// the first card that has it, to which pointers lead.
func (s *Scene) Card(key string) *Card { return s.byKey[key] }

// CardOf returns the card of a place that the form's At gave for a part of the graph.
func (s *Scene) CardOf(at model.Place) *Card {
	switch at.End {
	case model.StartID:
		return s.cards[0]
	case model.EndingID:
		return s.cards[1]
	}
	return s.cards[ends+at.Node]
}

// Edge returns the edge that begins at a port of the card of a key, or nil.
func (s *Scene) Edge(key string, port model.Port) *Edge {
	c := s.byKey[key]
	if c == nil {
		return nil
	}
	if i := c.Out(port); i >= 0 {
		return c.edges[i]
	}
	return nil
}

// Bounds returns the rectangle around all cards.
func (s *Scene) Bounds() Rect {
	if s.known != s.rev {
		s.bounds, s.known = Rect{}, s.rev
		for _, c := range s.cards {
			s.bounds = s.bounds.Union(c.Rect)
		}
	}
	return s.bounds
}

// CardsIn appends the cards that overlap r, in no order.
func (s *Scene) CardsIn(r Rect, found []*Card) []*Card {
	s.found = s.cardAt.query(r, s.found[:0])
	for _, i := range s.found {
		found = append(found, s.cards[i])
	}
	return found
}

// EdgesIn appends the edges that may be seen in r, in no order.
func (s *Scene) EdgesIn(r Rect, found []*Edge) []*Edge {
	s.found = s.edgeAt.query(r, s.found[:0])
	for _, i := range s.found {
		e := s.edges[i]
		// The rectangle around a long edge says little of where it runs.
		if b := s.edgeAt.items[i].rect; (b.W > 2*r.W || b.H > 2*r.H) && !e.Curve.Meets(r) {
			continue
		}
		found = append(found, e)
	}
	return found
}

// ends is how many cards are before those of the nodes.
const ends = 2

// Update lays out another form. Cards and edges of nodes that are still there
// keep their pointers; nodes are compared by identity, so only what an edit
// touched is laid out again.
func (s *Scene) Update(f *model.Form) {
	if f == s.form {
		return
	}
	old := s.form
	s.form = f
	if old == nil || !s.sameIDs(f) {
		s.rebuild(f)
		return
	}
	var changed []*Card
	if s.layEnds(f) {
		changed = append(changed, s.cards[0], s.cards[1])
	}
	for i, n := range f.Nodes {
		if c := s.cards[ends+i]; c.node != n {
			s.lay(c, n, i)
			changed = append(changed, c)
		}
	}
	if len(changed) == 0 {
		return
	}
	s.rev++
	s.placeAll(changed)
	for _, c := range changed {
		s.cardAt.put(c.slot, c.Rect)
		s.link(c)
	}
	// What begins at a changed card is routed by link; what ends there may begin
	// elsewhere.
	for _, c := range changed {
		for _, e := range c.ins {
			s.route(e)
		}
	}
}

// sameIDs reports whether the nodes are the same by id and order, so that no
// pointer can lead elsewhere than before.
func (s *Scene) sameIDs(f *model.Form) bool {
	if len(f.Nodes) != len(s.cards)-ends {
		return false
	}
	for i, n := range f.Nodes {
		if c := s.cards[ends+i]; c.node != n && c.ID != n.ID {
			return false
		}
	}
	return true
}

// rebuild lays out a form whose nodes are others than before or in another
// order. Cards and edges are taken over by id and port.
func (s *Scene) rebuild(f *model.Form) {
	s.rev++
	was := make(map[string]*Card, len(s.cards))
	for _, c := range s.cards {
		was[c.Key] = c
		c.ins = c.ins[:0]
	}
	old := s.cards
	s.cards = make([]*Card, 0, len(f.Nodes)+ends)
	if len(old) > 0 {
		s.cards = append(s.cards, old[0], old[1])
	} else {
		for _, id := range []string{model.StartID, model.EndingID} {
			s.cards = append(s.cards, &Card{Key: id, ID: id, Place: -1})
		}
	}
	s.layEnds(f)
	s.byKey = make(map[string]*Card, len(f.Nodes)+ends)
	s.byID = make(map[string]*Card, len(f.Nodes)+ends)
	for _, c := range s.cards {
		s.byKey[c.Key], s.byID[c.ID] = c, c
	}
	keys := f.Keys()
	for i, n := range f.Nodes {
		c := was[keys[i]]
		if c == nil {
			c = &Card{Key: keys[i]}
		}
		if c.node != n || c.Place != i {
			s.lay(c, n, i)
		}
		s.cards = append(s.cards, c)
		s.byKey[c.Key] = c
		if s.byID[n.ID] == nil && n.ID != "" {
			s.byID[n.ID] = c
		}
	}
	s.placeAll(s.cards)
	s.cardAt, s.edgeAt = newIndex(len(s.cards)), newIndex(len(s.cards))
	s.edges, s.free = s.edges[:0], nil
	for i, c := range s.cards {
		c.slot = int32(i)
		s.cardAt.put(c.slot, c.Rect)
		for _, e := range c.edges {
			if e != nil {
				e.slot, e.target = -1, nil
			}
		}
	}
	for _, c := range s.cards {
		s.link(c)
	}
}

// lay sets what a card shows and its place if the form has one.
func (s *Scene) lay(c *Card, n *model.Node, place int) {
	c.ID, c.Place, c.node = n.ID, place, n
	c.Content = contentOf(n, c.Content)
	c.put(n.At, n.Placed)
}

// layEnds does the same for the two ends and reports whether one of them changed.
func (s *Scene) layEnds(f *model.Form) bool {
	start, ending := s.cards[0], s.cards[1]
	was := [2]Card{*start, *ending}
	start.Content = startContent(f.Start.Next, start.Content)
	start.put(f.Start.At, f.Start.Placed)
	ending.Content = endingContent(ending.Content)
	ending.put(f.Ending.At, f.Ending.Placed)
	return was[0].Content != start.Content || was[0].Rect != start.Rect || was[0].Auto != start.Auto ||
		was[1].Content != ending.Content || was[1].Rect != ending.Rect || was[1].Auto != ending.Auto
}

// put sets size and place. A card that the form does not place stays where it
// was put before: else every edit that changes the bounds would move it.
func (c *Card) put(at model.Point, placed bool) {
	c.Rect.W, c.Rect.H = c.Width, c.Height
	if placed {
		c.Rect.X, c.Rect.Y = float64(at.X), float64(at.Y)
		c.Auto = false
		return
	}
	if !c.Auto {
		c.Auto = true
		c.Rect.X, c.Rect.Y = unset, unset
	}
}

// link brings the edges of a card in line with its ways out.
func (s *Scene) link(c *Card) {
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
		s.aim(e)
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

// aim finds the card an edge leads to. Nothing leads to the start: its id is not
// a valid pointer.
func (s *Scene) aim(e *Edge) {
	var t *Card
	if e.To != model.StartID {
		t = s.byID[string(e.To)]
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
			c.ins = append(c.ins[:i], c.ins[i+1:]...)
			return
		}
	}
}

func (s *Scene) admit(e *Edge) {
	if n := len(s.free); n > 0 {
		e.slot, s.free = s.free[n-1], s.free[:n-1]
		s.edges[e.slot] = e
		return
	}
	e.slot = int32(len(s.edges)) //nolint:gosec // a form has at most 200,000 values
	s.edges = append(s.edges, e)
}

func (s *Scene) dismiss(e *Edge) {
	if e.target != nil {
		e.target.drop(e)
	}
	if e.slot >= 0 {
		s.edgeAt.remove(e.slot)
		s.edges[e.slot] = nil
		s.free = append(s.free, e.slot)
	}
}

func (s *Scene) route(e *Edge) {
	e.Curve = e.Moved(Vec{}, Vec{})
	s.edgeAt.put(e.slot, e.Curve.Bounds())
}

// Chosen returns the cards of keys, all for nil, and the rectangle around them.
func (s *Scene) Chosen(keys map[string]bool) (cards []*Card, around Rect) {
	for _, c := range s.cards {
		if keys == nil || keys[c.Key] {
			cards = append(cards, c)
			around = around.Union(c.Rect)
		}
	}
	return cards, around
}
