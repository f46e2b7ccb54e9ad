package graph

import "math"

// flipped returns a rectangle with its axes exchanged if the axis is Vertical, so that the code below handles only one direction.
func flipped(r Rect, a Axis) Rect {
	if a == Vertical {
		return Rect{r.Y, r.X, r.H, r.W}
	}
	return r
}

// before returns the nearest card that ends where r begins or earlier, and
// overlaps it on the other axis. It is flipped as r is.
func (g *Guides) before(r Rect, a Axis) (Rect, bool) {
	var best Rect
	found := false
	for _, c := range g.still {
		c = flipped(c, a)
		if c.Right() <= r.X && c.Y < r.Bottom() && r.Y < c.Bottom() && (!found || c.Right() > best.Right()) {
			best, found = c, true
		}
	}
	return best, found
}

// after returns the nearest card on the other side.
func (g *Guides) after(r Rect, a Axis) (Rect, bool) {
	var best Rect
	found := false
	for _, c := range g.still {
		c = flipped(c, a)
		if c.X >= r.Right() && c.Y < r.Bottom() && r.Y < c.Bottom() && (!found || c.X < best.X) {
			best, found = c, true
		}
	}
	return best, found
}

// spaced returns the shortest distance that makes a gap beside r equal to another: the one on its other side, or the one behind the
// neighbour.
func (g *Guides) spaced(r Rect, a Axis, reach float64) (way float64, ok bool) {
	r = flipped(r, a)
	way = math.Inf(1)
	try := func(x float64) {
		if d := x - r.X; math.Abs(d) < math.Abs(way) {
			way = d
		}
	}
	l, left := g.before(r, a)
	n, right := g.after(r, a)
	if left && right {
		try((l.Right() + n.X - r.W) / 2)
	}
	if left {
		if ll, ok := g.before(l, a); ok {
			try(l.Right() + l.X - ll.Right())
		}
	}
	if right {
		if nn, ok := g.after(n, a); ok {
			try(n.X - (nn.X - n.Right()) - r.W)
		}
	}
	return way, math.Abs(way) <= reach
}

// gaps appends a line for each gap beside r that equals another, and for the other gap.
func (g *Guides) gaps(r Rect, a Axis, lines []GuideLine) []GuideLine {
	r = flipped(r, a)
	l, left := g.before(r, a)
	n, right := g.after(r, a)
	if left && right && equal(r.X-l.Right(), n.X-r.Right()) {
		return append(lines, gapLine(l, r, a), gapLine(r, n, a))
	}
	if left {
		if ll, ok := g.before(l, a); ok && equal(r.X-l.Right(), l.X-ll.Right()) {
			lines = append(lines, gapLine(ll, l, a), gapLine(l, r, a))
		}
	}
	if right {
		if nn, ok := g.after(n, a); ok && equal(n.X-r.Right(), nn.X-n.Right()) {
			lines = append(lines, gapLine(r, n, a), gapLine(n, nn, a))
		}
	}
	return lines
}

// equal reports whether two gaps have the same width. A gap of zero or less does not count.
func equal(a, b float64) bool { return a > 0 && math.Abs(a-b) <= 2*same }

// gapLine returns the line across the gap between two flipped rectangles, in the middle of their overlap on the other axis.
func gapLine(l, r Rect, a Axis) GuideLine {
	y := (max(l.Y, r.Y) + min(l.Bottom(), r.Bottom())) / 2
	from, to := Vec{l.Right(), y}, Vec{r.X, y}
	if a == Vertical {
		from, to = Vec{from.Y, from.X}, Vec{to.Y, to.X}
	}
	return GuideLine{From: from, To: to, Gap: r.X - l.Right()}
}
