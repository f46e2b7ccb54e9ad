package canvas

import (
	"syscall/js"

	"github.com/formgraph/formgraph/app/command"
)

// textField is the field in which people edit a text on a card. It is part of the world, so it moves and scales with the card.
type textField struct {
	*stage
	field   js.Value
	editing Field
}

// EditText shows a field, with its text selected, until the person is done.
func (t *textField) EditText(f Field) {
	t.closeField(true, false)
	t.editing = f
	if !t.followField() {
		return
	}
	t.field.Call("setAttribute", "aria-label", f.Name)
	t.field.Set("value", f.Text)
	t.field.Set("hidden", false)
	focus(t.field)
	t.field.Call("select")
}

// followField moves the field to its text, and reports whether it is open. It closes if the text is no longer shown.
func (t *textField) followField() bool {
	if t.editing.Done == nil {
		return false
	}
	at, ok := t.editing.Place()
	if !ok {
		t.closeField(true, false)
		return false
	}
	t.field.Call("setAttribute", "style", boxStyle(at))
	return true
}

// closeField ends the editing. keep reports the text; next also that the following field is wanted.
func (t *textField) closeField(keep, next bool) {
	f := t.editing
	if f.Done == nil {
		return
	}
	t.editing = Field{}
	focused := js.Global().Get("document").Get("activeElement").Equal(t.field)
	text := t.field.Get("value").String()
	t.field.Set("hidden", true)
	if focused {
		t.host.Call("focus")
	}
	if keep {
		f.Done(text, next)
	}
}

// listenField ends the editing at its keys, and when the field loses the focus.
func (t *textField) listenField() {
	t.on(t.field, "keydown", func(e js.Value) {
		if forPage(e) {
			t.closeField(true, false)
			return
		}
		e.Call("stopPropagation")
		key := e.Get("key").String()
		if key == "z" && (e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()) && t.field.Get("value").String() == t.editing.Text {
			e.Call("preventDefault") // there is nothing to undo in the field
			t.closeField(false, false)
			t.opts.OnCommand(command.Undo)
			return
		}
		if key != "Enter" && key != "Escape" && key != "Tab" {
			return
		}
		e.Call("preventDefault")
		t.closeField(key != "Escape", key == "Tab" && !e.Get("shiftKey").Bool())
	})
	t.on(t.field, "blur", func(js.Value) { t.closeField(true, false) })
	for _, name := range []string{"keyup", "pointerdown", "pointermove", "pointerup", "mouseup", "contextmenu"} {
		t.on(t.field, name, func(e js.Value) { e.Call("stopPropagation") })
	}
}

// focus gives an element the focus, but does not scroll to it: the view moves, not the host.
func focus(e js.Value) { e.Call("focus", map[string]any{"preventScroll": true}) }

// forPage reports whether a key that is pressed in a text runs a command of the page, other than undo and redo, which are for the text.
func forPage(e js.Value) bool {
	if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() {
		return false
	}
	id := command.For(e.Get("key").String(), command.Control, command.OnText)
	return id != command.None && id != command.Undo && id != command.Redo
}
