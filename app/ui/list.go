//go:build js

package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/model"
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
	incoming  *incoming // the file whose flows are chosen, or nil
	busy      bool
	unwatch   func() // see signout.Watch
	drafts    []drafts.Found
}

// OnNav loads the list whenever the page is come to.
func (p *listPage) OnNav(ctx app.Context) {
	kit.SetTitle(t.Forms + " – " + t.Product)
	if p.client == nil {
		p.client = client.New(kit.Browser{})
		p.unwatch = signout.Watch(p.client, func() string { return p.user.Sub }, func(_ bool, load func()) { load() })
	}
	p.load(ctx)
}

// OnDismount gives back what the page took of the browser.
func (p *listPage) OnDismount() {
	if p.unwatch != nil {
		p.unwatch()
	}
}

func (p *listPage) load(ctx app.Context) {
	p.loading, p.err = true, nil
	ctx.Async(func() {
		user, err := p.client.User(context.Background())
		var forms []client.Summary
		if err == nil {
			forms, err = p.client.Forms(context.Background())
		}
		var unsaved []drafts.Found
		if err == nil {
			unsaved = p.listDrafts(context.Background())
		}
		ctx.Dispatch(func(app.Context) {
			p.loading, p.drafts = false, unsaved
			p.signedOut = client.CodeOf(err) == "session_expired" || kit.StatusOf(err) == 401
			p.user, p.forms, p.err = user, forms, err
			for _, f := range forms {
				formPath(f.ID) // rows are links
			}
			kit.WhenIdle(warmOnce)
		})
	})
}

func (p *listPage) onClick(ctx app.Context, e app.Event) {
	name, arg, ok := kit.Act(e)
	if !ok || kit.Common(name) {
		return
	}
	switch name {
	case "sign-out":
		ctx.Async(func() { signout.Run(p.client) })
	case "new":
		p.creating, p.failed = true, ""
		ctx.Defer(func(app.Context) { kit.SelectDialog(); kit.Focus("dialog input") })
	case "cancel":
		p.cancel()
	case "import-flows":
		p.busy = true
		f := content(p.incoming.form())
		ctx.Async(func() { p.make(ctx, f) })
	case "create":
		p.create(ctx, app.Window().GetElementByID("new-name").Get("value").String())
	case "ask-delete":
		for i := range p.forms {
			if p.forms[i].ID == arg {
				p.deleting, p.failed = &p.forms[i], ""
			}
		}
		ctx.Defer(func(app.Context) { kit.SelectDialog() })
	case "delete":
		p.remove(ctx)
	case "open":
		ctx.Navigate(formPath(arg))
	case "import":
		kit.Press(importInput)
	case "retry":
		p.load(ctx)
	case "sign-in":
		kit.Leave("/bff/login?return_to=/forms")
	case "restore-draft", "export-draft", "drop-draft":
		p.draftAct(ctx, name, arg)
	}
}

func (p *listPage) onInput(_ app.Context, e app.Event) {
	if e.Get("target").Get("id").String() == "search" {
		p.query = e.Get("target").Get("value").String()
	}
}

func (p *listPage) onChange(ctx app.Context, e app.Event) {
	if e.Get("target").Get("id").String() != "import-file" {
		p.incoming.chosen(e.Get("target"))
		return
	}
	ctx.Async(func() {
		in, bad, err := readFile(p.client)
		if in != nil && !in.asks() {
			p.make(ctx, content(in.form()))
			return
		}
		ctx.Dispatch(func(ctx app.Context) {
			p.failed, p.incoming = "", in
			switch {
			case err != nil:
				p.fail(err)
			case len(bad.problems) > 0:
				p.failed = notAForm(bad.problems)
			case in != nil:
				ctx.Defer(func(app.Context) { kit.SelectDialog() })
			}
		})
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
		if p.creating || p.deleting != nil || p.incoming != nil {
			e.PreventDefault()
			p.cancel()
		}
	}
}

// cancel closes the dialog.
func (p *listPage) cancel() { p.creating, p.deleting, p.incoming = false, nil, nil }

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
		p.cancel()
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
	p.signedOut = kit.StatusOf(err) == 401
	p.failed = kit.Sentence(err)
}

func (p *listPage) Render() app.UI {
	return kit.El("div.page").OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("keydown", p.onKey).Body(
		kit.Bar(p.user),
		kit.El("main.list").Body(kit.El("h1.unseen hidden=%", kit.Yes(p.forms != nil && p.err == nil && !p.signedOut)).Text(t.Forms), p.body()),
		p.dialog(),
		kit.El("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", t.Import),
	)
}

