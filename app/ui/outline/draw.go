package outline

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// view returns the offset of the host in the scrolled content, and its visible
// part, in px.
func (o *drawing) view() (top, scroll, height float64) {
	rect := func(v app.Value) float64 { return v.Call("getBoundingClientRect").Get("top").Float() }
	scroll = o.scroller.Get("scrollTop").Float()
	return rect(o.list.host) - rect(o.scroller) + scroll, scroll, o.scroller.Get("clientHeight").Float()
}

// The space around a row that is scrolled into view, and the extent of rows drawn
// beyond the visible part.
const (
	besideRow   = 12.0
	drawnAround = 240.0 // px of rows drawn above and below the visible part
)

// reveal scrolls the row with the tab stop into view.
func (o *drawing) reveal() {
	// Scrolling to the end of a longer list works only once the end exists.
	o.list.host.Get("style").Set("height", px(o.o.tops[o.o.len()]))
	top, scroll, height := o.view()
	y := top + o.o.top(o.cur)
	to := max(0, min(max(scroll, y+rowHeight+besideRow-height), y-besideRow))
	if to != scroll {
		o.scroller.Set("scrollTop", to)
	}
}

// draw draws the rows in view, and the one with the tab stop.
func (o *drawing) draw() {
	o.list.host.Get("style").Set("height", px(o.o.tops[o.o.len()]))
	top, scroll, height := o.view()
	from, to := scroll-top-drawnAround, scroll-top+height+drawnAround
	first, end := o.o.within(from, to)
	o.list.draw(withStop(first, end, o.cur.at), o.key, func(r *rowElement, at int) { o.sync(r, at, from, to) })
}

// withStop returns the numbers from first to before end, and stop in its place unless it is negative.
func withStop(first, end, stop int) (at []int) {
	if stop >= 0 && stop < first {
		at = append(at, stop)
	}
	for i := first; i < end; i++ {
		at = append(at, i)
	}
	if stop >= end {
		at = append(at, stop)
	}
	return at
}

// key returns the key of the element of a first-level row. A form may have two
// nodes with the same id.
func (o *cursor) key(at int) string {
	if id := o.o.id(at); o.o.place[id] == at {
		return id
	}
	return strconv.Itoa(at) + " again"
}

// rowOf returns the element of a drawn row, such as the one with the tab stop.
func (o *drawing) rowOf(s spot) *rowElement {
	r := o.list.rows[o.key(s.at)]
	if r == nil || s.part < 0 {
		return r
	}
	return r.parts.rows[strconv.Itoa(s.part)]
}

// sync updates the elements of a first-level row, and of its parts in a range of heights.
func (o *drawing) sync(r *rowElement, at int, from, to float64) {
	id := o.o.id(at)
	expanded := ""
	if o.o.rows(at) > 0 {
		expanded = kit.Yes(o.o.open(at))
	}
	r.place(o.o.tops[at])
	r.sync(rowState{
		row: o.o.row(spot{at, -1}), level: 1, pos: at + 1, size: o.o.len(), expanded: expanded,
		selected: o.selected[id] && !o.seen.Within(), stop: o.cur == spot{at, -1}, at: strconv.Itoa(at),
	})
	n, stop := o.o.shown(at), -1
	if o.cur.at == at && o.cur.part < n {
		stop = o.cur.part
	}
	tops := o.o.topsOfParts(at)
	first, end := between(tops, from-o.o.tops[at], to-o.o.tops[at])
	r.parts.draw(withStop(first, end, stop), strconv.Itoa, func(p *rowElement, i int) {
		s := spot{at, i}
		part := o.o.part(s)
		p.place(tops[i] - rowHeight)
		p.sync(rowState{
			row: o.o.row(s), level: 2, pos: i + 1, size: n, at: strconv.Itoa(at) + " " + strconv.Itoa(i), stop: o.cur == s,
			selected: len(o.seen.Nodes) == 1 && o.selected[id] && part != "" && (part == o.seen.Component+o.seen.Rule || slices.Contains(o.seen.Parts, part)) ||
				o.o.otherwise(s) != nil && o.seen.Equal(o.selectionOf(s)) && o.seen.Edge != nil,
		})
	})
	r.parts.host.Get("style").Set("height", px(tops[n]-rowHeight))
	r.parts.host.Set("hidden", n == 0)
}

func px(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + "px" }
