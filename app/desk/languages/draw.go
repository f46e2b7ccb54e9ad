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

// The widths of columns, in CSS pixels. In a narrow table the share of people who see a text is left out, and columns are narrower.
const (
	textWidth, seenWidth, cellWidth    = 240, 72, 316
	narrowText, narrowCell, narrowView = 148, 232, 720
)

// widths returns the widths of the first column, of the second one and of those of languages.
func (g *grid) widths() (text, seen, cell int) {
	if g.view.width < narrowView {
		return narrowText, 0, narrowCell
	}
	return textWidth, seenWidth, cellWidth
}

// columns returns the number of columns with texts: the source, the languages, and the pseudo translations.
func (g *grid) columns() int {
	n := 1 + len(g.table.Languages)
	if g.pseudo {
		n++
	}
	return n
}

// shown returns the columns with texts that are in view, from and up to an index. The source is column 0.
func (g *grid) shown() (from, to int) {
	text, seen, cell := g.widths()
	from = max(0, (g.view.left-margin/2)/cell)
	to = min(g.columns(), (g.view.left+g.view.width-text-seen+margin/2)/cell+1)
	return from, max(to, from)
}

// left returns the distance of a column from the left edge of the table, and its width.
func (g *grid) left(column int) string {
	text, seen, cell := g.widths()
	return fmt.Sprintf("left:%dpx;width:%dpx", text+seen+column*cell, cell)
}

// width returns the width of the table.
func (g *grid) width() int {
	text, seen, cell := g.widths()
	return text + seen + g.columns()*cell
}

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("div.dk-bar data-region=bar").Close()
		w.Open("div.dk-scroll data-scroll=table tabindex=-1 data-keys=% data-edit-keys=%", cellKeys, editKeys)
		w.Open("div.dk-table role=grid aria-multiselectable=true aria-label=% aria-rowcount=% aria-colcount=% style=%", "Translations",
			strconv.Itoa(len(p.lines)+1), strconv.Itoa(p.columns()+2), fmt.Sprintf("width:%dpx", p.width()))
		w.Open("div.dk-head role=rowgroup data-region=head").Close()
		w.Open("div.dk-rows role=rowgroup data-region=rows style=%", fmt.Sprintf("height:%dpx", p.total())).Close()
		w.Close().Close()
		w.Open("div.dk-note-box data-region=note").Close()
		w.Open("div.dk-pop data-region=pop").Close()
	})
	s.Region("bar", p.bar)
	s.Region("head", p.head)
	var list []desk.Line
	for _, l := range p.visible() {
		list = append(list, p.line(&l))
	}
	s.Lines("rows", list)
	s.Region("note", p.note)
	s.Region("pop", menus{&p.grid}.draw)
}

// bar draws the search, the filters and the menus.
func (p *Page) bar(w *markup.Writer) {
	w.Open("label.field-search").Icon("search")
	w.Open("input type=search maxlength=200 data-in=search placeholder=% aria-label=% data-value=%", "Search texts", "Search texts", p.filter.query).Close()
	w.Open("span.seg role=group aria-label=%", "Texts to show")
	for i, key := range states {
		n := p.tally.counts[i]
		if n == 0 && key != all && key != missing && key != p.filter.state {
			continue
		}
		w.Open("button type=button data-do=filter data-arg=% aria-pressed=%", key, markup.Yes(p.filter.state == key))
		w.Text([...]string{"All", "Missing", "Stale", "Variables differ", "Long"}[i]+" ").Leaf("span.dim", strconv.Itoa(n)).Close()
	}
	w.Close()
	w.Open("span.push").Close()
	p.opener(w, "button.secondary", addDialog, "Language", "plus", p.form.ReadOnly)
	p.opener(w, "button.secondary", fileMenu, "Import, export", "download", false)
}

// opener draws a button that opens a menu or a dialog.
func (g *grid) opener(w *markup.Writer, spec, opens, name, icon string, disabled bool) {
	w.Open(spec+" type=button data-do=open data-arg=% aria-haspopup=true aria-expanded=% disabled=%", opens, markup.Yes(g.open == opens), markup.Only(disabled, "disabled"))
	w.Icon(icon).Leaf("span", name).Close()
}

