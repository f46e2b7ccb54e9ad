package languages

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model/schema"
)

// drawer draws the head and the lines of a grid.
type drawer struct{ *grid }

// draw draws lines of the table: their names and their cells. The names are a list of their own, since they stay in place while the table scrolls
// sideways: a browser makes a layer for each sticky element, and one for each line would cost more than everything else. In a stack, the cells
// contain the names.
func (g drawer) draw(lines []line) (names, cells []desk.Line) {
	g.allot(lines)
	now := make(map[*translate.Row]drawn, len(lines))
	for i := range lines {
		l := &lines[i]
		var d drawn
		var key string
		if l.row < 0 {
			d, key = g.group(l), "g:"+groupKey(g.table.Groups[l.group])
		} else {
			r := g.table.Rows[l.row]
			d, key = g.text(l), r.Key
			if !g.cursor.meets(l.row) {
				now[r] = d
			}
		}
		cells = append(cells, desk.Line{Key: "r:" + key, HTML: d.cells})
		if !g.stacked() {
			names = append(names, desk.Line{Key: "n:" + key, HTML: d.name})
		}
	}
	g.drawn = now
	return names, cells
}

// parts are the two parts of a line while they are written. In a stack both are the same.
type parts struct{ name, cells *markup.Writer }

// begin begins a line. The part with the name is the row for assistive technology.
func (g drawer) begin(l *line, class, key string, index int) parts {
	place := fmt.Sprintf("top:%dpx", l.top)
	number := strconv.Itoa(index + 2)
	cells := &markup.Writer{}
	if g.stacked() {
		cells.Open("div.dk-row"+class+" role=row aria-rowindex=% data-key=% style=%", number, "r:"+key, place+fmt.Sprintf(";height:%dpx", l.height))
		return parts{cells, cells}
	}
	name := &markup.Writer{}
	id := "dk-l-" + strconv.Itoa(index)
	name.Open("div.dk-row"+class+" role=row aria-rowindex=% aria-owns=% data-key=% style=%", number, id, "n:"+key, place)
	cells.Open("div.dk-row"+class+" role=presentation id=% data-key=% style=%", id, "r:"+key, place)
	return parts{name, cells}
}

// close ends a line.
func (p parts) close(d *drawn) {
	d.cells = p.cells.Close().String()
	if p.name != p.cells {
		d.name = p.name.Close().String()
	}
}

// group draws the head of a group.
func (g drawer) group(l *line) (d drawn) {
	of := g.table.Groups[l.group]
	key := groupKey(of)
	to := g.begin(l, ".dk-group", "g:"+key, g.index(l))
	g.heading(to.name, "rowheader", func() {
		to.name.Open("button.dk-fold type=button data-do=fold data-arg=% aria-expanded=%", key, markup.Yes(!g.folded[key]))
		to.name.Icon("down").Leaf("b", of.Name()).Close()
	}, seenBy(of.Weight, of.Node != nil))
	for _, c := range g.listed() {
		if c > 0 && c <= len(g.table.Languages) {
			to.cells.Leaf("div.dk-cell.dim role=gridcell aria-colindex=% style=%", done(of, c-1), strconv.Itoa(c+3), g.left(c))
		}
	}
	to.close(&d)
	return d
}

// text draws a row.
func (g drawer) text(l *line) drawn {
	r := g.table.Rows[l.row]
	from, upTo := g.shown()
	now := drawn{line: *l, shown: span{from, upTo}, controls: g.controls[r], index: g.index(l)}
	if g.reuse(r, &now) {
		return now
	}
	to := g.begin(l, "", r.Key, now.index)
	g.heading(to.name, "rowheader", func() {
		if icon := r.Icon(); icon != "" {
			to.name.Icon(icon)
		}
		of, part := r.Name()
		if r.Component == nil {
			of = nameOf(r)
		}
		to.name.Open("span.dk-of title=%", of+part).Leaf("span", of)
		if part != "" {
			to.name.Leaf("span.dk-part", part)
		}
		to.name.Close()
	}, seenBy(r.Weight, true))
	for _, c := range g.listed() {
		g.cell(to.cells, l.row, c)
	}
	to.close(&now)
	return now
}

