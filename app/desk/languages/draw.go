package languages

import (
	"fmt"
	"strconv"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
)

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("div.dk-bar data-region=bar").Close()
		w.Open("div.dk-scroll data-scroll=table data-settle=% tabindex=-1 data-keys=% data-edit-keys=%", strconv.Itoa(settleParts), cellKeys, editKeys)
		p.frame(w)
		w.Open("div.dk-note-box data-region=note").Close()
		w.Open("div.dk-pop data-region=pop").Close()
	})
	s.Region("bar", p.bar)
	d := drawer{&p.grid}
	if p.stacked() {
		s.Region("head", d.stackHead)
	} else {
		s.Region("head", d.head)
	}
	names, cells := d.draw(p.visible())
	s.Lines("names", names)
	s.Lines("rows", cells)
	s.Region("invite", p.invite)
	s.Region("note", p.note)
	s.Region("pop", menus{&p.grid}.draw)
}

// frame draws the elements of the table. The cells are outside the grid's element: the rows in it own them. In a stack, the grid owns the rows.
func (p *Page) frame(w *markup.Writer) {
	names, rows, class, owns := "rowgroup", "presentation", "", ""
	if p.stacked() {
		names, rows, class, owns = "", "rowgroup", ".dk-stack", "dk-rows"
	}
	text, seen, _ := p.widths()
	height := fmt.Sprintf("height:%dpx", p.total())
	w.Open("div.dk-table"+class+" style=%", p.width())
	w.Open("div.dk-grid role=grid aria-multiselectable=true aria-label=% aria-rowcount=% aria-colcount=% aria-owns=%", "Translations",
		strconv.Itoa(len(p.lines)+1), strconv.Itoa(p.columns()+2), owns)
	w.Open("div.dk-head role=rowgroup data-region=head").Close()
	w.Open("div.dk-names role=% data-region=names style=%", names, fmt.Sprintf("width:%dpx;", text+seen)+height).Close()
	w.Close()
	w.Open("div.dk-rows id=dk-rows role=% data-region=rows style=%", rows, height).Close()
	if left, ok := p.beside(); ok {
		w.Open("div.dk-invite style=%", left).Open("section data-region=invite").Close().Close()
	}
	w.Close().Close()
}

// beside returns the style that puts the invitation to add a language beside the table. ok reports whether it is there: the form has only one
// language, people may add one, and there is room.
func (g *grid) beside() (style string, ok bool) {
	text, seen, cell := g.widths()
	left := text + seen + g.columns()*cell
	return fmt.Sprintf("left:%dpx", left), g.alone() && !g.stacked() && g.view.width-left >= leastInvite
}

// alone reports whether the form has only one language and people may add one.
func (g *grid) alone() bool { return len(g.table.Languages) == 0 && !g.form.ReadOnly }

// invite draws what people can do to add the first language.
func (p *Page) invite(w *markup.Writer) {
	if _, ok := p.beside(); !ok {
		return
	}
	w.Leaf("h2", "Add a language")
	w.Leaf("p", "People whose browser asks for it see its texts. All others see "+p.names(p.table.Source)+".")
	p.offers(w, "")
	w.Open("div.buttons")
	p.opener(w, addDialog, "Another language…", "plus", false)
	w.Open("label.secondary").Icon("import").Leaf("span", "Import a file…")
	fileInput(w)
	w.Close().Close()
	w.Leaf("p.dim", "A CSV, XLIFF or JSON file adds the languages of its texts.")
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
	if n := len(p.orphans); n > 0 {
		p.opener(w, leftOver, "Left over "+strconv.Itoa(n), "warn", false)
	}
	w.Open("span.push").Close()
	p.opener(w, addDialog, "Language", "plus", p.form.ReadOnly)
	p.opener(w, fileMenu, "Import, export", "download", false)
}

// opener draws a button that opens a menu or a dialog.
func (g *grid) opener(w *markup.Writer, opens, name, icon string, hidden bool) {
	w.Open("button.secondary type=button data-do=open data-arg=% aria-haspopup=true aria-expanded=% hidden=%", opens, markup.Yes(g.open == opens), markup.Only(hidden, "hidden"))
	w.Icon(icon).Leaf("span", name).Close()
}

// head draws the names of the columns, with the coverage of each language.
func (g drawer) head(w *markup.Writer) {
	w.Open("div.dk-row role=row aria-rowindex=1")
	first, second, _ := g.widths()
	w.Open("div.dk-frozen role=presentation style=%", fmt.Sprintf("width:%dpx", first+second))
	g.heading(w, "columnheader", func() { w.Text("Text") }, "Seen by")
	w.Close()
	from, to := g.shown()
	for c := from; c < to; c++ {
		w.Open("div.dk-cell role=columnheader aria-colindex=% style=%", strconv.Itoa(c+3), g.left(c))
		switch {
		case c == 0:
			w.Open("span.dk-title").Leaf("b", g.names(g.table.Source)).Leaf("code", g.table.Source).Open("span.push").Close()
			w.Leaf("span.dim", several(len(g.table.Rows), "text"))
			g.options(w, g.table.Source)
			w.Close()
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

// heading draws the first two cells of a row, which stay while the table scrolls.
func (g drawer) heading(w *markup.Writer, role string, text func(), seen string) {
	first, second, _ := g.widths()
	w.Open("div.dk-name role=% aria-colindex=1 style=%", role, markup.Only(first > 0, fmt.Sprintf("width:%dpx", first)))
	text()
	w.Close()
	if second > 0 {
		if role == "rowheader" {
			role = "gridcell"
		}
		title := ""
		if role == "columnheader" {
			title = "The share of the paths through the form that show this text"
		}
		w.Leaf("div.dk-seen role=% aria-colindex=2 title=%", seen, role, title)
	}
}

// language draws the head of a language.
func (g drawer) language(w *markup.Writer, column int) {
	c := g.table.Coverage(column)
	tag := g.table.Languages[column]
	w.Open("span.dk-title").Leaf("b", g.names(tag)).Leaf("code", tag).Open("span.push").Close().Leaf("span.dim", covered(c))
	g.options(w, tag)
	w.Close()
	bar(w, c)
	w.Leaf("small", percent(c.Seen())+" of what people see")
}

// options draws the button that opens the menu of a language.
func (g drawer) options(w *markup.Writer, tag string) {
	name := "Options of " + g.names(tag)
	w.Open("button.icon type=button data-do=open data-arg=% aria-haspopup=menu aria-expanded=% aria-label=% title=%", menuOf+tag, markup.Yes(g.open == menuOf+tag), name, name)
	w.Icon("more").Close()
}

// ready returns how many texts of a language need no work.
func ready(c translate.Coverage) int {
	return c.States[translate.Same] + c.States[translate.Translated]
}

// covered returns how many texts a language covers, in words.
func covered(c translate.Coverage) string {
	text := fmt.Sprintf("%d of %d", ready(c), c.Texts)
	if n := c.States[translate.Stale]; n > 0 {
		text += fmt.Sprintf(", %d stale", n)
	}
	return text
}

// bar draws how many texts a language covers.
func bar(w *markup.Writer, c translate.Coverage) {
	w.Open("span.dk-cover")
	for _, part := range []struct {
		class string
		n     int
	}{{"done", ready(c)}, {"warn", c.States[translate.Stale]}, {"bad", c.States[translate.TooLong] + c.States[translate.LostTemplate]}} {
		if part.n > 0 {
			w.Open("i."+part.class+" style=%", fmt.Sprintf("width:%.2f%%", 100*float64(part.n)/float64(max(1, c.Texts)))).Close()
		}
	}
	w.Close()
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
