package graph

import (
	"math"

	"github.com/formgraph/formgraph/model"
)

// Distances between the cards of a layout. All are multiples of the grid.
const (
	LayerGap = 80  // between the cards of one layer and the next
	RuleGap  = 160 // the same to the right of a router, whose edges are labelled with its rules
	CardGap  = 40  // between cards of one layer, at least
)

// NewCardHeight is the height of a new card: a step with its button, a flow, or a router with its fallback.
const NewCardHeight = HeaderHeight + 2*ListPadding + RowHeight

// RoomAfter returns the place for a new card on a way out of a card, and the new places, by key, of the cards that make room for it. The
// new card is level with the way out. If the way leads to a card at the right with enough room before it, the new card goes in the middle
// between them. On a row's way out without a target, the new card goes above or below existing cards, and the card that it rejoins moves to
// the right. In all other cases existing cards move to the right.
func (s *Scene) RoomAfter(source *Card, out int) (at model.Point, moved map[string]model.Point) {
	var target *Card
	if e := source.edges[out]; e != nil {
		target = e.target
	}
	gap := float64(LayerGap)
	if source.Kind == RouterKind {
		gap = RuleGap
	}
	r := Rect{source.Rect.Right() + gap, source.OutAt(out).Y - HeaderHeight/2, CardWidth, NewCardHeight}
	row := source.Outs[out].Row >= 0
	switch {
	case leadsRight(source, target):
		if row {
			r.Y = target.InAt().Y - HeaderHeight/2
		}
		if room := target.Rect.X - source.Rect.Right(); room >= CardWidth+2*LayerGap {
			r.X = source.Rect.Right() + Snap((room-CardWidth)/2)
			r.Y = Snap(source.edges[out].Curve.At(.5).Y - HeaderHeight/2)
		}
	case target == nil && row:
		r.Y = s.freeLevel(r)
		target = Rejoin(source, out)
	}
	return s.RoomFor(r, nil, source, target)
}

// Rejoin returns the card to which a new card behind a rule without a target should lead, so that its branch continues: the target at the
// right of the router's fallback. It is nil for other ways out.
func Rejoin(router *Card, out int) *Card {
	if router.Outs[out].Port.Rule() == "" || router.edges[out] != nil {
		return nil
	}
	if e := router.edges[len(router.edges)-1]; e != nil && leadsRight(router, e.target) {
		return e.target
	}
	return nil
}

// RoomBetweenEnds is RoomAfter for the first node of a form, between Start and Ending.
func (s *Scene) RoomBetweenEnds() (at model.Point, moved map[string]model.Point) {
	start, ending := s.cards[0], s.cards[1]
	return s.RoomFor(Rect{start.Rect.Right() + LayerGap, start.Rect.Y, CardWidth, NewCardHeight}, nil, start, ending)
}

// leadsRight reports whether an edge from a card to another runs to the right.
func leadsRight(source, target *Card) bool {
	return target != nil && target.Rect.X >= source.Rect.Right()
}

// freeLevel returns the nearest height at which r is clear of all cards: its own, or one on the grid. It returns its own if none is free
// within a few cards.
func (s *Scene) freeLevel(r Rect) float64 {
	const far = 60 * Grid
	free := func(y float64) bool { return len(s.CardsIn(Rect{r.X, y, r.W, r.H}.Grown(CardGap-1), nil)) == 0 }
	if free(r.Y) {
		return r.Y
	}
	for d := 0.0; d <= far; d += Grid {
		for _, y := range []float64{Snap(r.Y) + d, Snap(r.Y) - d} {
			if free(y) {
				return y
			}
		}
	}
	return r.Y
}

