package graph

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
)

// Scene is a form laid out: its cards and edges, with an index to find them by place. Update changes it to another form at a cost that
// depends on the differences. It is not safe for concurrent use.
type Scene struct {
	form   *model.Form
	fields *model.Fields // of form
	cards  []*Card       // Start, Ending, then the nodes in the form's order
	edges  edges
	byKey  map[string]*Card
	byID   map[string]*Card // the target of a pointer: the first card with the id
	cardAt *index
	rev    int
	bounds Rect
	known  int // the rev for which bounds was computed
}

// New returns the scene of a form.
func New(f *model.Form) *Scene {
	s := &Scene{known: -1}
	s.Update(f)
	return s
}

// Form returns the form that the scene shows.
func (s *Scene) Form() *model.Form { return s.form }

// Rev returns a number that increases whenever Update changes a card or an edge.
func (s *Scene) Rev() int { return s.rev }

// Cards returns all cards in drawing order, the lowest first. The caller must
// not change the slice.
func (s *Scene) Cards() []*Card { return s.cards }

// Edges calls f for every edge.
func (s *Scene) Edges(f func(*Edge)) {
	for _, e := range s.edges.all {
		if e != nil {
			f(e)
		}
	}
}

// Card returns the card with a key, or nil; see model.Form.Keys. An id is the key of the first card that has it, to which pointers lead.
func (s *Scene) Card(key string) *Card { return s.byKey[key] }

// CardOf returns the card of a place in the graph that Form.At returned.
func (s *Scene) CardOf(at model.Place) *Card {
	switch at.End {
	case model.StartID:
		return s.cards[0]
	case model.EndingID:
		return s.cards[1]
	}
	return s.cards[ends+at.Node]
}

// Edge returns the edge that begins at a port of the card with a key, or nil.
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

// CardsIn appends the cards that overlap r, in no particular order.
func (s *Scene) CardsIn(r Rect, found []*Card) []*Card {
	for _, i := range s.cardAt.query(r) {
		found = append(found, s.cards[i])
	}
	return found
}

// EdgesIn appends the edges that may be visible in r, in no particular order.
func (s *Scene) EdgesIn(r Rect, found []*Edge) []*Edge {
	for _, e := range s.edges.in(r) {
		b := e.Curve.Bounds()
		// The rectangle around a long edge says little about its path.
		if !b.Overlaps(r) || (b.W > 2*r.W || b.H > 2*r.H) && !e.Curve.Meets(r) {
			continue
		}
		found = append(found, e)
	}
	return found
}

// ends is the number of cards before those of the nodes.
const ends = 2

// Update lays out another form. Nodes that still exist keep their *Card and *Edge. Nodes are compared by identity, so only what an edit
// changed is laid out again. A router is also laid out again if the names of fields in its rules changed.
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
	fields := f.Fields()
	renamed := fields != s.fields
	s.fields = fields
	for i, n := range f.Nodes {
		if c := s.cards[ends+i]; c.node != n || renamed && c.reworded(fields) {
			c.lay(n, fields, i)
			changed = append(changed, c)
		}
	}
	if len(changed) == 0 {
		return
	}
	s.rev++
	s.placeAll(changed)
	var left []Rect // and entered: the regions in which other cards may now be in the way
	for _, c := range changed {
		if was := s.cardAt.items[c.slot].rect; was != c.Rect {
			left = append(left, was, c.Rect)
			s.cardAt.put(c.slot, c.Rect)
		}
	}
	for _, c := range changed {
		s.edges.link(c, s.byID)
	}
	// link routes the edges that begin at a changed card. Those that end there may begin elsewhere.
	for _, c := range changed {
		for _, e := range c.ins {
			s.edges.route(e)
		}
	}
	for _, r := range left {
		s.edges.reroute(r)
	}
	s.edges.settle()
}

// sameIDs reports whether the nodes have the same ids in the same order, so that every pointer has the same target as before.
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

// rebuild lays out a form with other nodes, or with the nodes in another order.
// Cards are kept by key and edges by port.
func (s *Scene) rebuild(f *model.Form) {
	s.rev++
	was := make(map[string]*Card, len(s.cards))
	for _, c := range s.cards {
		was[c.Key] = c
		c.ins = emptied(c.ins)
	}
	old := s.cards
	s.cards = make([]*Card, 0, len(f.Nodes)+ends)
	if len(old) > 0 {
		s.cards = append(s.cards, old[0], old[1])
	} else {
		for _, id := range []string{model.StartID, model.EndingID} {
			s.cards = append(s.cards, &Card{Key: id, ID: id, Place: -1, all: s})
		}
	}
	s.layEnds(f)
	s.byKey = make(map[string]*Card, len(f.Nodes)+ends)
	s.byID = make(map[string]*Card, len(f.Nodes)+ends)
	for _, c := range s.cards {
		s.byKey[c.Key], s.byID[c.ID] = c, c
	}
	keys, fields := f.Keys(), f.Fields()
	s.fields = fields
	for i, n := range f.Nodes {
		pause.Now()
		c := was[keys[i]]
		if c == nil {
			c = &Card{Key: keys[i], all: s}
		}
		if c.node != n || c.Place != i || c.reworded(fields) {
			c.lay(n, fields, i)
		}
		s.cards = append(s.cards, c)
		s.byKey[c.Key] = c
		if s.byID[n.ID] == nil && n.ID != "" {
			s.byID[n.ID] = c
		}
	}
	pause.Now()
	s.placeAll(s.cards)
	pause.Now()
	s.cardAt = newIndex(len(s.cards))
	s.edges = newEdges(s.edges, len(s.cards))
	for i, c := range s.cards {
		c.slot = int32(i)
		s.cardAt.put(c.slot, c.Rect)
		for _, e := range c.edges {
			if e != nil {
				e.slot, e.target, e.parts = -1, nil, e.parts[:0]
			}
		}
	}
	for _, c := range s.cards {
		pause.Now()
		s.edges.link(c, s.byID)
	}
	s.edges.settle()
}

// lay sets the content of a node's card, and its place if the form has one.
func (c *Card) lay(n *model.Node, fields *model.Fields, place int) {
	c.ID, c.Place, c.node = n.ID, place, n
	c.Content = contentOf(n, fields, c.Content)
	c.put(n.At, n.Placed)
}

// layEnds is lay for the two ends, and reports whether one of them changed.
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

// put sets size and place. A card without coordinates stays where it was put before, so that an edit that changes the bounds does not move
// it.
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

// Chosen returns the cards with these keys, all cards for nil, and the rectangle around them.
func (s *Scene) Chosen(keys map[string]bool) (cards []*Card, around Rect) {
	for _, c := range s.cards {
		if keys == nil || keys[c.Key] {
			cards = append(cards, c)
			around = around.Union(c.Rect)
		}
	}
	return cards, around
}
