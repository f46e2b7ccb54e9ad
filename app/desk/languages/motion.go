package languages

import "github.com/formgraph/formgraph/app/translate"

// motion knows which cells have controls while the table scrolls. A control costs several times as much to make and to paint as the text in its
// cell, so the cells that come into view are drawn without one. Once the table has stopped, the script asks for the controls part by part, so that
// no frame has to wait for all of them.
type motion struct {
	moving   bool
	parts    int                      // the parts that have got their controls since the table stopped
	controls map[*translate.Row]span  // the columns with controls, by the rows that are drawn
	drawn    map[*translate.Row]drawn // the rows that are drawn, except those with selected cells
}

// span is a range of columns, without the column to.
type span struct{ from, to int }

// settleParts is the number of parts: the four quarters of the view, two parts of the margin below it, and everything else.
const settleParts = 7

// scroll moves the view.
func (g *grid) scroll(to view) {
	if to.left != g.view.left || to.top != g.view.top {
		g.moving, g.parts = true, 0
	}
	was := g.view.width
	g.view = to
	if to.width != was {
		g.resize()
	}
}

// settle gives the next part of the view its controls.
func (g *grid) settle() {
	g.parts++
	g.moving = g.moving && g.parts < settleParts
}

// settled reports whether a line is to be drawn with all its controls.
func (g drawer) settled(l *line) bool {
	if !g.moving || l.row == g.cursor.row {
		return true
	}
	return g.parts > 0 && l.top+l.height > g.view.top && l.top < g.view.top+g.view.height*g.parts/4
}

// allot decides which cells of the lines have controls. A cell with a control keeps it while its line is drawn.
func (g drawer) allot(lines []line) {
	from, to := g.shown()
	was := g.controls
	g.controls = make(map[*translate.Row]span, len(lines))
	for i := range lines {
		if lines[i].row < 0 {
			continue
		}
		r := g.table.Rows[lines[i].row]
		g.controls[r] = was[r]
		if g.settled(&lines[i]) {
			g.controls[r] = span{from, to}
		}
	}
}

// drawn is the markup of a row, and what the markup depends on besides the row.
type drawn struct {
	line
	shown, controls span
	index           int
	name, cells     string // markup
}

// reuse fills in the markup of a row as it was drawn before, and reports whether it is still valid.
func (g drawer) reuse(r *translate.Row, now *drawn) bool {
	was, ok := g.drawn[r]
	now.name, now.cells = was.name, was.cells
	return ok && was == *now && !g.cursor.meets(now.row)
}
