package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// open shows a dialog, about a form unless its id is "".
func (p *listPage) open(ctx app.Context, dialog, id string) {
	p.dialog, p.failed = dialog, ""
	if i := slices.IndexFunc(p.forms, func(f client.Summary) bool { return f.ID == id }); i >= 0 {
		p.target = p.forms[i]
	}
	ctx.Defer(func(app.Context) { kit.SelectDialog(); kit.Focus("dialog input") })
}

// close closes the dialog; the focus goes back to where it was opened from.
func (p *listPage) close() {
	p.dialog, p.failed = "", ""
	kit.CloseDialog()
}

// confirm does what the open dialog asks about.
func (p *listPage) confirm(ctx app.Context) {
	if p.busy {
		return
	}
	if p.dialog == "delete" {
		p.remove(ctx)
		return
	}
	name := strings.TrimSpace(app.Window().GetElementByID("form-name").Get("value").String())
	switch {
	case name == "":
		p.failed = "Give the form a name."
	case p.dialog == "new":
		p.busy = true
		ctx.Async(func() { p.make(ctx, firstForm(name)) })
	case name == p.target.Name:
		p.close()
	default:
		p.rename(ctx, p.target.ID, name)
	}
}

// run does something with the server's forms, then reloads the list and says what
// was done. It does nothing while something else is being done.
func (p *listPage) run(ctx app.Context, done string, do func(context.Context) error) {
	if p.busy {
		return
	}
	p.busy, p.failed = true, ""
	ctx.Async(func() {
		err := do(context.Background())
		ctx.Dispatch(func(ctx app.Context) {
			p.busy = false
			if err != nil {
				p.fail(err)
				return
			}
			p.close()
			if done != "" {
				p.say(ctx, done)
				p.load(ctx)
			}
		})
	})
}

// say shows a message for a while and has screen readers speak it.
func (p *listPage) say(ctx app.Context, text string) {
	p.said.text = text
	p.said.n++
	n := p.said.n
	ctx.After(toastTime, func(app.Context) {
		if p.said.n == n {
			p.said.text = ""
		}
	})
}

// rename changes a form's name and nothing else of it.
func (p *listPage) rename(ctx app.Context, id, name string) {
	p.run(ctx, fmt.Sprintf("The form is now called %s.", "“"+name+"”"), func(c context.Context) error {
		f, etag, err := p.client.Form(c, id)
		if err != nil {
			return err
		}
		patch, err := renamed(f, name)
		if err == nil {
			_, _, err = p.client.Save(c, id, patch, etag)
		}
		return err
	})
}

// duplicate stores a copy of a form as a new one.
func (p *listPage) duplicate(ctx app.Context, id string) {
	p.run(ctx, fmt.Sprintf("%s was added.", "“"+fmt.Sprintf("Copy of %s", p.nameOf(id))+"”"), func(c context.Context) error {
		f, _, err := p.client.Form(c, id)
		if err != nil {
			return err
		}
		g, err := duplicated(f)
		if err == nil {
			_, err = p.client.Create(c, g)
		}
		return err
	})
}

// export downloads a form as a file.
func (p *listPage) export(ctx app.Context, id string) {
	p.run(ctx, "", func(c context.Context) error {
		f, _, err := p.client.Form(c, id)
		if err == nil {
			kit.Download(fileName(f.Name), string(schema.EncodeIndent(content(f).Tree())))
		}
		return err
	})
}

func (p *listPage) remove(ctx app.Context) {
	id := p.target.ID
	p.run(ctx, fmt.Sprintf("%s was deleted.", "“"+p.target.Name+"”"), func(c context.Context) error {
		err := p.client.Delete(c, id)
		if err == nil {
			forgetView(id)
		}
		return err
	})
}

// make stores a new form and opens it. It runs beside the page's goroutine.
func (p *listPage) make(ctx app.Context, f *model.Form) {
	made, err := p.client.Create(context.Background(), f)
	ctx.Dispatch(func(ctx app.Context) {
		p.busy = false
		if err != nil {
			p.fail(err)
			return
		}
		p.dialog = ""
		ctx.Navigate(p.site.form(made.ID))
	})
}

func (p *listPage) nameOf(id string) string {
	for _, f := range p.forms {
		if f.ID == id {
			return f.Name
		}
	}
	return id
}
