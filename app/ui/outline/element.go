package outline

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// rowState is the state with which the element of a row was last synchronized.
type rowState struct {
	row
	at               string // position of the row, in the format of outline.parse
	level, pos, size int
	expanded         string // "" for a row without parts
	selected, stop   bool
}

// rowElement is a row in the document. The style sheet draws its texts: screen
// readers announce only the accessible name of the row, and the texts of parts do
// not belong to the name of the node that contains them. User text is never written
// as HTML.
type rowElement struct {
	li, line, mark, use, name, note, badge, count app.Value

	parts rowList
	state rowState
	drawn bool
	top   float64
}

// rowList is the rows of one level below an element, as far as they are drawn.
type rowList struct {
	host  app.Value
	rows  map[string]*rowElement
	drawn []string // keys of rows, in order
	spare []*rowElement
	add   func() *rowElement // makes an element
}

func newRowList(host app.Value, add func() *rowElement) rowList {
	return rowList{host: host, rows: map[string]*rowElement{}, add: add}
}

// draw creates, updates and removes rows, so that there are those at the given places, in order.
func (l *rowList) draw(at []int, key func(at int) string, sync func(r *rowElement, at int)) {
	stays := make(map[string]bool, len(at))
	for _, i := range at {
		stays[key(i)] = true
	}
	for _, key := range l.drawn {
		if !stays[key] {
			l.rows[key].li.Call("remove")
			l.spare = append(l.spare, l.rows[key])
			delete(l.rows, key)
		}
	}
	l.drawn = l.drawn[:0]
	before := app.Null()
	for _, i := range at {
		key := key(i)
		r := l.rows[key]
		if r == nil {
			r = l.next()
			l.rows[key] = r
		}
		next := l.host.Get("firstChild")
		if before.Truthy() {
			next = before.Get("nextSibling")
		}
		if !r.li.Equal(next) {
			l.host.Call("insertBefore", r.li, next)
		}
		sync(r, i)
		before = r.li
		l.drawn = append(l.drawn, key)
	}
}

// next returns an element for a row. It reuses that of a row that has gone,
// because most of it is already correct, or creates a new one.
func (l *rowList) next() *rowElement {
	if n := len(l.spare); n > 0 {
		r := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return r
	}
	return l.add()
}

// clear removes all rows.
func (l *rowList) clear() {
	l.host.Call("replaceChildren")
	*l = newRowList(l.host, l.add)
}

func newRowElement() *rowElement {
	doc := app.Window().Get("document")
	add := func(parent app.Value, tag, class string) app.Value {
		e := doc.Call("createElement", tag)
		if class != "" {
			e.Set("className", class)
		}
		if parent.Truthy() {
			parent.Call("append", e)
		}
		return e
	}
	symbol := func(parent app.Value, name string) app.Value {
		svg := doc.Call("createElementNS", kit.SVG, "svg")
		svg.Call("setAttribute", "class", "i")
		use := doc.Call("createElementNS", kit.SVG, "use")
		if name != "" {
			use.Call("setAttribute", "href", "#i-"+name)
		}
		svg.Call("append", use)
		parent.Call("append", svg)
		return use
	}
	r := &rowElement{top: -1}
	r.li = add(app.Null(), "li", "")
	r.li.Call("setAttribute", "role", "treeitem")
	r.li.Call("setAttribute", "data-menu", RowMenu)
	r.li.Call("setAttribute", "data-of", "")
	// The accessible name of the row contains everything in the line.
	r.line = add(r.li, "div", "out-row")
	r.line.Call("setAttribute", "aria-hidden", "true")
	symbol(add(r.line, "span", "twisty"), "down")
	r.mark = add(r.line, "span", "k")
	r.use = symbol(r.mark, "")
	r.name = add(r.line, "span", "grow")
	r.note = add(r.line, "small", "")
	r.badge = add(r.line, "span", "badge")
	symbol(r.badge, "warn")
	r.count = add(r.badge, "span", "")
	group := add(r.li, "ul", "out-parts")
	group.Call("setAttribute", "role", "group")
	r.parts = newRowList(group, newPartElement)
	return r
}

// newPartElement creates the element for a part.
func newPartElement() *rowElement {
	part := newRowElement()
	part.parts.host.Call("remove")
	part.line.Get("classList").Call("add", "sub")
	return part
}

// place moves the row to its height.
func (r *rowElement) place(top float64) {
	if r.top != top {
		r.top = top
		r.li.Get("style").Set("top", px(top))
	}
}

// sync writes the values that differ from the last ones.
func (r *rowElement) sync(s rowState) {
	if r.drawn && r.state == s {
		return
	}
	was := r.state
	set := func(e app.Value, changed bool, name, value string) {
		if changed || !r.drawn {
			e.Call("setAttribute", name, value)
		}
	}
	text := func(e app.Value, was, is string) {
		if was != is || !r.drawn {
			e.Get("dataset").Set("text", is)
		}
	}
	set(r.li, was.spoken != s.spoken, "aria-label", s.spoken)
	set(r.line, was.spoken != s.spoken, "title", s.spoken)
	set(r.li, was.level != s.level, "aria-level", strconv.Itoa(s.level))
	set(r.li, was.pos != s.pos, "aria-posinset", strconv.Itoa(s.pos))
	set(r.li, was.size != s.size, "aria-setsize", strconv.Itoa(s.size))
	set(r.li, was.at != s.at, "data-at", s.at)
	set(r.li, was.selected != s.selected, "aria-selected", kit.Yes(s.selected))
	if was.expanded != s.expanded || !r.drawn {
		if s.expanded == "" {
			r.li.Call("removeAttribute", "aria-expanded")
		} else {
			r.li.Call("setAttribute", "aria-expanded", s.expanded)
		}
	}
	if was.stop != s.stop || !r.drawn {
		index := -1
		if s.stop {
			index = 0
		}
		r.li.Set("tabIndex", index)
	}
	set(r.li, was.away != s.away, "class", map[bool]string{true: "away", false: ""}[s.away])
	set(r.mark, was.tint != s.tint, "class", "k "+s.tint)
	set(r.mark, was.pos != s.pos, "data-nth", strconv.Itoa(s.pos))
	set(r.use, was.icon != s.icon, "href", "#i-"+s.icon)
	text(r.name, was.name, s.name)
	text(r.note, was.note, s.note)
	r.line.Get("classList").Call("toggle", "leads", s.note != "")
	text(r.count, was.counted(), s.counted())
	r.badge.Set("hidden", s.problems == 0 && s.warnings == 0)
	r.badge.Get("classList").Call("toggle", "warned", s.problems == 0)
	r.state, r.drawn = s, true
}
