package canvas

import (
	"strings"
	"syscall/js"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/model"
)

// noteLayer shows the notes below the cards. People move them with the pointer or the arrow keys, and edit their texts in place.
type noteLayer struct {
	*stage
	el   js.Value
	list note.List
	read bool // the notes cannot be changed

	moving  string // the note that is dragged, "" for none
	from    graph.Vec
	moved   bool
	writing note.Note // the note whose text is edited
	field   js.Value  // with that text; undefined for none
}

// moveAfter is how far a press moves in pixels before it drags, as on cards.
const moveAfter = 4

// ShowNotes shows notes in place of those shown before.
func (s *Island) ShowNotes(list note.List, editable bool) {
	s.notes.list, s.notes.read = list, !editable
	s.notes.draw()
}

// WriteNote opens the text of a note, which need not be shown yet.
func (s *Island) WriteNote(n note.Note) { s.notes.write(n) }

func (l *noteLayer) write(n note.Note) {
	l.finish()
	l.writing = n
	l.field = js.Global().Get("document").Call("createElement", "textarea")
	l.field.Set("className", "cv-note-text")
	l.field.Set("maxLength", note.MaxText)
	l.field.Set("value", n.Text)
	l.field.Call("setAttribute", "aria-label", "Text of the note")
	l.draw()
	focus(l.field)
	l.field.Call("select")
}

// draw replaces the elements of all notes: there are few, and they seldom change.
func (l *noteLayer) draw() {
	document := js.Global().Get("document")
	focused := ""
	if at := document.Get("activeElement"); l.el.Call("contains", at).Bool() && at.Get("dataset").Get("note").Truthy() {
		focused = at.Get("dataset").Get("note").String()
	}
	l.moving, l.moved = "", false
	written := js.Null() // keeps its element, and with that the focus
	if !l.field.IsUndefined() {
		written = l.field.Call("closest", ".cv-note")
	}
	for old := l.el.Get("lastElementChild"); old.Truthy(); {
		before := old.Get("previousElementSibling")
		if !old.Equal(written) {
			old.Call("remove")
		}
		old = before
	}
	shown := l.list
	if _, has := shown.Get(l.writing.ID); !l.field.IsUndefined() && !has {
		shown = shown.With(note.Change{Note: l.writing})
	}
	for _, n := range shown {
		if n.ID == l.writing.ID && written.Truthy() {
			continue
		}
		e := document.Call("createElement", "div")
		e.Set("className", "cv-note")
		e.Get("dataset").Set("note", n.ID)
		e.Set("tabIndex", 0)
		e.Call("setAttribute", "role", "note")
		e.Call("setAttribute", "aria-label", "Note: "+n.Text)
		place(e, n.At)
		l.el.Call("append", e)
		if n.ID == l.writing.ID && !l.field.IsUndefined() {
			e.Call("append", l.field)
			continue
		}
		e.Set("textContent", n.Text)
		if n.ID == focused {
			focus(e)
		}
	}
}

// place moves the element of a note.
func place(e js.Value, at model.Point) {
	e.Get("style").Set("transform", string(appendTranslate(nil, float64(at.X), float64(at.Y))))
}

// of returns the note whose element an event is about.
func (l *noteLayer) of(e js.Value) (el js.Value, n note.Note, ok bool) {
	el = near(e, ".cv-note")
	if !el.Truthy() {
		return el, n, false
	}
	n, ok = l.list.Get(el.Get("dataset").Get("note").String())
	return el, n, ok
}

