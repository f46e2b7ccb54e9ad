package admin

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// drawField draws one field with its label, its help and its problem.
func drawField(f *field, e *editing, x facts, locked string) app.UI {
	held := e.now[f.path]
	why := f.why(x)
	if locked != "" || why != "" || f.kind == shownField {
		return drawShown(f, e, x, why)
	}
	id := kit.DomID("c-", f.path)
	problem := e.problems[f.path]
	label, help := say("label for=%", f.label, id), id+"-help"
	attributes := func(el app.HTMLElem) app.HTMLElem {
		return controlAttributes(el.Attr("id", id), f.path, help, id, problem)
	}
	var control app.UI
	switch {
	case f.kind == flagField:
		return box("div.ff.flag",
			box("div.grow", label, say("small id=%", f.help, help), problemText(id, problem)),
			attributes(kit.El("input.switch type=checkbox data-held=%", kit.Held(held))),
		)
	case f.kind == choiceField:
		return fieldset(f, problem, "", drawOptions(f, e.choices(f, x), items(held), "radio", problem)...)
	case f.kind == checksField, f.from != nil:
		return drawChooser(f, e, x, problem)
	case f.kind == rowsField:
		return fieldset(f, problem, "", drawRows(f, e, held)...)
	case f.kind == longField:
		control = attributes(kit.El("textarea rows=2 data-held=%", kit.Held(held)))
	case f.kind == pickField:
		options := []app.UI{say("option value=%", "–", nothing)}
		for _, o := range e.choices(f, x) {
			options = append(options, say("option value=%", o.name, o.key))
		}
		control = attributes(kit.El("select data-held=%", kit.Held(orNothing(held))).Body(options...))
	default:
		control = attributes(kit.El("input type=text autocomplete=off spellcheck=false data-held=%", kit.Held(held)))
	}
	return box("div.ff", label, box("div.control", control), say("small id=%", f.help, help), problemText(id, problem))
}

// drawOptions draws options as checkboxes or radio buttons, under the names of their groups.
func drawOptions(f *field, list []option, held []string, kind, problem string) []app.UI {
	var out []app.UI
	id, group := kit.DomID("c-", f.path), ""
	for _, o := range list {
		if o.group != group {
			group = o.group
			out = append(out, say("p.opt-group", group))
		}
		help := kit.DomID(id+"-", strings.ReplaceAll(o.key, unit, "_"))
		out = append(out, box("label.opt",
			controlAttributes(kit.El("input type=% name=% data-key=% data-held=%", kind, id, o.key, kit.Held(kit.Yes(slices.Contains(held, o.key)))),
				f.path, help, id, problem),
			box("span.grow", say("span.opt-name", o.name), say("small id=%", o.text, help)),
		))
	}
	return out
}

// drawChooser draws searchable options. The options that the entry has come first. They stay in the order of the
// moment when the form was opened, so that no option moves when it is pressed.
func drawChooser(f *field, e *editing, x facts, problem string) app.UI {
	c := e.chooser(f)
	has := items(e.now[f.path])
	list := heldFirst(e.choices(f, x), items(e.was[f.path]))
	kind, count := "checkbox", ""
	if f.kind == pickField {
		kind = "radio"
	} else if f.set == nil || !f.set.long || x.entry == nil { // not all items of a long set are read
		count = fmt.Sprintf("%d chosen", len(has))
	}
	options := drawOptions(f, list, has, kind, problem)
	status := ""
	switch {
	case c.failure() != nil:
		status = kit.Sentence(c.failure())
	case len(list) > 0: // also while more are loading: nothing may move
	case c.waiting():
		status = "Loading…"
	case f.from != nil && f.from.of != nil && f.from.of(x) == "":
		status = "Choose an API first."
	case c.filter != "":
		status = "No results for " + kit.Quote(c.filter)
	default:
		status = "There is nothing to choose from yet."
	}
	foot := []app.UI{kit.El("p.quiet-text role=status hidden=%", kit.Yes(status == "")).Text(status)}
	switch {
	case c.failure() != nil:
		foot = append(foot, say("button.link type=button data-act=options data-arg=%", "Try again", f.path))
	case c.more():
		foot = append(foot, say("button.link type=button data-act=more-options data-arg=% aria-label=% aria-disabled=%", "Show more", f.path,
			"Show more – "+f.label, kit.Yes(c.waiting())))
	}
	var search app.UI
	if c.searchable(len(list)) {
		search = kit.SearchField("data-filter="+f.path, "Search "+strings.ToLower(f.label[:1])+f.label[1:], c.filter)
	}
	return fieldset(f, problem, count, box("div.chooser", search, box("div.opts", append(options, box("div.opts-foot", foot...))...)))
}

