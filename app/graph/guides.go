package graph

import (
	"math"
	"slices"
)

// guideReach is the distance from a line, in screen pixels, within which a drag snaps to it.
const guideReach = 8

// same is the distance between lines, in form units, up to which they count as one: coordinates are whole, middles may be halves.
const same = .01

// GuideLine is a line to draw while cards are dragged. Gap is 0 for a line along which cards are aligned. Otherwise the line spans one of
// two equal gaps between cards, and Gap is the width to display at it.
type GuideLine struct {
	From, To Vec
	Gap      float64
}

// Snapped is where a drag snaps. On an axis without a snap, By is the original offset, and the caller may round it to the grid.
type Snapped struct {
	By       Vec
	OnX, OnY bool
	Lines    []GuideLine
}

// Guides knows the lines of the cards that do not move during one drag. It is valid for the scene, the moving cards and the view for which
// it was made. It is not safe for concurrent use.
type Guides struct {
	box     Rect // around the moving cards before the drag
	handles []float64
	still   []Rect
	x, y    stops
}

// stops holds the lines of one axis, sorted.
type stops struct {
	edges   []stop
	middles []stop
	handles []stop // y only
}

// stop is a line through a card.
type stop struct {
	at   float64
	card int32 // in Guides.still
}

// maxHandles is how many handle lines of the moving cards are used. There are more only if most of the form is dragged, and then little is
// left to snap to.
const maxHandles = 16

// NewGuides returns the guides of a drag. moving holds the keys of the dragged cards. They snap only to cards that touch view, which is in
// form units. If the view moves during the drag, make new guides.
func NewGuides(s *Scene, moving map[string]bool, view Rect) *Guides {
	g := &Guides{}
	cards, _ := s.Chosen(moving)
	if moving == nil {
		cards = nil
	}
	for _, c := range cards {
		g.box = g.box.Union(c.Rect)
		if h := c.Rect.Y + HeaderHeight/2; len(g.handles) < maxHandles && !slices.Contains(g.handles, h) {
			g.handles = append(g.handles, h)
		}
	}
	near := s.CardsIn(view, nil)
	slices.SortFunc(near, func(a, b *Card) int { return int(a.slot) - int(b.slot) })
	for _, c := range near {
		if moving[c.Key] {
			continue
		}
		r, i := c.Rect, int32(len(g.still)) //nolint:gosec // a form has at most 200,000 values
		g.still = append(g.still, r)
		g.x.edges = append(g.x.edges, stop{r.X, i}, stop{r.Right(), i})
		g.x.middles = append(g.x.middles, stop{r.Center().X, i})
		g.y.edges = append(g.y.edges, stop{r.Y, i}, stop{r.Bottom(), i})
		g.y.middles = append(g.y.middles, stop{r.Center().Y, i})
		g.y.handles = append(g.y.handles, stop{r.Y + HeaderHeight/2, i})
	}
	for _, list := range [][]stop{g.x.edges, g.x.middles, g.y.edges, g.y.middles, g.y.handles} {
		slices.SortStableFunc(list, byPlace)
	}
	return g
}

func byPlace(a, b stop) int {
	switch {
	case a.at < b.at:
		return -1
	case a.at > b.at:
		return 1
	}
	return 0
}

// Snap returns where a drag by an offset, in form units, snaps at a zoom, and the lines that explain it. Vertically, aligned handles take
// precedence; then sides and middles, the nearest first, then equal gaps.
func (g *Guides) Snap(by Vec, zoom float64) Snapped {
	s := Snapped{By: by}
	if g.box.Empty() || len(g.still) == 0 {
		return s
	}
	reach := guideReach / zoom
	r := g.box.Moved(by)
	dx, onX := catch(&g.x, r.X, r.W, nil, 0, reach)
	dy, onY := catch(&g.y, r.Y, r.H, g.handles, by.Y, reach)
	// Gaps are searched with the other axis already snapped, since that decides which cards are neighbours.
	if onX {
		r.X += dx
	}
	if onY {
		r.Y += dy
	}
	if !onX {
		if dx, onX = g.spaced(r, Horizontal, reach); onX {
			r.X += dx
		}
	}
	if !onY {
		if dy, onY = g.spaced(r, Vertical, reach); onY {
			r.Y += dy
		}
	}
	s.OnX, s.OnY = onX, onY
	if onX {
		s.By.X = r.X - g.box.X
		s.Lines = g.uprights(r, s.Lines)
		s.Lines = g.gaps(r, Horizontal, s.Lines)
	}
	if onY {
		s.By.Y = r.Y - g.box.Y
		s.Lines = g.levels(r, s.By.Y, s.Lines)
		s.Lines = g.gaps(r, Vertical, s.Lines)
	}
	return s
}

