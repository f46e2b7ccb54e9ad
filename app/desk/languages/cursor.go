package languages

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/translate"
)

// ofSource is the column of the source, before those of the languages.
const ofSource = -1

// cursor is the cell with the focus, and the block of cells that is selected from an anchor to it.
type cursor struct {
	row, column int    // the row is an index in Table.Rows
	key         string // of the row, by which it is found when others come or go
	from        struct {
		row, column int
		key         string
	}
	was string // the text of the cell when the cursor came
}

// move moves the cursor to a cell. With extend the anchor stays.
func (c *cursor) move(g *grid, row, column int, extend bool) {
	c.row, c.column, c.key = row, column, g.table.Rows[row].Key
	if !extend {
		c.from.row, c.from.column, c.from.key = row, column, c.key
	}
	c.was = g.textAt(row, column)
}

// within keeps the cursor at its text when the table changes.
func (c *cursor) within(g *grid) {
	find := func(key string, at int) int {
		if at < len(g.table.Rows) && at >= 0 && g.table.Rows[at].Key == key {
			return at
		}
		for i, r := range g.table.Rows {
			if r.Key == key {
				return i
			}
		}
		return max(0, min(at, len(g.table.Rows)-1))
	}
	c.row, c.from.row = find(c.key, c.row), find(c.from.key, c.from.row)
	last := len(g.table.Languages) - 1
	c.column, c.from.column = min(c.column, last), min(c.from.column, last)
	if len(g.table.Rows) > 0 && c.key == "" {
		c.move(g, c.row, c.column, false)
	}
}

// row returns the row with the cursor, nil if the table has none.
func (g *grid) row() *translate.Row {
	if g.cursor.row < len(g.table.Rows) {
		return g.table.Rows[g.cursor.row]
	}
	return nil
}

// textAt returns the text of a cell.
func (g *grid) textAt(row, column int) string {
	r := g.table.Rows[row]
	if column == ofSource {
		return r.Text
	}
	return r.Cells[column].Text
}

// several reports whether more than one cell is selected.
func (c *cursor) several() bool { return c.row != c.from.row || c.column != c.from.column }

// block returns the selected translations, without the source and without rows that are not listed.
func (g *grid) block() translate.Block {
	c := &g.cursor
	var b translate.Block
	low, high := min(c.row, c.from.row), max(c.row, c.from.row)
	for _, l := range g.lines {
		if l.row >= low && l.row <= high {
			b.Rows = append(b.Rows, g.table.Rows[l.row])
		}
	}
	for column := max(0, min(c.column, c.from.column)); column <= max(c.column, c.from.column); column++ {
		b.Columns = append(b.Columns, column)
	}
	return b
}

// meets reports whether a row has selected cells.
func (c *cursor) meets(row int) bool {
	return row >= min(c.row, c.from.row) && row <= max(c.row, c.from.row)
}

// selected reports whether a cell is in the selected block.
func (c *cursor) selected(row, column int) bool {
	return c.meets(row) && column >= min(c.column, c.from.column) && column <= max(c.column, c.from.column)
}

// copied returns what a copy of the selected cells copies, "" for one cell, whose text the browser copies.
func (g *grid) copied() string {
	if !g.cursor.several() {
		return ""
	}
	b := g.block()
	if len(b.Columns) == 0 {
		return ""
	}
	return g.table.Copy(b)
}

// paste pastes cells of a spreadsheet from the cursor on.
func (p *Page) paste(t *desk.Turn, text string) {
	if p.cursor.column == ofSource {
		t.Say("Paste cells into a language. The source is edited text by text.")
		return
	}
	to := translate.Block{}
	for _, l := range p.lines {
		if l.row >= min(p.cursor.row, p.cursor.from.row) {
			to.Rows = append(to.Rows, p.table.Rows[l.row])
		}
	}
	for column := max(0, min(p.cursor.column, p.cursor.from.column)); column < len(p.table.Languages); column++ {
		to.Columns = append(to.Columns, column)
	}
	w, err := p.table.Paste(to, text)
	if err != nil {
		t.Say(fmt.Sprintf("Nothing was pasted: %v.", err))
		return
	}
	for _, c := range w.Changes {
		p.filter.keep(c.Row.Key)
	}
	t.Run(w)
	if n := len(w.Changes); n > 1 {
		t.Say(fmt.Sprintf("Pasted %d texts.", n))
	}
}

