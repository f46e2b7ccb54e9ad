package languages

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/app/markup"
)

// The widths of columns, in CSS pixels. A table narrower than small has no column for the share of people who see a text, and the source and one
// language divide the rest of the width between them.
const (
	textWidth, seenWidth, cellWidth = 240, 72, 316
	smallText, smallCell, small     = 196, 200, 1000
	leastInvite                     = 256 // the least width beside the table for the invitation to add a language
)

// A table narrower than narrow is a stack: each text is a block with its name, the source, and below it the translation into the language chosen
// in the head. All values are in CSS pixels.
const (
	narrow      = 600
	stackHeight = 128
	aloneHeight = 76 // without a language
)

// stacked reports whether the table is a stack.
func (g *grid) stacked() bool { return g.view.width < narrow }

// rowHeight returns the height of a line with a text, in CSS pixels.
func (g *grid) rowHeight() int {
	switch {
	case !g.stacked():
		return rowHeight
	case len(g.table.Languages) == 0:
		return aloneHeight
	}
	return stackHeight
}

// resize lays out the lines after the width of the view has changed: the table may have become a stack, or a table again.
func (g *grid) resize() {
	if g.cursor.column >= 0 && g.cursor.column < len(g.table.Languages) {
		g.tongue = g.table.Languages[g.cursor.column]
	}
	g.drawn = nil
	g.list()
}

// choose chooses the language of a stack.
func (g *grid) choose(language string) {
	column := g.table.Column(language)
	if column < 0 {
		return
	}
	g.tongue, g.drawn = language, nil
	if r := g.row(); r != nil && g.cursor.column != ofSource {
		g.cursor.move(g, g.cursor.row, column, false)
	}
}

// chosen returns the column of the language of a stack, ofSource if the form has no languages.
func (g *grid) chosen() int {
	if len(g.table.Languages) == 0 {
		return ofSource
	}
	return max(0, g.table.Column(g.tongue))
}

// order returns the columns that the cursor can be in.
func (g *grid) order() []int {
	list := []int{ofSource}
	switch {
	case !g.stacked():
		for i := range g.table.Languages {
			list = append(list, i)
		}
	case g.chosen() != ofSource:
		list = append(list, g.chosen())
	}
	return list
}

// reach returns the column that is by columns to the right of another one, or to the left if by is negative; the outermost one if there are fewer.
func (g *grid) reach(column, by int) int {
	list := g.order()
	return list[max(0, min(max(0, slices.Index(list, column))+by, len(list)-1))]
}

// widths returns the widths of the first column, of the second one and of those of languages.
func (g *grid) widths() (text, seen, cell int) {
	switch {
	case g.stacked():
		return 0, 0, g.view.width
	case g.view.width < small:
		return smallText, 0, max(smallCell, min((g.view.width-smallText)/2, cellWidth))
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

// shown returns the range of the columns with texts that are in view, without the column to. The source is column 0.
func (g *grid) shown() (from, to int) {
	if g.stacked() {
		return 0, 1 + len(g.table.Languages)
	}
	text, seen, cell := g.widths()
	from = max(0, (g.view.left-margin/2)/cell)
	to = min(g.columns(), (g.view.left+g.view.width-text-seen+margin/2)/cell+1)
	return from, max(to, from)
}

// listed returns the columns with texts that are drawn, as shown counts them.
func (g *grid) listed() []int {
	var list []int
	from, to := g.shown()
	for c := from; c < to; c++ {
		if !g.stacked() || c == 0 || c == g.chosen()+1 {
			list = append(list, c)
		}
	}
	return list
}

// left returns the style that puts a column in its place. It is empty in a stack, where the style sheet decides.
func (g *grid) left(column int) string {
	if g.stacked() {
		return ""
	}
	text, seen, cell := g.widths()
	return fmt.Sprintf("left:%dpx;width:%dpx", text+seen+column*cell, cell)
}

// width returns the style with the width of the table, empty in a stack.
func (g *grid) width() string {
	if g.stacked() {
		return ""
	}
	text, seen, cell := g.widths()
	return fmt.Sprintf("width:%dpx", text+seen+g.columns()*cell)
}

// stackHead draws the choice of the language of a stack, with its coverage.
func (g drawer) stackHead(w *markup.Writer) {
	w.Open("div.dk-row role=row aria-rowindex=1")
	w.Leaf("span.unseen role=columnheader aria-colindex=1", "Text")
	w.Open("b role=columnheader aria-colindex=3").Leaf("span", g.names(g.table.Source))
	g.options(w, g.table.Source)
	w.Close()
	if column := g.chosen(); column != ofSource {
		tag := g.table.Languages[column]
		c := g.table.Coverage(column)
		w.Open("div.dk-tongue role=columnheader aria-colindex=%", strconv.Itoa(column+4)).Icon("arrow")
		w.Open("select data-in=tongue aria-label=% data-value=%", "Language", tag)
		for _, l := range g.table.Languages {
			w.Leaf("option value=% selected=%", g.names(l), l, markup.Only(l == tag, "selected"))
		}
		w.Close().Leaf("span.dim.push", covered(c))
		g.options(w, tag)
		w.Close()
		bar(w, c)
	} else if g.alone() {
		w.Open("span.push").Close()
		g.opener(w, addDialog, "Add a language", "plus", false)
	}
	w.Close()
}
