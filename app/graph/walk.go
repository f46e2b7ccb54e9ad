package graph

import (
	"cmp"
	"math"
	"slices"
)

// Direction is the direction of one of the four arrow keys.
type Direction uint8

// The directions.
const (
	Left Direction = iota
	Right
	Up
	Down
)

// Step returns the card to which an arrow key leads from c, or nil. Right and left walk along edges, up and down among the targets of one
// card. If there is no edge, the nearest card in that direction is next. from is the key of the card from which the walk came to c, to
// which left returns, or "".
func (s *Scene) Step(c *Card, d Direction, from string) *Card {
	var next *Card
	switch d {
	case Right:
		next = c.following()
	case Left:
		if next = s.byKey[from]; next == nil {
			next = c.leading("")
		}
	case Up, Down:
		next = c.sibling(d, from)
	}
	if next == nil {
		next = s.nearest(c, d)
	}
	return next
}

// following returns the first card to which an edge of c leads, from the top.
func (c *Card) following() *Card {
	best, y := (*Card)(nil), math.Inf(1)
	for i, e := range c.edges {
		if e != nil && e.target != nil && e.target != c && c.Outs[i].Y < y {
			best, y = e.target, c.Outs[i].Y
		}
	}
	return best
}

func (c *Card) leading(from string) *Card {
	var best *Card
	for _, e := range c.ins {
		switch {
		case e.source == c:
		case e.source.Key == from:
			return e.source
		case best == nil || e.source.slot < best.slot:
			best = e.source
		}
	}
	return best
}

// sibling returns the next card above or below among the targets of the card before c. It is nil if c has no siblings or is the last one.
func (c *Card) sibling(d Direction, from string) *Card {
	parent := c.leading(from)
	if parent == nil {
		return nil
	}
	var row []*Card
	for _, e := range parent.edges {
		if e != nil && e.target != nil && !slices.Contains(row, e.target) {
			row = append(row, e.target)
		}
	}
	slices.SortStableFunc(row, func(a, b *Card) int { return cmp.Compare(a.Rect.Y, b.Rect.Y) })
	i := slices.Index(row, c)
	if d == Up {
		i--
	} else {
		i++
	}
	if i < 0 || i >= len(row) {
		return nil
	}
	return row[i]
}

// nearest returns the nearest card in a direction. Distance off the axis
// counts twice: people expect the card straight ahead before a closer one aside.
func (s *Scene) nearest(c *Card, d Direction) *Card {
	var best *Card
	least := math.Inf(1)
	at := c.Rect.Center()
	for _, o := range s.cards {
		if o == c {
			continue
		}
		way := o.Rect.Center().Sub(at)
		along, off := way.X, math.Abs(way.Y)
		switch d {
		case Left:
			along = -way.X
		case Up:
			along, off = -way.Y, math.Abs(way.X)
		case Down:
			along, off = way.Y, math.Abs(way.X)
		case Right:
		}
		if along <= 0 || off > 4*along {
			continue
		}
		if score := along + 2*off; score < least {
			best, least = o, score
		}
	}
	return best
}