// catch returns the shortest distance from one of the lines of a moving box to a line of the same kind that does not move.
func catch(s *stops, at, size float64, handles []float64, by, reach float64) (way float64, ok bool) {
	way = math.Inf(1)
	for _, h := range handles {
		way = nearer(s.handles, h+by, way)
	}
	if math.Abs(way) <= reach {
		return way, true
	}
	way = nearer(s.edges, at, nearer(s.edges, at+size, math.Inf(1)))
	way = nearer(s.middles, at+size/2, way)
	return way, math.Abs(way) <= reach
}

// nearer returns the distance from at to the nearest stop, or best if that is not longer.
func nearer(list []stop, at, best float64) float64 {
	i, _ := slices.BinarySearchFunc(list, stop{at: at}, byPlace)
	for j := max(0, i-1); j <= i && j < len(list); j++ {
		if d := list[j].at - at; math.Abs(d) < math.Abs(best) {
			best = d
		}
	}
	return best
}

// stopsAt returns the stops at a place.
func stopsAt(list []stop, at float64) []stop {
	i, _ := slices.BinarySearchFunc(list, stop{at: at - same}, byPlace)
	j, _ := slices.BinarySearchFunc(list, stop{at: at + same}, byPlace)
	return list[i:j]
}

// uprights appends the vertical lines along which r is aligned with others.
func (g *Guides) uprights(r Rect, lines []GuideLine) []GuideLine {
	n := len(lines)
	for _, x := range [...]float64{r.X, r.Right()} {
		lines = g.line(stopsAt(g.x.edges, x), x, r, Vertical, lines)
	}
	if len(lines) < n+2 { // if both sides are aligned, the middle adds nothing
		x := r.Center().X
		lines = g.line(stopsAt(g.x.middles, x), x, r, Vertical, lines)
	}
	return lines
}

// line appends the line at v through r and the cards of a list. It is vertical if the axis is Vertical.
func (g *Guides) line(list []stop, v float64, r Rect, a Axis, lines []GuideLine) []GuideLine {
	if len(list) == 0 {
		return lines
	}
	r = flipped(r, a)
	from, to := Vec{r.X, v}, Vec{r.Right(), v}
	for _, s := range list {
		c := flipped(g.still[s.card], a)
		from.X, to.X = min(from.X, c.X), max(to.X, c.Right())
	}
	if a == Vertical {
		from, to = Vec{from.Y, from.X}, Vec{to.Y, to.X}
	}
	return append(lines, GuideLine{From: from, To: to})
}

// levels is uprights for horizontal lines. A line through handles includes the information of one along the upper sides.
func (g *Guides) levels(r Rect, by float64, lines []GuideLine) []GuideLine {
	n := len(lines)
	for _, h := range g.handles {
		lines = g.line(stopsAt(g.y.handles, h+by), h+by, r, Horizontal, lines)
	}
	if len(lines) == n {
		lines = g.line(stopsAt(g.y.edges, r.Y), r.Y, r, Horizontal, lines)
	}
	lines = g.line(stopsAt(g.y.edges, r.Bottom()), r.Bottom(), r, Horizontal, lines)
	if len(lines) < n+2 {
		y := r.Center().Y
		lines = g.line(stopsAt(g.y.middles, y), y, r, Horizontal, lines)
	}
	return lines
}
