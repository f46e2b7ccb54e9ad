package canvas

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// Measures of the signs on cards seen from far, in pixels, as in the style sheet.
const (
	signSize  = 16 // of a mark at the upper right corner
	signStep  = 18 // between the right ends of two marks
	signOut   = 6  // by which a mark extends to the right of its card
	signUp    = 8  // and above it
	tagHeight = 18 // of a tag above the card
	tagPad    = 6
)

// sign is what a card seen from far shows besides its name: marks at its upper right corner, and tags above it. The zero value is none.
type sign struct {
	marks  float64 // how far the marks extend to the left from the right end of the first
	people string
	tag    string
}

// signOf returns the sign of a card.
func signOf(c *graph.Card, t trouble, m *marks) (s sign) {
	if t = m.warned(c, t); t.count > 0 {
		s.marks = signWidth("!" + strconv.Itoa(t.count))
	} else if t.warnings > 0 {
		s.marks = signSize
	}
	if n := m.comments(c).count; n > 0 {
		right := 0.0
		if s.marks > 0 {
			right = signStep
		}
		s.marks = max(s.marks, right+signWidth(strconv.Itoa(n)))
	}
	s.people = m.visitors(c).Names
	if d := m.difference(c); d != nil {
		s.tag = d.Tag
	}
	return s
}

func signWidth(s string) float64 { return max(signSize, nameWidth(s)+8) }

// any reports whether there is a sign.
func (s sign) any() bool { return s != sign{} }

// inset returns how far the marks extend into their card from its right side.
func (s sign) inset() float64 {
	if s.marks == 0 {
		return 0
	}
	return s.marks - signOut + nameGap
}

// appendBoxes appends the places of a card's signs on the screen to a list.
func (s sign) appendBoxes(list []graph.Rect, c *graph.Card, zoom float64) []graph.Rect {
	x, y, right := c.Rect.X*zoom, c.Rect.Y*zoom, c.Rect.Right()*zoom+signOut
	if s.marks > 0 {
		list = append(list, graph.Rect{X: right - s.marks, Y: y - signUp, W: s.marks, H: signSize})
	}
	if zoom < tinyZoom {
		return list // a tag is as small as its card
	}
	if s.people != "" {
		list = append(list, graph.Rect{X: x - 3*zoom, Y: y - 6*zoom - tagHeight, W: nameWidth(s.people) + 2*tagPad, H: tagHeight})
	}
	if s.tag != "" {
		list = append(list, graph.Rect{X: x + 10*zoom, Y: y - tagHeight - 1, W: nameWidth(s.tag) + 2*tagPad, H: tagHeight})
	}
	return list
}

// maxFull limits a name that is shown in full.
const maxFull = 80

// withFull returns names with those of some cards in full, whatever else they cover; names of other cards that they overlap are left out.
// All other names keep their places.
func withFull(s *graph.Scene, cards []*graph.Card, signs map[*graph.Card]sign, zoom float64, names []name) []name {
	if len(cards) == 0 {
		return names
	}
	n := newNamer(s, signs, zoom)
	n.out = slices.Clone(names)
	for i, c := range cards {
		title := schema.Shorten(strings.Join(strings.Fields(c.Title), " "), maxFull)
		if title == "" || slices.Contains(cards[:i], c) || n.text(c) == title {
			continue
		}
		b := n.full(c, title)
		n.out = slices.DeleteFunc(n.out, func(o name) bool {
			return o.card == c || !slices.Contains(cards[:i], o.card) && o.box(zoom).Overlaps(b.box)
		})
		n.add(c, b)
	}
	return n.out
}

// text returns what is shown of a card's name.
func (n *namer) text(c *graph.Card) string {
	var lines []string
	for _, o := range n.out {
		if o.card == c {
			lines = append(lines, o.text)
		}
	}
	return strings.Join(lines, " ")
}

// full returns a whole name at the first place that covers no other card and no sign, else no sign, or else above its card.
func (n *namer) full(c *graph.Card, title string) block {
	if inner, whole := n.inner(c); whole && n.marked.free(inner.box) {
		return inner
	}
	lines := []string{title}
	if len(title) > maxNameRune {
		lines = inTwo(title)
	}
	over, under := n.outer(c, lines, above, isEnd(c.Content)), n.outer(c, lines, below, isEnd(c.Content))
	for _, b := range []block{over, under} {
		if n.marked.free(b.box) && n.clear(b.box, c, nameOver) {
			return b
		}
	}
	if !n.marked.free(over.box) {
		return under
	}
	return over
}

// box returns the space of a line as drawn.
func (n name) box(zoom float64) graph.Rect {
	at, w := n.at.Scale(zoom).Add(n.by), nameWidth(n.text)
	return graph.Rect{X: at.X - w*float64(n.align)/2, Y: at.Y - plateHeight/2, W: w, H: plateHeight - .01}
}

// fitNamed returns the viewport that fits a part of the form to a canvas with a padding, so that also the names of its cards, if it is seen from
// far, are clear of the tabs, the buttons and the minimap.
func fitNamed(s *graph.Scene, signs map[*graph.Card]sign, part graph.Rect, p graph.Pane, padding float64) graph.Viewport {
	var cards []graph.Rect
	for _, c := range s.CardsIn(part, nil) {
		cards = append(cards, c.Rect)
	}
	in := p.Inside(padding)
	v := p.FitBeside(part, in, cards)
	for range 2 { // smaller cards have other names
		if v.Zoom < graph.NameZoom {
			names := namesOf(s, signs, part, v.Zoom)
			shown := slices.Clone(cards)
			for _, b := range names {
				shown = append(shown, graph.Rect{X: b.X / v.Zoom, Y: b.Y / v.Zoom, W: b.W / v.Zoom, H: b.H / v.Zoom})
			}
			v = p.FitBeside(part, besideNames(part, names, in, p.Free().Grown(-nameGap), v.Zoom), shown)
		}
	}
	return v
}

// namesOf returns the places of the names of the cards in a part of the form, at a zoom.
func namesOf(s *graph.Scene, signs map[*graph.Card]sign, part graph.Rect, zoom float64) (boxes []graph.Rect) {
	for _, n := range pickNames(s, nameOrder(s.Cards()), signs, part, zoom) {
		boxes = append(boxes, n.box(zoom))
	}
	return boxes
}

// besideNames returns what the names of the cards in a part of the form, at a zoom, leave of what the part is fitted to, so that they stay
// within all. They take up to a quarter at a side.
func besideNames(part graph.Rect, names []graph.Rect, in, all graph.Rect, zoom float64) graph.Rect {
	var left, top, right, bottom float64
	for _, b := range names {
		left, right = max(left, part.X*zoom-b.X-in.X+all.X), max(right, b.Right()-part.Right()*zoom-all.Right()+in.Right())
		top, bottom = max(top, part.Y*zoom-b.Y-in.Y+all.Y), max(bottom, b.Bottom()-part.Bottom()*zoom-all.Bottom()+in.Bottom())
	}
	left, right = min(left, in.W/4), min(right, in.W/4)
	top, bottom = min(top, in.H/4), min(bottom, in.H/4)
	return graph.Rect{X: in.X + left, Y: in.Y + top, W: in.W - left - right, H: in.H - top - bottom}
}
