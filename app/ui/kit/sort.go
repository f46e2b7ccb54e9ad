package kit

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Sortable moves the elements of a list that has a grip in each, by pointer and by key. Its list is the parent of the elements, which have
// their index in data-sort. They may be a part of a list.
type Sortable struct {
	// Move moves an element; list is the data-list of the grip.
	Move func(ctx app.Context, list string, from, to int)

	stop func() // ends the drag, nil if there is none
}

// Down begins a drag if the pointer is pressed on a grip.
func (s *Sortable) Down(ctx app.Context, e app.Event) {
	grip := Near(e, "[data-grip]")
	if !grip.Truthy() || e.Get("button").Int() != 0 || s.stop != nil {
		return
	}
	item := grip.Call("closest", "[data-sort]")
	rows := siblings(item)
	from := place(rows, item)
	tops, bottoms := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		box := r.Call("getBoundingClientRect")
		tops[i], bottoms[i] = box.Get("top").Float(), box.Get("bottom").Float()
	}
	start := e.Get("clientY").Float()
	to := from
	item.Get("classList").Call("add", "dragged")
	grip.Call("setPointerCapture", e.Get("pointerId"))
	show := func(dy float64) {
		for i, r := range rows {
			shift := shiftOf(i, from, to, tops, bottoms)
			if i == from {
				shift = dy
			}
			r.Get("style").Set("transform", "translateY("+strconv.FormatFloat(shift, 'f', 1, 64)+"px)")
		}
	}
	var ends []func()
	finish := func() {
		for _, end := range ends {
			end()
		}
		for _, r := range rows {
			r.Get("style").Set("transform", "")
		}
		item.Get("classList").Call("remove", "dragged")
		s.stop = nil
	}
	s.stop = finish
	drop := func(app.Value) {
		finish()
		if to != from {
			list := grip.Get("dataset").Get("list").String()
			before := index(rows[0])
			ctx.Dispatch(func(ctx app.Context) { s.Move(ctx, list, before+from, before+to) })
		}
	}
	ends = append(ends,
		Listen("pointermove", func(e app.Value) {
			dy := e.Get("clientY").Float() - start
			to = dropIndex(from, dy, tops, bottoms)
			show(dy)
		}),
		Listen("pointerup", drop),
		Listen("pointercancel", func(app.Value) { finish() }),
		Listen("blur", func(app.Value) { finish() }),
		Listen("keydown", func(e app.Value) {
			if e.Get("key").String() == "Escape" {
				e.Call("preventDefault")
				finish()
			}
		}),
	)
}

// Key moves the element of the focused grip by an arrow key, and reports whether it did.
func (s *Sortable) Key(ctx app.Context, e app.Event) bool {
	by := Arrow(e.Get("key").String())
	grip := Near(e, "[data-grip]")
	if by == 0 || !grip.Truthy() {
		return false
	}
	item := grip.Call("closest", "[data-sort]")
	rows := siblings(item)
	from := place(rows, item)
	if to := from + by; to >= 0 && to < len(rows) {
		before := index(rows[0])
		s.Move(ctx, grip.Get("dataset").Get("list").String(), before+from, before+to)
		// The elements are reused in their places: the focus follows the one that moved.
		if next := rows[to].Call("querySelector", "[data-grip]"); next.Truthy() {
			next.Call("focus")
		}
	}
	e.PreventDefault()
	return true
}

func siblings(item app.Value) []app.Value {
	var rows []app.Value
	for r := item.Get("parentNode").Get("firstElementChild"); r.Truthy(); r = r.Get("nextElementSibling") {
		if r.Get("dataset").Get("sort").Type() == app.TypeString {
			rows = append(rows, r)
		}
	}
	return rows
}

// index returns the index of an element in its list.
func index(item app.Value) int {
	i, _ := strconv.Atoi(item.Get("dataset").Get("sort").String())
	return i
}

func place(rows []app.Value, item app.Value) int {
	for i, r := range rows {
		if r.Equal(item) {
			return i
		}
	}
	return -1
}

// Arrow returns the step of an arrow key down a list: 1 for ArrowDown, -1 for ArrowUp, 0 for any other key.
func Arrow(key string) int {
	return map[string]int{"ArrowUp": -1, "ArrowDown": 1}[key]
}

// dropIndex returns the place of the element from after it was dragged by dy: past each element whose middle its leading edge has passed.
func dropIndex(from int, dy float64, tops, bottoms []float64) int {
	to := from
	for to > 0 && tops[from]+dy < (tops[to-1]+bottoms[to-1])/2 {
		to--
	}
	for to < len(tops)-1 && bottoms[from]+dy > (tops[to+1]+bottoms[to+1])/2 {
		to++
	}
	return to
}

// shiftOf returns by how much the element i makes room for the one that is dragged from one place to another.
func shiftOf(i, from, to int, tops, bottoms []float64) float64 {
	switch {
	case from < i && i <= to:
		return tops[from] - tops[from+1]
	case to <= i && i < from:
		return bottoms[from] - bottoms[from-1]
	}
	return 0
}
