package admin

import (
	"context"
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// dialog is the open dialog: a question about an action or about unsaved changes, or a value that is shown
// once.
type dialog struct {
	title, text, failed string
	yes                 string // label of the confirming button
	danger              bool
	do                  func(ctx app.Context)
	label, value        string // of the value that is shown once
}

// dialogs manages the open dialog and the focus before it was opened.
type dialogs struct {
	*desk
	current *dialog // nil for none
	modal   kit.Modal
}

// open shows a dialog. The focus later returns to the element that had it.
func (p *dialogs) open(ctx app.Context, d *dialog) {
	if p.current == nil {
		p.modal.Back = kit.FocusedControl()
	}
	p.current = d
	// The destructive button is not under the finger that opened the question.
	p.modal.Open(ctx, "dialog input, dialog [data-act=cancel]")
}

// close closes the dialog and returns the focus to its opener if that still exists.
func (p *dialogs) close(ctx app.Context) {
	if p.current != nil {
		p.current = nil
		p.modal.Close(ctx, "#entry-title, #list-title")
	}
}

// confirm carries out the action of the open question.
func (p *dialogs) confirm(ctx app.Context) {
	if p.current != nil && p.current.do != nil {
		p.current.do(ctx)
	}
}

// ask asks for confirmation before an action.
func (p *entries) ask(ctx app.Context, s *section, e *editing, a *action) {
	p.question(ctx, a, kit.Quote(s.called(p.facts(e.entry, e.now))), func(ctx app.Context) { p.act(ctx, s, e, a) })
}

// question asks about an action on the thing with the given name.
func (p *entries) question(ctx app.Context, a *action, name string, do func(app.Context)) {
	p.dialogs.open(ctx, &dialog{title: fmt.Sprintf(a.ask, name), text: a.text, yes: a.label, danger: a.danger, do: do})
}

// askDiscard asks for confirmation before input is discarded.
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

// showOnce shows a value that cannot be shown again.
func (p *dialogs) showOnce(ctx app.Context, what, name, value string) {
	title, text := "Secret of %s", "The application sends it to get tokens. Keep it where only the application can read it."
	if what == "ticket" {
		title, text = "One-time link for %s", "Send it to the person through a private channel. It works once, within five days."
	}
	p.open(ctx, &dialog{title: fmt.Sprintf(title, kit.Quote(name)), text: text, label: fmt.Sprintf(title, name), value: value})
}

// onCancel handles the Escape key in a dialog. A value that is shown once is dismissed only with its
// button.
func (p *dialogs) onCancel(ctx app.Context, e app.Event) {
	e.PreventDefault()
	if p.current != nil && p.current.value == "" {
		p.close(ctx)
	}
}

// onClose handles the closing of a dialog by the browser.
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

// copyOnce copies the value that is shown once to the clipboard.
func (p *dialogs) copyOnce(ctx app.Context) {
	kit.Focus("#once") // selected, so that the keyboard shortcut works if the button may not copy
	value := p.current.value
	p.async(ctx, func(context.Context) func(app.Context) {
		said := "Copied to the clipboard."
		if err := kit.Copy(value); err != nil {
			said = kit.CopyFailed
		}
		return func(ctx app.Context) { p.toast.Say(ctx, said) }
	})
}
