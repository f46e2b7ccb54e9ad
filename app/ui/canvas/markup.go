package canvas

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model"
)

// look is everything that determines a card's markup, except its position and selection. Looks are comparable
// with ==; equal looks have the same markup.
type look struct {
	content *graph.Content
	id      string
	trouble trouble
	row     int    // of the selected component or rule, -1 for none
	parts   string // ids of the components that are selected together, each between two spaces
	flow    string // name of the flow that a FLOW node runs, "" if unknown
	folded  string // name of the selected component or rule if it is folded, else ""
	differs *Difference
	talk    talk
}

// chosen reports whether a row is one of the components that are selected together.
func (l look) chosen(r *graph.Row) bool {
	return l.parts != "" && r.Kind == graph.ComponentRow && strings.Contains(l.parts, " "+r.ID+" ")
}

// appendCard appends the element of a card. server/API.md lists its attributes.
func appendCard(b []byte, c *graph.Card, l look, selected bool) []byte {
	b = append(b, `<div class="cv-card" role="option" id="`...)
	b = appendDOMID(b, c)
	b = append(b, `" data-node="`...)
	b = markup.Append(b, c.ID)
	b = append(b, `" data-kind="`...)
	b = markup.Append(b, string(c.Kind))
	b = append(b, `" data-problems="`...)
	b = strconv.AppendInt(b, int64(l.trouble.count), 10)
	b = append(b, `" aria-selected="`...)
	b = strconv.AppendBool(b, selected)
	b = append(b, '"')
	b = appendDifference(b, l.differs)
	b = append(b, ` style="`...)
	b = appendPlace(b, c.Rect.Origin())
	b = append(b, `;height:`...)
	b = appendNumber(b, c.Rect.H)
	b = append(b, `px;z-index:`...)
	b = strconv.AppendInt(b, int64(c.Order()), 10)
	b = append(b, `">`...)
	b = appendInner(b, l)
	return append(b, `</div>`...)
}

// appendDOMID appends the id by which aria-activedescendant refers to a card.
func appendDOMID(b []byte, c *graph.Card) []byte {
	return markup.Append(append(b, "node:"...), c.Key)
}

// nameOf returns the accessible name of a card, the same at every zoom: "Address, step, 1 problem".
func nameOf(l look, warnings int) string {
	s := l.content.Title + ", " + kindWord(l.content.Kind)
	if l.trouble.count > 0 {
		s += ", " + several(l.trouble.count, "problem")
	}
	if warnings > 0 {
		s += ", " + several(warnings, "warning")
	}
	if l.talk.count > 0 {
		s += ", " + several(l.talk.count, "comment")
	}
	return s + l.differs.words()
}

// nameOfRow returns the accessible name of the component or rule in a row: "Your number, Phone, required, 1 comment". The last row may stand for
// a folded one.
func nameOfRow(l look, row int) string {
	r := &l.content.Rows[row]
	s := cmp.Or(l.folded, r.Text())
	if r.Kind == graph.RuleRow {
		if below := r.Below(); below != nil {
			s += ", " + caption.Join(below)
		}
		s += ", rule " + strconv.Itoa(r.Index+1)
	} else if what := r.What(); what != "" && what != s {
		s += ", " + what
	}
	if r.Required {
		s += ", required"
	}
	switch l.trouble.at(row) {
	case wrong:
		s += ", has a problem"
	case doubtful:
		s += ", has a warning"
	case unmarked:
	}
	if n := l.talk.at(row); n > 0 {
		s += ", " + several(n, "comment")
	}
	return s
}

func several(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}

func kindWord(k graph.Kind) string {
	switch k {
	case graph.StepKind:
		return "step"
	case graph.FlowKind:
		return "flow"
	case graph.RouterKind:
		return "router"
	case graph.StartKind:
		return "where the journey begins"
	case graph.EndingKind:
		return "where the journey ends"
	}
	return "node"
}

