package admin

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is the page at /admin. Its controls carry data-act, and data-path when they hold a value: one
// handler looks both up.
type Page struct {
	app.Compo
	*desk
	dialogs dialogs
	entries entries
	drawing drawing
	stops   []func()
}

// New returns the page.
func New() *Page {
	d := &desk{life: kit.NewLife(), lists: map[string]*list{}, forms: map[string]*editing{}, filters: map[string]string{}}
	p := &Page{desk: d}
	p.dialogs = dialogs{desk: d}
	p.entries = entries{desk: d, dialogs: &p.dialogs}
	p.drawing = drawing{desk: d, dialogs: &p.dialogs}
	return p
}

// desk is what the parts of the page share: the person, the place in sight, and what was read of it.
type desk struct {
	life     kit.Life
	client   *client.Client // nil until the page is opened
	signIn   kit.SignIn
	toast    kit.Toast
	user     client.User
	sections []section // those that the person may see
	at       place
	lists    map[string]*list
	forms    map[string]*editing // by the fragment of the address
	filters  map[string]string   // what is typed to narrow a field's options, by its path
	logType  string              // "" for all
	loading  bool
	err      error // why there is no page
	// ended says that the session is gone while the page is in use: what is typed stays.
	ended bool
}

// fresh replaces the id in the address of an entry that is being created. No id of the tenant is
// this word.
const fresh = "new"

// lastPlace remembers the fragment over a sign-in, which comes back without one.
const lastPlace = "admin-place"

// OnNav follows the address; the first time it reads who is signed in.
func (p *Page) OnNav(ctx app.Context) {
	p.follow(ctx, placeOf(strings.TrimPrefix(app.Window().Get("location").Get("hash").String(), "#")))
	if p.client != nil {
		return
	}
	p.client = client.New(kit.Browser{})
	p.stops = append(p.stops, kit.Listen("beforeunload", func(e app.Value) {
		if p.unsaved() > 0 {
			e.Call("preventDefault")
		}
	}), p.listenKeys(ctx), p.listenInput(ctx),
		signout.Watch(p.client, func() string { return p.user.Sub }, func(_ bool, load func()) { load() }))
	kit.SetTitle("Administration" + " – " + "Formgraph")
	p.start(ctx)
}

