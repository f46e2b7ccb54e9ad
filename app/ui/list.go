//go:build js

package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
)

// listPage is the list of forms: make, open, import and delete.
type listPage struct {
	app.Compo
	client    *client.Client
	user      client.User
	forms     []client.Summary
	loading   bool
	signedOut bool
	err       error  // why there is no list
	failed    string // why the last act did nothing, for the user
	query     string
	creating  bool
	deleting  *client.Summary
	busy      bool
}

// OnNav loads the list whenever the page is come to.
func (p *listPage) OnNav(ctx app.Context) {
	setTitle(t.Forms + " – " + t.Product)
	if p.client == nil {
		p.client = client.New(browser{})
	}
	p.load(ctx)
}

func (p *listPage) load(ctx app.Context) {
	p.loading, p.err = true, nil
	ctx.Async(func() {
		user, err := p.client.User(context.Background())
		var forms []client.Summary
		if err == nil {
			forms, err = p.client.Forms(context.Background())
		}
		ctx.Dispatch(func(app.Context) {
			p.loading = false
			p.signedOut = client.CodeOf(err) == "session_expired" || statusOf(err) == 401
			p.user, p.forms, p.err = user, forms, err
			for _, f := range forms {
				formPath(f.ID) // rows are links
			}
		})
	})
}

func (p *listPage) onClick(ctx app.Context, e app.Event) {
	name, arg, ok := act(e)
	if !ok {
		return
	}
	switch name {
	case "new":
		p.creating, p.failed = true, ""
		ctx.Defer(func(app.Context) { selectDialog(); focus("dialog input") })
	case "cancel":
		p.creating, p.deleting = false, nil
	case "create":
		p.create(ctx, app.Window().GetElementByID("new-name").Get("value").String())
	case "ask-delete":
		for i := range p.forms {
			if p.forms[i].ID == arg {
				p.deleting, p.failed = &p.forms[i], ""
			}
		}
		ctx.Defer(func(app.Context) { selectDialog() })
	case "delete":
		p.remove(ctx)
	case "open":
		ctx.Navigate(formPath(arg))
	case "import":
		press(importInput)
	case "retry":
		p.load(ctx)
	case "theme":
		switchTheme()
	case "sign-in":
		leave("/bff/login?return_to=/forms")
	case "sign-out":
		signOut(ctx, p.client)
	}
}

func (p *listPage) onInput(_ app.Context, e app.Event) {
	if e.Get("target").Get("id").String() == "search" {
		p.query = e.Get("target").Get("value").String()
	}
}

func (p *listPage) onChange(ctx app.Context, e app.Event) {
	if e.Get("target").Get("id").String() != "import-file" {
		return
	}
	ctx.Async(func() {
		_, text, err := chosenFile(importInput)
		if err != nil || text == "" {
			ctx.Dispatch(func(app.Context) { p.fail(err) })
			return
		}
		d, problems, _ := envelope.Read([]byte(text))
		if len(problems) > 0 {
			ctx.Dispatch(func(app.Context) {
				p.failed = notAForm(problems)
			})
			return
		}
		f, _ := withFlows(p.client, d)
		p.make(ctx, content(f))
	})
}

func (p *listPage) onKey(ctx app.Context, e app.Event) {
	switch e.Get("key").String() {
	case "Enter":
		if p.creating && e.Get("target").Get("id").String() == "new-name" {
			e.PreventDefault()
			p.create(ctx, e.Get("target").Get("value").String())
		}
	case "Escape":
		if p.creating || p.deleting != nil {
			e.PreventDefault()
			p.creating, p.deleting = false, nil
		}
	}
}

// create makes a form of a name with one step between its ends.
func (p *listPage) create(ctx app.Context, name string) {
	name = strings.TrimSpace(name)
	if name == "" {
		p.failed = t.GiveName
		return
	}
	p.busy = true
	ctx.Async(func() { p.make(ctx, firstForm(name)) })
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
		p.creating = false
		ctx.Navigate(formPath(made.ID))
	})
}

func (p *listPage) remove(ctx app.Context) {
	id := p.deleting.ID
	p.busy = true
	ctx.Async(func() {
		err := p.client.Delete(context.Background(), id)
		ctx.Dispatch(func(ctx app.Context) {
			p.busy = false
			if err != nil {
				p.fail(err)
				return
			}
			p.deleting = nil
			forgetView(id)
			p.load(ctx)
		})
	})
}

func (p *listPage) fail(err error) {
	if err == nil {
		return
	}
	p.signedOut = statusOf(err) == 401
	p.failed = sentence(err)
}

func (p *listPage) Render() app.UI {
	return el("div.page").OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("keydown", p.onKey).Body(
		el("header.bar").Body(
			mark(), el("span.brand").Text(t.Product), el("span.push"),
			iconButton("theme", t.Theme, "theme", true),
			app.If(p.user.Sub != "", func() app.UI { return account(p.user) }),
		),
		el("main.list").Body(el("h1.unseen hidden=%", yes(p.forms != nil && p.err == nil && !p.signedOut)).Text(t.Forms), p.body()),
		p.dialog(),
		el("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", t.Import),
	)
}

