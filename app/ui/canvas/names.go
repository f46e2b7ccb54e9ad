package canvas

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// Measures of drawn names, in pixels.
const (
	nameSize    = 11  // as on cards from graph.NameZoom
	nameHeight  = 15  // of a line in a card
	plateHeight = 13  // of a line beside a card
	plateGap    = 1   // between a card and the name beside it
	nameGap     = 4   // between two names
	nameMargin  = 5   // between the border of a card and its name
	nameTop     = 6   // above a name in a card, less if the card is low
	nameBar     = 4   // the bar at the left of a card
	nameStep    = 120 // the name of a card too narrow for it has at least this width for itself
	nameRise    = 45  // and this height,
	fewCards    = 24  // unless the form has at most so many cards
	innerWidth  = 44  // a narrower card does not hold its name
	nameOver    = 10  // by which a name above or below its card may extend over the card beside
	innerLines  = 2   // maximum number of lines of a name in a card
	maxNameRune = 28  // limit for a name beside its card
	minBeside   = 66  // pixels that a shortened name beside its card may have, on however small a card
	maxNames    = 240 // maximum number of lines
	maxLooks    = 4000
	maxBeside   = 600 // maximum number of cards for whose names places beside them are tried
)

// insideZoom is the zoom from which names are in their cards: also the lowest of them has room for all lines of a name. From farther away,
// names stand above their cards, so that people find them in one place.
const insideZoom = (innerLines*nameHeight + 1.) / (graph.HeaderHeight + graph.RowHeight + 2*graph.ListPadding)

// align says which point of a name is at its place. The function formgraphNames knows the numbers.
type align float64

// The alignments.
const (
	alignLeft align = iota
	alignMiddle
	alignRight
)

// name is a line of a card's name as drawn: anchored to a point in the form, so that it moves with its card, with an offset in pixels.
type name struct {
	card  *graph.Card
	at    graph.Vec // anchor in the form
	by    graph.Vec // offset from the anchor to the point of the line that align tells, in pixels
	text  string
	align align
	plate bool // the line is not on its card and needs a ground of its own
}

// isEnd reports whether a card is the start or the ending.
func isEnd(c *graph.Content) bool { return c.Kind == graph.StartKind || c.Kind == graph.EndingKind }

// nameOrder returns cards by the importance of their names: the ends, then the cards with the most edges and rows,
// which are also the largest. Equals follow their place, not their order in the form.
func nameOrder(cards []*graph.Card) []*graph.Card {
	weight := func(c *graph.Card) int {
		w := len(c.Ins()) + 2*len(c.Outs) + c.Items
		if isEnd(c.Content) {
			w += 1 << 20
		}
		return w
	}
	order := slices.Clone(cards)
	slices.SortStableFunc(order, func(a, b *graph.Card) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.Rect.Y, b.Rect.Y), cmp.Compare(a.Rect.X, b.Rect.X), cmp.Compare(a.ID, b.ID))
	})
	return order
}

// pickNames returns the names that fit at a zoom, for the cards of a scene that overlap a region of the form. Earlier cards in order take
// precedence, but names through which no edge runs come before all others. No two names overlap, and no name covers another card or a sign,
// except that the two ends, which come first in order, always have their names. A name is in its card from insideZoom if the card holds all of
// it. Otherwise it stands above the card, in one line or two, where it may be wider than the card; without room there, in the card if that holds
// all of it; or else below the card, or shortened. In the end, the card contains as much of it as fits.
func pickNames(s *graph.Scene, order []*graph.Card, signs map[*graph.Card]sign, region graph.Rect, zoom float64) []name {
	n := newNamer(s, signs, zoom)
	var ends, cards []*graph.Card
	for _, c := range order {
		switch {
		case len(cards) == maxLooks:
		case !c.Rect.Overlaps(region) || c.Title == "":
		case isEnd(c.Content):
			ends = append(ends, c)
		default:
			cards = append(cards, c)
		}
	}
	for _, unnamed := range [...][]*graph.Card{ends, cards} {
		for _, n.strict = range [...]bool{true, false} {
			unnamed = n.round(unnamed)
		}
	}
	return n.out
}

