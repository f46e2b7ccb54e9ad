package canvas

import (
	"strings"

	"github.com/formgraph/formgraph/app/graph"
)

// longClass marks a line of a card whose text may be too wide for it: the style
// sheet cuts it there and ends it with dots. Others are not cut, since each cut
// is a clip of its own to the browser, which it goes through at every zoom.
const longClass = " cv-long"

// What the style sheet leaves for text in a line of a card, and takes for what
// stands beside it, in form units.
const (
	lineGap   = 8
	headRoom  = graph.CardWidth - 8 - 10 - 24 - lineGap
	headID    = 96
	badgeRoom = 30 + lineGap
	rowRoom   = graph.CardWidth - 12 - 14 - lineGap // the gap is that of what pushes the note aside
	rowIcon   = 16 + lineGap
	rowDot    = 6 + lineGap
	rowNote   = 120
	noteChar  = 7 // of the fixed width, at 11 pixels
	valueChar = 8 // the same at 12 pixels
	boldMore  = 8 // the eighth by which bold text is wider
)

// headFits tells whether the name and the id of a card are sure to fit its head.
func headFits(l look) bool {
	room := headRoom
	if l.trouble.count > 0 {
		room -= badgeRoom
	}
	if k := l.content.Kind; k == graph.StartKind || k == graph.EndingKind {
		return true
	}
	id := noteChar * len(l.id)
	title := textWidth(l.content.Title)
	return id <= headID && title+title/boldMore+lineGap+id <= room
}

// rowFits tells whether the words and the note of a row are sure to fit.
func rowFits(r *graph.Row, words []graph.Word, bad bool) bool {
	room := rowRoom
	if r.Icon != "" || r.Kind == graph.RuleRow || r.Kind == graph.FallbackRow {
		room -= rowIcon
	}
	if r.Required {
		room -= rowDot
	}
	if r.Sensitive {
		room -= rowIcon
	}
	if bad || r.Warn {
		room -= rowIcon
	}
	if r.Note != "" {
		note := noteChar * len(r.Note)
		if note > rowNote {
			return false
		}
		room -= note + lineGap
	}
	for i, w := range words {
		if i > 0 {
			room -= textWidth(" ")
		}
		if w.Value {
			room -= valueChar * len(w.Text)
		} else {
			room -= textWidth(w.Text)
		}
	}
	return room >= 0
}

// textWidth is a bound of how wide a text is at 13 pixels in the fonts that
// tokens.css names. The widths are those of the widest font that stands in where
// none of them is there.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += charWidth(r)
	}
	return (n + 9) / 10
}

// charWidth returns the width of a character in tenths of a pixel, with what
// differs by little taken together.
func charWidth(r rune) int {
	if r >= 0x80 {
		return 140
	}
	for _, c := range charWidths {
		if strings.ContainsRune(c.chars, r) {
			return c.width
		}
	}
	return 83
}

var charWidths = [...]struct {
	chars string
	width int
}{
	{"ijlI'", 38},
	{" .,:;|", 45},
	{"tfr-()[]!/\\\"", 54},
	{"sczJ", 72},
	{"vxyk*^?", 78},
	{"SEFLPTYKRBAZ", 90},
	{"CDGHNOQUVX", 103},
	{"mwMW@%&#+=<>~", 130},
}