// key handles a key in a cell. The script reports those that do not edit the text.
func (p *Page) key(t *desk.Turn, e message.Event) {
	if e.Do != "cell" {
		return
	}
	key, extend := strings.CutPrefix(e.Text, "Shift+")
	switch {
	case e.Text == "Escape":
		t.Focus(".dk-bar [role=tab][aria-selected=true]")
		p.cursor.move(&p.grid, p.cursor.row, p.cursor.column, false)
	case e.Text == "Revert":
		p.revert(t)
	case e.Text == "Delete" || e.Text == "Backspace":
		if b := p.block(); len(b.Columns) > 0 {
			for _, r := range b.Rows {
				p.filter.keep(r.Key)
			}
			t.Run(p.table.Clear(b))
		}
	case e.Text == "Alt+Enter":
		p.confirm(t)
	case e.Text == "Ctrl+a":
		p.selectAll(t)
	case key == "Enter":
		p.step(t, 0, map[bool]int{false: 1, true: -1}[extend], false)
	case key == "Tab":
		p.tab(t, map[bool]int{false: 1, true: -1}[extend])
	default:
		if by, ok := steps[key]; ok {
			p.step(t, by[0], by[1], extend)
		}
	}
}

// far is further than a table reaches.
const far = 1 << 20

// steps are the columns and rows by which keys move the cursor.
var steps = map[string][2]int{
	"ArrowUp": {0, -1}, "ArrowDown": {0, 1}, "ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "PageUp": {0, -15}, "PageDown": {0, 15},
	"Home": {-far, 0}, "End": {far, 0}, "Ctrl+Home": {-far, -far}, "Ctrl+End": {far, far}, "Ctrl+ArrowUp": {0, -far}, "Ctrl+ArrowDown": {0, far},
	"Ctrl+ArrowLeft": {-far, 0}, "Ctrl+ArrowRight": {far, 0},
}

// step moves the cursor over the listed rows, and moves the focus there.
func (p *Page) step(t *desk.Turn, columns, rows int, extend bool) {
	var listed []int
	at := 0
	for _, l := range p.lines {
		if l.row < 0 {
			continue
		}
		if l.row <= p.cursor.row {
			at = len(listed)
		}
		listed = append(listed, l.row)
	}
	if len(listed) == 0 {
		return
	}
	at = max(0, min(at+rows, len(listed)-1))
	if extend && p.stacked() {
		columns = 0 // the columns between are not shown
	}
	p.cursor.move(&p.grid, listed[at], p.reach(p.cursor.column, columns), extend)
	p.focus(t)
	t.Clip(p.copied())
}

// tab moves the cursor to the next or previous cell, also from row to row.
func (p *Page) tab(t *desk.Turn, by int) {
	if p.reach(p.cursor.column, by) == p.cursor.column {
		p.step(t, -far*by, by, false)
		return
	}
	p.step(t, by, 0, false)
}

func (p *Page) selectAll(t *desk.Turn) {
	for _, l := range p.lines {
		if l.row >= 0 {
			p.cursor.move(&p.grid, l.row, p.reach(ofSource, 1), false)
			break
		}
	}
	p.step(t, far, far, true)
}

// revert restores the text that the cell had when the cursor came.
func (p *Page) revert(t *desk.Turn) {
	r := p.row()
	switch {
	case r == nil || p.textAt(p.cursor.row, p.cursor.column) == p.cursor.was:
	case p.cursor.column == ofSource:
		t.Run(setSource(r, p.cursor.was))
	default:
		t.Run(p.table.SetText(r, p.cursor.column, p.cursor.was))
	}
	p.focus(t)
}

// focus moves the focus to the cell with the cursor.
func (p *Page) focus(t *desk.Turn) { t.Focus("#" + cellID(p.cursor.row, p.cursor.column)) }

// argOf returns the argument that names a cell in events.
func argOf(r *translate.Row, column int) string { return strconv.Itoa(column) + ":" + r.Key }

func cellID(row, column int) string { return fmt.Sprintf("dk-%d-%d", row, column+1) }
