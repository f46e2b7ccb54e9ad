package graph

import (
	"math"
	"strconv"
)

// Shape determines how the points of a Curve are joined.
type Shape uint8

// The shapes.
const (
	Bezier Shape = iota // cubic: start, two controls, end
	Loop                // rectilinear polyline of six points with round corners
	Stub                // straight line of two points to a cross: the edge leads to no node
)

// Curve is the path of an edge. Curves are comparable with ==.
type Curve struct {
	Shape Shape
	P     [6]Vec // the first Len of them count
}

// Measures of edges. Loops nest by lanes so that those of one router do not cover each other. Those of several cards are loopApart units
// apart, and LaneStep is a multiple of that: no lane of a card is that of its neighbor.
const (
	cornerRadius = 16
	LoopPad      = 32 // between a card's right side and the vertical part beside it
	LoopDrop     = 36 // between the lower card and the horizontal part below it
	loopBefore   = 20 // the same left of the target, where there may be little room
	LaneStep     = loopApart * wayLanes
	MaxLane      = 8
	loopApart    = 4
	farApart     = 740 // from this distance the horizontal part runs beside the lower card: others may lie between
	flatEnd      = 5   // a steep edge is level under its head, within 2 units, if its controls are flatEnd times the root of its height from its ends
	stubLength   = 28
	crossSize    = 4
)

// head is the head of an arrow at the end of a path, which always runs to the right there. It ends at the handle, on which the path ends. It is
// a part of the path, so that it has the color of the edge in every state. Each of its halves is shorter than a dash, and the lines of both fill it.
const head = "m-11.5 0v-2.5l4.5 2.5m-4.5 0v2.5l4.5-2.5"

// Len returns how many of the points are used.
func (c *Curve) Len() int { return [...]int{4, 6, 2}[c.Shape] }

// Forward returns the curve between two handles if the second lies ahead.
func Forward(a, b Vec) Curve {
	w, h := b.X-a.X, math.Abs(b.Y-a.Y)
	// Half the distance is usual. A steep edge needs more, or it would miss the tail of its head. With more than the whole distance it would
	// turn back. If one node is above the other it is a little more, or the edge would leave the handle vertically.
	d := max(w/2, min(w, flatEnd*math.Sqrt(h)), min(32, h/4))
	return Curve{Bezier, [6]Vec{a, {a.X + d, a.Y}, {b.X - d, b.Y}, b}}
}

// Back returns the curve between two handles if the second lies behind: right, down below both cards, left and up again. If one card is
// clearly above the other, the horizontal part runs between them, which is shorter.
func Back(a, b Vec, source, target Rect, lane int) Curve {
	l := float64(min(lane, MaxLane)) * LaneStep
	right, left := a.X+LoopPad+l, b.X-loopBefore-l
	const clear = 2*cornerRadius + 4
	var level float64
	switch {
	case target.Y-source.Bottom() >= farApart:
		level = target.Y - LoopDrop - l
	case target.Y-source.Bottom() >= clear:
		level = (source.Bottom() + target.Y) / 2
	case source.Y-target.Bottom() >= farApart:
		level = source.Y - LoopDrop - l
	case source.Y-target.Bottom() >= clear:
		level = (target.Bottom() + source.Y) / 2
	default:
		level = max(source.Bottom(), target.Bottom()) + LoopDrop + l
	}
	return Curve{Loop, [6]Vec{a, {right, a.Y}, {right, level}, {left, level}, {left, b.Y}, b}}
}

// loopShifts are the shifts of cards that follow each other in a form: most of them differ by more than loopApart.
var loopShifts = [wayLanes]float64{0, 2 * loopApart, loopApart, 3 * loopApart}

// shifted returns a loop that is a few units larger, so that the loops of several cards do not cover each other. n is the number of the source in the form.
// Between two cards, lanes do not nest.
func (c Curve) shifted(n, lane int, source, target Rect) Curve {
	if gap := max(target.Y-source.Bottom(), source.Y-target.Bottom()); gap >= 0 && gap < farApart {
		n += lane
	}
	by := loopShifts[n%wayLanes]
	c.P[1].X += by
	c.P[2].X += by
	c.P[3].X -= by
	c.P[4].X -= by
	c.P[2].Y += by - loopApart*(wayLanes-1)/2
	c.P[3].Y = c.P[2].Y
	return c
}

func stub(a Vec) Curve { return Curve{Stub, [6]Vec{a, {a.X + stubLength, a.Y}}} }

// To returns the curve of a connection that is being drawn from a handle to the pointer.
func To(a, b Vec) Curve {
	if b.X >= a.X {
		return Forward(a, b)
	}
	d := min(120, (a.X-b.X)/2+24)
	return Curve{Bezier, [6]Vec{a, {a.X + d, a.Y}, {b.X - d, b.Y}, b}}
}

// Bounds returns a rectangle around the curve, not always the smallest.
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

