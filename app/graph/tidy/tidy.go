// Package tidy lays a form out from left to right, in layers, after Sugiyama. It takes the handles and the sizes of the cards into account.
// It knows cards and edges, and changes no form.
//
// The layout is our own. We measured nulab/autog 0.8.0: it has no ports and one size of cards, produced six times as many crossings at 100
// nodes, and failed at 1,000.
package tidy

import (
	"math"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Distances of the layout in addition to those of package graph, multiples of the grid.
const (
	lineGap    = 20 // beside an edge that passes through a layer
	partGap    = 80 // between parts that no edge joins
	usualLines = 4  // of edges that turn between two layers: with more of them these are further apart
)

// lastPlace is the last multiple of the grid within the bounds of coordinates.
const lastPlace = model.MaxCoordinate / graph.Grid * graph.Grid

// Layout returns the places of cards in one flow from left to right. Start is first, and Ending is last and alone. The main path, from Start
// to Ending by the first ways out that lead there, is one straight line. What else a card leads to is below it, or above it where that saves
// crossings, in the order of its handles if that costs none. Every edge that is not a loop leads to the right. A layout much wider than a page
// continues in bands below each other, cut behind a router or before a card in which ways meet, unless too many edges would lead from band to
// band. Cards that cannot be reached from Start are in rows below. Start keeps its place, rounded to the grid.
//
// The layout follows from the graph and the sizes of the cards. But if most cards stand as in a layout, as after an edit of a tidy form, they
// keep their places, unreachable ones among them: only what must move does, unless a new layout would be clearly better.
//
// If only is not nil, just the cards with these keys are laid out, and the upper left corner of the rectangle around them stays. nil means
// all cards.
//
// The map contains the cards whose place differs from the form's, by Card.Key; a card without coordinates in the form is always included.
// Columns lie on the grid, heights are whole numbers so that edges run straight, and all places are within the bounds of coordinates. A form
// whose layers would exceed them is set in plain rows. The scene is not changed.
func Layout(s *graph.Scene, only map[string]bool) map[string]model.Point {
	return layout(s, only, graph.PageWidth)
}

// layout is Layout with the width up to which a layout stays in one strip.
func layout(s *graph.Scene, only map[string]bool, strip float64) map[string]model.Point {
	cards, corner := s.Chosen(only)
	moved := make(map[string]model.Point)
	if len(cards) == 0 {
		return moved
	}
	at, size := arrange(cards, strip)
	if size.X > 2*lastPlace || size.Y > 2*lastPlace {
		at, size = layRows(cards)
	}
	anchor := corner.Origin()
	if only == nil {
		anchor = cards[0].Rect.Origin().Sub(at[0])
	}
	anchor = graph.Vec{X: inBounds(anchor.X, size.X), Y: inBounds(anchor.Y, size.Y)}
	for i, c := range cards {
		c.Give(moved, at[i].Add(anchor).Point())
	}
	return moved
}

// arrange returns places for cards, the least coordinates being 0 or little more, and the greatest: the present ones, repaired, or those of a
// new layout if the cards are not laid out or that is clearly better.
func arrange(cards []*graph.Card, strip float64) (at []graph.Vec, size graph.Vec) {
	parts := partsOf(cards)
	kept := keep(cards, parts, strip)
	if kept != nil && len(cards) > ratedCards {
		return based(kept)
	}
	at, size = layParts(cards, parts, strip)
	switch {
	case kept == nil:
		return at, size
	case stays(cards, at): // keep might find something to repair in a new layout
		for i, c := range cards {
			kept[i] = c.Rect.Origin()
		}
		return based(kept)
	case rate(cards, parts, kept).holds(rate(cards, parts, at)):
		return based(kept)
	}
	return at, size
}

// stays reports whether places are the present ones, but for the origin.
func stays(cards []*graph.Card, at []graph.Vec) bool {
	by := cards[0].Rect.Origin().Sub(at[0])
	for i, c := range cards {
		if c.Auto || at[i].Add(by) != c.Rect.Origin() {
			return false
		}
	}
	return true
}

// based moves places by multiples of the grid so that the least coordinates are 0 or little more, and returns the greatest.
func based(at []graph.Vec) ([]graph.Vec, graph.Vec) {
	least, most := at[0], at[0]
	for _, p := range at {
		least = graph.Vec{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = graph.Vec{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	least = graph.Vec{X: -graph.SnapUp(-least.X), Y: -graph.SnapUp(-least.Y)}
	for i := range at {
		at[i] = at[i].Sub(least)
	}
	return at, most.Sub(least)
}

// inBounds rounds the least coordinate of a layout to the grid and moves it so that the greatest, which is size more, is also within the
// bounds.
func inBounds(v, size float64) float64 {
	return max(-lastPlace, min(lastPlace-size, graph.Snap(v)))
}

// layParts lays out each part of a graph and places the parts below each other: first the part with Start, then the others in rows of the
// same width. It returns a place for every card, the least coordinates being 0, and the greatest coordinates. A part wider than strip may
// continue in bands.
func layParts(cards []*graph.Card, parts []part, strip float64) (at []graph.Vec, size graph.Vec) {
	at = make([]graph.Vec, len(cards))
	var r rows
	for i, part := range parts {
		sh := layPart(cards, part, strip)
		if i == 0 {
			r.width = max(sh.size.X, graph.AutoColumns*(graph.CardWidth+graph.LayerGap))
		}
		origin := r.put(sh.size)
		for v, k := range part.members {
			at[k] = origin.Add(sh.at[v])
		}
		if cards[part.members[0]].Kind == graph.StartKind {
			r.end() // the part with Start has a row of its own
		}
	}
	endRight(cards, at)
	for _, p := range at {
		size = graph.Vec{X: max(size.X, p.X), Y: max(size.Y, p.Y)}
	}
	return at, size
}

// sheet is the layout of a part: the places of its cards, the least coordinates being 0, and its size.
type sheet struct {
	at   []graph.Vec
	size graph.Vec
}

// layPart lays a part out, in bands if it is wider than strip and they show it larger.
func layPart(cards []*graph.Card, p part, strip float64) sheet {
	l := newLayering(cards, p)
	cols := columnsOf(l)
	if cols.total() > strip {
		if sh, ok := wrap(l, cols, cards, p); ok {
			return sh
		}
	}
	return lay(l, cols)
}

// lay lays a layering out in one strip.
func lay(l *layering, cols columns) sheet {
	o := newOrder(l)
	o.improve()
	return place(align(o), cols)
}

// endRight moves Ending to the right of everything that leads to it from another part, if it is at the end of Start's row.
func endRight(cards []*graph.Card, at []graph.Vec) {
	if cards[0].Kind != graph.StartKind {
		return
	}
	ending := slices.IndexFunc(cards, func(c *graph.Card) bool { return c.Kind == graph.EndingKind })
	if ending < 0 {
		return
	}
	for i, c := range cards {
		for _, e := range c.Edges() {
			if e != nil && e.Target() == cards[ending] {
				at[ending].X = max(at[ending].X, at[i].X+graph.SnapUp(c.Rect.W)+graph.LayerGap)
			}
		}
	}
}

// layRows places cards in rows in their order, about as wide as high.
func layRows(cards []*graph.Card) (at []graph.Vec, size graph.Vec) {
	var area float64
	for _, c := range cards {
		area += (c.Rect.W + graph.LayerGap) * (c.Rect.H + partGap)
	}
	r := rows{width: math.Sqrt(area)}
	for _, c := range cards {
		p := r.put(graph.Vec{X: graph.SnapUp(c.Rect.W), Y: graph.SnapUp(c.Rect.H)})
		at = append(at, p)
		size = graph.Vec{X: max(size.X, p.X), Y: max(size.Y, p.Y)}
	}
	return at, size
}

// rows places rectangles side by side and begins a new row when one is full.
type rows struct {
	width  float64
	next   graph.Vec
	height float64 // of the row so far
}

func (r *rows) put(size graph.Vec) graph.Vec {
	if r.next.X > 0 && r.next.X+size.X > r.width {
		r.end()
	}
	at := r.next
	r.next.X += graph.SnapUp(size.X) + graph.LayerGap
	r.height = max(r.height, graph.SnapUp(size.Y))
	return at
}

func (r *rows) end() {
	r.next = graph.Vec{X: 0, Y: r.next.Y + r.height + partGap}
	r.height = 0
}
