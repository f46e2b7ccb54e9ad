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

// Fit returns the viewport that shows bounds in the middle of a part of the canvas, in pixels. The zoom is at most maxZoom, which is used for
// empty bounds.
func Fit(bounds, in Rect, maxZoom float64) Viewport {
	zoom := maxZoom
	if bounds.W > 0 {
		zoom = min(zoom, max(1, in.W)/bounds.W)
	}
	if bounds.H > 0 {
		zoom = min(zoom, max(1, in.H)/bounds.H)
	}
	zoom = max(MinZoom, min(MaxZoom, zoom))
	c, mid := bounds.Center(), in.Center()
	return Viewport{mid.X - c.X*zoom, mid.Y - c.Y*zoom, zoom}
}

// Reveal returns the viewport moved by the shortest distance that shows r in a part of the canvas, in pixels. The zoom stays. If r is too
// large, its upper left corner is shown.
func (v Viewport) Reveal(r, in Rect) Viewport {
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