// namer picks the names of cards at a zoom.
type namer struct {
	scene  *graph.Scene
	zoom   float64
	signs  map[*graph.Card]sign
	marked shelf // the places of the signs
	taken  shelf // those of the names
	few    bool  // the form has few cards, whose names need no room between them
	strict bool  // a name outside its card lies on no edge, and is complete
	near   []*graph.Card
	edges  []*graph.Edge
	out    []name
}

func newNamer(s *graph.Scene, signs map[*graph.Card]sign, zoom float64) *namer {
	n := &namer{scene: s, zoom: zoom, signs: signs, few: len(s.Cards()) <= fewCards, marked: newShelf(), taken: newShelf()}
	var boxes []graph.Rect
	for c, sign := range signs {
		boxes = sign.appendBoxes(boxes[:0], c, zoom)
		for _, box := range boxes {
			n.marked.add(box)
		}
	}
	return n
}

// round names cards in their order, and returns those that have no name after it.
func (n *namer) round(cards []*graph.Card) (unnamed []*graph.Card) {
	for i, c := range cards {
		if len(n.out) >= maxNames {
			break
		}
		if !n.name(c, i < maxBeside) {
			unnamed = append(unnamed, c)
		}
	}
	return unnamed
}

// name puts the name of a card in it or, if allowed, beside it, and reports whether there is room.
func (n *namer) name(c *graph.Card, beside bool) bool {
	inner, whole := n.inner(c)
	if n.zoom >= insideZoom && whole && n.put(c, inner) {
		return true
	}
	if beside {
		text := schema.Shorten(c.Title, maxNameRune)
		one, two := []string{text}, inTwo(text)
		if n.outside(c, above, one, two) || whole && n.put(c, inner) || n.outside(c, below, one, two) || !n.strict && n.squeeze(c, text, two) {
			return true
		}
	}
	if n.strict {
		return false
	}
	if isEnd(c.Content) {
		inner = n.outer(c, []string{c.Title}, above, true)
	}
	return len(inner.lines) > 0 && n.put(c, inner)
}

// squeeze puts a name, of which there is also a form in two lines, outside a card that has no room for it at its left side: shortened, in the
// middle or, for the ends, to the right or the left.
func (n *namer) squeeze(c *graph.Card, text string, two []string) bool {
	if short := cutTo(c.Title, max(c.Rect.W*n.zoom, minBeside)); short != "" && (n.outside(c, above, []string{short}) || n.outside(c, below, []string{short})) {
		return true
	}
	return n.centered(c, two) || isEnd(c.Content) && (n.try(c, n.side(c, text, alignRight), 0) || n.try(c, n.side(c, text, alignLeft), 0))
}

// outside puts a name above or below its card, broken into lines in the first of some ways that has room there. It begins at the left side
// of the card, like all others, except that those of the ends are centered. A name that leaves room for that of the card beside comes first.
func (n *namer) outside(c *graph.Card, at side, ways ...[]string) bool {
	for _, over := range []float64{-nameGap, nameOver} {
		for _, lines := range ways {
			if n.try(c, n.outer(c, lines, at, isEnd(c.Content)), over) {
				return true
			}
		}
	}
	return false
}

// centered puts a name above or below the middle of its card, where it extends less far to the right.
func (n *namer) centered(c *graph.Card, lines []string) bool {
	return n.try(c, n.outer(c, lines, above, true), nameOver) || n.try(c, n.outer(c, lines, below, true), nameOver)
}

// try adds a name at a place outside its card if there is room.
func (n *namer) try(c *graph.Card, b block, over float64) bool {
	return len(b.lines) > 0 && n.clear(b.box, c, over) && (!n.strict || !n.crossed(b.box)) && n.put(c, b)
}

// crossed reports whether an edge runs through a box on the screen.
func (n *namer) crossed(box graph.Rect) bool {
	r := n.inForm(box)
	n.edges = n.scene.EdgesIn(r, n.edges[:0])
	return slices.ContainsFunc(n.edges, func(e *graph.Edge) bool { return e.Curve.Meets(r) })
}

// inForm returns the part of the form that a box on the screen covers.
func (n *namer) inForm(box graph.Rect) graph.Rect {
	return graph.Rect{X: box.X / n.zoom, Y: box.Y / n.zoom, W: box.W / n.zoom, H: box.H / n.zoom}
}

