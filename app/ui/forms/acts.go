package forms

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// acts are the actions on the forms in the list.
type acts struct{ *desk }

// open shows a dialog, about a form unless its id is "".
func (p acts) open(ctx app.Context, dialog, id string) {
	p.dialog, p.failed = dialog, ""
	if i := slices.IndexFunc(p.forms, func(f formapi.Summary) bool { return f.ID == id }); i >= 0 {
		p.target = p.forms[i]
	}
	ctx.Defer(func(app.Context) { kit.SelectDialog(); kit.Focus("dialog input, dialog .primary") })
}

// close closes the dialog; the focus returns to the control that opened it.
func (p *desk) close() {
	p.action.Cancel()
	p.dialog, p.failed = "", ""
	kit.CloseDialog()
}

// confirm carries out the action of the open dialog.
func (p acts) confirm(ctx app.Context) {
	switch p.dialog {
	case "delete":
		p.remove(ctx)
		return
	case "delete-chosen":
		p.removeChosen(ctx)
		return
	case "import":
		p.create(ctx, transfer.Content(p.incoming.Form())) // the editor asks about flows that are still missing
		return
	}
	name := strings.TrimSpace(app.Window().GetElementByID("form-name").Get("value").String())
	if p.dialog == "new" {
		name = cmp.Or(name, p.begin.name())
	}
	switch {
	case name == "":
		p.failed = "Give the form a name."
	case p.dialog == "new" && p.begin.chosen != "":
		p.createFrom(ctx, name)
	case p.dialog == "new":
		p.create(ctx, firstForm(name))
	case name == p.target.Name:
		p.close()
	default:
		p.rename(ctx, p.target.ID, name)
	}
}

// receive continues an import with what transfer.ReadFile returned. A dropped file is shown first.
func (p acts) receive(ctx app.Context, dropped bool, in *transfer.Incoming, bad transfer.BadFile, err error) {
	p.failed = ""
	switch {
	case in != nil && dropped:
		p.incoming = in
		p.open(ctx, "import", "")
	case in != nil:
		p.create(ctx, transfer.Content(in.Form())) // the editor asks about flows that are still missing
	case len(bad.Problems) > 0:
		p.bad = bad
		p.open(ctx, "bad-file", "")
	}
	p.fail(err)
}

// run changes the server's forms, then reloads the list and announces the result. It does
// nothing while another action is running.
func (p *desk) run(ctx app.Context, doing, done string, do func(context.Context) error) {
	p.failed, p.gone = "", nil
	p.action.Run(ctx, p.life, doing, do, func(ctx app.Context, err error) {
		if err != nil {
			if p.fail(err); len(p.gone) > 0 { // some were deleted, or are not back yet
				p.offerUndo(ctx, kit.Several(len(p.gone), "1 deleted form can be brought back.", "%d deleted forms can be brought back."))
			}
			return
		}
		p.close()
		switch {
		case len(p.gone) > 0:
			p.offerUndo(ctx, done)
		case done != "":
			p.toast.Say(ctx, done)
			p.load(ctx)
		}
	})
}

// copyText copies the address or the id of a form.
func (p *desk) copyText(ctx app.Context, what, id string) {
	text, said := id, "Copied the id."
	if what == "copy-link" {
		text, said = app.Window().Get("location").Get("origin").String()+kit.FormAddress(id), "Copied the link to this form."
	}
	ctx.Async(func() {
		if kit.Copy(text) != nil {
			said = "Your browser blocked copying: " + text
		}
		ctx.Dispatch(func(ctx app.Context) { p.toast.Say(ctx, said) })
	})
}

// offerUndo reloads the list, and lets the person bring back what was deleted until the next action.
func (p *desk) offerUndo(ctx app.Context, text string) {
	p.toast.SayUndo(ctx, text)
	p.toast.While = func() bool { return len(p.gone) > 0 }
	p.load(ctx)
	ctx.Defer(func(app.Context) { kit.Focus(kit.Control("new", "")) }) // what had the focus is gone
}

