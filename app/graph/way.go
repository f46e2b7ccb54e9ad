package graph

import "math"

// Measures of ways around cards.
const (
	wayClear  = 8     // minimum distance between a way around cards and any of them
	wayApart  = 9     // between two ways in one gap
	wayLanes  = 4     // how many ways in one gap are apart
	wayPad    = 14    // between a card and the way nearest to it
	wayTurn   = 30    // how much longer a way may be for two corners less
	wayTries  = 8     // how often a way gives way to a card
	waySteep  = 480   // height from which a curve that is three times as high as wide is replaced by lines
	wayNarrow = 48    // width below which there is no room for the corners
	wayReach  = 12000 // width and height, together, of the longest edges that look for a way around
)

// way looks for the path of an edge. It depends only on the places of the cards that overlap the region that it has seen.
type way struct {
	cards          *index // of all cards
	source, target int32  // the slots of the cards at the ends
	from, to       Rect   // and where they are, which may be elsewhere than in cards
	a, b           Vec    // the handles
	lane           float64
	seen           Rect
}

// others returns the cards that overlap r, except those at the ends. The slice is valid until the next query.
func (w *way) others(r Rect) []int32 {
	w.seen = w.seen.Union(r)
	found := w.cards.query(r)
	n := 0
	for _, i := range found {
		if i != w.source && i != w.target {
			found[n] = i
			n++
		}
	}
	return found[:n]
}

// steep reports whether a curve is so high and narrow that it would run along many cards at a slant.
func (c *Curve) steep() bool {
	w, h := c.P[3].X-c.P[0].X, math.Abs(c.P[3].Y-c.P[0].Y)
	return c.Shape == Bezier && w >= wayNarrow && h > max(waySteep, 3*w)
}

// down returns the way from one end to the other along a vertical line between them. It is nearer to the target: loops are near the source.
func (w *way) down() Curve {
	x := w.a.X + 0.65*(w.b.X-w.a.X) + (w.lane-wayApart*(wayLanes-1)/2.0)/2
	return Curve{Loop, [6]Vec{w.a, {x, w.a.Y}, {x, w.a.Y}, {x, w.b.Y}, {x, w.b.Y}, w.b}}
}

// free reports whether no card lies on a curve between the ends.
func (w *way) free(c *Curve) bool {
	b := c.Bounds()
	if b.W+b.H > wayReach {
		w.seen = b
		return true
	}
	found := w.others(b)
	if len(found) == 0 {
		return true
	}
	n := c.Len() - 1
	if c.Shape == Bezier {
		n = longSteps
	}
	p := c.P[0]
	for i := range n {
		q := c.At(float64(i+1) / float64(n))
		s := RectOf(p, q)
		for _, j := range found {
			if within(s, w.cards.items[j].rect) {
				return false
			}
		}
		p = q
	}
	return true
}

// within reports whether two rectangles overlap by more than their borders.
func within(r, s Rect) bool {
	return r.X < s.Right() && s.X < r.Right() && r.Y < s.Bottom() && s.Y < r.Bottom()
}

// hit returns the rectangle around the cards on a horizontal or vertical line, and whether there are any.
func (w *way) hit(p, q Vec) (around Rect, ok bool) {
	line := RectOf(p, q)
	for _, end := range []Rect{w.from, w.to} {
		if within(line, end) {
			around, ok = around.Union(end), true
		}
	}
	near := line.Grown(wayClear)
	for _, i := range w.others(near) {
		if r := w.cards.items[i].rect; within(near, r) {
			around, ok = around.Union(r), true
		}
	}
	return around, ok
}

// around returns the shortest way around cards that it finds: right, up or down to a free level, along it, and up or down to the target. It has
// the shape of a loop, with lines of no length if the level is that of an end.
func (w *way) around(levels ...float64) (best Curve, ok bool) {
	least := math.Inf(1)
	for _, level := range levels {
		for _, down := range []bool{true, false} {
			c, found := w.along(level, down)
			if !found {
				continue
			}
			length := 0.0
			for i := range 5 {
				length += c.P[i+1].Sub(c.P[i]).Len()
			}
			if c.P[2].Y != w.a.Y && c.P[2].Y != w.b.Y {
				length += wayTurn
			}
			if length < least {
				best, least, ok = c, length, true
			}
		}
	}
	return best, ok
}

// along returns a way at a level, or at the next free one below or above it.
func (w *way) along(level float64, down bool) (c Curve, ok bool) {
	pad := wayPad + w.lane
	right, left := w.a.X+wayPad+pad, w.b.X-wayPad-pad
	for range wayTries {
		c = Curve{Loop, [6]Vec{w.a, {right, w.a.Y}, {right, level}, {left, level}, {left, w.b.Y}, w.b}}
		if r, hit := w.hit(c.P[2], c.P[3]); hit {
			if level = r.Y - pad; down {
				level = r.Bottom() + pad
			}
			continue
		}
		if r, hit := w.hit(c.P[1], c.P[2]); hit {
			if right = r.X - pad; right < w.a.X+wayClear {
				right = r.Right() + pad
			}
			continue
		}
		if r, hit := w.hit(c.P[3], c.P[4]); hit {
			if left = r.Right() + pad; left > w.b.X-2*wayPad {
				left = r.X - pad
			}
			continue
		}
		_, before := w.hit(c.P[0], c.P[1])
		_, after := w.hit(c.P[4], c.P[5])
		return c, !before && !after
	}
	return c, false
}
