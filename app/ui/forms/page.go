package forms

import (
	"context"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/search"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Page is the page with the list of forms.
type Page struct {
	app.Compo
	*desk
	acts    acts
	work    unsaved
	drawing drawing
	search  *search.Dialog
	stops   []func() // of listeners
}

// desk is the state shared by the parts of the page: the list as shown, and the open dialog.
type desk struct {
	listing
	question
	address func(id string) string
	warm    func()
	life    kit.Life
	client  *client.Client // nil until the page is opened
	user    client.User
	remote  bool
	action  kit.Action
	failed  string // why the last action failed
	toast   kit.Toast
	gone    []*model.Form // what the last action deleted, if it can be brought back
	header  kit.Header
}

// listing is the data from the server and from this browser, and its presentation.
type listing struct {
	forms     []formapi.Summary
	drafts    []*drafts.Found
	last      map[string]formapi.LastChange // by the ids of forms
	loading   bool
	signedOut bool
	err       error    // why the list is not shown
	wait      kit.Wait // before the list is read again
	query     string
	order     listOrder
	inside    contents
	chosen    map[string]bool // forms that the person has selected
	begin     beginnings
}

// question is the state of the open dialog.
type question struct {
	dialog   string             // "new", "rename", "delete", "delete-chosen", "import", "bad-file" or "" for none
	target   formapi.Summary    // the form that the dialog is about
	incoming *transfer.Incoming // the file that is shown before it is imported
	bad      transfer.BadFile   // the file that was refused
}

// New returns the page. address returns the address of a form's editor and registers it with go-app; warm
// prepares the program for opening a form.
func New(address func(id string) string, warm func()) *Page {
	d := &desk{address: address, warm: warm, remote: kit.Remote(), header: kit.Header{Keys: pageKeys[:]}}
	p := &Page{desk: d, acts: acts{d}, work: unsaved{d}, drawing: drawing{desk: d}, search: &search.Dialog{Workspace: workspace.New("", nil)}}
	p.search.Page, p.search.Do = p.commands, p.do
	return p
}

// pageKeys are the keys of the page.
var pageKeys = [...][2]string{
	{"Ctrl K", "Run any command by name, or open a form"},
	{"/", "Search the forms"},
	{"Shift F10", "Open the menu of the form that has the focus"},
}

// commands are those of the list of commands.
func (p *Page) commands() (items []kit.Item) {
	if p.user.Can("create:forms") {
		items = append(items, kit.Item{Act: "new", Name: "New form", Icon: "plus"}, kit.Item{Act: "import", Name: "Import", Icon: "import"})
	}
	return append(items, p.header.Commands(p.user)...)
}

// listenKeys opens the list of commands, and goes to the search of the forms.
func (p *Page) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e app.Value) {
		key, control := e.Get("key").String(), e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
		if key == "/" && !control && !p.busy() && !kit.Typing(kit.Target(e)) {
			e.Call("preventDefault")
			kit.Focus("#search")
			return
		}
		if !p.opensCommands(key, control) {
			return
		}
		e.Call("preventDefault")
		ctx.Dispatch(func(ctx app.Context) {
			p.header.Menu.Close()
			p.search.SetForms(p.forms)
			p.search.Open(ctx, search.Commands)
		})
	})
}

// opensCommands reports whether a key opens the list of commands. control reports whether Control or Command is held.
func (p *Page) opensCommands(key string, control bool) bool {
	return key == "k" && control && p.dialog == "" && p.user.Sub != "" && !p.header.Listed()
}

// busy reports whether a dialog is open.
func (p *Page) busy() bool { return p.dialog != "" || p.search.IsOpen() || p.header.Listed() }

// OnNav loads the list each time the page is opened.
func (p *Page) OnNav(ctx app.Context) {
	kit.SetTitle("Forms" + " – " + "Formgraph")
	if p.client == nil {
		p.client, p.life = client.New(kit.Browser{}), kit.NewLife()
		p.order = parseListOrder(kit.Recall("list"))
		p.stops = []func(){
			signout.Watch(p.client, func() string { return p.user.Sub }, func(_ bool, load func()) { load() }), p.listenMenus(ctx), p.listenKeys(ctx), p.header.Listen(ctx, p.busy),
		}
	}
	p.load(ctx)
}

// OnDismount releases the browser resources of the page.
func (p *Page) OnDismount() {
	p.life.End()
	for _, stop := range p.stops {
		stop()
	}
}

func (p *desk) load(ctx app.Context) {
	p.loading, p.err = true, nil
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		user, err := p.client.User(c)
		var forms []formapi.Summary
		if err == nil {
			forms, err = formapi.List(c, p.client)
		}
		var unsaved []*drafts.Found
		if err == nil {
			unsaved = listDrafts(c, p.client)
		}
		return func(ctx app.Context) {
			if p.wait.Begin(ctx, err, p.loadAgain) {
				if user.Sub != "" {
					p.user = user
				}
				return
			}
			p.loading, p.drafts = false, unsaved
			p.signedOut = client.CodeOf(err) == "session_expired" || kit.StatusOf(err) == 401
			p.user, p.forms, p.err = user, forms, err
			p.ask(ctx)
			if len(p.forms) == 0 && p.user.Can("create:forms") {
				p.readTemplates(ctx)
			}
			if err == nil {
				p.readLast(ctx)
			}
			p.markAll(ctx)
			for _, f := range forms {
				p.address(f.ID) // register the links in the rows
			}
			kit.WhenIdle(p.warm)
		}
	})
}

