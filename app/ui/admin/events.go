package admin

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
)

func (p *Page) onClick(ctx app.Context, ev app.Event) {
	name, arg, ok := kit.Act(ev)
	if !ok || kit.Common(name) {
		return
	}
	if name == "sign-out" {
		ctx.Async(func() { signout.Run(p.client) })
		return
	}
	defer p.sync(ctx)
	s, e := p.section(), p.form()
	switch name {
	case "retry-page":
		p.start(ctx)
	case "sign-in":
		kit.Remember(lastPlace, strings.TrimPrefix(app.Window().Get("location").Get("hash").String(), "#"))
		kit.Leave("/bff/login?return_to=/admin")
	case "sign-in-again":
		p.signInAgain(ctx)
	case "copy":
		p.dialogs.copyOnce(ctx)
	case "kept", "cancel":
		p.dialogs.closeDialog(ctx)
	case "yes":
		if p.dialogs.current != nil && p.dialogs.current.do != nil {
			p.dialogs.current.do(ctx)
		}
	}
	if s != nil {
		p.onList(ctx, ev, s, name, arg)
	}
	if s != nil && e != nil {
		p.onEntry(ctx, s, e, name, arg)
	}
}

// onList handles the controls of a section's list.
func (p *Page) onList(ctx app.Context, ev app.Event, s *section, name, arg string) {
	switch name {
	case "open":
		if !ev.Get("target").Call("closest", "a").Truthy() {
			p.show(ctx, place{s.name, arg})
		}
	case "new":
		p.show(ctx, place{s.name, fresh})
	case "reload":
		p.load(ctx, s, true)
	case "more":
		p.more(ctx, s)
	case "banner":
		if a := s.action(arg); a != nil {
			if o := p.inSight(s, a); o != nil {
				p.entries.act(ctx, s, &editing{entry: o, was: draft{}, now: draft{}}, a)
			}
		}
	}
}

// onEntry handles the controls of the form in sight.
func (p *Page) onEntry(ctx app.Context, s *section, e *editing, name, arg string) {
	switch name {
	case "save":
		p.entries.save(ctx)
	case "discard":
		switch {
		case e.dirty(s):
			p.entries.askDiscard(ctx, s, e)
		case e.entry == nil:
			p.show(ctx, place{section: s.name})
		}
	case "retry":
		p.entries.readForm(ctx, s, e, p.at.entry)
	case "do":
		a := s.action(arg)
		switch {
		case a == nil || e.busy:
		case a.asks:
			p.entries.ask(ctx, s, e, a)
		default:
			p.entries.act(ctx, s, e, a)
		}
	case "take":
		p.entries.askTake(ctx, s, e, arg)
	case "take-all":
		p.entries.askTake(ctx, s, e, "")
	case "add":
		focusPath(ctx, e.addRow(s, arg))
	case "remove":
		next := e.removeRow(s, arg)
		if next == "" {
			f, _, _ := s.controlOf(arg)
			ctx.Defer(func(app.Context) { kit.Focus(`[data-act="add"][data-arg="` + f.path + `"]`) })
			return
		}
		focusPath(ctx, next)
	}
}

func focusPath(ctx app.Context, path string) {
	if path != "" {
		kit.FocusSoon(ctx, `[data-path="`+path+`"]`, 0)
	}
}

// more draws more rows, and reads the next page of a log.
func (p *desk) more(ctx app.Context, s *section) {
	l := p.lists[s.name]
	if l == nil {
		return
	}
	l.drawn += rowStep
	if s.log && !l.whole && !l.loading {
		p.read(ctx, s, l)
	}
}

// input is what was done to a control, read when the browser reports it: go-app delivers events later, when
// another redraw may have put the control back.
type input struct {
	id, kind, filter, path, key, value string
	checked                            bool
}

