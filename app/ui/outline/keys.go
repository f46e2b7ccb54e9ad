package outline

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// typePause is the time, in milliseconds, within which another letter continues a typed
// name.
const typePause = 1000

// onKey handles a key in the tree. It stops the propagation of keys that it handles,
// because the page would redraw itself.
func (o *Tree) onKey(e app.Value) {
	if e.Get("defaultPrevented").Bool() {
		return
	}
	key := e.Get("key").String()
	control := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	shift, alt := e.Get("shiftKey").Bool(), e.Get("altKey").Bool()
	typing := o.typed != "" && e.Get("timeStamp").Float()-o.typedAt < typePause
	taken := true
	if !isLetter(key) && key != " " && key != "Shift" {
		o.typed, typing = "", false // the next letter starts a new name, or is a command
	}
	switch {
	case control:
		taken = o.controlKey(key, shift)
	case alt:
		taken = o.reorder(key)
	case typing && (key == " " || isLetter(key)), shift && isLetter(key):
		o.typeName(e, key, typing)
	case o.moveKey(key, shift), o.commandKey(key, shift):
	case isLetter(key):
		o.typeName(e, key, typing)
	default:
		taken = false
	}
	if taken {
		e.Call("preventDefault")
		e.Call("stopPropagation")
	}
}

// isLetter reports whether a key produces a character that can start a name.
func isLetter(key string) bool {
	r, n := utf8.DecodeRuneInString(key)
	return n == len(key) && r > ' ' && !strings.ContainsRune("*?+-", r)
}

// typeName moves to the next row whose name begins with the typed letters. N, C and E
// are commands as on the canvas: with Shift they start a name.
func (o *Tree) typeName(e app.Value, key string, typing bool) {
	if !typing {
		o.typed = ""
	}
	o.typed += key
	o.typedAt = e.Get("timeStamp").Float()
	o.moveTo(o.o.typed(o.cur, o.typed))
}

// moveTo moves the tab stop and the focus.
func (o *Tree) moveTo(s spot) {
	if s == o.cur {
		return
	}
	o.setCur(s)
	o.render(true)
}

// moveKey handles a key that moves in the tree.
func (o *Tree) moveKey(key string, shift bool) bool {
	to := o.cur
	switch key {
	case "ArrowDown", "ArrowUp":
		if shift {
			o.extendBy(kit.Arrow(key))
			return true
		}
		to = o.o.next(o.cur)
		if key == "ArrowUp" {
			to = o.o.previous(o.cur)
		}
	case "Home":
		to = spot{0, -1}
	case "End":
		to = o.o.last()
	case "ArrowRight":
		switch {
		case o.cur.part >= 0 || o.o.rows(o.cur.at) == 0:
		case o.o.open(o.cur.at):
			to.part = 0
		default:
			o.o.setOpen(o.cur.at, true)
			o.update()
		}
	case "ArrowLeft":
		if o.cur.part < 0 && o.o.open(o.cur.at) {
			o.o.setOpen(o.cur.at, false)
			o.update()
		}
		to.part = -1
	case "*":
		o.o.openAll()
		o.render(true)
	default:
		return false
	}
	o.moveTo(to)
	return true
}

// extendBy moves to another node and adds it to the selection.
func (o *Tree) extendBy(by int) {
	sel := o.Editor.State().Selection
	if !sel.Has(o.anchor) || !sel.Has(o.curID) {
		o.anchor = o.curID
	}
	o.setCur(o.o.near(spot{o.cur.at + by, -1}))
	o.extend()
	o.render(true)
}

// controlKey handles a key with Ctrl. Shortcuts of the page and the browser also apply
// to the row with the tab stop.
func (o *Tree) controlKey(key string, shift bool) bool {
	if by, ok := gesture.Nudge(key, shift); ok {
		o.Claim()
		o.later(func(ctx app.Context) { o.nudge(ctx, by) })
		return true
	}
	switch strings.ToLower(key) {
	case " ":
		o.toggle()
		o.update()
		return true
	case "a":
		o.pick(editor.SelectAll(o.Editor.State()))
		o.update()
		return true
	case "c", "x", "d", "v", "delete":
		o.Claim()
	}
	return false
}

// reorder moves a component or a rule among its siblings.
func (o *Tree) reorder(key string) bool {
	by := 1
	switch key {
	case "ArrowUp":
		by = -1
	case "ArrowDown":
	default:
		return false
	}
	switch to := o.cur.part + by; {
	case o.cur.part < 0:
		o.later(func(ctx app.Context) {
			o.Say(ctx, "Only components and rules can be reordered. Nodes follow the order of the journey.")
		})
	case o.o.otherwise(o.cur) != nil:
		o.later(func(ctx app.Context) { o.Say(ctx, "“Otherwise” is always the last.") })
	case to >= 0 && to < o.o.parts(o.cur.at):
		at, n := o.cur.part, o.o.parts(o.cur.at)
		o.Claim()
		o.later(func(ctx app.Context) {
			o.MovePart(ctx, at, to)
			o.Say(ctx, fmt.Sprintf("Position %d of %d.", to+1, n))
		})
	}
	return true
}

// commandKey handles a key that is the same command as on the canvas, for the row with
// the tab stop.
func (o *Tree) commandKey(key string, shift bool) bool {
	switch key {
	case "Enter":
		o.choose()
		o.update()
		return true
	case " ":
		o.anchor = o.curID
		o.pick(o.selectionOf(o.cur))
		o.update()
		return true
	case "Escape":
		o.pick(editor.Selection{})
		o.update()
		return true
	}
	mods := command.Mods(0)
	if shift {
		mods = command.Shift
	}
	switch id := command.For(key, mods, command.OnOutline); id {
	case command.None:
		return false
	case command.Delete:
		o.Claim()
		o.later(o.removeHere)
	case command.Help, command.NextProblem, command.PreviousProblem:
		o.later(func(ctx app.Context) { o.Perform(ctx, id, "") })
	default:
		o.Claim()
		o.later(func(ctx app.Context) { o.Perform(ctx, id, "") })
	}
	return true
}

// removeHere deletes the selection and announces it: people who cannot see the canvas
// would hear only the next row.
func (o *Tree) removeHere(ctx app.Context) {
	was := o.Editor.State()
	said := describe.Deleted(was) + "."
	if edge := was.Selection.Edge; edge != nil {
		said = describe.Disconnected(was.Form, *edge)
	} else if o.o.otherwise(o.cur) != nil {
		o.Say(ctx, "“Otherwise” cannot be deleted.")
		return
	}
	if o.Run(ctx, editor.RemoveSelection{Join: true}) {
		o.SayUndo(ctx, said)
	}
}
