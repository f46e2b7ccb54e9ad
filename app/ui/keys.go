package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/connect"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// listenKeys handles the keys that work everywhere on the page, including in
// text fields. It listens before the browser acts on them.
func (p *editorPage) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e app.Value) {
		if p.Editor == nil || e.Get("defaultPrevented").Bool() {
			return
		}
		m := modsOf(e)
		in := command.OnCanvas
		if kit.Typing(kit.Target(e)) {
			in = command.OnText
		}
		id := command.For(keyOf(e, m), m, in)
		if m&command.Control == 0 || id == command.None || id == command.SelectAll {
			p.forward(e)
			return
		}
		e.Call("preventDefault")
		ctx.Dispatch(func(ctx app.Context) {
			defer p.Rescue(ctx)
			p.Perform(ctx, id, "")
			p.Sync(ctx)
		})
	})
}

// keyOf returns the name of a key. With Alt, it returns the letter on the key, because some systems then write another character.
func keyOf(e app.Value, m command.Mods) string {
	if code := e.Get("code").String(); m&command.Alt != 0 && strings.HasPrefix(code, "Key") {
		return strings.ToLower(code[len("Key"):])
	}
	return e.Get("key").String()
}

// modsOf returns the modifiers of a key event.
func modsOf(e app.Value) (m command.Mods) {
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() {
		m |= command.Control
	}
	if e.Get("shiftKey").Bool() {
		m |= command.Shift
	}
	if e.Get("altKey").Bool() {
		m |= command.Alt
	}
	return m
}

// forward passes a key to the canvas if it is meant for the canvas but the
// focus is elsewhere: on the page itself after loading, or on a button that
// was pressed. Keys that the canvas does not use arrive at onKey, as if they
// came from the canvas. A key that comes from outside the editor while a menu
// is open, and the focus is on its way there, is for the menu.
func (p *editorPage) forward(e app.Value) {
	target := kit.Target(e)
	at := focus{tag: target.Get("tagName").String(), kind: target.Get("type").String()}
	within := func(selector string) bool { return kit.Near(e, selector).Truthy() }
	open, to := p.menu.IsOpen() || p.popup.Of() != "", "#canvas"
	switch {
	case kit.Typing(target):
		return
	case open && !within(".editor"):
		to = ".editor"
	case p.Dialog.Name() != "" || open || within("dialog, .menu"):
		at.place = atDialog
	case within("#canvas"):
		at.place = atCanvas
	case within("[role=tree], #desk"), p.desk.Covers():
		at.place = atOutline
	}
	if e.Get("isTrusted").Bool() && (to == ".editor" || at.forCanvas(e.Get("key").String())) {
		if !kit.PassOn(e, to) {
			e.Call("preventDefault")
			e.Call("stopPropagation")
		}
	}
}

// onKey handles the keys of menus and dialogs, and those that work outside
// text fields. The canvas handles its own keys first.
func (p *editorPage) onKey(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	if e.Get("defaultPrevented").Bool() {
		return
	}
	p.press(ctx, e, e.Get("key").String())
}

// press handles the key of an event.
func (p *editorPage) press(ctx app.Context, e app.Event, key string) {
	switch {
	case p.popup.Of() != "":
		p.popup.Key(e, key)
	case p.menu.IsOpen():
		p.menu.Key(ctx, e, key)
	case kit.StepTab(e, key):
	case p.search.IsOpen() && key != "Escape":
		p.search.Key(ctx, e, key)
	case p.Dialog.Name() != "" && key == "Escape":
		e.PreventDefault()
		p.Dialog.CloseBack()
	case p.Dialog.Name() == connect.Name && key == "Enter":
		e.PreventDefault()
		p.connect.ConnectFirst(ctx)
	case p.Dialog.Name() != "":
	case key == "Escape" && p.preview.LeaveFull():
		e.PreventDefault()
		kit.FocusSoon(ctx, kit.Control("pv-full", ""), 0)
	case p.desk.Shown() && key == "Escape" && (p.desk.Beside() || !kit.Typing(kit.Target(e))):
		e.PreventDefault()
		p.desk.Close(ctx)
	case key == "Escape" && !workspace.Wide() && (p.Panels.Left || p.Panels.Right):
		e.PreventDefault()
		p.Panels.Close()
		kit.Focus("#canvas")
	case kit.Typing(kit.Target(e)) || p.Editor == nil:
		if key == "Escape" {
			kit.Focus("#canvas")
		}
	}
}
