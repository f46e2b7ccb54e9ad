package canvas

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// Measures of drawn names, in pixels.
const (
	nameSize    = 12
	nameHeight  = 15
	nameGap     = 6   // between two names
	nameMargin  = 5   // between the border of a card and its name
	innerWidth  = 44  // a card of this width holds its name, a smaller one is named over it
	maxNameRune = 24  // limit for a name that is wider than its card
	nameStep    = 120 // a name over a card has at least this width for itself
	nameRise    = 45  // and this height
	maxNames    = 120
	maxLooks    = 4000 // maximum number of cards considered, the most important first
)

// name is a card name as drawn: anchored to a point in the form, so that it moves with its card, with an offset in
// pixels.
type name struct {
	at       graph.Vec // anchor in the form
	by       graph.Vec // offset from the anchor to the middle of its left end, in pixels
	text     string
	centered bool
}

// isEnd reports whether a card is the start or the ending.
func isEnd(c *graph.Content) bool { return c.Kind == graph.StartKind || c.Kind == graph.EndingKind }

// nameOrder returns cards by the importance of their names: the ends, then the cards with the most edges and rows,
// which are also the largest.
func nameOrder(cards []*graph.Card) []*graph.Card {
	weight := func(c *graph.Card) int {
		w := len(c.Ins()) + 2*len(c.Outs) + c.Items
		if isEnd(c.Content) {
			w += 1 << 20
		}
		return w
	}
	order := slices.Clone(cards)
	slices.SortStableFunc(order, func(a, b *graph.Card) int { return cmp.Compare(weight(b), weight(a)) })
	return order
}

// pickNames returns the names that fit at a zoom, for the cards that overlap a region of the form. Earlier cards in
// order take precedence; no two names overlap. A card that is wide enough contains its name, cut to its width.
func pickNames(order []*graph.Card, region graph.Rect, zoom float64, out []name) []name {
	taken := newShelf()
	looks := 0
	for _, c := range order {
		if len(out) == maxNames || looks == maxLooks {
			break
		}
		if !c.Rect.Overlaps(region) {
			continue
		}
		looks++
		n, box := nameOf(c, zoom)
		if n.text != "" && taken.put(box) {
			out = append(out, n)
		}
	}
	return out
}

// nameOf returns the name of a card at a zoom, and the space it occupies on the screen.
func nameOf(c *graph.Card, zoom float64) (name, graph.Rect) {
	width, height := c.Rect.W*zoom, c.Rect.H*zoom
	if width >= innerWidth && c.Rect.W == graph.CardWidth {
		room := width - 2*nameMargin
		n := name{
			at: c.Rect.Origin(), by: graph.Vec{X: nameMargin, Y: max(nameHeight/2+2, min(height, graph.HeaderHeight*zoom)/2)},
			text: cutTo(c.Title, room),
		}
		return n, graph.Rect{X: c.Rect.X*zoom + nameMargin, Y: c.Rect.Y*zoom + n.by.Y - nameHeight/2, W: room, H: nameHeight}
	}
	n := name{at: c.Rect.Center(), text: schema.Shorten(c.Title, maxNameRune), centered: true}
	w, h := nameWidth(n.text)+nameGap, float64(nameHeight)
	if !isEnd(c.Content) {
		w, h = max(w, nameStep), nameRise
	}
	return n, graph.Rect{X: n.at.X*zoom - w/2, Y: n.at.Y*zoom - h/2, W: w, H: h}
}

// nameWidth returns an upper bound of the width of a text as a name.
func nameWidth(s string) float64 { return float64(textWidth(s)) * nameSize / 13 }

// leastCut is the minimum number of characters of a shortened name.
const leastCut = 3

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
	first, last := int(box.Y)/nameHeight-1, int(box.Bottom())/nameHeight+1
	for row := first; row <= last; row++ {
		for _, o := range s[row] {
			if box.X < o.Right()+nameGap && o.X < box.Right()+nameGap && box.Y < o.Bottom()+2 && o.Y < box.Bottom()+2 {
				return false
			}
		}
	}
	for row := first; row <= last; row++ {
		s[row] = append(s[row], box)
	}
	return true
}
