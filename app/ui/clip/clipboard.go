// Package clip copies and pastes parts of a form as text, through the browser's clipboard.
package clip

import (
	"context"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Clipboard copies the selection and pastes into the form.
type Clipboard struct {
	*workspace.Workspace
	// Claim selects the outline row that has the focus, if any, because keys apply to it.
	Claim func()
}

// Listen handles the browser's own copy and paste events, which need no permission and
// work between tabs and programs. Text fields keep their default behaviour.
func (p *Clipboard) Listen(ctx app.Context) (stop func()) {
	on := func(event string, f func(data app.Value) (taken bool)) func() {
		return kit.Listen(event, func(e app.Value) {
			defer p.Rescue(ctx)
			if p.Editor == nil || p.Dialog.Name() != "" || kit.Typing(kit.Target(e)) {
				return
			}
			p.Claim()
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
				defer p.Rescue(ctx)
				p.paste(ctx, text, nil)
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

// copyTo copies the selection to the clipboard, and for a cut removes it from the form. If
// text on the page is selected, copyTo leaves the event to the browser.
func (p *Clipboard) copyTo(ctx app.Context, data app.Value, cut bool) bool {
	if app.Window().Call("getSelection").Call("toString").String() != "" {
		return false
	}
	text, err := editor.Copy(p.Editor.State())
	if err == nil {
		data.Call("setData", "text/plain", text)
	}
	ctx.Dispatch(func(ctx app.Context) { p.copied(ctx, text, err, cut) })
	return true
}

func (p *Clipboard) copied(ctx app.Context, text string, err error, cut bool) {
	defer p.Rescue(ctx)
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	if cut {
		p.Run(ctx, editor.Cut{})
		return
	}
	if what, err := editor.ParsePaste(text); err == nil {
		p.Say(ctx, what.Phrase(verb.Copy).Past()+".")
	}
}

// Copy copies the selection without a clipboard key, through the interface for which the
// browser asks permission.
func (p *Clipboard) Copy(ctx app.Context, cut bool) {
	text, err := editor.Copy(p.Editor.State())
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.Say(ctx, kit.CopyFailed)
		return
	}
	p.Async(ctx, func(context.Context) func(app.Context) {
		_, err := kit.Await(clipboard.Call("writeText", text))
		return func(ctx app.Context) {
			if err != nil {
				p.Say(ctx, kit.CopyFailed)
				return
			}
			p.copied(ctx, text, nil, cut)
		}
	})
}

// Paste pastes without a clipboard key, through the same interface as Copy. at is the place for nodes, nil for any.
func (p *Clipboard) Paste(ctx app.Context, at *model.Point) {
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.Say(ctx, kit.PasteFailed)
		return
	}
	p.Async(ctx, func(context.Context) func(app.Context) {
		text, err := kit.Await(clipboard.Call("readText"))
		return func(ctx app.Context) {
			if err != nil {
				p.Say(ctx, kit.PasteFailed)
				return
			}
			p.paste(ctx, text.String(), at)
		}
	})
}

// paste inserts the content of a text at a place or at the pointer, or else beside the
// original or into the selected step or router.
func (p *Clipboard) paste(ctx app.Context, text string, place *model.Point) {
	if strings.TrimSpace(text) == "" {
		return
	}
	pasted, err := editor.ParsePaste(text)
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	c := p.Editor.Make().Paste(pasted, place)
	if p.Canvas != nil && place == nil && len(pasted.Nodes) > 0 {
		if at, ok := p.Canvas.PointerAt(); ok {
			c = p.Editor.Make().Paste(pasted, &at)
		}
	}
	dropped := c.Dropped(p.Editor.State())
	if !p.Run(ctx, c) {
		return
	}
	message := c.Label().Past() + "."
	if dropped > 0 {
		message += fmt.Sprintf(" %s left out: the target is not here.", kit.Several(dropped, "1 way", "%d ways"))
	}
	p.Say(ctx, message)
	if p.Canvas != nil && len(pasted.Nodes) > 0 {
		p.Canvas.RevealSelection()
	}
}
