package ui

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// listenClipboard copies and pastes by the browser's own events, which need no
// permission and work between tabs and programs. A text field keeps its own.
func (p *editorPage) listenClipboard(ctx app.Context) (stop func()) {
	on := func(event string, f func(data app.Value) (taken bool)) func() {
		return kit.Listen(event, func(e app.Value) {
			defer p.rescue(ctx)
			if p.ed == nil || p.dialog != "" || typingAt(e.Get("target")) {
				return
			}
			if p.tree.focused() {
				p.tree.claim()
			}
			if data := e.Get("clipboardData"); data.Truthy() && f(data) {
				e.Call("preventDefault")
			}
		})
	}
	stops := []func(){
		on("copy", func(data app.Value) bool { return p.copyTo(ctx, data, false) }),
		on("cut", func(data app.Value) bool { return p.copyTo(ctx, data, true) }),
		on("paste", func(data app.Value) bool {
			text := data.Call("getData", "text/plain").String()
			ctx.Dispatch(func(ctx app.Context) {
				defer p.rescue(ctx)
				p.paste(ctx, text)
			})
			return true
		}),
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

// copyTo puts what is selected on the clipboard, and takes it out of the form.
// A selection of text on the page is left to the browser.
func (p *editorPage) copyTo(ctx app.Context, data app.Value, cut bool) bool {
	if app.Window().Call("getSelection").Call("toString").String() != "" {
		return false
	}
	text, err := editor.Copy(p.ed.State())
	if err == nil {
		data.Call("setData", "text/plain", text)
	}
	ctx.Dispatch(func(ctx app.Context) { p.copied(ctx, text, err, cut) })
	return true
}

func (p *editorPage) copied(ctx app.Context, text string, err error, cut bool) {
	defer p.rescue(ctx)
	if err != nil {
		p.say(ctx, kit.Sentence(err))
		return
	}
	if cut {
		p.run(ctx, editor.Cut{})
		return
	}
	if what, err := editor.ParsePaste(text); err == nil {
		p.say(ctx, fmt.Sprintf("Copied %s.", what))
	}
}

// copyByCommand copies without a key of the clipboard, by the way that needs the
// browser's permission.
func (p *editorPage) copyByCommand(ctx app.Context, cut bool) {
	text, err := editor.Copy(p.ed.State())
	if err != nil {
		p.say(ctx, kit.Sentence(err))
		return
	}
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.say(ctx, kit.CopyFailed)
		return
	}
	ctx.Async(func() {
		_, err := kit.Await(clipboard.Call("writeText", text))
		ctx.Dispatch(func(ctx app.Context) {
			if err != nil {
				p.say(ctx, kit.CopyFailed)
				return
			}
			p.copied(ctx, text, nil, cut)
		})
	})
}

// pasteByCommand pastes without a key of the clipboard, as copyByCommand copies.
func (p *editorPage) pasteByCommand(ctx app.Context) {
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.say(ctx, kit.PasteFailed)
		return
	}
	ctx.Async(func() {
		text, err := kit.Await(clipboard.Call("readText"))
		ctx.Dispatch(func(ctx app.Context) {
			if err != nil {
				p.say(ctx, kit.PasteFailed)
				return
			}
			p.paste(ctx, text.String())
		})
	})
}

// paste puts what a text holds where the pointer is, else beside the original or
// into the selected step or router.
func (p *editorPage) paste(ctx app.Context, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	pasted, err := editor.ParsePaste(text)
	if err != nil {
		p.say(ctx, kit.Sentence(err))
		return
	}
	c := p.ed.NewPaste(pasted, nil)
	if p.island != nil && len(pasted.Nodes) > 0 {
		if at, ok := p.island.PointerAt(); ok {
			c = p.ed.NewPaste(pasted, &at)
		}
	}
	dropped := c.Dropped(p.ed.State())
	if !p.run(ctx, c) {
		return
	}
	message := p.ed.UndoLabel() + "."
	if dropped > 0 {
		message += fmt.Sprintf(" %s left out: what it led to is not here.", kit.Several(dropped, "1 way", "%d ways"))
	}
	p.say(ctx, message)
	if p.island != nil && len(pasted.Nodes) > 0 {
		p.island.RevealSelection()
	}
}
