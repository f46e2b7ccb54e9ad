package admin

import (
	"context"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
)

// Page is the page at /admin. One handler looks up data-act, which every control has, and data-path, which
// controls with a value have.
type Page struct {
	app.Compo
	*desk
	signIn  kit.SignIn
	dialogs dialogs
	entries entries
	drawing drawing
	stops   []func()
}

// New returns the page.
func New() *Page {
	d := newDesk()
	p := &Page{desk: d}
	p.dialogs = dialogs{desk: d}
	p.entries = entries{desk: d, dialogs: &p.dialogs}
	p.drawing = drawing{desk: d, loading: true}
	return p
}

// fresh takes the place of an id in the address of an entry that is being created. No id of the tenant
// equals it.
const fresh = "new"

// lastPlace remembers the fragment during a sign-in, which returns without it.
const lastPlace = "admin-place"

// OnNav follows the address; the first time, it reads the signed-in user.
func (p *Page) OnNav(ctx app.Context) {
	p.follow(ctx, placeOf(strings.TrimPrefix(app.Window().Get("location").Get("hash").String(), "#")))
	if p.client != nil {
		return
	}
	p.client = client.New(kit.Browser{})
	p.stops = append(p.stops, kit.Listen("beforeunload", func(e app.Value) {
		if len(p.unsaved()) > 0 {
			e.Call("preventDefault")
		}
	}), kit.Listen("resize", func(app.Value) { showSection() }), p.listenKeys(ctx), p.listenInput(ctx),
		p.header.Listen(ctx, func() bool { return p.dialogs.current != nil }),
		signout.Watch(p.client, func() string { return p.user.Sub }, func(_ bool, load func()) { load() }))
	kit.SetTitle("Administration – Formgraph")
	p.start(ctx)
}

// OnDismount releases the browser resources of the page.
func (p *Page) OnDismount() {
	p.life.End()
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

// start reads the signed-in user and opens the page.
func (p *Page) start(ctx app.Context) {
	p.drawing.loading, p.drawing.err = true, nil
	p.async(ctx, func(c context.Context) func(app.Context) {
		user, err := p.client.User(c)
		return func(ctx app.Context) {
			p.drawing.loading, p.drawing.err = false, err
			p.admit(user)
			if err != nil || len(p.sections) == 0 {
				return
			}
			if last := kit.Recall(lastPlace); last != "" {
				kit.Remember(lastPlace, "")
				if p.at.section == "" {
					p.at = placeOf(last)
				}
			}
			ctx.Defer(func(app.Context) { showSection() })
			p.follow(ctx, p.at)
		}
	})
}

// showSection scrolls to the link to the open section, for which the row of a narrow window may have no room.
func showSection() { kit.ScrollRow(".sections ul", "[aria-current]") }

// admit sets up the sections that a person may see.
func (p *Page) admit(user client.User) {
	p.user, p.sections = user, nil
	for _, s := range sections() {
		if user.Can("read:" + s.scope) {
			p.sections = append(p.sections, s)
		}
	}
}

// follow shows a place. It reads the data of the place, and drops forms without unsaved changes, which are
// read again when they are next opened.
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
	kit.SetTitle(s.title + " – Administration – Formgraph")
	p.entries.load(ctx, s, false)
	if was.section != to.section {
		ctx.Defer(func(app.Context) { showSection() })
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
		// Returns the focus to the row from which the person came.
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

// signInAgain lets the person sign in in another window, then reloads the open place.
func (p *Page) signInAgain(ctx app.Context) {
	opened := p.signIn.Open(ctx, p.life, p.client, func(ctx app.Context, user client.User) {
		defer p.sync(ctx)
		p.ended = false
		if user.Sub != p.user.Sub {
			p.forget() // another person signed in: data that they may not see must leave the screen
		}
		p.admit(user)
		if e := p.form(); e != nil {
			e.failed = ""
		}
		if s := p.section(); s != nil {
			p.entries.load(ctx, s, true)
			p.follow(ctx, p.at)
		}
	})
	if !opened {
		p.toast.Say(ctx, kit.WindowBlocked)
	}
}

// Render draws the page.
func (p *Page) Render() app.UI {
	return fill(kit.El("div.page.admin").OnClick(p.onClick).On("keydown", p.onKey),
		p.header.Draw(p.user),
		box("div.banners", when(p.ended, box("div.banner role=alert", kit.Icon("warn"), say("span.grow", sessionEnded),
			kit.TextButton("sign-in-again", "Sign in again", "primary")))),
		p.drawing.body(),
		p.dialogs.draw(),
		p.toast.Box(),
		p.header.Below(),
	)
}