func (p *Page) listenInput(ctx app.Context) (stop func()) {
	return kit.Listen("input", func(e app.Value) {
		el := e.Get("target")
		set := el.Get("dataset")
		read := func(of app.Value, name string) string {
			if v := of.Get(name); v.Type() == app.TypeString {
				return v.String()
			}
			return ""
		}
		in := input{
			id: read(el, "id"), kind: read(el, "type"), value: read(el, "value"), checked: el.Get("checked").Truthy(),
			filter: read(set, "filter"), path: read(set, "path"), key: read(set, "key"),
		}
		p.later(ctx, func(ctx app.Context) { p.onInput(ctx, in) })
	})
}

func (p *Page) onInput(ctx app.Context, in input) {
	s, e := p.section(), p.form()
	if s == nil {
		return
	}
	if in.kind == "select-one" && in.value == nothing {
		in.value = ""
	}
	switch {
	case in.id == "list-search":
		if l := p.lists[s.name]; l != nil {
			l.query, l.drawn = in.value, rowStep
		}
	case in.id == "log-type":
		p.logType = in.value
		p.load(ctx, s, true)
	case in.filter != "":
		p.filters[in.filter] = in.value
	case e != nil && in.path != "":
		f := s.field(in.path)
		switch {
		case in.kind == "radio":
			in.value = in.key
		case in.kind == "checkbox" && f != nil && f.kind == checksField:
			in.value = toggled(e.now[in.path], in.key, in.checked)
		case in.kind == "checkbox":
			in.value = kit.Yes(in.checked)
		}
		e.typed(s, in.path, in.value)
		// The scopes depend on the API: those of another would be refused.
		if s.name == grantsName && in.path == "audience" {
			e.typed(s, "scope", "")
		}
	}
}

// listenKeys hears the keys of the page: Control S saves, / searches, Escape closes the entry, and the
// arrows walk the rows.
func (p *Page) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e app.Value) {
		key, el := e.Get("key").String(), e.Get("target")
		if p.dialogs.current != nil || !el.Truthy() || el.Get("closest").Type() != app.TypeFunction {
			return
		}
		typing := el.Call("matches", "input:not([type=checkbox]):not([type=radio]), textarea, select").Bool()
		command := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
		row := el.Call("closest", "[data-row]")
		switch {
		case key == "s" && command:
			e.Call("preventDefault")
			p.later(ctx, func(ctx app.Context) { p.entries.save(ctx) })
		case key == "Enter" && el.Call("matches", ".entry input[type=text]").Bool():
			e.Call("preventDefault")
			p.later(ctx, func(ctx app.Context) { p.entries.save(ctx) })
		case key == "/" && !typing && !command:
			e.Call("preventDefault")
			kit.Focus("#list-search")
		case key == "Escape" && p.at.entry != "":
			e.Call("preventDefault")
			p.later(ctx, func(ctx app.Context) { p.show(ctx, place{section: p.at.section}) })
		case (key == "ArrowDown" || key == "ArrowUp") && row.Truthy():
			e.Call("preventDefault")
			side := "nextElementSibling"
			if key == "ArrowUp" {
				side = "previousElementSibling"
			}
			if next := row.Call("closest", "tr").Get(side); next.Truthy() {
				next.Call("querySelector", "a").Call("focus")
			}
		}
	})
}

// mayNot says why the person cannot change anything of a section, "" when there is nothing in the way.
func (p *desk) mayNot(s *section, verb string) string {
	if scope := verb + ":" + s.scope; !p.user.Can(scope) {
		return strings.ReplaceAll(mayNotChange, "%s", scope)
	}
	return ""
}

// Render draws the page.
func (p *Page) Render() app.UI {
	return fill(kit.El("div.page.admin").OnClick(p.onClick),
		kit.Bar(p.user),
		box("div.banners", when(p.ended, box("div.banner role=alert", kit.Icon("warn"),
			say("span.grow", "Your session has ended. Sign in again; what you typed stays here."),
			kit.TextButton("sign-in-again", "Sign in again", "primary")))),
		p.drawing.body(),
		p.dialogs.drawDialog(),
		p.toast.Box(),
	)
}