// appendInner appends the content of a card's element.
func appendInner(b []byte, l look) []byte {
	b = appendHead(b, l)
	if c := l.content; len(c.Rows) > 0 {
		b = append(b, `<div class="cv-rows" aria-hidden="true">`...)
		for i := range c.Rows {
			b = appendRow(b, &c.Rows[i], cmp.Or(l.flow, l.folded), l.differs.signOf(&c.Rows[i]), l.trouble.at(i), l.row == i || l.chosen(&c.Rows[i]), l.talk.at(i))
		}
		b = append(b, `</div>`...)
	}
	if d := l.differs; d != nil && d.Gone != "" {
		class, open, end := `"cv-lost" aria-hidden="true"`, `>− <s>`, `</s></div>`
		if d.Arrives {
			class, open, end = `"cv-lost cv-new" aria-hidden="true"`, `>+ `, `</div>`
		}
		b = append(b, `<div class=`+class...)
		b = appendTitle(b, d.Gone)
		b = append(b, open...)
		b = markup.Append(b, d.Gone)
		b = append(b, end...)
	}
	if l.content.HasIn {
		b = appendHandle(b, "cv-in", l.id, "in", l.content.InY)
	}
	for i := range l.content.Outs {
		o := &l.content.Outs[i]
		b = appendHandle(b, "cv-out", l.id, string(o.Port), o.Y)
	}
	return b
}

// appendHead appends the header of a card: its kind, name, problems and comments. To assistive technology it is one picture, whose name is that of
// the card; the rest of the card is hidden from it.
func appendHead(b []byte, l look) []byte {
	c := l.content
	b = append(b, `<div class="cv-head`...)
	fits := headFits(l)
	if !fits {
		b = append(b, longClass...)
	}
	b = append(b, `" role="img" aria-label="`...)
	b = append(markup.Append(b, nameOf(l, 0)), '"')
	if !fits {
		b = appendTitle(b, c.Title)
	}
	b = append(b, `><span class="cv-kind">`...)
	b = appendIcon(b, c.Icon, "")
	b = append(b, `</span><b>`...)
	b = markup.Append(b, c.Title)
	b = append(b, `</b>`...)
	if n := l.trouble.count; n > 0 {
		b = append(b, `<span class="cv-badge`...)
		if n == l.trouble.early {
			b = append(b, ` cv-todo`...)
		}
		b = append(b, `">`...)
		b = appendIcon(b, "warn", "")
		b = strconv.AppendInt(b, int64(n), 10)
		b = append(b, `</span>`...)
	}
	b = appendTalk(b, l.talk.count)
	return append(b, `</div>`...)
}

// appendTalk appends the number of open threads, nothing for none. A press on it selects the card or row, as a press beside it does.
func appendTalk(b []byte, n int) []byte {
	if n == 0 {
		return b
	}
	return append(b, `<span class="cv-talk" title="`+several(n, "open comment")+`"><i class="ci ci-comment"></i>`+strconv.Itoa(n)+`</span>`...)
}

// appendHandle appends the handle of a port, y below the top of its card.
func appendHandle(b []byte, class, node, port string, y float64) []byte {
	b = append(b, `<i class="cv-handle `...)
	b = append(b, class...)
	b = append(b, `" data-handle="`...)
	b = markup.Append(b, node)
	b = append(b, ':')
	b = markup.Append(b, port)
	b = append(b, `" style="top:`...)
	b = appendNumber(b, y)
	return append(b, `px"></i>`...)
}

// rowClasses maps kinds of rows to their classes in the style sheet.
var rowClasses = [...]string{
	graph.ComponentRow: "", graph.RuleRow: " cv-rule", graph.FallbackRow: " cv-else",
	graph.FlowRow: "", graph.MoreRow: " cv-more", graph.EmptyRow: " cv-more",
}