// index returns the index of a line.
func (g *grid) index(l *line) int {
	low, high := 0, len(g.lines)
	for low < high {
		if mid := (low + high) / 2; g.lines[mid].top < l.top {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// cellKeys are the keys that move the cursor while the text of a cell is not being edited, and editKeys those while it is.
const (
	cellKeys = "ArrowUp ArrowDown ArrowLeft ArrowRight Shift+ArrowUp Shift+ArrowDown Shift+ArrowLeft Shift+ArrowRight PageUp PageDown " +
		"Home End Ctrl+Home Ctrl+End Ctrl+ArrowUp Ctrl+ArrowDown Ctrl+ArrowLeft Ctrl+ArrowRight Enter Shift+Enter Tab Shift+Tab Escape " +
		"Delete Backspace Alt+Enter Ctrl+a"
	editKeys = "Enter Tab Shift+Tab"
)

// cell draws a cell with a text.
func (g drawer) cell(w *markup.Writer, row, c int) {
	r := g.table.Rows[row]
	column := c - 1
	if column == len(g.table.Languages) {
		w.Open("div.dk-cell.dk-pseudo role=gridcell data-key=% aria-colindex=% style=%", strconv.Itoa(c), strconv.Itoa(c+3), g.left(c))
		show(w, r, translate.Pseudo(r.Text, r.Max))
		w.Close()
		return
	}
	tag, text, class, mark := g.table.Source, r.Text, "", ""
	if column >= 0 {
		tag, text = g.table.Languages[column], r.Cells[column].Text
		class, mark = look(r, column)
	}
	if g.cursor.several() && g.cursor.selected(row, column) {
		class += ".sel"
	}
	if column < 0 {
		class += ".dk-source"
	}
	if r.Rich() {
		class += ".dk-rich"
	}
	has := g.controls[r]
	bare := c < has.from || c >= has.to
	w.Open("div.dk-cell.dk-edit"+class+" role=gridcell data-key=% aria-colindex=% aria-selected=% data-bare=% style=%", strconv.Itoa(c), strconv.Itoa(c+3),
		markup.Yes(g.cursor.selected(row, column)), markup.Only(bare, argOf(r, column)), g.left(c))
	placeholder := ""
	if column >= 0 && text == "" {
		placeholder = "Missing"
	}
	if !bare {
		g.control(w, row, column, tag, text, placeholder, mark)
	}
	// Text in a control costs several times as much to paint, so only the control with the focus shows its text; see desk.css.
	dim := ""
	if text == "" {
		text, dim = placeholder, ".dim"
	}
	w.Open("span.dk-shown"+dim+" aria-hidden=true dir=auto lang=%", tag)
	show(w, r, text)
	w.Close()
	if mark != "" {
		w.Leaf("span.dk-mark title=% aria-hidden=true", shortMark(r, column), sentenceOf(mark))
	}
	w.Close()
}

// control draws the control of a cell.
func (g drawer) control(w *markup.Writer, row, column int, tag, text, placeholder, mark string) {
	r := g.table.Rows[row]
	label := g.names(tag) + ", " + nameOf(r)
	if r.Component != nil {
		label += " of " + caption.Component(r.Component)
	}
	if mark != "" {
		label += ", " + mark
	}
	tab := "-1"
	if row == g.cursor.row && column == g.cursor.column {
		tab = "0"
	}
	w.Open("textarea.dk-text rows=1 id=% tabindex=% data-in=cell data-focus=cell data-arg=% data-path=% lang=% dir=auto placeholder=% "+
		"aria-label=% readonly=% data-value=%",
		cellID(row, column), tab, argOf(r, column), g.pathOf(r, column).String(), tag, placeholder, label, markup.Only(g.form.ReadOnly, "readonly"), text).Close()
}

// maxShown is about how many characters of a text a cell can show.
const maxShown = 200

// show draws the beginning of a text as a cell shows it while nobody edits it: a rich text as people see it, on one line, any other as it is.
func show(w *markup.Writer, r *translate.Row, text string) {
	var runs []caption.Run
	if r.Rich() {
		runs = caption.Runs(text, maxShown)
	}
	if len(runs) == 0 { // nothing of it is text, as in <p></p>
		line, _, _ := strings.Cut(text, "\n")
		w.Text(schema.Shorten(line, maxShown))
		return
	}
	for _, run := range runs {
		if run.Block {
			w.Leaf("i.dk-next", " ")
		}
		switch {
		case run.Link:
			w.Leaf("u", run.Text)
		case run.Strong:
			w.Leaf("b", run.Text)
		default:
			w.Text(run.Text)
		}
	}
}

// nameOf returns the name of a text's property, with a capital letter, as it begins the name of a cell. For an error it is translate.RefusalName.
func nameOf(r *translate.Row) string {
	if key, ok := strings.CutPrefix(r.Property, "errors: "); ok {
		return translate.RefusalName(key)
	}
	name := strings.TrimPrefix(r.Property, "custom: ")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// look returns the CSS classes of a translation, and says what is wrong with it.
func look(r *translate.Row, column int) (class, mark string) {
	c := r.Cells[column]
	switch c.State {
	case translate.Missing:
		return ".missing", ""
	case translate.Stale:
		return ".stale", "the source has changed since"
	case translate.TooLong:
		return ".bad", fmt.Sprintf("it has %d characters of at most %d", utf8.RuneCountInString(c.Text), r.Max)
	case translate.LostTemplate:
		return ".bad", "its variables differ from those of the source"
	case translate.Same, translate.Translated:
	default:
	}
	if g := growth(r.Text, c.Text); g > 0 {
		return ".long", fmt.Sprintf("it is %d %% longer than the source", g)
	}
	return "", ""
}

// shortMark returns the mark beside a translation.
func shortMark(r *translate.Row, column int) string {
	switch c := r.Cells[column]; c.State {
	case translate.Stale:
		return "stale"
	case translate.TooLong:
		return fmt.Sprintf("+%d", utf8.RuneCountInString(c.Text)-r.Max)
	case translate.LostTemplate:
		return "{{ }}"
	default:
		return fmt.Sprintf("+%d %%", growth(r.Text, c.Text))
	}
}

// growth returns by how many percent a translation is longer than its source, if that is remarkable: layouts are made for about half as much
// more. Short words vary too much to be compared.
func growth(source, text string) int {
	was, is := utf8.RuneCountInString(source), utf8.RuneCountInString(text)
	if was < 8 || is < 20 || is*2 < was*4 {
		return 0
	}
	return (is - was) * 100 / was
}

// done returns how many texts of a group a language covers.
func done(g translate.Group, column int) string {
	n, stale := 0, 0
	for _, r := range g.Rows {
		if c := r.Cells[column]; c.State.Done() {
			n++
		} else if c.State == translate.Stale {
			stale++
		}
	}
	text := fmt.Sprintf("%d of %d", n, len(g.Rows))
	if stale > 0 {
		text += fmt.Sprintf(", %d stale", stale)
	}
	return text
}

// sentenceOf returns what is wrong with a translation as a sentence.
func sentenceOf(mark string) string { return strings.ToUpper(mark[:1]) + mark[1:] + "." }
