package admin

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// entry draws the form of the open entry.
func (p *drawing) entry(s *section) app.UI {
	e := p.form()
	switch {
	case e == nil || e.loading:
		return p.frame(s, s.title, kit.Loading(s.one))
	case e.err != nil && kit.StatusOf(e.err) == 404:
		return p.frame(s, s.title, kit.Notice("search", "Not found", "It was deleted, or the address is wrong.", nil))
	case e.err != nil:
		return p.frame(s, s.title, kit.Failed(e.err, "retry"))
	}
	x := p.facts(e.entry, e.now)
	title, locked := s.addition(), ""
	if e.entry != nil {
		title = s.called(x)
	}
	var parts []app.UI
	if !s.log() {
		locked = p.barred(s, x)
	}
	if locked != "" {
		parts = append(parts, lockedNote(locked))
	}
	for _, f := range s.shown(x) {
		if f.part != "" {
			parts = append(parts, say("h3.part", f.part))
		}
		parts = append(parts, drawField(f, e, x, locked))
	}
	parts = append(parts, p.drawOwned(s, e))
	if e.entry != nil {
		parts = append(parts, p.actions(s, e, x, locked))
	}
	form := box("div.entry-body", parts...)
	if locked != "" || s.log() {
		form.Attr("tabindex", "0") // has no focusable content, but must scroll by keyboard
		return p.frame(s, title, form)
	}
	return p.frame(s, title, form, saveBar(s, e))
}

// frame draws the panel of an entry with its header.
func (p *drawing) frame(s *section, title string, parts ...app.UI) app.UI {
	head := box("div.entry-head",
		box("span.k", kit.Icon(s.icon)),
		box("div.entry-name",
			say("h2 id=entry-title tabindex=-1", title),
			when(p.at.entry != fresh, say("code", p.at.entry)),
		),
		kit.El("a.icon href=% aria-label=Close title=Close", "/admin"+place{section: s.name}.fragment()).Body(kit.Icon("close")),
	)
	return box("section.entry aria-labelledby=entry-title", append([]app.UI{head}, parts...)...)
}

func lockedNote(text string) app.UI {
	return box("p.locked", kit.Icon("lock"), say("span", text))
}

// saveBar is the bar at the end of a form, with the unsaved state and the buttons. Save is never disabled
// outright, so that it keeps the keyboard focus.
func saveBar(s *section, e *editing) app.UI {
	dirty := e.dirty(s)
	name, idle := "Save", !dirty
	if e.entry == nil {
		name, idle = "Create", false
		if s.add != "" {
			name = s.add
		}
	}
	note := ""
	switch {
	case e.busy:
		note = "Saving…"
	case dirty:
		note = "Unsaved changes"
	}
	return box("div.save-bar",
		box("div", when(e.failed != "", kit.Warned("p.failed role=alert tabindex=-1", e.failed))),
		box("div.save-row",
			say("span.save-note", note),
			kit.TextButton("discard", "Discard", "secondary").Attr("disabled", kit.Yes(e.busy || e.entry != nil && !dirty)),
			kit.TextButton("save", name, "primary").Attr("aria-disabled", kit.Yes(e.busy || idle)),
		),
	)
}

// actions draws the actions on an entry, except those that the note above the form has already ruled out.
func (p *drawing) actions(s *section, e *editing, x facts, locked string) app.UI {
	var rows []app.UI
	for i := range s.actions {
		a := &s.actions[i]
		if a.hidden != nil && a.hidden(x) {
			continue
		}
		why := reason(a.locked, x)
		if why == "" {
			why = p.mayNot(a.scope)
		}
		if why != "" && why == locked {
			continue
		}
		text, class := a.text, "secondary"
		if why != "" {
			text = why
		}
		if a.danger {
			class += " dangerous"
		}
		id := "why-" + a.name
		rows = append(rows, box("li",
			say("span.grow id=%", text, id),
			say("button type=button class=% data-act=do data-arg=% aria-describedby=% disabled=%", a.label, class, a.name, id,
				kit.Yes(why != "" || e.busy)),
		))
	}
	if len(rows) == 0 {
		return nil
	}
	return box("div.acts", say("h3", "More actions"), box("ul", rows...))
}

// controlAttributes connects a control to its field: data-path identifies it, and the help and problem texts
// describe it.
func controlAttributes(el app.HTMLElem, path, help, id, problem string) app.HTMLElem {
	by := help
	if problem != "" {
		by += " " + id + "-problem"
	}
	return el.Attr("data-path", path).Attr("aria-describedby", by).Attr("aria-invalid", kit.Yes(problem != ""))
}

// problemText always returns an element, with or without a problem. go-app matches elements by position, so
// inserting one between two others would move the focus.
func problemText(id, problem string) app.UI {
	if problem == "" {
		return box("div")
	}
	return box("div", fill(kit.El("p.problem-text role=alert id=%", id+"-problem"), kit.Icon("warn"), say("span", kit.AsSentence(problem))))
}

// fieldset draws a field with several controls; count is a note about their number, "" for none.
func fieldset(f *field, problem, count string, controls ...app.UI) app.UI {
	id := kit.DomID("c-", f.path)
	return fill(kit.El("fieldset.ff aria-describedby=%", id+"-help"), append([]app.UI{
		box("legend", say("span", f.label), when(count != "", say("span.count", count))),
		say("small id=%", f.help, id+"-help"), problemText(id, problem),
	}, controls...)...)
}