// listen handles the events of notes. The canvas does not get them.
func (l *noteLayer) listen(zoom func() float64) {
	at := func(e js.Value) graph.Vec { return graph.Vec{X: e.Get("clientX").Float(), Y: e.Get("clientY").Float()} }
	target := func(e js.Value, n note.Note) model.Point {
		by := at(e).Sub(l.from).Scale(1 / zoom())
		return graph.Vec{X: float64(n.At.X), Y: float64(n.At.Y)}.Add(by).Snapped().Point()
	}
	l.on(l.el, "pointerdown", func(e js.Value) {
		e.Call("stopPropagation")
		el, n, ok := l.of(e)
		if !ok || l.read || e.Get("button").Int() != 0 || e.Get("target").Equal(l.field) {
			return
		}
		l.moving, l.from, l.moved = n.ID, at(e), false
		try(func() { el.Call("setPointerCapture", e.Get("pointerId")) })
	})
	l.on(l.el, "pointermove", func(e js.Value) {
		e.Call("stopPropagation")
		el, n, ok := l.of(e)
		if !ok || n.ID != l.moving {
			return
		}
		if l.moved = l.moved || at(e).Sub(l.from).Len() > moveAfter; l.moved {
			place(el, target(e, n))
		}
	})
	end := func(keep bool) func(js.Value) {
		return func(e js.Value) {
			e.Call("stopPropagation")
			_, n, ok := l.of(e)
			moved := ok && l.moved && n.ID == l.moving
			l.moving, l.moved = "", false
			switch {
			case moved && keep:
				l.moveTo(n, target(e, n))
			case moved:
				l.draw()
			}
		}
	}
	l.on(l.el, "pointerup", end(true))
	l.on(l.el, "pointercancel", end(false))
	l.on(l.el, "mouseup", func(e js.Value) {
		e.Call("stopPropagation")
		if _, n, ok := l.of(e); ok && e.Get("detail").Int() == 2 && !l.read && l.field.IsUndefined() {
			l.write(n)
		}
	})
	l.on(l.el, "contextmenu", func(e js.Value) { e.Call("stopPropagation") })
	l.on(l.el, "keydown", l.onKey)
	l.on(l.el, "keyup", func(e js.Value) { e.Call("stopPropagation") })
	l.on(l.el, "focusout", func(e js.Value) {
		if e.Get("target").Equal(l.field) {
			l.finish()
		}
	})
}

func (l *noteLayer) onKey(e js.Value) {
	key, control := e.Get("key").String(), e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	if e.Get("target").Equal(l.field) {
		if forPage(e) {
			l.finish()
			return
		}
		e.Call("stopPropagation")
		if key == "Escape" || key == "Enter" && control {
			e.Call("preventDefault")
			l.finish()
		}
		return
	}
	_, n, ok := l.of(e)
	if !ok || control || key == "Tab" {
		return // commands and the order of focus are the page's
	}
	e.Call("stopPropagation")
	by, arrow := gesture.Nudge(key, e.Get("shiftKey").Bool())
	switch {
	case key == "Escape":
		l.host.Call("focus")
	case l.read:
		return
	case key == "Enter" || key == "F2":
		l.write(n)
	case key == "Delete" || key == "Backspace":
		l.opts.OnNote(note.Change{Note: n, Gone: true})
		l.host.Call("focus")
	case arrow:
		l.moveTo(n, n.At.Add(by))
	default:
		return
	}
	e.Call("preventDefault")
}

func (l *noteLayer) moveTo(n note.Note, at model.Point) {
	if n.At != at {
		n.At = at
		l.opts.OnNote(note.Change{Note: n})
	}
}

// finish ends the editing of a text. It deletes a note that has no text.
func (l *noteLayer) finish() {
	if l.field.IsUndefined() {
		return
	}
	n, field := l.writing, l.field
	focused := js.Global().Get("document").Get("activeElement").Equal(field)
	l.writing, l.field = note.Note{}, js.Undefined()
	was, had := l.list.Get(n.ID)
	n.Text = strings.TrimSpace(field.Get("value").String())
	c := note.Change{Note: n, Gone: n.Text == ""}
	changed := (had || !c.Gone) && n.Text != was.Text
	if changed {
		l.list = l.list.With(c)
	}
	l.draw()
	if focused {
		if e := l.el.Call("querySelector", `[data-note="`+n.ID+`"]`); e.Truthy() && n.Text != "" {
			focus(e)
		} else {
			l.host.Call("focus")
		}
	}
	if changed {
		l.opts.OnNote(c)
	}
}
