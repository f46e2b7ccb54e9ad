package graph

import (
	"math"
	"slices"
)

// Pane is a canvas and what floats over it, in pixels.
type Pane struct {
	Size  Vec
	Tabs  Rect    // at the top left; zero for none
	Map   Rect    // the minimap at the lower right; zero while it is hidden
	Sheet float64 // the height of a panel that covers the bottom
}

const (
	dockHeight = 60 // that the buttons at the bottom cover
	labelRoom  = 20 // between what floats and a card, for the id above the card
	leastFree  = 48 // the height into which a card is brought on a canvas, however low
)

// Free returns the part between the tabs and the buttons, or the panel, at the bottom.
func (p Pane) Free() Rect {
	top := p.Tabs.Bottom()
	return Rect{0, top, p.Size.X, p.Size.Y - top - max(dockHeight, p.Sheet)}
}

// Inside returns the part in which cards are clear of what floats, with their ids, and at a margin from the border and from a panel.
func (p Pane) Inside(margin float64) Rect {
	free := p.Free()
	top, bottom := max(margin, free.Y+labelRoom), min(p.Size.Y-p.Sheet-margin, free.Bottom()-labelRoom)
	return Rect{margin, top, p.Size.X - 2*margin, max(bottom-top, leastFree)}
}

// FitBeside returns Fit, or, if some of what is shown would then lie below the minimap, the viewport that shows bounds as large as possible left
// of the minimap or above it.
func (p Pane) FitBeside(bounds, in Rect, shown []Rect) Viewport {
	v := Fit(bounds, in, 1)
	at := v.ToForm(p.Map.Origin())
	under := Rect{at.X, at.Y, p.Map.W / v.Zoom, p.Map.H / v.Zoom}
	if p.Map.Empty() || !slices.ContainsFunc(shown, under.Overlaps) {
		return v
	}
	padding := p.Size.X - in.Right()
	left, above := in, in
	left.W, above.H = p.Map.X-padding-in.X, p.Map.Y-padding-in.Y
	if v = Fit(bounds, left, 1); v.Zoom >= Fit(bounds, above, 1).Zoom {
		return v
	}
	return Fit(bounds, above, 1)
}

// The position of a form's beginning on a canvas: its first card is 20 pixels from the left, in the upper third.
const (
	beginLeft = 20
	beginPart = 0.28 // of the height, above the middle of the card
)

// ReadableZoom is the zoom at which the beginning of a form is shown: the rows of its cards are easy to read.
const ReadableZoom = 0.6

// Begin returns the viewport that shows the beginning of a form at a zoom: the card at first. The view moves up or down as far as needed to
// show the following card, at next, and to keep cards in view clear of the tabs, as long as first stays in view. next may be empty.
func (p Pane) Begin(first, next Rect, cards []*Card, zoom float64) Viewport {
	in := p.Inside(beginLeft)
	v := Viewport{beginLeft - first.X*zoom, math.Round(p.Size.Y*beginPart) - first.Center().Y*zoom, zoom}
	by, low := 0.0, first.Bottom()
	if next.W > 0 {
		by = v.Reveal(next, in).Y - v.Y
	}
	v.Y += max(min(by, in.Bottom()-v.ToScreen(Vec{Y: low}).Y), in.Y-v.ToScreen(first.Origin()).Y)
	if next.W > 0 {
		low = max(low, next.Y+HeaderHeight) // its name stays in view
	}
	v.Y += p.clearance(v, cards, in.Bottom()-v.ToScreen(Vec{Y: low}).Y)
	return v
}

// clearance returns the shortest distance down after which no card in view is above Inside: none across the whole width, or else none near the
// tabs. It is 0 if the distance is above most.
func (p Pane) clearance(v Viewport, cards []*Card, most float64) float64 {
	top := p.Inside(beginLeft).Y
	for _, right := range [...]float64{p.Size.X, p.Tabs.Right() + labelRoom} {
		by := 0.0
		for more := true; more && by <= most; {
			more = false
			for _, c := range cards {
				a, b := v.ToScreen(c.Rect.Origin()), v.ToScreen(Vec{c.Rect.Right(), c.Rect.Bottom()})
				if a.X < right && b.X > 0 && b.Y+by > 0 && top-a.Y > by {
					by, more = top-a.Y, true
				}
			}
		}
		if by <= most {
			return by
		}
	}
	return 0
}

// Uncover returns the viewport moved up as far as needed for what is selected, or else the cards in view, to be clear of a panel at the bottom. Of
// what is too high, the upper side stays in view. selected may be empty.
func (p Pane) Uncover(v Viewport, selected Rect, cards []*Card, margin float64) Viewport {
	seen := v.Visible(p.Size)
	if selected.Empty() || !selected.Overlaps(seen) {
		top, bottom := seen.Bottom(), seen.Y
		for _, c := range cards {
			if c.Rect.Overlaps(seen) {
				top, bottom = min(top, max(c.Rect.Y, seen.Y)), max(bottom, min(c.Rect.Bottom(), seen.Bottom()))
			}
		}
		if top >= bottom {
			return v
		}
		selected = Rect{seen.X, top, seen.W, bottom - top}
	}
	v.Y = min(v.Y, v.Reveal(selected, p.Inside(margin)).Y)
	return v
}

// FitReadable returns the viewport that fits bounds, with a padding, if cards then show more than their names, and else the beginning at ReadableZoom:
// see [Pane.Begin].
func (p Pane) FitReadable(bounds, first, next Rect, cards []*Card, padding float64) Viewport {
	shown := make([]Rect, len(cards))
	for i, c := range cards {
		shown[i] = c.Rect
	}
	if v := p.FitBeside(bounds, p.Inside(padding), shown); v.Zoom >= NameZoom {
		return v
	}
	return p.Begin(first, next, cards, ReadableZoom)
}
