package graph

import (
	"math"

	"github.com/formgraph/formgraph/model"
)

// Vec is a point or an offset, in form units or in screen pixels.
type Vec struct{ X, Y float64 }

// At returns a model point as a Vec.
func At(p model.Point) Vec { return Vec{float64(p.X), float64(p.Y)} }

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y} }

// Snapped returns the grid point nearest to v.
func (v Vec) Snapped() Vec { return Vec{Snap(v.X), Snap(v.Y)} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y} }

// Scale returns v multiplied by f.
func (v Vec) Scale(f float64) Vec { return Vec{v.X * f, v.Y * f} }

// Len returns the length of v.
func (v Vec) Len() float64 { return math.Hypot(v.X, v.Y) }

// Point returns v rounded to integers, as coordinates are. It does not
// clamp.
func (v Vec) Point() model.Point {
	return model.Point{X: int(math.Round(v.X)), Y: int(math.Round(v.Y))}
}

// Rect is an axis-aligned rectangle. The zero Rect is empty; Union ignores it.
type Rect struct{ X, Y, W, H float64 }

// RectOf returns the rectangle that two opposite corners span.
func RectOf(a, b Vec) Rect {
	return Rect{min(a.X, b.X), min(a.Y, b.Y), math.Abs(a.X - b.X), math.Abs(a.Y - b.Y)}
}

// Empty reports whether the rectangle has neither width nor height.
func (r Rect) Empty() bool { return r.W <= 0 && r.H <= 0 }

// Origin returns the upper left corner.
func (r Rect) Origin() Vec { return Vec{r.X, r.Y} }

// Center returns the middle.
func (r Rect) Center() Vec { return Vec{r.X + r.W/2, r.Y + r.H/2} }

// Right returns the x of the right side.
func (r Rect) Right() float64 { return r.X + r.W }

// Bottom returns the y of the lower side.
func (r Rect) Bottom() float64 { return r.Y + r.H }

// Contains reports whether v lies in r, including its border.
func (r Rect) Contains(v Vec) bool {
	return v.X >= r.X && v.X <= r.X+r.W && v.Y >= r.Y && v.Y <= r.Y+r.H
}

// Overlaps reports whether the rectangles share a point, including their borders.
func (r Rect) Overlaps(s Rect) bool {
	return r.X <= s.X+s.W && s.X <= r.X+r.W && r.Y <= s.Y+s.H && s.Y <= r.Y+r.H
}

// Moved returns r moved by v.
func (r Rect) Moved(v Vec) Rect { return Rect{r.X + v.X, r.Y + v.Y, r.W, r.H} }

// Grown returns r enlarged by d on every side.
func (r Rect) Grown(d float64) Rect { return Rect{r.X - d, r.Y - d, r.W + 2*d, r.H + 2*d} }

// Union returns the smallest rectangle around both.
func (r Rect) Union(s Rect) Rect {
	if r.Empty() {
		return s
	}
	if s.Empty() {
		return r
	}
	x, y := min(r.X, s.X), min(r.Y, s.Y)
	return Rect{x, y, max(r.Right(), s.Right()) - x, max(r.Bottom(), s.Bottom()) - y}
}
