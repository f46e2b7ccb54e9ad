package graph

import "math"

// The bounds of Viewport.Zoom, inclusive.
const (
	MinZoom = 0.05
	MaxZoom = 4
)

// Viewport maps form units to screen pixels relative to the canvas:
// screen = form*Zoom + (X, Y).
type Viewport struct{ X, Y, Zoom float64 }

// ToForm returns the point of the form under a point of the screen.
func (v Viewport) ToForm(screen Vec) Vec {
	return Vec{(screen.X - v.X) / v.Zoom, (screen.Y - v.Y) / v.Zoom}
}

// ToScreen returns the point of the screen at a point of the form.
func (v Viewport) ToScreen(form Vec) Vec {
	return Vec{form.X*v.Zoom + v.X, form.Y*v.Zoom + v.Y}
}

// Panned returns the viewport after its content moved by an offset on the screen.
func (v Viewport) Panned(by Vec) Viewport { return Viewport{v.X + by.X, v.Y + by.Y, v.Zoom} }

// ZoomAt multiplies the zoom and keeps the point of the form under a point of the screen in place. The zoom is clamped to MinZoom and
// MaxZoom.
func (v Viewport) ZoomAt(screen Vec, factor float64) Viewport {
	zoom := max(MinZoom, min(MaxZoom, v.Zoom*factor))
	if math.IsNaN(zoom) {
		return v
	}
	f := zoom / v.Zoom
	return Viewport{screen.X - (screen.X-v.X)*f, screen.Y - (screen.Y-v.Y)*f, zoom}
}

// Visible returns the part of the form that a canvas of a size in pixels shows.
func (v Viewport) Visible(size Vec) Rect {
	o := v.ToForm(Vec{})
	return Rect{o.X, o.Y, size.X / v.Zoom, size.Y / v.Zoom}
}

// Fit returns the viewport that shows bounds in the middle of a canvas of a size in pixels, with padding pixels left free on every side.
// The zoom is at most maxZoom, which is used for empty bounds.
func Fit(bounds Rect, size Vec, padding, maxZoom float64) Viewport {
	zoom := maxZoom
	if bounds.W > 0 {
		zoom = min(zoom, max(1, size.X-2*padding)/bounds.W)
	}
	if bounds.H > 0 {
		zoom = min(zoom, max(1, size.Y-2*padding)/bounds.H)
	}
	zoom = max(MinZoom, min(MaxZoom, zoom))
	c := bounds.Center()
	return Viewport{size.X/2 - c.X*zoom, size.Y/2 - c.Y*zoom, zoom}
}

// FitBeside returns Fit, or, if something that hits reports would then lie below a covered corner of the canvas, the viewport that shows
// bounds as large as possible left of the corner or above it. The corner, in pixels, is at the lower right; hits reports whether anything lies
// in a part of the form.
func FitBeside(bounds Rect, size Vec, padding, maxZoom float64, corner Rect, hits func(Rect) bool) Viewport {
	v := Fit(bounds, size, padding, maxZoom)
	at := v.ToForm(corner.Origin())
	if corner.Empty() || !hits(Rect{at.X, at.Y, corner.W / v.Zoom, corner.H / v.Zoom}) {
		return v
	}
	left, above := Fit(bounds, Vec{corner.X, size.Y}, padding, maxZoom), Fit(bounds, Vec{size.X, corner.Y}, padding, maxZoom)
	if left.Zoom > above.Zoom {
		return left
	}
	return above
}

// The position of a form's beginning on a canvas: its first card is 20 pixels from the left, in the upper third.
const (
	beginLeft = 20   // also its distance from the other sides
	beginPart = 0.28 // of the height, above the middle of the card
)

// ReadableZoom is the smallest zoom at which a form is shown unless the user asks for all of it: below it the rows of the cards are hard to
// read.
const ReadableZoom = 0.6

// Begin returns the viewport that shows the beginning of a form at a zoom: the card at first. The view moves up or down as far as needed to
// show the following card, at next, as long as first stays in view. next may be empty.
func Begin(first, next Rect, size Vec, zoom float64) Viewport {
	v := Viewport{beginLeft - first.X*zoom, math.Round(size.Y*beginPart) - first.Center().Y*zoom, zoom}
	if next.W == 0 {
		return v
	}
	by := v.Reveal(next, Rect{W: size.X, H: size.Y}, beginLeft).Y - v.Y
	top, bottom := v.ToScreen(first.Origin()).Y, v.ToScreen(Vec{first.Right(), first.Bottom()}).Y
	v.Y += max(min(by, size.Y-beginLeft-bottom), beginLeft-top)
	return v
}

// FitReadable returns Fit if all of bounds is then readable, else the beginning at ReadableZoom.
func FitReadable(bounds, first Rect, size Vec, padding float64) Viewport {
	if v := Fit(bounds, size, padding, 1); v.Zoom >= ReadableZoom {
		return v
	}
	v := Begin(first, Rect{}, size, ReadableZoom)
	// The part above the beginning is shown as long as the beginning stays in the upper part.
	if top := v.ToScreen(bounds.Origin()).Y; top < padding {
		v.Y += min(padding-top, size.Y/4)
	}
	return v
}

// Reveal returns the viewport moved by the shortest distance that shows r in a part of the canvas, in pixels, at a margin from its border.
// The zoom stays. If r is too large, its upper left corner is shown.
func (v Viewport) Reveal(r, in Rect, margin float64) Viewport {
	in = in.Grown(-margin)
	a, b := v.ToScreen(r.Origin()), v.ToScreen(Vec{r.Right(), r.Bottom()})
	return v.Panned(Vec{shift(a.X, b.X, in.X, in.Right()), shift(a.Y, b.Y, in.Y, in.Bottom())})
}

// shift returns the distance that brings the interval from lo to hi into that from least to most.
func shift(lo, hi, least, most float64) float64 {
	switch {
	case lo < least || hi-lo > most-least:
		return least - lo
	case hi > most:
		return most - hi
	}
	return 0
}

// Between interpolates from v to w by the fraction t, from 0 to 1. The zoom changes by equal factors, so that an animation keeps its pace.
func (v Viewport) Between(w Viewport, t float64) Viewport {
	if t >= 1 {
		return w
	}
	zoom := v.Zoom * math.Pow(w.Zoom/v.Zoom, t)
	// X and Y follow the zoom, not t, so that the point that both viewports show at the same place stays there.
	s := t
	if math.Abs(w.Zoom-v.Zoom) > 1e-9 {
		s = (zoom - v.Zoom) / (w.Zoom - v.Zoom)
	}
	return Viewport{v.X + (w.X-v.X)*s, v.Y + (w.Y-v.Y)*s, zoom}
}