// head draws the names of the columns, with the coverage of each language.
func (g *grid) head(w *markup.Writer) {
	w.Open("div.dk-row role=row aria-rowindex=1")
	g.frozen(w, "columnheader", func() { w.Text("Text") }, "Seen by")
	from, to := g.shown()
	for c := from; c < to; c++ {
		w.Open("div.dk-cell role=columnheader aria-colindex=% style=%", strconv.Itoa(c+3), g.left(c))
		switch {
		case c == 0:
			w.Open("span.dk-title").Leaf("b", g.names(g.table.Source)).Leaf("span.dim", several(len(g.table.Rows), "text")).Close()
			w.Open("span.dk-cover").Open("i.full style=width:100%").Close().Close()
			w.Leaf("small", "The language of the form")
		case c > len(g.table.Languages):
			w.Open("span.dk-title").Leaf("b", "Pseudo").Close()
			w.Leaf("small", "Shows what is not translated and what does not fit")
		default:
			g.language(w, c-1)
		}
		w.Close()
	}
	w.Close()
}

// frozen draws the first two cells of a row, which stay while the table scrolls.
func (g *grid) frozen(w *markup.Writer, role string, text func(), seen string) {
	first, second, _ := g.widths()
	w.Open("div.dk-frozen role=presentation style=%", fmt.Sprintf("width:%dpx", first+second))
	w.Open("div.dk-name role=% aria-colindex=1 style=%", role, fmt.Sprintf("width:%dpx", first))
	text()
	w.Close()
	if second > 0 {
		if role == "rowheader" {
			role = "gridcell"
		}
		w.Leaf("div.dk-seen role=% aria-colindex=2", seen, role)
	}
	w.Close()
}

// language draws the head of a language.
func (g *grid) language(w *markup.Writer, column int) {
	c := g.table.Coverage(column)
	tag := g.table.Languages[column]
	done := c.States[translate.Same] + c.States[translate.Translated]
	text := fmt.Sprintf("%d of %d", done, c.Texts)
	if n := c.States[translate.Stale]; n > 0 {
		text += fmt.Sprintf(", %d stale", n)
	}
	w.Open("span.dk-title").Leaf("b", g.names(tag)).Leaf("code", tag).Open("span.push").Close().Leaf("span.dim", text)
	name := "Options of " + g.names(tag)
	w.Open("button.icon type=button data-do=open data-arg=% aria-haspopup=menu aria-expanded=% aria-label=% title=%", menuOf+tag, markup.Yes(g.open == menuOf+tag), name, name)
	w.Icon("more").Close().Close()
	w.Open("span.dk-cover")
	for _, part := range []struct {
		class string
		n     int
	}{{"done", done}, {"warn", c.States[translate.Stale]}, {"bad", c.States[translate.TooLong] + c.States[translate.LostTemplate]}} {
		if part.n > 0 {
			w.Open("i."+part.class+" style=%", fmt.Sprintf("width:%.2f%%", 100*float64(part.n)/float64(max(1, c.Texts)))).Close()
		}
	}
	w.Close().Leaf("small", percent(c.Seen())+" of what people see")
}

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

// seenBy returns the share of people who see a text in words.
func seenBy(share float64, known bool) string {
	switch {
	case !known:
		return ""
	case share <= 0:
		return "nobody"
	case share > 0.995:
		return "all"
	}
	for of := 2; of <= 4; of++ {
		for n := 1; n < of; n++ {
			if d := share - float64(n)/float64(of); -0.005 < d && d < 0.005 {
				return fmt.Sprintf("%d in %d", n, of)
			}
		}
	}
	return percent(share)
}

func percent(share float64) string {
	switch n := int(100 * share); {
	case n == 0 && share > 0:
		return "under 1 %"
	default:
		return strconv.Itoa(n) + " %"
	}
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// sentenceOf returns what is wrong with a translation as a sentence.
func sentenceOf(mark string) string { return strings.ToUpper(mark[:1]) + mark[1:] + "." }
