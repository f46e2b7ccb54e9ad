package admin

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// dialog is the one that is open: a question about an action or about unsaved changes, or what is shown once.
type dialog struct {
	title, text, failed string
	yes                 string // the button that confirms
	danger              bool
	do                  func(ctx app.Context)
	label, value        string // shown once
}

// dialogs is the dialog that is open, over what had the focus.
type dialogs struct {
	*desk
	current *dialog // nil for none
	opener  string  // selector of what the focus goes back to
}

// open shows a dialog. The focus goes back to what had it.
func (p *dialogs) open(ctx app.Context, d *dialog) {
	if p.current == nil {
		p.opener = focused()
	}
	p.current = d
	ctx.Defer(func(app.Context) {
		kit.SelectDialog()
		// What destroys is not under the finger that opened the question.
		kit.Focus("dialog input, dialog [data-act=cancel]")
	})
}

// closeDialog closes the dialog, and brings the focus back when its opener is still there.
func (p *dialogs) closeDialog(ctx app.Context) {
	if p.current == nil {
		return
	}
	p.current = nil
	kit.CloseDialog()
	back := p.opener
	ctx.Defer(func(app.Context) {
		if back == "" || !kit.Element(back).Truthy() {
			back = "#entry-title, #list-title"
		}
		kit.Focus(back)
	})
}

// ask asks before an action is done.
func (p *entries) ask(ctx app.Context, s *section, e *editing, a *action) {
	name := quoted(s.title(p.facts(e.entry, e.now)))
	p.dialogs.open(ctx, &dialog{
		title: fmt.Sprintf(a.text.Title, name), text: a.text.Text, yes: a.text.Name, danger: a.danger,
		do: func(ctx app.Context) { p.act(ctx, s, e, a) },
	})
}

// askDiscard asks before what is typed is thrown away.
func (p *entries) askDiscard(ctx app.Context, s *section, e *editing) {
	at := p.at
	name := s.title(p.facts(e.entry, e.now))
	if e.entry == nil {
		name = s.words.New
	}
	p.dialogs.open(ctx, &dialog{
		title: "Discard" + "?", text: fmt.Sprintf("Your unsaved changes to %s will be lost.", quoted(name)), yes: "Discard changes",
		danger: true,
		do: func(ctx app.Context) {
			e.discard()
			p.dialogs.closeDialog(ctx)
			if at.entry == fresh {
				p.show(ctx, place{section: at.section})
			}
		},
	})
}

// showOnce shows what cannot be shown again.
func (p *dialogs) showOnce(ctx app.Context, what, name, value string) {
	title, text := "Secret of %s", "The application sends it to get tokens. Keep it where only the application can read it."
	if what == "ticket" {
		title, text = "One-time link for %s", "Give it to the person over a private channel. It works once, within five days."
	}
	p.open(ctx, &dialog{title: fmt.Sprintf(title, quoted(name)), text: text, label: fmt.Sprintf(title, name), value: value})
}

// onCancel is the Escape key in a dialog. What is shown once goes by its button only.
func (p *dialogs) onCancel(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.current != nil && p.current.value == "" {
		p.closeDialog(ctx)
	}
}

// onClose handles a dialog that the browser closed.
func (p *dialogs) onClose(ctx app.Context, _ app.Event) {
	if p.current != nil && p.current.value != "" {
		ctx.Defer(func(app.Context) { kit.SelectDialog() })
		return
	}
	p.closeDialog(ctx)
}

func (p *dialogs) drawDialog() app.UI {
	d := p.current
	if d == nil {
		return kit.El("div hidden=true")
	}
	busy := false
	if e := p.form(); e != nil {
		busy = e.busy
	}
	body := []app.UI{say("h2 id=dialog-title", d.title), say("p", d.text)}
	if d.value != "" {
		body = append(body,
			box("div.once",
				kit.El("input.mono type=text readonly=true id=once aria-label=% value=%", d.label, d.value),
				box("button.secondary type=button data-act=copy", kit.Icon("copy"), say("span", "Copy")),
			),
			warned("p.once-note", "Copy it now and keep it safe: it is not shown again."),
			box("div.buttons", kit.TextButton("kept", "I have saved it", "primary")),
		)
		return p.frame(body)
	}
	yes := "primary"
	if d.danger {
		yes = "danger"
	}
	body = append(body,
		when(d.failed != "", warned("p.failed role=alert", d.failed)),
		box("div.buttons", kit.TextButton("cancel", "Cancel", "secondary"), kit.TextButton("yes", d.yes, yes).Attr("disabled", kit.Yes(busy))),
	)
	return p.frame(body)
}

func (p *dialogs) frame(body []app.UI) app.UI {
	return fill(kit.El("dialog.admin-dialog aria-labelledby=dialog-title").On("cancel", p.onCancel).On("close", p.onClose), body...)
}

// focused is a selector of what has the focus, "" for nothing that can be found again.
func focused() string {
	el := app.Window().Get("document").Get("activeElement")
	if !el.Truthy() {
		return ""
	}
	set := el.Get("dataset")
	if !set.Truthy() || set.Get("act").Type() != app.TypeString {
		return ""
	}
	selector := `[data-act="` + set.Get("act").String() + `"]`
	if arg := set.Get("arg"); arg.Type() == app.TypeString {
		selector += `[data-arg="` + arg.String() + `"]`
	}
	return selector
}

// copyOnce puts what is shown once on the clipboard.
func (p *dialogs) copyOnce(ctx app.Context) {
	kit.Focus("#once") // selected, so that the keyboard's copy works where the button's is forbidden
	value := p.current.value
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		p.toast.Say(ctx, kit.CopyFailed)
		return
	}
	ctx.Async(func() {
		_, err := kit.Await(clipboard.Call("writeText", value))
		p.later(ctx, func(ctx app.Context) {
			if err != nil {
				p.toast.Say(ctx, kit.CopyFailed)
				return
			}
			p.toast.Say(ctx, "Copied to the clipboard.")
		})
	})
}
