package graph

import (
	"math"
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Distances of the tidy layout. All are whole steps of the grid.
const (
	layerGap = 80  // between the cards of one layer and the next
	wideGap  = 120 // the same where many edges pass, or a loop stands far out
	ruleGap  = 160 // the same right of a router, whose rules are written on its edges
	cardGap  = 40  // between cards of one layer, at least
	lineGap  = 20  // beside an edge that passes through a layer
	partGap  = 80  // between parts that no edge joins
	manyPass = 8   // edges through one gap that make it a wide one
)

// lastPlace is the last step of the grid within the bounds of coordinates.
const lastPlace = model.MaxCoordinate / Grid * Grid

// Tidy returns where cards stand in a layered layout from left to right: Start
// first, Ending last and alone, every edge that is not a loop to the right, the
// targets of a card in the order of its handles where that costs no crossing.
// A layout much wider than a page goes on in bands below each other; an edge from
// one to the next runs back between them.
// What Start does not lead to stands in rows below. The layout follows from the
// graph and the sizes of the cards, not from where they stood, so a tidy form
// stays as it is; Start keeps its place, rounded to the grid.
//
// With only, just the cards of these keys are laid out, among themselves, and
// the left upper corner around them stays. nil means all cards.
//
// The map has the cards whose place differs from the form's, by Card.Key; a card that
// the form does not place is always in it. All places lie on the grid and within the
// bounds of coordinates. A form too large for them as layers is set in plain rows. The
// scene is not changed.
func Tidy(s *Scene, only map[string]bool) map[string]model.Point { return tidy(s, only, pageWidth) }

// tidy is Tidy with the width up to which a layout stays one strip.
func tidy(s *Scene, only map[string]bool, strip float64) map[string]model.Point {
	cards, corner := s.chosen(only)
	moved := make(map[string]model.Point)
	if len(cards) == 0 {
		return moved
	}
	at, size := layParts(cards, strip)
	if size.X > 2*lastPlace || size.Y > 2*lastPlace {
		at, size = layRows(cards)
	}
	anchor := corner.Origin()
	if only == nil {
		anchor = cards[0].Rect.Origin().Sub(at[0])
	}
	anchor = Vec{inBounds(anchor.X, size.X), inBounds(anchor.Y, size.Y)}
	for i, c := range cards {
		c.give(moved, at[i].Add(anchor).Point())
	}
	return moved
}

// chosen returns the cards of keys, all for nil, and the rectangle around them.
func (s *Scene) chosen(keys map[string]bool) (cards []*Card, around Rect) {
	for _, c := range s.cards {
		if keys == nil || keys[c.Key] {
			cards = append(cards, c)
			around = around.Union(c.Rect)
		}
	}
	return cards, around
}

// give notes a new place of a card. A card that the form does not place gets one
// even where it stands there already: it would else move with the next edit.
func (c *Card) give(moved map[string]model.Point, p model.Point) {
	if c.Auto || At(p) != c.Rect.Origin() {
		moved[c.Key] = p
	}
}

// inBounds rounds the least coordinate of a layout to the grid and moves it so
// that the greatest, size further on, is within the bounds as well.
func inBounds(v, size float64) float64 {
	return max(-lastPlace, min(lastPlace-size, snap(v)))
}

func snap(v float64) float64 { return math.Round(v/Grid) * Grid }

// layParts lays out each part of a graph and sets the parts below each other:
// what Start leads to first, the others in rows as wide as it. It returns a place
// for every card, the least coordinates being 0, and how far the greatest are.
// A part wider than strip may go on in bands.
func layParts(cards []*Card, strip float64) (at []Vec, size Vec) {
	at = make([]Vec, len(cards))
	var r rows
	for i, part := range partsOf(cards) {
		sh := newSheet(cards, part)
		sh.layOut(cards, part, strip)
		if i == 0 {
			r.width = max(sh.size.X, autoColumns*(CardWidth+layerGap))
		}
		origin := r.put(sh.size)
		for v, k := range part.members {
			at[k] = origin.Add(sh.at[v])
		}
		if cards[part.members[0]].Kind == StartKind {
			r.end() // the journey has its row for itself
		}
	}
	endRight(cards, at)
	for _, p := range at {
		size = Vec{max(size.X, p.X), max(size.Y, p.Y)}
	}
	return at, size
}

// endRight moves Ending right of everything that leads to it from another part,
// when it stands at the end of Start's row.
func endRight(cards []*Card, at []Vec) {
	if cards[0].Kind != StartKind {
		return
	}
	ending := slices.IndexFunc(cards, func(c *Card) bool { return c.Kind == EndingKind })
	if ending < 0 {
		return
	}
	for i, c := range cards {
		for _, e := range c.edges {
			if e != nil && e.target == cards[ending] {
				at[ending].X = max(at[ending].X, at[i].X+snapUp(c.Rect.W)+layerGap)
			}
		}
	}
}

// layRows sets cards in rows in the order they have, about as wide as high.
func layRows(cards []*Card) (at []Vec, size Vec) {
	var area float64
	for _, c := range cards {
		area += (c.Rect.W + layerGap) * (c.Rect.H + partGap)
	}
	r := rows{width: math.Sqrt(area)}
	for _, c := range cards {
		p := r.put(Vec{snapUp(c.Rect.W), snapUp(c.Rect.H)})
		at = append(at, p)
		size = Vec{max(size.X, p.X), max(size.Y, p.Y)}
	}
	return at, size
}

// rows sets rectangles side by side and begins a new row where one is full.
type rows struct {
	width  float64
	next   Vec
	height float64 // of the row so far
}

func (r *rows) put(size Vec) Vec {
	if r.next.X > 0 && r.next.X+size.X > r.width {
		r.end()
	}
	at := r.next
	r.next.X += snapUp(size.X) + layerGap
	r.height = max(r.height, snapUp(size.Y))
	return at
}

func (r *rows) end() {
	r.next = Vec{0, r.next.Y + r.height + partGap}
	r.height = 0
}
