//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// listenKeys takes the keys that work everywhere on the page, text fields
// included. It listens before the browser acts on them.
func (p *editorPage) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e js.Value) {
		if p.ed == nil || e.Get("defaultPrevented").Bool() {
			return
		}
		if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() {
			p.forward(e)
			return
		}
		var do func(app.Context)
		switch key := strings.ToLower(e.Get("key").String()); {
		case key == "s":
			do = p.save
		case key == "z" && e.Get("shiftKey").Bool(), key == "y":
			do = p.redo
		case key == "z":
			do = p.undo
		case key == "k":
			do = func(ctx app.Context) { p.openSearch(ctx, "commands") }
		case key == "f" && !e.Get("shiftKey").Bool():
			do = func(ctx app.Context) { p.openSearch(ctx, "find") }
		case key == "d" && !typingAt(e.Get("target")):
			do = func(ctx app.Context) { p.run(ctx, p.ed.NewDuplicate()) }
		case key == "delete" && !typingAt(e.Get("target")):
			do = func(ctx app.Context) { p.remove(ctx, true) }
		default:
			p.forward(e)
			return
		}
		e.Call("preventDefault")
		ctx.Dispatch(func(ctx app.Context) {
			defer p.rescue(ctx)
			do(ctx)
			p.sync(ctx)
		})
	})
}

// forward hands a key to the canvas when it is meant for it but the focus is
// elsewhere: on the page itself after a load, or on a button that was pressed.
// What the canvas leaves comes by onKey, as from the canvas.
func (p *editorPage) forward(e js.Value) {
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
	case e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool():
	case key == "?":
		e.PreventDefault()
		p.openDialog(ctx, "help")
	case key == "n" || key == "N":
		e.PreventDefault()
		p.openMenu(ctx, true)
	case key == "c" || key == "C":
		e.PreventDefault()
		p.openDialog(ctx, "connect")
	}
}

func (p *editorPage) onMenuKey(ctx app.Context, e app.Event, key string) {
	kinds := map[string]model.NodeType{kit.Initial(t.Step): model.StepNode, kit.Initial(t.Flow): model.FlowNode, kit.Initial(t.Router): model.RouterNode}
	if kind, ok := kinds[strings.ToUpper(key)]; ok {
		e.PreventDefault()
		p.addNode(ctx, kind)
		p.refocus()
		return
	}
	doc := js.Global().Get("document")
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
func typingAt(el js.Value) bool {
	return takesText(el.Get("tagName").String(), el.Get("type").String())
}

// onAction does what a key on the canvas asks the page for.
func (p *editorPage) onAction(ctx app.Context, action string) {
	defer p.rescue(ctx)
	switch action {
	case "delete":
		p.remove(ctx, false)
	case "add":
		p.openMenu(ctx, true)
	case "connect":
		p.openDialog(ctx, "connect")
	case "edit":
		p.editText(ctx)
	case "parts":
		p.showFolded(ctx)
	case "help":
		p.openDialog(ctx, "help")
	case "next-problem":
		p.stepProblem(ctx, 1)
	case "previous-problem":
		p.stepProblem(ctx, -1)
	}
}
