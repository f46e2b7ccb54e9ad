package admin

import (
	"context"
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
	modal   kit.Modal
}

// open shows a dialog. The focus goes back to what had it.
func (p *dialogs) open(ctx app.Context, d *dialog) {
	if p.current == nil {
		p.modal.Back = kit.FocusedControl()
	}
	p.current = d
	// What destroys is not under the finger that opened the question.
	p.modal.Open(ctx, "dialog input, dialog [data-act=cancel]")
}

// close closes the dialog, and brings the focus back when its opener is still there.
func (p *dialogs) close(ctx app.Context) {
	if p.current != nil {
		p.current = nil
		p.modal.Close(ctx, "#entry-title, #list-title")
	}
}

// confirm does what the open question asks.
func (p *dialogs) confirm(ctx app.Context) {
	if p.current != nil && p.current.do != nil {
		p.current.do(ctx)
	}
}

// ask asks before an action is done.
func (p *entries) ask(ctx app.Context, s *section, e *editing, a *action) {
	p.question(ctx, a, kit.Quote(s.called(p.facts(e.entry, e.now))), func(ctx app.Context) { p.act(ctx, s, e, a) })
}

// question asks about an action on what has a name.
func (p *entries) question(ctx app.Context, a *action, name string, do func(app.Context)) {
	p.dialogs.open(ctx, &dialog{title: fmt.Sprintf(a.ask, name), text: a.text, yes: a.label, danger: a.danger, do: do})
}

// askDiscard asks before what is typed is thrown away.
func (p *entries) askDiscard(ctx app.Context, s *section, e *editing) {
	at := p.at
	name := s.addition()
	if e.entry != nil {
		name = s.called(p.facts(e.entry, e.now))
	}
	p.dialogs.open(ctx, &dialog{
		title: "Discard changes?", text: fmt.Sprintf("Your unsaved changes to %s will be lost.", kit.Quote(name)), yes: "Discard changes",
		danger: true,
		do: func(ctx app.Context) {
			e.discard()
			p.dialogs.close(ctx)
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
	p.open(ctx, &dialog{title: fmt.Sprintf(title, kit.Quote(name)), text: text, label: fmt.Sprintf(title, name), value: value})
}

// onCancel is the Escape key in a dialog. What is shown once goes by its button only.
func (p *dialogs) onCancel(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.current != nil && p.current.value == "" {
		p.close(ctx)
	}
}

// onClose handles a dialog that the browser closed.
func (p *dialogs) onClose(ctx app.Context, _ app.Event) {
	if p.current != nil && p.current.value != "" {
		ctx.Defer(func(app.Context) { kit.SelectDialog() })
		return
	}
	p.close(ctx)
}

func (p *dialogs) draw() app.UI {
	d := p.current
	if d == nil {
		return kit.El("div hidden=true")
	}
	body := []app.UI{say("h2 id=dialog-title", d.title), say("p", d.text)}
	if d.value != "" {
		body = append(body,
			box("div.once",
				kit.El("input.mono type=text readonly=true id=once aria-label=% value=%", d.label, d.value),
				box("button.secondary type=button data-act=copy", kit.Icon("copy"), say("span", "Copy")),
			),
			kit.Warned("p.once-note", "Copy it now and keep it safe: it is not shown again."),
			box("div.buttons", kit.TextButton("kept", "I have saved it", "primary")),
		)
	} else {
		yes := "primary"
		if d.danger {
			yes = "danger"
		}
		e := p.form()
		body = append(body,
			when(d.failed != "", kit.Warned("p.failed role=alert", d.failed)),
			box("div.buttons", kit.TextButton("cancel", "Cancel", "secondary"),
				kit.TextButton("yes", d.yes, yes).Attr("disabled", kit.Yes(e != nil && e.busy))),
		)
	}
	return fill(kit.El("dialog.admin-dialog aria-labelledby=dialog-title").On("cancel", p.onCancel).On("close", p.onClose), body...)
}

// copyOnce puts what is shown once on the clipboard.
func (p *dialogs) copyOnce(ctx app.Context) {
	kit.Focus("#once") // selected, so that the keyboard's copy works where the button's is forbidden
	value := p.current.value
	p.async(ctx, func(context.Context) func(app.Context) {
		said := "Copied to the clipboard."
		if err := kit.Copy(value); err != nil {
			said = kit.CopyFailed
		}
		return func(ctx app.Context) { p.toast.Say(ctx, said) }
	})
}