func (p *listPage) body() app.UI {
	switch {
	case p.signedOut:
		return kit.Notice("user", t.SignedOut, t.SignedOutText, kit.TextButton("sign-in", t.SignIn, "primary"))
	case p.err != nil:
		return kit.Notice("warn", t.NotLoaded, kit.Sentence(p.err), kit.TextButton("retry", t.Retry, "primary"))
	case p.loading && p.forms == nil:
		return kit.El("div.notice role=status").Body(kit.El("span.busy"), kit.El("p").Text(t.LoadingForms))
	}
	can := p.user.Can("create:forms")
	var rows []app.UI
	for _, f := range p.forms {
		if p.query == "" || strings.Contains(strings.ToLower(f.Name+" "+f.ID), strings.ToLower(p.query)) {
			rows = append(rows, p.row(f))
		}
	}
	parts := []app.UI{
		kit.El("div.list-head").Body(
			kit.El("h1").Text(t.Forms), kit.El("span.count").Text(len(p.forms)), kit.El("span.push"),
			kit.El("label.field-search").Body(kit.Icon("search"), kit.El("input id=search type=search placeholder=% aria-label=%", t.SearchForms, t.SearchForms)),
			kit.TextButton("import", t.Import, "secondary").Attr("disabled", !can),
			kit.TextButton("new", t.NewForm, "primary").Attr("disabled", !can),
		),
	}
	if p.failed != "" && !p.creating && p.deleting == nil && p.incoming == nil {
		parts = append(parts, kit.El("p.failed role=alert").Body(kit.Icon("warn"), kit.El("span").Text(p.failed)))
	}
	switch {
	case len(p.forms) == 0:
		parts = append(parts, kit.Notice("form", t.NoForms, t.NoFormsText, nil))
	case len(rows) == 0:
		parts = append(parts, kit.Notice("search", fmt.Sprintf(t.NothingFound, p.query), "", nil))
	default:
		parts = append(parts, kit.El("table.forms").Body(
			kit.El("thead").Body(kit.El("tr").Body(kit.El("th scope=col").Text(t.Name), kit.El("th scope=col").Text(t.ID), kit.El("th scope=col").Text(t.Updated), kit.El("th").Body(kit.El("span.quiet-text").Text(t.Delete)))),
			kit.El("tbody").Body(rows...),
		))
	}
	parts = append(parts, p.lostForms()...)
	return kit.El("section").Body(parts...)
}

func (p *listPage) row(f client.Summary) app.UI {
	return kit.El("tr data-form=%", f.ID).Body(
		kit.El("td").Body(kit.El("a.form-link href=%", "/forms/"+f.ID).Body(kit.El("span.k.form").Body(kit.Icon("form")), kit.El("span").Text(f.Name)), p.draftMark(f.ID)),
		kit.El("td").Body(kit.El("code").Text(f.ID)),
		kit.El("td").Body(kit.El("time datetime=% title=%", f.UpdatedAt.Format(time.RFC3339), f.UpdatedAt.Local().Format(t.DateTime)).Text(kit.Ago(f.UpdatedAt, time.Now()))),
		kit.El("td.end").Body(kit.El("button.icon type=button aria-label=% title=% data-act=ask-delete data-arg=% disabled=%", fmt.Sprintf(t.DeleteOf, f.Name), t.Delete, f.ID, kit.Yes(!p.user.Can("delete:forms"))).Body(kit.Icon("trash"))),
	)
}

func (p *listPage) dialog() app.UI {
	failed := kit.El("p.failed role=alert hidden=%", kit.Yes(p.failed == "")).Body(kit.Icon("warn"), kit.El("span").Text(p.failed))
	switch {
	case p.creating:
		return kit.El("dialog aria-labelledby=dialog-title").Body(
			kit.El("h2 id=dialog-title").Text(t.NewForm),
			kit.El("label.stack for=new-name").Body(kit.El("span").Text(t.NewFormName), kit.El("input id=new-name type=text maxlength=150 autocomplete=off")),
			failed,
			kit.El("div.buttons").Body(kit.TextButton("cancel", t.Cancel, "secondary"), kit.TextButton("create", t.Create, "primary").Attr("disabled", p.busy)),
		)
	case p.deleting != nil:
		return kit.El("dialog aria-labelledby=dialog-title").Body(
			kit.El("h2 id=dialog-title").Text(t.DeleteForm),
			kit.El("p").Text(fmt.Sprintf(t.DeleteFormText, "“"+p.deleting.Name+"”")),
			failed,
			kit.El("div.buttons").Body(kit.TextButton("cancel", t.Cancel, "secondary"), kit.TextButton("delete", t.Delete, "danger").Attr("disabled", p.busy)),
		)
	}
	if p.incoming != nil {
		body := append([]app.UI{kit.El("h2 id=dialog-title").Text(t.ChooseFlows), failed}, p.incoming.body()...)
		return kit.El("dialog aria-labelledby=dialog-title").Body(body...)
	}
	return kit.El("div hidden=true")
}