// side is a side of a card at which its name can be.
type side bool

// The sides.
const (
	above side = true
	below side = false
)

// block is a name at a place: its lines below each other, and the space that they occupy on the screen.
type block struct {
	lines []string
	at    graph.Vec
	by    graph.Vec // of the first line
	pitch float64
	align align
	plate bool
	box   graph.Rect
}

// inner returns the name in its card, as much of it as fits, and whether that is all of it.
func (n *namer) inner(c *graph.Card) (block, bool) {
	width, height := c.Rect.W*n.zoom, c.Rect.H*n.zoom
	if width < innerWidth || height < nameHeight {
		return block{}, false
	}
	room := width - nameBar - 2*nameMargin - n.signs[c].inset()
	lines, whole := wrapName(c.Title, room, max(1, min(innerLines, int((height-1)/nameHeight))))
	top := min(nameTop, (height-nameHeight*float64(len(lines)))/2)
	b := block{lines: lines, at: c.Rect.Origin(), by: graph.Vec{X: nameBar + nameMargin, Y: top + nameHeight/2.0}, pitch: nameHeight}
	b.box = graph.Rect{X: c.Rect.X*n.zoom + b.by.X, Y: c.Rect.Y*n.zoom + b.by.Y - nameHeight/2, W: room, H: nameHeight * float64(len(lines))}
	return b, whole
}

// outer returns a name above or below its card, at its left side or centered. Above, it stands on the marks of the card if it is too
// long to stand beside them.
func (n *namer) outer(c *graph.Card, lines []string, at side, centered bool) block {
	w, h := 0.0, plateHeight*float64(len(lines))
	for _, l := range lines {
		w = max(w, nameWidth(l))
	}
	b := block{lines: lines, at: c.Rect.Origin(), by: graph.Vec{Y: plateGap + plateHeight/2.0}, pitch: plateHeight, plate: true}
	if at == above {
		b.by.Y = plateHeight/2.0 - h - plateGap
		if s := n.signs[c]; s.marks > 0 && w > c.Rect.W*n.zoom-s.inset() {
			b.by.Y -= signUp
		}
	} else {
		b.at.Y = c.Rect.Bottom()
	}
	left := 0.0
	if centered {
		b.at.X, b.align, left = c.Rect.Center().X, alignMiddle, -w/2
	}
	b.box = graph.Rect{X: b.at.X*n.zoom + left, Y: b.at.Y*n.zoom + b.by.Y - plateHeight/2.0, W: w, H: h}
	return b
}

// side returns a name to the left of its card, aligned to the right, or to the right of it.
func (n *namer) side(c *graph.Card, text string, of align) block {
	w := nameWidth(text)
	b := block{lines: []string{text}, at: graph.Vec{X: c.Rect.Right(), Y: c.Rect.Center().Y}, by: graph.Vec{X: nameMargin}, align: of, plate: true}
	left := b.by.X
	if of == alignRight {
		b.at.X, b.by.X, left = c.Rect.X, -nameMargin, -nameMargin-w
	}
	b.box = graph.Rect{X: b.at.X*n.zoom + left, Y: b.at.Y*n.zoom - plateHeight/2.0, W: w, H: plateHeight}
	return b
}

// clear reports whether a box on the screen, above or below a card or beside it, covers no other card. If the cards are large enough to be
// told apart, it also extends at most so many pixels over a card beside its own, so that nobody takes it for that card's name; if that is
// negative, it leaves room on the right.
func (n *namer) clear(box graph.Rect, own *graph.Card, over float64) bool {
	r := n.inForm(box)
	if !n.alone(r, own) {
		return false
	}
	if own.Rect.W*n.zoom < innerWidth {
		return true
	}
	top, bottom := min(r.Y, own.Rect.Y), max(r.Bottom(), own.Rect.Bottom())
	right := min(over/n.zoom, r.W/2)
	left := max(0, right)
	return n.alone(graph.Rect{X: r.X + left, Y: top, W: r.W - left - right, H: bottom - top}, own)
}

