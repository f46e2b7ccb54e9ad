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
	return rect(o.host) - rect(o.scroller) + scroll, scroll, o.scroller.Get("clientHeight").Float()
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
	o.host.Get("style").Set("height", px(o.o.tops[o.o.len()]))
	top, scroll, height := o.view()
	y := top + o.o.top(o.cur)
	to := max(0, min(max(scroll, y+rowHeight+besideRow-height), y-besideRow))
	if to != scroll {
		o.scroller.Set("scrollTop", to)
	}
}

// draw creates, updates and removes rows.
func (o *drawing) draw() {
	o.host.Get("style").Set("height", px(o.o.tops[o.o.len()]))
	top, scroll, height := o.view()
	first, end := o.o.within(scroll-top-drawnAround, scroll-top+height+drawnAround)
	var at []int
	if o.cur.at < first {
		at = append(at, o.cur.at)
	}
	for i := first; i < end; i++ {
		at = append(at, i)
	}
	if o.cur.at >= end {
		at = append(at, o.cur.at)
	}
	stays := make(map[string]bool, len(at))
	for _, i := range at {
		stays[o.key(i)] = true
	}
	for _, key := range o.drawn {
		if !stays[key] {
			o.rows[key].li.Call("remove")
			o.spare = append(o.spare, o.rows[key])
			delete(o.rows, key)
		}
	}
	o.drawn = o.drawn[:0]
	before := app.Null()
	for _, i := range at {
		key := o.key(i)
		r := o.rows[key]
		if r == nil {
			r = o.newRow()
			o.rows[key] = r
		}
		next := o.host.Get("firstChild")
		if before.Truthy() {
			next = before.Get("nextSibling")
		}
		if !r.li.Equal(next) {
			o.host.Call("insertBefore", r.li, next)
		}
		o.sync(r, i)
		before = r.li
		o.drawn = append(o.drawn, key)
	}
}

// newRow returns an element for a row. It reuses that of a row that has gone,
// because most of it is already correct, or creates a new one.
func (o *drawing) newRow() *rowElement {
	if n := len(o.spare); n > 0 {
		r := o.spare[n-1]
		o.spare = o.spare[:n-1]
		return r
	}
	return newRowElement()
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
	if r := o.rows[o.key(s.at)]; r == nil || s.part < 0 {
		return r
	}
	return o.rows[o.key(s.at)].parts[s.part]
}

// sync updates the elements of a first-level row and its parts.
func (o *drawing) sync(r *rowElement, at int) {
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
	n := o.o.shown(at)
	for len(r.parts) > n {
		r.parts[len(r.parts)-1].li.Call("remove")
		r.parts = r.parts[:len(r.parts)-1]
	}
	for i := range n {
		if i == len(r.parts) {
			r.addPart()
		}
		s := spot{at, i}
		part := o.o.part(s)
		r.parts[i].sync(rowState{
			row: o.o.row(s), level: 2, pos: i + 1, size: n, at: strconv.Itoa(at) + " " + strconv.Itoa(i), stop: o.cur == s,
			selected: len(o.seen.Nodes) == 1 && o.selected[id] && part != "" && (part == o.seen.Component+o.seen.Rule || slices.Contains(o.seen.Parts, part)) ||
				o.o.otherwise(s) != nil && o.seen.Equal(o.selectionOf(s)) && o.seen.Edge != nil,
		})
	}
	r.group.Set("hidden", n == 0)
}

func px(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + "px" }
