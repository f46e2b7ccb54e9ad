package languages

import (
	"fmt"
	"strconv"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
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
		w.Open("div.dk-scroll data-scroll=table data-settle=% tabindex=-1 data-keys=% data-edit-keys=%", strconv.Itoa(settleParts), cellKeys, editKeys)
		w.Open("div.dk-table role=grid aria-multiselectable=true aria-label=% aria-rowcount=% aria-colcount=% style=%", "Translations",
			strconv.Itoa(len(p.lines)+1), strconv.Itoa(p.columns()+2), fmt.Sprintf("width:%dpx", p.width()))
		w.Open("div.dk-head role=rowgroup data-region=head").Close()
		text, seen, _ := p.widths()
		w.Open("div.dk-body style=%", fmt.Sprintf("height:%dpx", p.total()))
		w.Open("div.dk-names role=rowgroup data-region=names style=%", fmt.Sprintf("width:%dpx", text+seen)).Close()
		w.Open("div.dk-rows role=presentation data-region=rows").Close()
		w.Close().Close().Close()
		w.Open("div.dk-note-box data-region=note").Close()
		w.Open("div.dk-pop data-region=pop").Close()
	})
	s.Region("bar", p.bar)
	s.Region("head", p.head)
	names, cells := p.draw(p.visible())
	s.Lines("names", names)
	s.Lines("rows", cells)
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
	first, second, _ := g.widths()
	w.Open("div.dk-frozen role=presentation style=%", fmt.Sprintf("width:%dpx", first+second))
	g.heading(w, "columnheader", func() { w.Text("Text") }, "Seen by")
	w.Close()
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

// heading draws the first two cells of a row, which stay while the table scrolls.
func (g *grid) heading(w *markup.Writer, role string, text func(), seen string) {
	first, second, _ := g.widths()
	w.Open("div.dk-name role=% aria-colindex=1 style=%", role, fmt.Sprintf("width:%dpx", first))
	text()
	w.Close()
	if second > 0 {
		if role == "rowheader" {
			role = "gridcell"
		}
		w.Leaf("div.dk-seen role=% aria-colindex=2", seen, role)
	}
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
