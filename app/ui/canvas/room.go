package canvas

import (
	"github.com/formgraph/formgraph/app/graph"
)

// longClass marks a line of a card whose text may be too wide for the card; the
// style sheet truncates it with an ellipsis. Other lines are not truncated,
// because the browser treats each truncation as a separate clip, which it
// processes at every zoom.
const longClass = " cv-long"

// The widths that the style sheet leaves for text in a line of a card, and that
// it reserves for the elements beside the text, in form units.
const (
	lineGap   = 8
	headRoom  = graph.CardWidth - 8 - 44 - 24 - lineGap // the button of the menu is at the right
	badgeRoom = 30 + lineGap
	rowRoom   = graph.CardWidth - 12 - 14 - lineGap // the last gap is before the element that fills the rest of the row
	rowIcon   = 16 + lineGap
	rowDot    = 6 + lineGap
	valueChar = 8 // monospaced, at 12 pixels
	boldMore  = 8 // bold text is wider by an eighth
)

// headFits reports whether the name of a card is certain to fit in its head.
func headFits(l look) bool {
	room := headRoom
	if l.trouble.count > 0 {
		room -= badgeRoom
	}
	if l.talk.count > 0 {
		room -= badgeRoom
	}
	if c := l.content; c.Kind == graph.StartKind || c.Kind == graph.EndingKind {
		return true
	}
	title := textWidth(l.content.Title)
	return title+title/boldMore <= room
}

// rowFits reports whether both lines of a row are certain to fit.
func rowFits(r *graph.Row, words []graph.Word, marked bool, comments int) bool {
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
	if marked || r.Warn {
		room -= rowIcon
	}
	if comments > 0 {
		room -= badgeRoom
	}
	return wordsWidth(words) <= room && wordsWidth(r.Below()) <= room
}

func wordsWidth(words []graph.Word) (n int) {
	for i, w := range words {
		if i > 0 {
			n += textWidth(" ")
		}
		switch {
		case w.Value:
			n += valueChar * len(w.Text)
		case w.Name:
			n += textWidth(w.Text) * 9 / 8 // they are bold
		default:
			n += textWidth(w.Text)
		}
	}
	return n
}

// textWidth returns an upper bound of the width of a text at 13 pixels in the
// fonts that tokens.css names. The widths are those of the widest fallback font.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += charWidth(r)
	}
	return (n + 9) / 10
}

// charWidth returns the width of a character in tenths of a pixel. Characters of
// similar width share a value.
func charWidth(r rune) int {
	if r >= 0x80 {
		return 140
	}
	return charWidths[r]
}

// charWidths has the width of each ASCII character.
var charWidths = func() (widths [0x80]int) {
	for i := range widths {
		widths[i] = 83
	}
	for _, class := range [...]struct {
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
	} {
		for _, r := range class.chars {
			widths[r] = class.width
		}
	}
	return widths
}()
