package ui

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
)

// listPage is the list of forms: make, open, import, rename, duplicate, export and delete.
type listPage struct {
	app.Compo
	site      *Site
	client    *client.Client
	user      client.User
	forms     []client.Summary
	loading   bool
	signedOut bool
	err       error  // why there is no list
	failed    string // why the last act did nothing, for the user
	query     string
	order     listOrder
	dialog    string         // the one that is open: "new", "rename", "delete" or ""
	target    client.Summary // the form that the dialog is about
	busy      bool
	unwatch   func() // see signout.Watch
	drafts    []*drafts.Found
	said      said
}

// said is the last message of a page; n counts them, so that each disappears in its own time.
type said struct {
	text string
	n    int
}

// OnNav loads the list whenever the page is come to.
func (p *listPage) OnNav(ctx app.Context) {
	kit.SetTitle("Forms" + " – " + "Formgraph")
	if p.client == nil {
		p.client = client.New(kit.Browser{})
		p.order = parseListOrder(kit.Recall("list"))
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
		var unsaved []*drafts.Found
		if err == nil {
			unsaved = p.listDrafts(context.Background())
		}
		ctx.Dispatch(func(app.Context) {
			p.loading, p.drafts = false, unsaved
			p.signedOut = client.CodeOf(err) == "session_expired" || kit.StatusOf(err) == 401
			p.user, p.forms, p.err = user, forms, err
			for _, f := range forms {
				p.site.form(f.ID) // rows are links
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
	case "new", "rename", "delete":
		p.open(ctx, name, arg)
	case "cancel":
		p.close()
	case "confirm":
		p.confirm(ctx)
	case "duplicate":
		p.duplicate(ctx, arg)
	case "export":
		p.export(ctx, arg)
	case "open":
		ctx.Navigate(p.site.form(arg))
	case "import":
		kit.Press(importInput)
	case "sort":
		p.order = p.order.press(arg)
		kit.Remember("list", p.order.String())
	case "clear-search":
		p.query = ""
		app.Window().GetElementByID("search").Set("value", "")
		kit.Focus("#search")
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
		return
	}
	ctx.Async(func() {
		in, bad, err := readFile(p.client)
		if in != nil {
			p.make(ctx, content(in.form())) // the editor asks for the flows that are not here
			return
		}
		ctx.Dispatch(func(app.Context) {
			p.failed = ""
			if len(bad.problems) > 0 {
				p.failed = notAForm(bad.problems)
			}
			p.fail(err)
		})
	})
}

func (p *listPage) onKey(ctx app.Context, e app.Event) {
	switch key := e.Get("key").String(); key {
	case "Enter":
		if e.Get("target").Get("id").String() == "form-name" {
			e.PreventDefault()
			p.confirm(ctx)
		}
	case "Escape":
		if p.dialog != "" {
			e.PreventDefault()
			p.close()
		}
	case "ArrowDown", "ArrowUp":
		if kit.StepInMenu(key == "ArrowDown") {
			e.PreventDefault()
		}
	}
}

func (p *listPage) fail(err error) {
	if err == nil {
		return
	}
	p.signedOut = kit.StatusOf(err) == 401
	p.failed = kit.Sentence(err)
}
