package graph

import (
	"math"
	"strconv"
)

// Shape determines how a Curve is drawn.
type Shape uint8

// The shapes.
const (
	Lines Shape = iota // horizontal and vertical lines through six points, with round corners; points may coincide
	Stub               // a straight line of two points to a cross: the edge leads to no node
)

// Curve is the path of an edge. Curves are comparable with ==.
type Curve struct {
	Shape Shape
	P     [6]Vec // the first Len of them count
}

// Measures of the paths of edges.
const (
	cornerRadius = 10
	stubLength   = 28
	crossSize    = 4
)

// head is the head of an arrow at the end of a path, which always runs to the right there. It ends at the handle, on which the path ends. It
// is a part of the path, so that it has the color of the edge in every state. Each of its halves is shorter than a dash, and the lines of both
// fill it.
const head = "m-11.5 0v-2.5l4.5 2.5m-4.5 0v2.5l4.5-2.5"

// Len returns how many of the points are used.
func (c *Curve) Len() int {
	if c.Shape == Stub {
		return 2
	}
	return len(c.P)
}

func stub(a Vec) Curve { return Curve{Stub, [6]Vec{a, {a.X + stubLength, a.Y}}} }

// straight returns the line between two points of one height.
func straight(a, b Vec) Curve { return Curve{Lines, [6]Vec{a, b, b, b, b, b}} }

// stepped returns the path that turns at one vertical line.
func stepped(a, b Vec, x float64) Curve {
	end := Vec{x, b.Y}
	return Curve{Lines, [6]Vec{a, {x, a.Y}, end, end, end, b}}
}

// leveled returns the path along a horizontal line between two vertical ones.
func leveled(a, b Vec, first, level, last float64) Curve {
	return Curve{Lines, [6]Vec{a, {first, a.Y}, {first, level}, {last, level}, {last, b.Y}, b}}
}

// To returns the curve of a connection that is being drawn from a handle to the pointer.
func To(a, b Vec) Curve {
	switch {
	case a.Y == b.Y && b.X >= a.X:
		return straight(a, b)
	case b.X >= a.X+leave+arrive:
		return stepped(a, b, (a.X+b.X)/2)
	}
	return leveled(a, b, a.X+leave, (a.Y+b.Y)/2, b.X-arrive)
}

// Bounds returns the rectangle around the curve.
func (c *Curve) Bounds() Rect {
	lo, hi := c.P[0], c.P[0]
	for _, p := range c.P[1:c.Len()] {
		lo, hi = Vec{min(lo.X, p.X), min(lo.Y, p.Y)}, Vec{max(hi.X, p.X), max(hi.Y, p.Y)}
	}
	r := RectOf(lo, hi)
	if c.Shape == Stub {
		r = r.Grown(crossSize)
	}
	return r
}

// AppendPath appends the curve as the commands of an SVG path, with one decimal. The curve ends in a head of an arrow, or in a cross. It
// is interrupted at gaps, which are points on it; see Edge.Gaps. There is none in a corner.
func (c *Curve) AppendPath(b []byte, gaps []Vec) []byte {
	b = appendVec(append(b, 'M'), c.P[0])
	if c.Shape == Stub {
		e := c.P[1]
		b = appendVec(append(b, 'L'), e)
		b = appendVec(append(b, 'M'), Vec{e.X - crossSize, e.Y - crossSize})
		b = appendVec(append(b, 'L'), Vec{e.X + crossSize, e.Y + crossSize})
		b = appendVec(append(b, 'M'), Vec{e.X - crossSize, e.Y + crossSize})
		return appendVec(append(b, 'L'), Vec{e.X + crossSize, e.Y - crossSize})
	}
	p := c.corners(make([]Vec, 0, len(c.P)))
	at := p[0]
	for i := 1; i < len(p)-1; i++ {
		to, from := p[i-1].Sub(p[i]), p[i+1].Sub(p[i])
		r := min(cornerRadius, to.Len()/2, from.Len()/2)
		b = appendLine(b, at, p[i].Add(unit(to).Scale(r)), gaps)
		at = p[i].Add(unit(from).Scale(r))
		b = appendVec(append(b, 'Q'), p[i])
		b = appendVec(append(b, ' '), at)
	}
	b = appendLine(b, at, p[len(p)-1], gaps)
	return append(b, head...)
}