// OnDismount releases what the page holds in the browser.
func (p *Page) OnDismount() {
	p.life.End()
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

// start reads who is signed in and opens the page.
func (p *Page) start(ctx app.Context) {
	p.loading, p.err = true, nil
	ctx.Async(func() {
		user, err := p.client.User(p.life.Context())
		p.later(ctx, func(ctx app.Context) {
			p.loading, p.err, p.user = false, err, user
			p.sections = nil
			ctx.Defer(func(app.Context) { kit.ScrollTo(".nav-item[aria-current]") })
			for _, s := range sections() {
				if user.Can("read:" + s.scope) {
					p.sections = append(p.sections, s)
				}
			}
			if err != nil || len(p.sections) == 0 {
				return
			}
			if last := kit.Recall(lastPlace); last != "" {
				kit.Remember(lastPlace, "")
				if p.at.section == "" {
					p.at = placeOf(last)
				}
			}
			p.follow(ctx, p.at)
		})
	})
}

// later runs f on the page's goroutine and synchronizes the controls.
func (p *desk) later(ctx app.Context, f func(app.Context)) {
	ctx.Dispatch(func(ctx app.Context) {
		f(ctx)
		p.sync(ctx)
	})
}

func (p *desk) sync(ctx app.Context) {
	ctx.Defer(func(app.Context) { kit.SyncControls(kit.Focused) })
}

// section returns the one in sight, nil before the page is open and at an address that has none.
func (p *desk) section() *section { return p.named(p.at.section) }

func (p *desk) named(name string) *section {
	for i := range p.sections {
		if p.sections[i].name == name {
			return &p.sections[i]
		}
	}
	return nil
}

// form returns the form in sight, nil for none.
func (p *desk) form() *editing {
	if p.at.entry == "" {
		return nil
	}
	return p.forms[p.at.fragment()]
}

// facts are those of an entry of the page.
func (p *desk) facts(entry *schema.Object, d draft) facts {
	x := facts{entry: entry, draft: d, me: p.user.Sub, lists: map[string][]*schema.Object{}}
	for name, l := range p.lists {
		x.lists[name] = l.rows
	}
	return x
}

// unsaved counts the forms that hold what is not saved.
func (p *desk) unsaved() int {
	n := 0
	for key, e := range p.forms {
		if s := p.named(placeOf(key[1:]).section); s != nil && e.dirty(s) {
			n++
		}
	}
	return n
}

// follow shows a place: it reads what it needs, and forgets the forms in which nothing is unsaved, so that
// they are read again when they are opened.
func (p *Page) follow(ctx app.Context, to place) {
	if len(p.sections) > 0 && to.section == "" {
		to.section = p.sections[0].name
	}
	was := p.at
	p.at = to
	s := p.section()
	if s == nil {
		return
	}
	for key, e := range p.forms {
		if of := p.named(placeOf(key[1:]).section); key != to.fragment() && e.idle(of) {
			delete(p.forms, key)
		}
	}
	kit.SetTitle(s.words.Title + " – " + "Administration" + " – " + "Formgraph")
	p.load(ctx, s, false)
	for _, name := range s.needs {
		if other := p.named(name); other != nil {
			p.load(ctx, other, false)
		}
	}
	if was.section != to.section {
		p.filters = map[string]string{}
	}
	if was.section != to.section {
		ctx.Defer(func(app.Context) { kit.ScrollTo(".nav-item[aria-current]") }) // in a narrow window it may be out of sight
	}
	switch {
	case to.entry != "":
		if p.form() == nil {
			p.entries.openForm(ctx, s)
		}
		if was != to {
			kit.FocusSoon(ctx, ".entry:not(:focus-within) #entry-title", 0) // a person who is already typing is not interrupted
		}
	case was.entry != "" && was.section == to.section:
		// Back to the row the person came from.
		row := `[data-row="` + was.entry + `"]`
		ctx.Defer(func(app.Context) {
			if !kit.Element(row).Truthy() {
				row = "#list-title"
			}
			kit.Focus(row)
		})
	}
	p.sync(ctx)
}

// show leads to a place by the address, so that the browser's back button leads back.
func (p *desk) show(ctx app.Context, to place) { ctx.Navigate("/admin" + to.fragment()) }

// replace puts another place in the address in place of the present one.
func (p *desk) replace(to place) {
	p.at = to
	app.Window().Get("history").Call("replaceState", nil, "", to.fragment())
	// go-app hears of it as of a step back: it compares the next address with this one.
	app.Window().Call("dispatchEvent", app.Window().Get("PopStateEvent").New("popstate"))
}

// told returns an error as a sentence, and notes that the session has ended when it has.
func (p *desk) told(err error) string {
	if kit.StatusOf(err) == 401 {
		p.ended = true
		return "Your session has ended. Sign in again; what you typed stays here."
	}
	return sentence(err)
}

// signInAgain lets the person sign in in another window; the page then reloads what is in sight.
func (p *desk) signInAgain(ctx app.Context) {
	opened := p.signIn.Open(ctx, p.life, p.client, func(ctx app.Context, user client.User) {
		defer p.sync(ctx)
		p.ended = false
		if user.Sub != p.user.Sub {
			// Another person: what this one may see must not stay on the screen.
			p.forms, p.lists = map[string]*editing{}, map[string]*list{}
		}
		p.user = user
		if s := p.section(); s != nil {
			p.load(ctx, s, true)
		}
		if e := p.form(); e != nil {
			e.failed = ""
		}
	})
	if !opened {
		p.toast.Say(ctx, kit.WindowBlocked)
	}
}