// drawRows draws the texts of a rowsField, with buttons to remove and add rows.
func drawRows(f *field, e *editing, held string) []app.UI {
	var out []app.UI
	help := kit.DomID("c-", f.path) + "-help"
	for i, row := range f.rows(held) {
		var inputs, problems []app.UI
		for c, text := range parts(row) {
			name, label, hint, class := f.control(i, c), f.label, "Address", ""
			if len(f.columns) > 0 {
				label, hint = f.columns[c].name, f.columns[c].name
			}
			if c == 0 {
				class = "mono"
			}
			id, problem := kit.DomID("c-", name), e.problems[name]
			inputs = append(inputs, controlAttributes(
				kit.El("input type=text autocomplete=off spellcheck=false class=% id=% aria-label=% placeholder=% data-held=%", class, id,
					fmt.Sprint(label, " ", i+1), hint, kit.Held(text)), name, help, id, problem))
			problems = append(problems, problemText(id, problem))
		}
		what := "Remove " + strings.ReplaceAll(strings.Trim(row, unit), unit, " ")
		inputs = append(inputs, kit.El("button.icon type=button aria-label=% title=Remove data-act=remove data-arg=%", what, f.control(i, 0)).
			Body(kit.Icon("close")))
		out = append(out, box("div.row-line", append([]app.UI{box("div.control", inputs...)}, problems...)...))
	}
	return append(out, say("button.link type=button data-act=add data-arg=% aria-label=%", "Add", f.path, "Add – "+f.label))
}

// drawShown draws a read-only field, with its own reason if it has one.
func drawShown(f *field, e *editing, x facts, why string) app.UI {
	values := shownValues(f, e, x)
	if len(values) == 0 {
		if f.kind == shownField {
			return nil
		}
		values = []app.UI{shownValue("Not set", "")}
	}
	return box("dl.ff.shown-field", append(append([]app.UI{say("dt", f.label)}, values...),
		when(why != "", box("dd.why", kit.Icon("lock"), say("small", why))))...)
}

func shownValue(text, help string) app.UI {
	return box("dd", say("span", text), when(help != "", say("small", help)))
}

func shownValues(f *field, e *editing, x facts) []app.UI {
	var values []app.UI
	held := e.now[f.path]
	switch f.kind {
	case flagField:
		return []app.UI{shownValue(map[bool]string{true: "Yes", false: "No"}[held == "true"], "")}
	case choiceField, pickField, checksField:
		if f.from != nil && x.entry.Text(f.from.named) != "" {
			return []app.UI{shownValue(x.entry.Text(f.from.named), held)}
		}
		for _, o := range e.choices(f, x) {
			if slices.Contains(items(held), o.key) {
				values = append(values, shownValue(o.name, o.text))
			}
		}
	case rowsField:
		for _, row := range f.rows(held) {
			text, help, _ := strings.Cut(row, unit)
			values = append(values, shownValue(text, help))
		}
	case textField, longField, shownField:
		text := x.entry.Text(f.path)
		if at, err := time.Parse(time.RFC3339, text); err == nil && f.kind == shownField {
			return []app.UI{box("dd", kit.Time(at, time.Now(), ""))}
		}
		if text != "" {
			values = append(values, shownValue(text, ""))
		}
	}
	return values
}
