package admin

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// entry draws the form of the entry in sight.
func (p *drawing) entry(s *section) app.UI {
	e := p.form()
	frame := func(title string, parts ...app.UI) app.UI {
		head := box("div.entry-head",
			box("span.k", kit.Icon(s.icon)),
			box("div.entry-name",
				say("h2 id=entry-title tabindex=-1", title),
				when(p.at.entry != fresh, say("code", p.at.entry)),
			),
			kit.El("a.icon href=% aria-label=% title=%", "/admin"+place{section: s.name}.fragment(), "Close", "Close").Body(kit.Icon("close")),
		)
		return box("section.entry aria-labelledby=entry-title", append([]app.UI{head}, parts...)...)
	}
	switch {
	case e == nil:
		return frame(s.words.Title, waiting(s.words.One))
	case e.err != nil && kit.StatusOf(e.err) == 404:
		return frame(s.words.Title, kit.Notice("search", "Not found", "It was deleted, or the address is wrong.", nil))
	case e.err != nil:
		return frame(s.words.Title, kit.Notice("warn", "This could not be loaded", sentence(e.err),
			kit.TextButton("retry", "Try again", "primary")))
	case e.loading:
		return frame(s.words.Title, waiting(s.words.One))
	}
	x := p.facts(e.entry, e.now)
	title, verb := s.words.New, "create"
	if e.entry != nil {
		title, verb = s.title(x), "update"
	}
	locked := ""
	if !s.log {
		locked = p.mayNot(s, verb)
	}
	if r := reason(s.locked, x); r != "" && e.entry != nil {
		locked = r
	}
	var parts []app.UI
	if locked != "" {
		parts = append(parts, lockedNote(locked))
	}
	for _, f := range s.shown(x) {
		if f.part != "" {
			parts = append(parts, say("h3.part", f.part))
		}
		parts = append(parts, p.field(f, e, x, locked))
	}
	parts = append(parts, p.drawOwned(s, e))
	if e.entry != nil {
		parts = append(parts, p.actions(s, e, x, locked))
	}
	form := box("div.entry-body", parts...)
	body := []app.UI{form}
	if locked != "" || s.log {
		form.Attr("tabindex", "0") // nothing in it takes the focus, and it scrolls
	} else {
		body = append(body, p.saveBar(s, e))
	}
	return frame(title, body...)
}

// shown returns the fields of an entry, or of a new one when the facts have none.
func (s *section) shown(x facts) []*field {
	var out []*field
	for i := range s.fields {
		if f := &s.fields[i]; x.entry != nil || f.made {
			out = append(out, f)
		}
	}
	return out
}

func lockedNote(text string) app.UI {
	return box("p.locked", kit.Icon("lock"), say("span", text))
}

