package canvas

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/markup"
)

// labelChar is the approximate width of a character on an edge, labelRoom the space needed beside the text for its box, the handles, and 12
// pixels before each of them, and labelHeight the height of the box, in pixels. labelMost is the maximum number of characters of a text.
const (
	labelChar   = 6
	labelRoom   = 12 + 2*(graph.HandleRadius+12)
	labelHeight = 18
	labelMost   = 24
)

// labelUnit returns the size of a pixel of a label in form units: labels do not shrink with the form, so that they stay readable.
func labelUnit(zoom float64) float64 { return max(1, 1/zoom) }

// labels places the texts on edges.
type labels struct {
	scene *graph.Scene
	taken []graph.Rect
	near  []*graph.Card
}

// labelTries are the parts of an edge at which there may be a label, the best first.
var labelTries = [...]float64{.5, .42, .58, .34, .66, .26, .74, .18, .82}

// place returns where a label of a size lies on no card and on no earlier label, up above its edge, and false if there is no such place.
func (l *labels) place(c graph.Curve, w, h, up float64) (at graph.Vec, ok bool) {
	for _, t := range labelTries {
		at = c.At(t)
		at.Y -= up
		box := graph.Rect{X: at.X - w/2, Y: at.Y - h/2, W: w, H: h}
		l.near = l.scene.CardsIn(box, l.near[:0])
		if len(l.near) == 0 && !slices.ContainsFunc(l.taken, box.Overlaps) {
			l.taken = append(l.taken, box)
			return at, true
		}
		if up > 0 {
			break // the button stays in the middle
		}
	}
	return at, false
}

// append appends the text that a router's edge shows when it is emphasized: its rule. It covers a part of the edge, or is up above the middle.
// An edge that is too short for it has less of it, or none; the router's row shows the rule. Nor has one without room, unless it is under the pointer.
func (l *labels) append(b []byte, e *graph.Edge, curve graph.Curve, up, unit float64, pointed bool) []byte {
	way := curve.At(1).Sub(curve.At(0))
	room := way.X
	if room <= 0 {
		room = way.Len() // it goes back around the cards
	}
	text := labelFor(e, int((room/unit-labelRoom)/labelChar))
	if text == "" {
		return b
	}
	width := unit * (labelChar*float64(utf8.RuneCountInString(text)) + labelRoom)
	at, ok := l.place(curve, width, unit*labelHeight, up)
	if !ok {
		if !pointed {
			return b
		}
		at = curve.At(.5).Sub(graph.Vec{Y: up})
	}
	b = append(b, `<span class="cv-label" style="`...)
	b = appendPlace(b, at)
	if unit != 1 {
		b = append(b, `;scale:`...)
		b = appendNumber(b, unit)
	}
	b = append(b, `">`...)
	b = markup.Append(b, text)
	return append(b, `</span>`...)
}

// labelFor returns the text of an edge that has room for so many characters. The name in a condition is shortened, but there is no text
// without its end: a condition without its value says nothing.
func labelFor(e *graph.Edge, room int) string {
	text := e.Label(max(1, min(room, labelMost)))
	if strings.HasSuffix(text, "…") && text != e.Label(labelMost) {
		return ""
	}
	return text
}
