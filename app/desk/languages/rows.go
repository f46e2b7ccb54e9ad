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

// line draws a line of the table.
func (g *grid) line(l *line) desk.Line {
	var w markup.Writer
	of := g.table.Groups[l.group]
	place := fmt.Sprintf("top:%dpx", l.top)
	index := strconv.Itoa(g.index(l) + 2)
	if l.row < 0 {
		key := groupKey(of)
		w.Open("div.dk-row.dk-group role=row aria-rowindex=% data-key=% style=%", index, "g:"+key, place)
		g.frozen(&w, "rowheader", func() {
			w.Open("button.dk-fold type=button data-do=fold data-arg=% aria-expanded=%", key, markup.Yes(!g.folded[key]))
			w.Icon("down").Leaf("b", of.Name()).Close()
		}, seenBy(of.Weight, of.Node != nil))
		from, to := g.shown()
		for c := max(from, 1); c < min(to, len(g.table.Languages)+1); c++ {
			w.Leaf("div.dk-cell.dim role=gridcell aria-colindex=% style=%", done(of, c-1), strconv.Itoa(c+3), g.left(c))
		}
		w.Close()
		return desk.Line{Key: "g:" + key, HTML: w.String()}
	}
	r := g.table.Rows[l.row]
	w.Open("div.dk-row role=row aria-rowindex=% data-key=% style=%", index, "r:"+r.Key, place)
	g.frozen(&w, "rowheader", func() {
		if icon := r.Icon(); icon != "" {
			w.Icon(icon)
		}
		of, part := r.Name()
		if r.Component == nil {
			of = nameOf(r)
		}
		w.Open("span.dk-of title=%", of+part).Leaf("span", of)
		if part != "" {
			w.Leaf("span.dk-part", part)
		}
		w.Close()
	}, seenBy(r.Weight, true))
	from, to := g.shown()
	for c := from; c < to; c++ {
		g.cell(&w, l.row, c)
	}
	w.Close()
	return desk.Line{Key: "r:" + r.Key, HTML: w.String()}
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
func (g *grid) cell(w *markup.Writer, row, c int) {
	r := g.table.Rows[row]
	column := c - 1
	if column == len(g.table.Languages) {
		w.Leaf("div.dk-cell.dk-pseudo role=gridcell data-key=% aria-colindex=% style=%", translate.Pseudo(r.Text, r.Max), strconv.Itoa(c), strconv.Itoa(c+3), g.left(c))
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
	w.Open("div.dk-cell.dk-edit"+class+" role=gridcell data-key=% aria-colindex=% aria-selected=% style=%", strconv.Itoa(c), strconv.Itoa(c+3),
		markup.Yes(g.cursor.selected(row, column)), g.left(c))
	label := g.names(tag) + ", " + nameOf(r)
	if r.Component != nil {
		label += " of " + caption.Component(r.Component)
	}
	if mark != "" {
		label += ", " + mark
	}
	placeholder := ""
	if column >= 0 && text == "" {
		placeholder = "Missing"
	}
	tab := "-1"
	if row == g.cursor.row && column == g.cursor.column {
		tab = "0"
	}
	w.Open("textarea.dk-text rows=1 id=% tabindex=% data-in=cell data-focus=cell data-arg=% data-path=% lang=% dir=auto placeholder=% "+
		"aria-label=% readonly=% data-value=%",
		cellID(row, column), tab, strconv.Itoa(column)+":"+r.Key, g.pathOf(r, column).String(), tag, placeholder, label, markup.Only(g.form.ReadOnly, "readonly"), text).Close()
	// The content of a control costs several times as much to paint, so only that with the focus shows it; see desk.css.
	shown, dim := firstLine(text), ""
	if shown == "" {
		shown, dim = placeholder, ".dim"
	}
	w.Leaf("span.dk-shown"+dim+" aria-hidden=true dir=auto lang=%", shown, tag)
	if mark != "" {
		w.Leaf("span.dk-mark title=% aria-hidden=true", shortMark(r, column), sentenceOf(mark))
	}
	w.Close()
}

// firstLine returns the beginning of a text as far as a cell can show it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return schema.Shorten(line, 200)
}

// nameOf returns the name of a text's property as it begins the name of a cell. The keys of errors are told in words.
func nameOf(r *translate.Row) string {
	name := r.Property
	if key, ok := strings.CutPrefix(name, "errors: ERR_"); ok {
		name = strings.ReplaceAll(strings.ToLower(key), "_", " ")
	}
	name = strings.TrimPrefix(name, "custom: ")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// look returns classes of a translation, and what is wrong with it in words.
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