// saveBar is at the end of a form: what is unsaved, and the ways on. Save stays where the keyboard is.
func (p *drawing) saveBar(s *section, e *editing) app.UI {
	dirty := e.dirty(s)
	name, idle := "Save", !dirty
	if e.entry == nil {
		name, idle = "Create", false
		if s.name == peopleName {
			name = s.words.New
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
		box("div", when(e.failed != "", warned("p.failed role=alert tabindex=-1", e.failed))),
		box("div.save-row",
			say("span.save-note", note),
			kit.TextButton("discard", "Discard", "secondary").Attr("disabled", kit.Yes(e.busy || e.entry != nil && !dirty)),
			kit.TextButton("save", name, "primary").Attr("aria-disabled", kit.Yes(e.busy || idle)),
		),
	)
}

// actions draws what can be done with an entry besides changing it, except for what the note above the form
// has ruled out already.
func (p *drawing) actions(s *section, e *editing, x facts, locked string) app.UI {
	var rows []app.UI
	for i := range s.actions {
		a := &s.actions[i]
		if a.hidden != nil && a.hidden(x) {
			continue
		}
		why := reason(a.locked, x)
		if why == "" && !p.user.Can(a.scope) {
			why = fmt.Sprintf(mayNotChange, a.scope)
		}
		if why != "" && why == locked {
			continue
		}
		text, class := a.text.Text, "secondary"
		if why != "" {
			text = why
		}
		if a.danger {
			class += " dangerous"
		}
		id := "why-" + a.name
		rows = append(rows, box("li",
			say("span.grow id=%", text, id),
			say("button type=button class=% data-act=do data-arg=% aria-describedby=% disabled=%", a.text.Name, class, a.name, id,
				kit.Yes(why != "" || e.busy)),
		))
	}
	if len(rows) == 0 {
		return nil
	}
	return box("div.acts", say("h3", "More actions"), box("ul", rows...))
}

// field draws one field with its label, its help and its problem.
func (p *drawing) field(f *field, e *editing, x facts, locked string) app.UI {
	held := e.now[f.path]
	why := reason(f.locked, x)
	if locked != "" || why != "" || f.kind == shownField || x.entry != nil && !f.changed {
		return p.shownField(f, x, held, why)
	}
	id := kit.DomID("c-", f.path)
	problem := e.problems[f.path]
	label, help := say("label for=%", f.text.Name, id), id+"-help"
	attributes := func(el app.HTMLElem) app.HTMLElem { return described(el.Attr("id", id), f.path, help, id, problem) }
	var control app.UI
	switch f.kind {
	case textField:
		control = attributes(kit.El("input type=text autocomplete=off spellcheck=false data-held=%", kit.Held(held)))
	case longField:
		control = attributes(kit.El("textarea rows=2 data-held=%", kit.Held(held)))
	case flagField:
		return box("div.ff.flag",
			box("div.grow", label, say("small id=%", f.text.Text, help), problemText(id, problem)),
			attributes(kit.El("input.switch type=checkbox data-held=%", kit.Held(held))),
		)
	case pickField:
		options := []app.UI{say("option value=%", "–", nothing)}
		for _, o := range f.choices(x, held) {
			options = append(options, say("option value=%", o.name, o.key))
		}
		control = attributes(kit.El("select data-held=%", kit.Held(orNothing(held))).Body(options...))
	case choiceField:
		return p.group(f, problem, "", p.radios(f, x, held, id, problem)...)
	case checksField:
		return p.checks(f, e, x, held, id, problem)
	case rowsField:
		return p.group(f, problem, "", p.rowControls(f, e, held)...)
	case shownField:
	}
	return box("div.ff", label, box("div.control", control), say("small id=%", f.text.Text, help), problemText(id, problem))
}

// described ties a control to its help and its problem.
func described(el app.HTMLElem, path, help, id, problem string) app.HTMLElem {
	by := help
	if problem != "" {
		by += " " + id + "-problem"
	}
	return el.Attr("data-path", path).Attr("aria-describedby", by).Attr("aria-invalid", kit.Yes(problem != ""))
}

// problemText is always there, with the problem in it or not: go-app knows elements by their places, and one
// that came between two others would take the focus from what follows.
func problemText(id, problem string) app.UI {
	if problem == "" {
		return box("div")
	}
	return box("div", warned("p.problem-text role=alert id=%", kit.Sentence(errors.New(problem)), id+"-problem"))
}

// group is a field of several controls.
func (p *drawing) group(f *field, problem, count string, controls ...app.UI) app.UI {
	id := kit.DomID("c-", f.path)
	return fill(kit.El("fieldset.ff aria-describedby=%", id+"-help"), append([]app.UI{
		box("legend", say("span", f.text.Name), when(count != "", say("span.count", count))),
		say("small id=%", f.text.Text, id+"-help"), problemText(id, problem),
	}, controls...)...)
}

func (p *drawing) radios(f *field, x facts, held, id, problem string) []app.UI {
	var out []app.UI
	for _, o := range f.choices(x, held) {
		help := kit.DomID(id+"-", o.key)
		out = append(out, box("label.opt",
			described(kit.El("input type=radio name=% data-key=% data-held=%", id, o.key, kit.Held(kit.Yes(o.key == held))), f.path, help, id,
				problem),
			box("span.grow", say("span.opt-name", o.name), say("small id=%", o.text, help)),
		))
	}
	return out
}

// Options that are shown of a long list, and from how many on they can be filtered.
const (
	mostOptions   = 60
	filterOptions = 9
)

// checks draws the options of a list: those that are held come first, in the order they have when the form
// is opened, so that none moves while it is pressed.
func (p *drawing) checks(f *field, e *editing, x facts, held, id, problem string) app.UI {
	all := f.choices(x, held)
	had, has := items(e.was[f.path]), items(held)
	all = heldFirst(all, had)
	query := strings.ToLower(strings.TrimSpace(p.filters[f.path]))
	var out []app.UI
	if len(all) >= filterOptions {
		name := fmt.Sprintf("Filter %s", strings.ToLower(f.text.Name))
		out = append(out, searchField("data-filter="+f.path, name, p.filters[f.path]))
	}
	var list []app.UI
	group, drawn, rest := "", 0, 0
	for _, o := range all {
		if query != "" && !strings.Contains(strings.ToLower(o.name+" "+o.text+" "+o.group), query) {
			continue
		}
		if drawn == mostOptions {
			rest++
			continue
		}
		drawn++
		if o.group != group {
			group = o.group
			list = append(list, say("p.opt-group", group))
		}
		help := kit.DomID(id+"-", strings.ReplaceAll(o.key, unit, "_"))
		list = append(list, box("label.opt",
			described(kit.El("input type=checkbox data-key=% data-held=%", o.key, kit.Held(kit.Yes(slices.Contains(has, o.key)))), f.path, help, id,
				problem),
			box("span.grow", say("span.opt-name", lines(o.name)), say("small id=%", o.text, help)),
		))
	}
	switch {
	case len(all) == 0:
		text := "There is nothing to choose from yet."
		if f.path == "scope" && x.draft["audience"] == "" {
			text = "Choose an API first."
		}
		list = append(list, say("p.quiet-text", text))
	case drawn == 0:
		list = append(list, say("p.quiet-text", fmt.Sprintf("No results for “%s”.", p.filters[f.path])))
	case rest > 0:
		list = append(list, say("p.quiet-text", fmt.Sprintf("%d more. Type to narrow the list.", rest)))
	}
	out = append(out, box("div.opts", list...))
	count := ""
	if len(all) > 0 {
		count = fmt.Sprintf("%d of %d chosen", len(has), len(all))
	}
	return p.group(f, problem, count, out...)
}

func (p *drawing) rowControls(f *field, e *editing, held string) []app.UI {
	var out []app.UI
	for i, row := range f.rows(held) {
		var inputs, problems []app.UI
		for c, text := range parts(row) {
			name := f.control(i, c)
			id, problem := kit.DomID("c-", name), e.problems[name]
			label := f.text.Name
			if len(f.columns) > 0 {
				label = f.columns[c].name
			}
			class := ""
			if c == 0 {
				class = "mono"
			}
			label = fmt.Sprint(label, " ", i+1)
			inputs = append(inputs,
				described(kit.El("input type=text autocomplete=off spellcheck=false class=% id=% aria-label=% placeholder=% data-held=%", class, id,
					label, placeholder(f, c), kit.Held(text)), name, kit.DomID("c-", f.path)+"-help", id, problem))
			problems = append(problems, problemText(id, problem))
		}
		what := fmt.Sprintf("Remove %s", strings.ReplaceAll(strings.Trim(row, unit), unit, " "))
		inputs = append(inputs, kit.El("button.icon type=button aria-label=% title=% data-act=remove data-arg=%", what, "Remove",
			f.control(i, 0)).Body(kit.Icon("close")))
		out = append(out, box("div.row-line", append([]app.UI{box("div.control", inputs...)}, problems...)...))
	}
	return append(out, say("button.link type=button data-act=add data-arg=% aria-label=%", "Add", f.path, "Add"+" – "+f.text.Name))
}

func placeholder(f *field, column int) string {
	if len(f.columns) > 0 {
		return f.columns[column].name
	}
	return "Address"
}

// shownField draws a field that cannot be changed, with the reason where it has one of its own.
func (p *drawing) shownField(f *field, x facts, held, why string) app.UI {
	var values []app.UI
	value := func(text, help string) {
		values = append(values, box("dd", say("span", text), when(help != "", say("small", help))))
	}
	switch f.kind {
	case flagField:
		if held == "true" {
			value("Yes", "")
		} else {
			value("No", "")
		}
	case choiceField, pickField:
		for _, o := range f.choices(x, held) {
			if o.key == held {
				value(o.name, o.text)
			}
		}
	case checksField:
		has := items(held)
		for _, o := range f.choices(x, held) {
			if slices.Contains(has, o.key) {
				value(o.name, o.text)
			}
		}
	case rowsField:
		for _, row := range f.rows(held) {
			text, help, _ := strings.Cut(row, unit)
			value(text, help)
		}
	case textField, longField, shownField:
		if f.path == "date" {
			values = append(values, box("dd", drawTime(x.entry.Text(f.path), time.Now())))
		} else if v := x.entry.Text(f.path); v != "" {
			value(v, "")
		}
	}
	if len(values) == 0 {
		if f.kind == shownField {
			return nil
		}
		value("Not set", "")
	}
	return box("dl.ff.shown-field", append(append([]app.UI{say("dt", f.text.Name)}, values...),
		when(why != "", box("dd.why", kit.Icon("lock"), say("small", why))))...)
}