// appendRow appends a row of a card. name is that of the flow in the row of a flow, and that of the selected part in the row for folded
// ones; others have none.
func appendRow(b []byte, r *graph.Row, name, sign string, mark rowMark, on bool, comments int) []byte {
	words := r.Said()
	if r.Kind == graph.FlowRow && name != "" {
		words = []graph.Word{{Text: name}}
	}
	if r.Kind == graph.MoreRow && name != "" {
		words = []graph.Word{words[0], {Text: "· " + name}}
	}
	b = append(b, `<div class="cv-row`...)
	b = append(b, rowClasses[r.Kind]...)
	below := r.Below()
	if below != nil {
		b = append(b, ` cv-two`...)
	}
	switch mark {
	case wrong:
		b = append(b, ` cv-bad`...)
	case doubtful:
		b = append(b, ` cv-doubt`...)
	case unmarked:
	}
	if r.Warn {
		b = append(b, ` cv-warn`...)
	}
	if on {
		b = append(b, ` cv-on`...)
	}
	if rowFits(r, words, mark != unmarked, comments) {
		b = append(b, '"')
	} else {
		b = append(b, longClass...)
		b = append(b, '"')
		b = appendTitle(b, rowText(r, words))
	}
	if r.Kind == graph.ComponentRow {
		b = append(b, ` data-component="`...)
		b = markup.Append(b, r.ID)
		b = append(b, '"')
	}
	if sign != "" {
		b = append(b, ` data-sign="`...)
		b = markup.Append(b, sign)
		b = append(b, '"')
	}
	b = append(b, '>')
	switch {
	case r.Kind == graph.RuleRow:
		b = append(b, `<em>`...)
		b = strconv.AppendInt(b, int64(r.Index+1), 10)
		b = append(b, `</em>`...)
	case r.Kind == graph.FallbackRow:
		b = append(b, `<em></em>`...)
	case r.Icon != "":
		b = appendIcon(b, r.Icon, "")
	}
	b = appendWords(append(b, `<span>`...), words)
	if below != nil {
		b = appendWords(append(b, `<small>`...), below)
		b = append(b, `</small>`...)
	}
	b = append(b, `</span>`...)
	if r.Required {
		b = append(b, `<i class="cv-required" title="Required"></i>`...)
	}
	// The marks follow the text, so that they stay in place when the buttons of the row appear at its right end.
	if r.Sensitive {
		b = appendIcon(b, "lock", "Sensitive")
	}
	if mark != unmarked || r.Warn {
		b = appendIcon(b, "warn", "")
	}
	return append(appendTalk(b, comments), `<i class="cv-push"></i></div>`...)
}

// rowText returns the full text of a row, for its tooltip.
func rowText(r *graph.Row, words []graph.Word) string {
	text := make([]string, len(words), len(words)+2)
	for i, w := range words {
		text[i] = w.Text
	}
	if below := r.Below(); below != nil {
		text = append(text, "– "+caption.Join(below))
	}
	return strings.Join(text, " ")
}

// appendWords appends the words of a row, values in b and names in strong.
func appendWords(b []byte, words []graph.Word) []byte {
	for i, w := range words {
		if i > 0 {
			b = append(b, ' ')
		}
		switch {
		case w.Value:
			b = append(markup.Append(append(b, `<b>`...), w.Text), `</b>`...)
		case w.Name:
			b = append(markup.Append(append(b, `<strong>`...), w.Text), `</strong>`...)
		default:
			b = markup.Append(b, w.Text)
		}
	}
	return b
}

// appendTitle appends a tooltip with the full text, which may be cut off.
func appendTitle(b []byte, text string) []byte {
	b = append(b, ` title="`...)
	b = markup.Append(b, text)
	return append(b, '"')
}

// appendIcon appends a symbol of the icon set; a title gives it a tooltip. The names come from our tables,
// never from a form. The style sheet draws the symbol as a background, because an SVG element would be laid
// out and drawn again at each change of the zoom, and hundreds of symbols are in view.
func appendIcon(b []byte, name, title string) []byte {
	b = append(b, `<i class="ci ci-`...)
	b = append(b, name...)
	if title != "" {
		b = append(b, `" title="`...)
		b = append(b, title...)
	}
	return append(b, `"></i>`...)
}

// appendGhost appends what follows the pointer while something is dragged to a place: its icon and its label.
func appendGhost(b []byte, c *gesture.Carry) []byte {
	icon, label := "router", ""
	if c.Kind != nil {
		icon, label = c.Kind.Icon, c.Kind.Label
	} else if k := model.NodeKindOf(c.Node); k != nil {
		icon, label = k.Icon, k.Label
	} else {
		r := &c.From.Rows[c.Row]
		if label = r.Text(); r.Icon != "" {
			icon = r.Icon
		}
	}
	b = append(appendIcon(b, icon, ""), `<span>`...)
	return append(markup.Append(b, label), `</span>`...)
}

