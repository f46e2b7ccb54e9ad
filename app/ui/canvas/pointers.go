package canvas

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/markup"
)

// appendPointers appends the markup of the mice of people.
func appendPointers(b []byte, list []Pointer) []byte {
	for _, p := range list {
		b = append(b, `<i data-hue="`...)
		b = strconv.AppendInt(b, int64(p.Hue), 10)
		b = append(b, `" style="translate:`...)
		b = appendAt(b, p)
		b = append(b, `">`...)
		if p.Names != "" {
			b = append(b, `<b>`...)
			b = markup.Append(b, p.Names)
			b = append(b, `</b>`...)
		}
		b = append(b, `</i>`...)
	}
	return b
}

// appendAt appends the place of a mouse as a value of the CSS property translate.
func appendAt(b []byte, p Pointer) []byte {
	b = strconv.AppendInt(b, int64(p.At.X), 10)
	b = append(b, "px "...)
	b = strconv.AppendInt(b, int64(p.At.Y), 10)
	return append(b, "px"...)
}

// besideCard is how far from a card a mouse is still close to it, in form units.
const besideCard = 40

// onceNamed returns the mice without the names of those close to the card that their people have selected: the card has the names already.
func onceNamed(list []Pointer, s *graph.Scene) []Pointer {
	list = slices.Clone(list)
	for i := range list {
		p := &list[i]
		if c := s.Card(p.Node); c != nil && c.Rect.Grown(besideCard).Contains(graph.At(p.At)) {
			p.Names = ""
		}
	}
	return list
}

// samePeople reports whether two lists have the same people in the same order, wherever they point.
func samePeople(a, b []Pointer) bool {
	return slices.EqualFunc(a, b, func(p, q Pointer) bool { return p.Visitors == q.Visitors })
}