// AppendPath appends the curve as the commands of an SVG path, with one decimal. The curve ends in a head of an arrow, or in a cross.
func (c *Curve) AppendPath(b []byte) []byte {
	b = appendVec(append(b, 'M'), c.P[0])
	switch c.Shape {
	case Bezier:
		b = appendVec(append(b, 'C'), c.P[1])
		b = appendVec(append(b, ' '), c.P[2])
		b = appendVec(append(b, ' '), c.P[3])
	case Stub:
		e := c.P[1]
		b = appendVec(append(b, 'L'), e)
		b = appendVec(append(b, 'M'), Vec{e.X - crossSize, e.Y - crossSize})
		b = appendVec(append(b, 'L'), Vec{e.X + crossSize, e.Y + crossSize})
		b = appendVec(append(b, 'M'), Vec{e.X - crossSize, e.Y + crossSize})
		return appendVec(append(b, 'L'), Vec{e.X + crossSize, e.Y - crossSize})
	case Loop:
		for i := 1; i < 5; i++ {
			if c.P[i] == c.P[i-1] {
				continue // a line of no length has one corner, not two
			}
			in, out := c.corner(i)
			b = appendVec(append(b, 'L'), in)
			b = appendVec(append(b, 'Q'), c.P[i])
			b = appendVec(append(b, ' '), out)
		}
		b = appendVec(append(b, 'L'), c.P[5])
	}
	return append(b, head...)
}

// corner returns where the round corner at point i begins and ends. The radius is smaller if the lines beside it are short.
func (c *Curve) corner(i int) (in, out Vec) {
	p := c.P[i]
	to, from := c.P[i-1].Sub(p), c.P[i+1].Sub(p)
	for next := i + 2; from == (Vec{}) && next < len(c.P); next++ {
		from = c.P[next].Sub(p)
	}
	r := min(cornerRadius, to.Len()/2, from.Len()/2)
	return p.Add(unit(to).Scale(r)), p.Add(unit(from).Scale(r))
}

func unit(v Vec) Vec {
	if l := v.Len(); l > 0 {
		return v.Scale(1 / l)
	}
	return Vec{}
}

// bezierSteps is how many lines approximate a cubic to measure a distance:
// 24 keep the error of the longest edge of a screen below a pixel.
const bezierSteps = 24

// Distance returns how far v is from the curve.
func (c *Curve) Distance(v Vec) float64 {
	best := math.Inf(1)
	if c.Shape != Bezier {
		for i := 1; i < c.Len(); i++ {
			best = min(best, segmentDistance(v, c.P[i-1], c.P[i]))
		}
		return best
	}
	a := c.P[0]
	for i := 1; i <= bezierSteps; i++ {
		b := c.At(float64(i) / bezierSteps)
		best = min(best, segmentDistance(v, a, b))
		a = b
	}
	return best
}

// At returns the point at the fraction t of the curve, t from 0 to 1.
func (c *Curve) At(t float64) Vec {
	if c.Shape == Bezier {
		u := 1 - t
		p := c.P[0].Scale(u * u * u).Add(c.P[1].Scale(3 * u * u * t))
		return p.Add(c.P[2].Scale(3 * u * t * t)).Add(c.P[3].Scale(t * t * t))
	}
	n := c.Len() - 1
	s := max(0, min(1, t)) * float64(n)
	i := min(int(s), n-1)
	return c.P[i].Add(c.P[i+1].Sub(c.P[i]).Scale(s - float64(i)))
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
	if near.Contains(b.Origin()) && near.Contains(Vec{b.Right(), b.Bottom()}) {
		return *c
	}
	switch c.Shape {
	case Loop:
		// The lines are horizontal or vertical: an end moved to the border of near stays on its line, or the whole line lies outside.
		d := *c
		for i, p := range c.P {
			d.P[i] = Vec{max(near.X, min(near.Right(), p.X)), max(near.Y, min(near.Bottom(), p.Y))}
		}
		return d
	case Bezier:
		return c.cut(near)
	case Stub:
	}
	return *c
}

// Meets reports whether the curve touches r. For a very long curve it may also report true if the curve only comes near.
func (c *Curve) Meets(r Rect) bool {
	first, _ := c.span(r)
	return first >= 0
}

// longSteps is how many lines approximate a long bezier when it is cut: they deviate by less than a line's width even in the largest form.
const longSteps = 64

// span returns the first and the last of the curve's lines that touch r, -1 if none does. A bezier is approximated by longSteps lines.
func (c *Curve) span(r Rect) (first, last int) {
	first, n := -1, c.Len()-1
	if c.Shape == Bezier {
		n = longSteps
	}
	a := c.P[0]
	for i := range n {
		b := c.At(float64(i+1) / float64(n))
		if RectOf(a, b).Grown(crossSize).Overlaps(r) {
			if first < 0 {
				first = i
			}
			last = i
		}
		a = b
	}
	return first, last
}

// cut returns the part of a bezier between its first entry into r and its last exit.
func (c *Curve) cut(r Rect) Curve {
	first, last := c.span(r)
	if first < 0 {
		return *c
	}
	_, tail := c.split(float64(first) / longSteps)
	// The second cut is measured on the rest after the first one.
	head, _ := tail.split(float64(last+1-first) / float64(longSteps-first))
	return head
}

// split splits a bezier in two at the fraction t.
func (c *Curve) split(t float64) (head, tail Curve) {
	mix := func(a, b Vec) Vec { return a.Add(b.Sub(a).Scale(t)) }
	p := c.P
	ab, bc, cd := mix(p[0], p[1]), mix(p[1], p[2]), mix(p[2], p[3])
	abc, bcd := mix(ab, bc), mix(bc, cd)
	m := mix(abc, bcd)
	return Curve{Bezier, [6]Vec{p[0], ab, abc, m}}, Curve{Bezier, [6]Vec{m, bcd, cd, p[3]}}
}