func (p *listPage) body() app.UI {
	switch {
	case p.signedOut:
		return notice("user", t.SignedOut, t.SignedOutText, textButton("sign-in", t.SignIn, "primary"))
	case p.err != nil:
		return notice("warn", t.NotLoaded, sentence(p.err), textButton("retry", t.Retry, "primary"))
	case p.loading && p.forms == nil:
		return el("div.notice role=status").Body(el("span.busy"), el("p").Text(t.LoadingForms))
	}
	can := p.user.Can("create:forms")
	var rows []app.UI
	for _, f := range p.forms {
		if p.query == "" || strings.Contains(strings.ToLower(f.Name+" "+f.ID), strings.ToLower(p.query)) {
			rows = append(rows, p.row(f))
		}
	}
	parts := []app.UI{
		el("div.list-head").Body(
			el("h1").Text(t.Forms), el("span.count").Text(len(p.forms)), el("span.push"),
			el("label.field-search").Body(icon("search"), el("input id=search type=search placeholder=% aria-label=%", t.SearchForms, t.SearchForms)),
			textButton("import", t.Import, "secondary").Attr("disabled", !can),
			textButton("new", t.NewForm, "primary").Attr("disabled", !can),
		),
	}
	if p.failed != "" && !p.creating && p.deleting == nil {
		parts = append(parts, el("p.failed role=alert").Body(icon("warn"), el("span").Text(p.failed)))
	}
	switch {
	case len(p.forms) == 0:
		parts = append(parts, notice("form", t.NoForms, t.NoFormsText, nil))
	case len(rows) == 0:
		parts = append(parts, notice("search", fmt.Sprintf(t.NothingFound, p.query), "", nil))
	default:
		parts = append(parts, el("table.forms").Body(
			el("thead").Body(el("tr").Body(el("th scope=col").Text(t.Name), el("th scope=col").Text(t.ID), el("th scope=col").Text(t.Updated), el("th").Body(el("span.quiet-text").Text(t.Delete)))),
			el("tbody").Body(rows...),
		))
	}
	return el("section").Body(parts...)
}

func (p *listPage) row(f client.Summary) app.UI {
	return el("tr data-form=%", f.ID).Body(
		el("td").Body(el("a.form-link href=%", "/forms/"+f.ID).Body(el("span.k.form").Body(icon("form")), el("span").Text(f.Name))),
		el("td").Body(el("code").Text(f.ID)),
		el("td").Body(el("time datetime=% title=%", f.UpdatedAt.Format(time.RFC3339), f.UpdatedAt.Local().Format(t.DateTime)).Text(ago(f.UpdatedAt, time.Now()))),
		el("td.end").Body(el("button.icon type=button aria-label=% title=% data-act=ask-delete data-arg=% disabled=%", fmt.Sprintf(t.DeleteOf, f.Name), t.Delete, f.ID, yes(!p.user.Can("delete:forms"))).Body(icon("trash"))),
	)
}

func (p *listPage) dialog() app.UI {
	failed := el("p.failed role=alert hidden=%", yes(p.failed == "")).Body(icon("warn"), el("span").Text(p.failed))
	switch {
	case p.creating:
		return el("dialog aria-labelledby=dialog-title").Body(
			el("h2 id=dialog-title").Text(t.NewForm),
			el("label.stack for=new-name").Body(el("span").Text(t.NewFormName), el("input id=new-name type=text maxlength=150 autocomplete=off")),
			failed,
			el("div.buttons").Body(textButton("cancel", t.Cancel, "secondary"), textButton("create", t.Create, "primary").Attr("disabled", p.busy)),
		)
	case p.deleting != nil:
		return el("dialog aria-labelledby=dialog-title").Body(
			el("h2 id=dialog-title").Text(t.DeleteForm),
			el("p").Text(fmt.Sprintf(t.DeleteFormText, "“"+p.deleting.Name+"”")),
			failed,
			el("div.buttons").Body(textButton("cancel", t.Cancel, "secondary"), textButton("delete", t.Delete, "danger").Attr("disabled", p.busy)),
		)
	}
	return el("div hidden=true")
}

// account shows who is signed in and the way out.
func account(u client.User) app.UI {
	name := u.Name
	if name == "" {
		name = u.Email
	}
	return el("div.account").Body(
		el("span.avatar aria-hidden=true").Text(initials(name)),
		el("span.account-name title=%", u.Email).Text(name),
		el("button.quiet.sign-out type=button aria-label=% title=% data-act=sign-out", t.SignOut, t.SignOut).Body(icon("leave"), el("span").Text(t.SignOut)),
	)
}

func signOut(ctx app.Context, c *client.Client) {
	ctx.Async(func() {
		address, err := c.SignOut(context.Background())
		if address == "" || err != nil {
			address = "/forms"
		}
		leave(address)
	})
}