// appendEdge appends an edge's path.
func appendEdge(b []byte, e *graph.Edge, curve graph.Curve, gaps []graph.Vec, glow glow) []byte {
	b = append(b, `<path class="`...)
	b = append(b, edgeClass(e, glow)...)
	b = append(b, `" data-edge="`...)
	b = markup.Append(b, e.Source().ID)
	b = append(b, ':')
	b = markup.Append(b, string(e.Port))
	b = append(b, `" data-target="`...)
	b = markup.Append(b, string(e.To))
	b = append(b, `" d="`...)
	b = curve.AppendPath(b, gaps)
	return append(b, `"/>`...)
}

// glow is the degree to which an edge is emphasized.
type glow uint8

// The glows.
const (
	plain  glow = iota
	stream      // on a journey through what is selected or under the pointer
	hot         // selected or under the pointer, or connected to a node that is
)

// appendGuide appends an alignment line to which cards snap, with the gap that occurs twice.
func appendGuide(b []byte, g graph.GuideLine) []byte {
	b = append(b, `<path class="cv-guide" d="M`...)
	for i, v := range []graph.Vec{g.From, g.To} {
		if i > 0 {
			b = append(b, 'L')
		}
		b = appendNumber(b, v.X)
		b = append(b, ' ')
		b = appendNumber(b, v.Y)
	}
	b = append(b, `"/>`...)
	if g.Gap == 0 {
		return b
	}
	b = append(b, `<text class="cv-gap" x="`...)
	b = appendNumber(b, (g.From.X+g.To.X)/2)
	b = append(b, `" y="`...)
	b = appendNumber(b, (g.From.Y+g.To.Y)/2)
	b = append(b, `">`...)
	b = appendNumber(b, g.Gap)
	return append(b, `</text>`...)
}

// edgeClass returns the class attribute of an edge's path.
func edgeClass(e *graph.Edge, g glow) string {
	class := "cv-edge"
	if e.Dashed() {
		class += " cv-dashed"
	}
	if e.Back() {
		class += " cv-back"
	}
	if e.Dangling() {
		class += " cv-dangling"
	}
	switch g {
	case hot:
		class += " cv-hot"
	case stream:
		class += " cv-stream"
	case plain:
	}
	return class
}

// appendPlace appends the position of a card. It does not use a transform: with a transform on every card, the
// browser would assign each to a layer of its own at every change of the zoom, which took longer than
// everything else.
func appendPlace(b []byte, at graph.Vec) []byte {
	b = append(b, `left:`...)
	b = appendNumber(b, at.X)
	b = append(b, `px;top:`...)
	b = appendNumber(b, at.Y)
	return append(b, `px`...)
}

func appendNumber(b []byte, f float64) []byte {
	if f == math.Trunc(f) {
		return strconv.AppendInt(b, int64(f), 10)
	}
	return strconv.AppendFloat(b, f, 'f', 2, 64)
}

func appendTranslate(b []byte, x, y float64) []byte {
	b = append(b, `translate(`...)
	b = appendNumber(b, x)
	b = append(b, `px,`...)
	b = appendNumber(b, y)
	return append(b, `px)`...)
}

// The width of the note at the pointer, which says why something is refused, and its distance from the pointer, in pixels. The style sheet
// limits it to as much, and to what is left beside the middle of the canvas.
const (
	noteWidth = 260
	noteAt    = 14
)

// appendNote appends the transform that puts the note at the pointer: so far below it at its right, or where the canvas has no room, at its left.
func appendNote(b []byte, pointer graph.Vec, below, width float64) []byte {
	if pointer.X+noteAt+min(noteWidth, width/2-noteAt) <= width {
		return appendTranslate(b, pointer.X+noteAt, pointer.Y+below)
	}
	return append(appendTranslate(b, pointer.X-noteAt, pointer.Y+below), ` translateX(-100%)`...)
}