// alone reports whether a region of the form overlaps no card but one.
func (n *namer) alone(r graph.Rect, own *graph.Card) bool {
	n.near = n.scene.CardsIn(r, n.near[:0])
	return len(n.near) == 0 || len(n.near) == 1 && n.near[0] == own
}

// put adds a name unless it overlaps an earlier one, and reports whether it was added.
func (n *namer) put(c *graph.Card, b block) bool {
	space := b.box
	if c.Rect.W*n.zoom < innerWidth && !isEnd(c.Content) && !n.few {
		space.W = max(space.W, nameStep)
		space.Y, space.H = space.Y-(nameRise-space.H)/2, nameRise
	}
	if !n.marked.free(b.box) || !n.taken.put(space) {
		return false
	}
	n.add(c, b)
	return true
}

// add adds a name wherever it is.
func (n *namer) add(c *graph.Card, b block) {
	for i, text := range b.lines {
		by := graph.Vec{X: b.by.X, Y: b.by.Y + float64(i)*b.pitch}
		n.out = append(n.out, name{card: c, at: b.at, by: by, text: text, align: b.align, plate: b.plate})
	}
}

// nameWidth returns an upper bound of the width of a text as a name, which is bold.
func nameWidth(s string) float64 { return float64(textWidth(s)) * (1 + 1.0/boldMore) * nameSize / 13 }

// inTwo breaks a text into two lines of about the same width. A single word stays in one.
func inTwo(s string) []string {
	for part := .5; part < 1; part += .1 {
		if lines, whole := wrapName(s, part*nameWidth(s), 2); whole {
			return lines
		}
	}
	return []string{s}
}

// wrapName breaks a text between words into at most so many lines of a width, and reports whether all of it fits. If not, the last line is
// cut; there are no lines if too little of the text would be left.
func wrapName(s string, room float64, most int) (lines []string, whole bool) {
	words := strings.Fields(s)
	for len(words) > 0 && len(lines) < most-1 {
		n := 1
		for n < len(words) && nameWidth(strings.Join(words[:n+1], " ")) <= room {
			n++
		}
		line := strings.Join(words[:n], " ")
		if nameWidth(line) > room {
			break
		}
		lines, words = append(lines, line), words[n:]
	}
	if len(words) == 0 {
		return lines, len(lines) > 0
	}
	rest := strings.Join(words, " ")
	last := cutTo(rest, room)
	switch {
	case last != "":
		return append(lines, last), last == rest
	case len(lines) > 0:
		lines[len(lines)-1] += "…"
	}
	if utf8.RuneCountInString(strings.Join(lines, " ")) <= leastCut {
		return nil, false
	}
	return lines, false
}

// leastCut is the minimum number of characters of a shortened name, without the ellipsis.
const leastCut = 8

// cutTo returns as much of a text as fits a width, or "" if that is too little.
func cutTo(s string, room float64) string {
	n := utf8.RuneCountInString(s)
	if nameWidth(s) <= room {
		return s
	}
	for n > leastCut && nameWidth(schema.Shorten(s, n)) > room {
		n--
	}
	if n <= leastCut {
		return ""
	}
	return schema.Shorten(s, n)
}

// shelf detects overlapping boxes. It compares a box only with those in the rows that it covers.
type shelf map[int][]graph.Rect

func newShelf() shelf { return shelf{} }

// put adds a box unless it overlaps an earlier one, and reports whether it was added.
func (s shelf) put(box graph.Rect) bool {
	if !s.free(box) {
		return false
	}
	s.add(box)
	return true
}

// rows returns the first and the last row that a box covers.
func (shelf) rows(box graph.Rect) (first, last int) {
	return int(box.Y)/nameHeight - 1, int(box.Bottom())/nameHeight + 1
}

// free reports whether a box overlaps none that was added.
func (s shelf) free(box graph.Rect) bool {
	first, last := s.rows(box)
	for row := first; row <= last; row++ {
		for _, o := range s[row] {
			if box.X < o.Right()+nameGap && o.X < box.Right()+nameGap && box.Y < o.Bottom() && o.Y < box.Bottom() {
				return false
			}
		}
	}
	return true
}

func (s shelf) add(box graph.Rect) {
	first, last := s.rows(box)
	for row := first; row <= last; row++ {
		s[row] = append(s[row], box)
	}
}