// loadAgain reads the list after a wait, unless the person has left the page.
func (p *desk) loadAgain(ctx app.Context) {
	if !p.life.Over() {
		p.load(ctx)
	}
}

func (p *Page) onClick(ctx app.Context, e app.Event) {
	name, arg, ok := p.header.Press(ctx, e, p.user)
	switch {
	case ok && name == kit.OpenMenu:
		p.pressMenu(ctx, arg, kit.Near(e, "[data-act]"))
	case ok:
		p.do(ctx, name, arg)
	}
}

// do carries out an act of the page.
func (p *Page) do(ctx app.Context, name, arg string) {
	switch name {
	case "take":
		i, _ := strconv.Atoi(arg)
		p.search.Take(ctx, i)
	case "sign-out":
		ctx.Async(func() { signout.Run(p.client) })
	case "new":
		p.readTemplates(ctx)
		p.acts.open(ctx, name, arg)
	case "template":
		p.readTemplates(ctx)
		p.acts.open(ctx, "new", "")
	case "begin":
		p.acts.open(ctx, "new", "")
		p.begin.chosen = arg
	case "choose-none", "export-chosen", "duplicate-chosen", "delete-chosen":
		p.acts.actOnChosen(ctx, name)
	case "undo-toast":
		p.acts.restore(ctx)
	case "rename", "delete":
		p.acts.open(ctx, name, arg)
	case "cancel":
		p.close()
	case "confirm":
		p.acts.confirm(ctx)
	case "duplicate":
		p.acts.duplicate(ctx, arg)
	case "export":
		p.acts.export(ctx, arg)
	case "copy-link", "copy-id":
		p.acts.copyText(ctx, name, arg)
	case "open":
		ctx.Navigate(p.address(arg))
	case "preview":
		ctx.Navigate(p.address(arg) + kit.PreviewFragment)
	case "import":
		kit.Press(transfer.Input)
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
		kit.Leave(kit.SignInAddress(kit.FormsAddress, false))
	case kit.OtherAccount:
		kit.Leave(kit.SignInAddress(kit.FormsAddress, true))
	case "restore-draft", "export-draft", "drop-draft":
		p.work.act(ctx, name, arg)
	default:
		p.header.Do(ctx, name, arg) // from the list of commands
	}
}

func (p *Page) onInput(ctx app.Context, e app.Event) {
	text := kit.Target(e).Get("value").String()
	switch kit.Target(e).Get("id").String() {
	case "search-text":
		p.search.Type(text)
	case "search":
		p.query = text
		p.ask(ctx)
		p.markAll(ctx)
	}
}

func (p *Page) onChange(ctx app.Context, e app.Event) {
	data := kit.Target(e).Get("dataset")
	if id := data.Get("choose"); id.Type() == app.TypeString {
		p.choose(id.String())
		p.markAll(ctx)
		return
	}
	if id := data.Get("template"); id.Type() == app.TypeString {
		p.begin.chosen = id.String()
		return
	}
	if p.dialog == "import" {
		p.incoming.Choose(kit.Target(e))
	}
	if kit.Target(e).Get("id").String() != "import-file" {
		return
	}
	if !p.user.Can("create:forms") {
		p.failed = "Your account may not create forms."
		return
	}
	tenant := transfer.Tenant{Client: p.client, Remote: p.remote, Flows: p.user.Can(workspace.ReadFlows)}
	dropped := kit.Dropped(transfer.Input)
	p.life.Async(ctx, func(c context.Context) func(app.Context) {
		in, bad, err := transfer.ReadFile(c, tenant)
		return func(ctx app.Context) { p.acts.receive(ctx, dropped, in, bad, err) }
	})
}

func (p *Page) onKey(ctx app.Context, e app.Event) {
	key := e.Get("key").String()
	if p.header.Key(e, key) {
		return
	}
	if p.search.IsOpen() {
		if key == "Escape" {
			e.PreventDefault()
			p.search.Dialog.CloseBack()
			return
		}
		p.search.Key(ctx, e, key)
		return
	}
	switch key {
	case "Enter":
		if kit.Target(e).Get("id").String() == "form-name" {
			e.PreventDefault()
			p.acts.confirm(ctx)
		}
	case "Escape":
		if p.dialog != "" {
			e.PreventDefault()
			p.close()
		}
	}
}

func (p *desk) fail(err error) {
	if err == nil {
		return
	}
	p.signedOut = kit.StatusOf(err) == 401
	p.failed = kit.Sentence(err)
	if kit.Forbidden(err) {
		p.err = err
		p.close()
	}
}
