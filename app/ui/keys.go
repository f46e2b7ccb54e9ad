package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// listenKeys takes the keys that work everywhere on the page, text fields
// included. It listens before the browser acts on them.
func (p *editorPage) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e app.Value) {
		if p.ed == nil || e.Get("defaultPrevented").Bool() {
			return
		}
		m := modsOf(e)
		in := command.OnCanvas
		if typingAt(e.Get("target")) {
			in = command.OnText
		}
		id := command.For(e.Get("key").String(), m, in)
		if m&command.Control == 0 || id == command.None || id == command.SelectAll {
			p.forward(e)
			return
		}
		e.Call("preventDefault")
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			p.perform(ctx, id, "")
			p.sync(ctx)
		})
	})
}

// modsOf returns the modifiers of a key event.
func modsOf(e app.Value) (m command.Mods) {
	for name, mod := range map[string]command.Mods{"ctrlKey": command.Control, "metaKey": command.Control, "shiftKey": command.Shift, "altKey": command.Alt} {
		if e.Get(name).Bool() {
			m |= mod
		}
	}
	return m
}

// forward hands a key to the canvas when it is meant for it but the focus is
// elsewhere: on the page itself after a load, or on a button that was pressed.
// What the canvas leaves comes by onKey, as from the canvas.
func (p *editorPage) forward(e app.Value) {
	target := e.Get("target")
	at := focus{tag: target.Get("tagName").String(), kind: target.Get("type").String()}
	within := func(selector string) bool { return target.Call("closest", selector).Truthy() }
	switch {
	case p.dialog != "" || p.menu || within("dialog, .menu"):
		at.place = atDialog
	case within("#canvas"):
		at.place = atCanvas
	case within("[role=tree]"):
		at.place = atOutline
	}
	if e.Get("isTrusted").Bool() && at.forCanvas(e.Get("key").String()) {
		if !kit.PassOn(e, "#canvas") {
			e.Call("preventDefault")
			e.Call("stopPropagation")
		}
	}
}

// onKey takes the keys of menus and dialogs, and those that work while no text
// is typed. The canvas takes its own keys first.
func (p *editorPage) onKey(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	if e.Get("defaultPrevented").Bool() {
		return
	}
	key := e.Get("key").String()
	switch {
	case p.menu:
		p.onMenuKey(ctx, e, key)
	case (p.dialog == "commands" || p.dialog == "find") && key != "Escape":
		p.onSearchKey(ctx, e, key)
	case p.dialog != "":
		if key == "Escape" {
			e.PreventDefault()
			p.closeDialog()
			p.refocus()
		} else if key == "Enter" && p.dialog == "connect" {
			e.PreventDefault()
			if targets := p.targets(); len(targets) > 0 {
				p.connect(ctx, targets[0].id)
			}
		}
	case key == "Escape" && !wide() && (p.left || p.right):
		e.PreventDefault()
		p.left, p.right = false, false
		kit.Focus("#canvas")
	case typingIn(e.Get("target")) || p.ed == nil:
		if key == "Escape" {
			kit.Focus("#canvas")
		}
	}
}

func (p *editorPage) onMenuKey(ctx app.Context, e app.Event, key string) {
	if id := command.For(key, 0, command.InMenu); id != command.None {
		e.PreventDefault()
		p.perform(ctx, id, "")
		p.refocus()
		return
	}
	doc := app.Window().Get("document")
	item := doc.Get("activeElement")
	switch key {
	case "Escape":
		p.menu = false
		if !p.inOutline && p.drop == nil {
			kit.Focus("[data-act=menu]")
			break
		}
		p.drop = nil
		p.refocus()
	case "ArrowDown":
		if next := item.Get("nextElementSibling"); next.Truthy() {
			next.Call("focus")
		}
	case "ArrowUp":
		if prev := item.Get("previousElementSibling"); prev.Truthy() {
			prev.Call("focus")
		}
	default:
		return
	}
	e.PreventDefault()
}

// typingIn tells whether an element takes text.
func typingIn(el app.Value) bool {
	return takesText(el.Get("tagName").String(), el.Get("type").String())
}

// typingAt is typingIn for the browser's own values.
func typingAt(el app.Value) bool {
	return takesText(el.Get("tagName").String(), el.Get("type").String())
}