// corners appends the first, the last and those points at which the curve turns.
func (c *Curve) corners(p []Vec) []Vec {
	for _, v := range c.P {
		switch n := len(p); {
		case n > 0 && v == p[n-1]:
		case n > 1 && (p[n-2].X == p[n-1].X && p[n-1].X == v.X || p[n-2].Y == p[n-1].Y && p[n-1].Y == v.Y):
			p[n-1] = v
		default:
			p = append(p, v)
		}
	}
	return p
}

func unit(v Vec) Vec {
	if l := v.Len(); l > 0 {
		return v.Scale(1 / l)
	}
	return Vec{}
}

// Distance returns how far v is from the curve.
func (c *Curve) Distance(v Vec) float64 {
	best := math.Inf(1)
	for i := 1; i < c.Len(); i++ {
		best = min(best, segmentDistance(v, c.P[i-1], c.P[i]))
	}
	return best
}

// At returns the point at the fraction t of the length of the curve, t from 0 to 1.
func (c *Curve) At(t float64) Vec {
	n := c.Len()
	all := 0.0
	for i := 1; i < n; i++ {
		all += c.P[i].Sub(c.P[i-1]).Len()
	}
	left := all * max(0, min(1, t))
	for i := 1; i < n; i++ {
		way := c.P[i].Sub(c.P[i-1])
		l := way.Len()
		if l > 0 && left <= l {
			return c.P[i-1].Add(way.Scale(left / l))
		}
		left -= l
	}
	return c.P[n-1]
}

func segmentDistance(v, a, b Vec) float64 {
	d := b.Sub(a)
	l := d.X*d.X + d.Y*d.Y
	if l == 0 {
		return v.Sub(a).Len()
	}
	t := ((v.X-a.X)*d.X + (v.Y-a.Y)*d.Y) / l
	return v.Sub(a.Add(d.Scale(max(0, min(1, t))))).Len()
}

func appendVec(b []byte, v Vec) []byte {
	return appendNumber(append(appendNumber(b, v.X), ' '), v.Y)
}

// appendNumber writes a number with one decimal, or none if that is 0: most coordinates are whole, and strconv is several times slower with
// a fraction.
func appendNumber(b []byte, f float64) []byte {
	n := int64(math.Round(f * 10))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if r := n % 10; r != 0 {
		b = append(b, '.', byte('0'+r))
	}
	return b
}

// Within returns the part of the curve that is visible in r, for long edges: the cost of a line in a browser depends on its extent, visible
// or not. The omitted parts lie further than slack outside r. A curve within that is returned unchanged.
func (c *Curve) Within(r Rect, slack float64) Curve {
	near := r.Grown(slack)
	b := c.Bounds()
	if c.Shape == Stub || near.Contains(b.Origin()) && near.Contains(Vec{b.Right(), b.Bottom()}) {
		return *c
	}
	// The lines are horizontal or vertical: an end moved to the border of near stays on its line, or the whole line lies outside.
	d := *c
	for i, p := range c.P {
		d.P[i] = Vec{max(near.X, min(near.Right(), p.X)), max(near.Y, min(near.Bottom(), p.Y))}
	}
	return d
}

// Meets reports whether the curve touches r.
func (c *Curve) Meets(r Rect) bool {
	for i := 1; i < c.Len(); i++ {
		if RectOf(c.P[i-1], c.P[i]).Grown(crossSize).Overlaps(r) {
			return true
		}
	}
	return false
}
