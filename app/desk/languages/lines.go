package languages

import (
	"slices"
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
func (g *grid) passes(r *translate.Row, query string) bool {
	f := &g.filter
	return f.kept[r.Key] || g.tally.marks[r][max(0, slices.Index(states, f.state))] && (query == "" || contains(r, query))
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

// states are the filters by state, in the order of the bar.
var states = []string{all, missing, stale, other, long}

// marks says for each of states whether some translation of a row is in it.
type marks [5]bool

// tally is the states of all rows, and how many rows are in each.
type tally struct {
	marks  map[*translate.Row]marks
	counts [5]int
}

func marksOf(r *translate.Row) (m marks) {
	m[0] = true
	for i := range r.Cells {
		c := &r.Cells[i]
		switch c.State {
		case translate.Missing:
			m[1] = true
		case translate.Stale:
			m[2] = true
		case translate.LostTemplate:
			m[3] = true
		case translate.TooLong:
			m[4] = true
		default:
		}
		m[4] = m[4] || growth(r.Text, c.Text) > 0
	}
	return m
}

// mark finds the states of all rows, of which only those that have changed since the last table are looked at.
func (g *grid) mark() {
	was := g.tally.marks
	g.tally = tally{marks: make(map[*translate.Row]marks, len(g.table.Rows))}
	for _, r := range g.table.Rows {
		m, ok := was[r]
		if !ok {
			m = marksOf(r)
		}
		g.tally.marks[r] = m
		for i, in := range m {
			if in {
				g.tally.counts[i]++
			}
		}
	}
}

// line is a line of the table: a row, or the head of a group.
type line struct {
	group int // index in Table.Groups
	row   int // index in Table.Rows, -1 for the head of a group
	// In CSS pixels.
	top, height int
}

// The heights of lines, in CSS pixels.
const (
	rowHeight  = 36
	headHeight = 32
)

// list lists the lines that pass the filter.
func (g *grid) list() {
	g.lines = g.lines[:0]
	top, row := 0, 0
	query := strings.ToLower(strings.TrimSpace(g.filter.query))
	add := func(l line) {
		l.top = top
		g.lines = append(g.lines, l)
		top += l.height
	}
	high := g.rowHeight()
	for i, of := range g.table.Groups {
		first := true
		for j, r := range of.Rows {
			if !g.passes(r, query) {
				continue
			}
			if first {
				add(line{group: i, row: -1, height: headHeight})
				first = false
			}
			if !g.folded[groupKey(of)] {
				add(line{group: i, row: row + j, height: high})
			}
		}
		row += len(of.Rows)
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
func (g *grid) total() int {
	if len(g.lines) == 0 {
		return 0
	}
	last := &g.lines[len(g.lines)-1]
	return last.top + last.height
}

// margin is how far beyond the visible part lines are drawn, in CSS pixels, so that scrolling shows no gaps.
const margin = 400

// visible returns the lines to draw: those in view, and the one with the cursor, which has the focus.
func (g *grid) visible() []line {
	var list []line
	for _, l := range g.lines {
		near := l.top+l.height >= g.view.top-margin && l.top <= g.view.top+g.view.height+margin
		if near || l.row >= 0 && l.row == g.cursor.row {
			list = append(list, l)
		}
	}
	return list
}
