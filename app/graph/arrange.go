package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Alignment is the line to which Align moves cards.
type Alignment uint8

// The alignments are lines of the rectangle around the cards. Cards with aligned tops have aligned handles.
const (
	AlignLeft Alignment = iota
	AlignCenter
	AlignRight
	AlignTop
	AlignMiddle
	AlignBottom
)

// Axis is a direction of the canvas.
type Axis uint8

// The axes.
const (
	Horizontal Axis = iota
	Vertical
)

// Align returns the places that align the cards with these keys with one side, or the middle, of the rectangle around them. nil means all
// cards; fewer than two cards stay. The map contains only cards that move. Places are rounded and clamped to the bounds of coordinates.
func Align(s *Scene, ids map[string]bool, how Alignment) map[string]model.Point {
	moved := make(map[string]model.Point)
	cards, r := s.Chosen(ids)
	if len(cards) < 2 {
		return moved
	}
	for _, c := range cards {
		at := c.Rect.Origin()
		switch how {
		case AlignLeft:
			at.X = r.X
		case AlignCenter:
			at.X = r.X + (r.W-c.Rect.W)/2
		case AlignRight:
			at.X = r.Right() - c.Rect.W
		case AlignTop:
			at.Y = r.Y
		case AlignMiddle:
			at.Y = r.Y + (r.H-c.Rect.H)/2
		case AlignBottom:
			at.Y = r.Bottom() - c.Rect.H
		}
		c.Give(moved, clamped(at))
	}
	return moved
}

// Distribute returns the places that make the gaps between the cards with these keys equal along an axis, in the order of their middles.
// The rectangle around them keeps its extent on that axis. The gaps are negative if the cards have too little room, and may differ by 1
// because of rounding. nil means all cards; fewer than three cards stay. The map contains only cards that move.
func Distribute(s *Scene, ids map[string]bool, axis Axis) map[string]model.Point {
	moved := make(map[string]model.Point)
	cards, r := s.Chosen(ids)
	if len(cards) < 3 {
		return moved
	}
	slices.SortStableFunc(cards, func(a, b *Card) int {
		x, y := a.Rect.Center(), b.Rect.Center()
		if axis == Vertical {
			return cmp.Compare(x.Y, y.Y)
		}
		return cmp.Compare(x.X, y.X)
	})
	room := r.W
	if axis == Vertical {
		room = r.H
	}
	for _, c := range cards {
		room -= c.size(axis)
	}
	gap, next := room/float64(len(cards)-1), r.Origin()
	for _, c := range cards {
		at := c.Rect.Origin()
		if axis == Vertical {
			at.Y = next.Y
			next.Y += c.Rect.H + gap
		} else {
			at.X = next.X
			next.X += c.Rect.W + gap
		}
		c.Give(moved, clamped(at))
	}
	return moved
}

func (c *Card) size(a Axis) float64 {
	if a == Vertical {
		return c.Rect.H
	}
	return c.Rect.W
}

// clamped returns the nearest point within the bounds of coordinates.
func clamped(v Vec) model.Point {
	const most = model.MaxCoordinate
	return Vec{max(-most, min(most, math.Round(v.X))), max(-most, min(most, math.Round(v.Y)))}.Point()
}

// Give records the new place of a card in moved. A card without coordinates in the form is recorded even if the place is unchanged, since a
// later edit could move it.
func (c *Card) Give(moved map[string]model.Point, p model.Point) {
	if c.Auto || At(p) != c.Rect.Origin() {
		moved[c.Key] = p
	}
}