// rename changes only the name of a form.
func (p acts) rename(ctx app.Context, id, name string) {
	p.run(ctx, "renaming", fmt.Sprintf("The form is now called %s.", kit.Quote(name)), func(c context.Context) error {
		f, etag, err := formapi.Read(c, p.client, id)
		if err != nil {
			return err
		}
		patch, err := renamed(f, name)
		if err == nil {
			_, _, err = formapi.Save(c, p.client, f, patch, etag, false)
		}
		return err
	})
}

// duplicate creates a copy of a form.
func (p acts) duplicate(ctx app.Context, id string) {
	p.run(ctx, "duplicating", fmt.Sprintf("%s was added.", kit.Quote(transfer.CopyPrefix+p.nameOf(id))), func(c context.Context) error { return p.copy(c, id) })
}

// copy adds a copy of a form.
func (p *desk) copy(c context.Context, id string) error {
	f, _, err := formapi.Read(c, p.client, id)
	if err != nil {
		return err
	}
	g, err := transfer.Duplicate(f)
	if err == nil {
		_, err = formapi.Create(c, p.client, g)
	}
	return err
}

// export downloads a form as a file.
func (p acts) export(ctx app.Context, id string) {
	p.run(ctx, "exporting", "", func(c context.Context) error {
		f, _, err := formapi.Read(c, p.client, id)
		if err == nil {
			kit.Download(transfer.FileName(f.Name), string(schema.EncodeIndent(transfer.Content(f).Tree())))
		}
		return err
	})
}

func (p acts) remove(ctx app.Context) {
	id := p.target.ID
	p.run(ctx, "deleting", fmt.Sprintf("%s was deleted.", kit.Quote(p.target.Name)), func(c context.Context) error {
		return p.discard(c, id)
	})
}

// discard deletes a form, and keeps what restore needs if the person may create forms.
func (p *desk) discard(c context.Context, id string) error {
	var was *model.Form
	if p.user.Can("create:forms") {
		was, _, _ = formapi.Read(c, p.client, id) // without it, the form is deleted for good, as was asked
	}
	err := formapi.Delete(c, p.client, id)
	if err == nil {
		workspace.ForgetView(id)
		if was != nil {
			p.gone = append(p.gone, was)
		}
	}
	return err
}

// restore creates the deleted forms again. The tenant gives them new ids.
func (p acts) restore(ctx app.Context) {
	p.toast.Clear()
	gone := p.gone
	p.run(ctx, "restoring", kit.Several(len(gone), "The form is back. It has a new id.", "%d forms are back. They have new ids."), func(c context.Context) error {
		defer func() { p.gone = gone }()
		for len(gone) > 0 {
			if _, err := formapi.Create(c, p.client, transfer.Content(gone[0])); err != nil {
				return fmt.Errorf("restore %s: %w", gone[0].Name, err)
			}
			gone = gone[1:]
		}
		return nil
	})
}

// create creates a form and opens it.
func (p *desk) create(ctx app.Context, f *model.Form) {
	p.make(ctx, func(context.Context) (*model.Form, *schema.Object, error) { return f, nil, nil })
}

// make creates the form that a function returns, with its scenarios if it has any, and opens it.
func (p *desk) make(ctx app.Context, form func(context.Context) (*model.Form, *schema.Object, error)) {
	var made *model.Form
	p.action.Run(ctx, p.life, "creating", func(c context.Context) error {
		f, scenarios, err := form(c)
		if err != nil {
			return err
		}
		if made, err = formapi.Create(c, p.client, f); err != nil || scenarios == nil {
			return err
		}
		// The form is there; its scenarios can be generated again.
		if _, etag, err := formapi.File(c, p.client, made.ID, formapi.Scenarios); err == nil {
			_, _ = formapi.SaveFile(c, p.client, made.ID, formapi.Scenarios, scenarios, etag)
		}
		return nil
	}, func(ctx app.Context, err error) {
		if err != nil {
			p.fail(err)
			return
		}
		p.dialog = ""
		ctx.Navigate(p.address(made.ID))
	})
}

func (p *desk) nameOf(id string) string {
	for _, f := range p.forms {
		if f.ID == id {
			return f.Name
		}
	}
	return id
}
