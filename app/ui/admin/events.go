package admin

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
)

func (p *Page) onClick(ctx app.Context, ev app.Event) {
	name, arg, ok := p.header.Press(ctx, ev, p.user)
	if !ok {
		return
	}
	if name == "open" && kit.Near(ev, "a").Truthy() {
		return // the link in the row opens the entry
	}
	p.do(ctx, name, arg)
}

// do runs the act of a control.
func (p *Page) do(ctx app.Context, name, arg string) {
	defer p.sync(ctx)
	switch name {
	case "sign-out":
		ctx.Async(func() { signout.Run(p.client) })
	case kit.OtherAccount:
		kit.Leave(kit.SignInAddress("/admin", true))
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
		p.dialogs.close(ctx)
	case "yes":
		p.dialogs.confirm(ctx)
	default:
		s := p.section()
		if s == nil {
			return
		}
		p.entries.onList(ctx, s, name, arg)
		if e := p.form(); e != nil {
			p.entries.onForm(ctx, s, e, name, arg)
		}
	}
}

// onList handles the controls of a section's list.
func (p *entries) onList(ctx app.Context, s *section, name, arg string) {
	switch name {
	case "open":
		p.show(ctx, place{s.name, arg})
	case "new":
		p.show(ctx, place{s.name, fresh})
	case "reload":
		p.load(ctx, s, true)
	case "more":
		p.more(ctx, s)
	case "banner":
		if a := p.offered(s); a != nil {
			p.act(ctx, s, &editing{entry: p.watched[s.name], was: draft{}, now: draft{}}, a)
		}
	}
}

// more reads more rows of a list. The focus moves to the first new row, because nothing follows the button.
func (p *entries) more(ctx app.Context, s *section) {
	l, calls := p.list(s), p.calls()
	before, done := len(l.Rows), calls.Done
	calls.Done = func(ctx app.Context, err error) {
		done(ctx, err)
		if row := rowAfter(l, before); row != "" {
			kit.FocusSoon(ctx, row, 0)
		}
	}
	l.Continue(ctx, calls)
}

// rowAfter returns a selector for the row that follows the first n rows of a list, "" for none.
func rowAfter(l *kit.List, n int) string {
	if len(l.Rows) > n {
		return `[data-row="` + l.Rows[n].Text(l.ID) + `"]`
	}
	return ""
}

// onForm handles the controls of the open form.
func (p *entries) onForm(ctx app.Context, s *section, e *editing, name, arg string) {
	switch name {
	case "save":
		p.save(ctx)
	case "discard":
		switch {
		case e.dirty(s):
			p.askDiscard(ctx, s, e)
		case e.entry == nil:
			p.show(ctx, place{section: s.name})
		}
	case "retry":
		p.readForm(ctx, s, e, p.at.entry)
	case "do":
		a := s.action(arg)
		switch {
		case a == nil || e.busy:
		case a.ask != "":
			p.ask(ctx, s, e, a)
		default:
			p.act(ctx, s, e, a)
		}
	case "take":
		p.askTake(ctx, s, e, arg)
	case "take-all":
		p.askTake(ctx, s, e, "")
	case "options":
		p.choose(ctx, s, e, s.field(arg), (*kit.List).Load)
	case "more-options":
		p.choose(ctx, s, e, s.field(arg), (*kit.List).Continue)
	case "add":
		focusPath(ctx, e.addRow(s, arg))
	case "remove":
		next := e.removeRow(s, arg)
		if next == "" {
			f, _, _ := s.controlOf(arg)
			ctx.Defer(func(app.Context) { kit.Focus(kit.Control("add", f.path)) })
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

// input is the input in a control, read when the browser reports it: go-app delivers events later, when a
// redraw may have reset the control.
type input struct {
	id, kind, filter, path, key, value string
	checked                            bool
}

func (p *Page) listenInput(ctx app.Context) (stop func()) {
	return kit.Listen("input", func(e app.Value) {
		el := kit.Target(e)
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
		p.later(ctx, func(ctx app.Context) { p.entries.onInput(ctx, in) })
	})
}

func (p *entries) onInput(ctx app.Context, in input) {
	s, e := p.section(), p.form()
	if s == nil {
		return
	}
	if in.kind == "select-one" && in.value == nothing {
		in.value = ""
	}
	switch {
	case in.id == "list-search":
		p.list(s).Search(ctx, p.calls(), in.value)
	case in.id == "log-type":
		p.logType = in.value
		p.list(s).Load(ctx, p.calls())
	case e == nil:
	case in.filter != "" && s.field(in.filter) != nil:
		p.narrow(ctx, s, e, s.field(in.filter), in.value)
	case in.path != "":
		p.onField(ctx, s, e, in)
	}
}

// onField handles input in a control of a field.
func (p *entries) onField(ctx app.Context, s *section, e *editing, in input) {
	f := s.field(in.path)
	switch {
	case f != nil && in.key != "":
		e.choose(s, f, in.key, in.checked)
		if next := s.field(f.clears); next != nil { // its options depend on the choice
			p.choose(ctx, s, e, next, (*kit.List).Load)
		}
	case in.kind == "checkbox":
		e.typed(s, in.path, kit.Yes(in.checked))
	default:
		e.typed(s, in.path, in.value)
	}
}

// pageKeys are the keys of the page.
var pageKeys = [...][2]string{
	{"/", "Search the list"},
	{"↑ ↓", "Go to the previous or next row"},
	{"Ctrl S", "Save the open entry"},
}

// onKey passes the keys to what is open in the header.
func (p *Page) onKey(_ app.Context, e app.Event) { p.header.Key(e, e.Get("key").String()) }

// listenKeys handles the keys of the page: Ctrl+S saves, / searches, Escape closes the entry, and the arrow
// keys move between rows.
func (p *Page) listenKeys(ctx app.Context) (stop func()) {
	return kit.Listen("keydown", func(e app.Value) {
		key, el := e.Get("key").String(), kit.Target(e)
		if p.dialogs.current != nil || p.header.Listed() || e.Get("defaultPrevented").Bool() {
			return
		}
		command := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
		row := kit.Near(e, "[data-row]")
		switch {
		case key == "s" && command, key == "Enter" && el.Call("matches", ".entry input[type=text]").Bool():
			e.Call("preventDefault")
			p.later(ctx, p.entries.save)
		case key == "/" && !kit.Typing(el) && !command:
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