// RoomFor returns the place for a card that is put at r between source and target, which may be nil, and the new places, by key, of the
// cards that make room for it. self is the card if the scene already has it. Cards to its left keep their places and push it to the right.
// Cards to its right that would be covered or overtaken move to the right together, as far as needed. Cards that did not overlap before do
// not overlap afterwards.
func (s *Scene) RoomFor(r Rect, self, source, target *Card) (at model.Point, moved map[string]model.Point) {
	m := rightShift{scene: s, self: self, middle: r.Center().X}
	if leadsRight(source, target) {
		m.target = target
	}
	if m.target != nil || target == nil {
		m.source = source
		r.X = max(r.X, source.Rect.Right()+CardGap)
	}
	r.X = m.pushed(r)
	m.by = SnapUp(m.distance(r))
	moved = make(map[string]model.Point)
	for i := 0; i < len(m.cards); i++ {
		m.spread(m.cards[i])
	}
	for _, c := range m.cards {
		moved[c.Key] = c.Rect.Origin().Add(Vec{X: m.by}).Point()
	}
	return r.Origin().Point(), moved
}

// rightShift is a group of cards that moves to the right to make room.
type rightShift struct {
	scene          *Scene
	self           *Card
	source, target *Card // each only if it must stay to the left or to the right of the new card
	middle         float64
	by             float64
	cards          []*Card
	in             map[*Card]bool
}

// right reports whether a card is to the right of the new one, and so makes room for it.
func (m *rightShift) right(c *Card) bool {
	return c != m.self && c != m.source && (c == m.target || c.Rect.Center().X >= m.middle)
}

// pushed returns the least x, not less than r's, at which r is clear of the cards to its left.
func (m *rightShift) pushed(r Rect) float64 {
	for again := true; again; {
		again = false
		for _, c := range m.scene.CardsIn(r.Grown(CardGap), nil) {
			if x := c.Rect.Right() + CardGap; c != m.self && !m.right(c) && r.X < x && level(r, c.Rect) {
				r.X, again = math.Ceil(x), true
			}
		}
	}
	return r.X
}

// level reports whether two cards overlap vertically, so that one would meet the other by a move to the side.
func level(a, b Rect) bool { return a.Y < b.Bottom()+CardGap && b.Y < a.Bottom()+CardGap }

// distance returns how far the cards to the right of r must move, and adds those that r would cover.
func (m *rightShift) distance(r Rect) (by float64) {
	m.in = make(map[*Card]bool)
	near := Rect{r.X - CardWidth, r.Y, r.W + CardWidth, r.H}.Grown(LayerGap)
	near.X = min(near.X, m.middle-CardWidth) // r may have been pushed past cards that were to its right
	near.W = r.Right() + LayerGap - near.X
	for _, c := range m.scene.CardsIn(near, nil) {
		if m.right(c) && level(r, c.Rect) && c.Rect.X < r.Right()+LayerGap {
			by = max(by, r.Right()+LayerGap-c.Rect.X)
			m.add(c)
		}
	}
	if m.target != nil && m.target.Rect.X < r.Right()+LayerGap {
		by = max(by, r.Right()+LayerGap-m.target.Rect.X)
		m.add(m.target)
	}
	return by
}

func (m *rightShift) add(c *Card) {
	if !m.in[c] {
		m.in[c] = true
		m.cards = append(m.cards, c)
	}
}

// spread adds the cards that a card of the group would cover at its new place, or would overtake although an edge leads to them.
func (m *rightShift) spread(c *Card) {
	way := Rect{c.Rect.X, c.Rect.Y - CardGap, c.Rect.W + m.by + CardGap, c.Rect.H + 2*CardGap}
	for _, o := range m.scene.CardsIn(way, nil) {
		if m.right(o) && o.Rect.X >= c.Rect.X && level(c.Rect, o.Rect) {
			m.add(o)
		}
	}
	for _, e := range c.edges {
		if e != nil && e.target != nil && m.right(e.target) && leadsRight(c, e.target) && e.target.Rect.X < c.Rect.Right()+m.by+CardGap {
			m.add(e.target)
		}
	}
}
