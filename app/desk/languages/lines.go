package languages

import (
	"strings"

	"github.com/formgraph/formgraph/app/translate"
)

// filter is which texts are listed.
type filter struct {
	query string
	state string          // "" for all
	kept  map[string]bool // keys of rows that were edited since: they stay, whatever their state
}

// The filters by state.
const (
	all     = ""
	missing = "missing"
	stale   = "stale"
	long    = "long"
	other   = "templates"
)

// choose chooses a filter by state.
func (f *filter) choose(state string) { f.state, f.kept = state, nil }

// keep keeps an edited row in the list.
func (f *filter) keep(key string) {
	if f.kept == nil {
		f.kept = map[string]bool{}
	}
	f.kept[key] = true
}

// passes reports whether a row is listed. query is in lower case.
func (f *filter) passes(r *translate.Row, query string) bool {
	return f.kept[r.Key] || (f.state == all || has(r, f.state)) && (query == "" || contains(r, query))
}

func contains(r *translate.Row, query string) bool {
	for _, s := range []string{r.Text, r.Key, r.Property} {
		if strings.Contains(strings.ToLower(s), query) {
			return true
		}
	}
	for i := range r.Cells {
		if strings.Contains(strings.ToLower(r.Cells[i].Text), query) {
			return true
		}
	}
	return false
}

// has reports whether some translation of a row has a state.
func has(r *translate.Row, state string) bool {
	for i := range r.Cells {
		if is(r, i, state) {
			return true
		}
	}
	return false
}

func is(r *translate.Row, column int, state string) bool {
	switch c := r.Cells[column]; state {
	case missing:
		return c.State == translate.Missing
	case stale:
		return c.State == translate.Stale
	case other:
		return c.State == translate.LostTemplate
	case long:
		return c.State == translate.TooLong || growth(r.Text, c.Text) > 0
	}
	return false
}

// line is a line of the table: a row, or the head of a group.
type line struct {
	group int // index in Table.Groups
	row   int // index in Table.Rows, -1 for the head of a group
	top   int // in CSS pixels
}

// The heights of lines, in CSS pixels.
const (
	rowHeight  = 36
	headHeight = 32
)

func (l *line) height() int {
	if l.row < 0 {
		return headHeight
	}
	return rowHeight
}

// list lists the lines that pass the filter.
func (p *Page) list() {
	p.lines = p.lines[:0]
	top, row := 0, 0
	query := strings.ToLower(strings.TrimSpace(p.filter.query))
	add := func(l line) {
		l.top = top
		p.lines = append(p.lines, l)
		top += l.height()
	}
	for i, g := range p.table.Groups {
		first := true
		for j, r := range g.Rows {
			if !p.filter.passes(r, query) {
				continue
			}
			if first {
				add(line{group: i, row: -1})
				first = false
			}
			if !p.folded[groupKey(g)] {
				add(line{group: i, row: row + j})
			}
		}
		row += len(g.Rows)
	}
}

// groupKey identifies a group among folded ones.
func groupKey(g translate.Group) string {
	if g.Node == nil {
		return "$messages"
	}
	return g.Node.ID
}

// total returns the height of all lines.
func (p *Page) total() int {
	if len(p.lines) == 0 {
		return 0
	}
	last := &p.lines[len(p.lines)-1]
	return last.top + last.height()
}

// margin is how far beyond the visible part lines are drawn, in CSS pixels, so that scrolling shows no gaps.
const margin = 600

// visible returns the lines to draw: those in view, and the one with the cursor, which has the focus.
func (p *Page) visible() []line {
	var list []line
	for _, l := range p.lines {
		near := l.top+l.height() >= p.view.top-margin && l.top <= p.view.top+p.view.height+margin
		if near || l.row >= 0 && l.row == p.cursor.row {
			list = append(list, l)
		}
	}
	return list
}

// at returns the index of the line of a row, -1 if it is not listed.
func (p *Page) at(row int) int {
	for i := range p.lines {
		if p.lines[i].row == row && row >= 0 {
			return i
		}
	}
	return -1
}
