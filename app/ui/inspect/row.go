package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// row draws a row of the inspector and records it for event handlers.
func (p *Panel) row(r inspector.Row) app.UI {
	path := r.Path.String()
	p.rows[path] = r
	switch r.Input {
	case inspector.Group, inspector.Items, inspector.Entries:
		return p.group(r)
	default: // a single control
	}
	class := "f"
	switch r.Input {
	case inspector.Switch:
		class += " inline"
	case inspector.Number:
		class += " half"
	default: // as wide as the panel
	}
	return p.rowAs(class, r)
}

// rowAs draws a row with a single control.
func (p *Panel) rowAs(class string, r inspector.Row) app.UI {
	path := r.Path.String()
	p.rows[path] = r
	id := kit.DomID("f-", path)
	problem, problemID, helpID := p.problemOf(r), kit.DomID("p-", path), kit.DomID("h-", path)
	describe := []string{}
	if problem != "" {
		describe = append(describe, problemID)
	}
	if r.Help != "" {
		describe = append(describe, helpID)
	}
	if problem != "" {
		class += " bad"
	}
	mistake, mistakeID := r.Source().Mistake(), kit.DomID("m-", path)
	if mistake != "" {
		describe = append(describe, mistakeID)
	}
	control := p.control(r, id, strings.Join(describe, " "))
	look, more := p.coded(r, id, control)
	if r.Prose().Templates() && !p.Editor.ReadOnly() && look != richLook {
		control = append(control, p.pickButton(r))
	}
	if p.large == path {
		class += " large"
	}
	body := []app.UI{kit.El("div.f-head").Body(p.label(r, id)...), kit.El("div class=%", look).Body(append(more, control...)...)}
	if mistake != "" {
		body = append(body, kit.El("p.hint-text id=%", mistakeID).Body(kit.Icon("warn"), kit.El("span").Text(mistake)))
	}
	if r.Help != "" {
		body = append(body, kit.El("small.help id=% hidden=%", helpID, kit.Yes(p.helped != path)).Text(r.Help))
	}
	if problem != "" {
		body = append(body, kit.El("p.problem-text id=% role=alert", problemID).Body(kit.Icon("warn"), kit.El("span").Text(problem)))
	}
	return kit.El("div class=%", class).Body(append(body, p.hintsOf(r)...)...)
}

// label draws what stands above a control: its name, a mark if it is required or differs from the default, its help, and at the right end
// the way back to the default or how much room a long text has left.
func (p *Panel) label(r inspector.Row, id string) []app.UI {
	path := r.Path.String()
	name := kit.El("label for=%", id)
	if r.Input == inspector.Checks {
		name = kit.El("span id=%", id)
	}
	out := []app.UI{name.Body(kit.El("span").Text(r.Label), app.If(r.Demanded(), func() app.UI {
		return kit.El("span.req title=%", "required")
	}))}
	if r.Help != "" {
		out = append(out, kit.El("button.info type=button data-act=explain data-arg=% aria-label=% aria-expanded=% title=%", path,
			"About "+r.Label, kit.Yes(p.helped == path), r.Help).Body(kit.Icon("info")))
	}
	if r.Language() != schema.NoCode {
		out = append(out, p.codeTools(r)...)
	}
	switch n := len([]rune(r.Text())); {
	case r.Differs():
		out = append(out, kit.El("span.differs title=%", "Differs from the default"))
		if !p.Editor.ReadOnly() {
			out = append(out, kit.El("button.link.dim.push type=button data-act=reset data-arg=% aria-label=%", path, "Reset "+r.Label).
				Text("Reset"))
		}
	case r.Quantity().Bounds() != "":
		out = append(out, kit.El("small.push").Text(r.Quantity().Bounds()))
	case r.Address() != "":
		out = append(out, kit.El("a.push target=_blank rel=noopener href=% aria-label=%", r.Address(), "Open "+r.Label).Text("Open"))
	case r.Max > 0 && (r.Input == inspector.Text || r.Input == inspector.LongText) && n*5 > r.Max*4:
		out = append(out, kit.El("small.push").Text(fmt.Sprintf("%d of %d", n, r.Max)))
	}
	return out
}

// problemOf returns the problem of a row, in words.
func (p *Panel) problemOf(r inspector.Row) string {
	if rejected, ok := p.rejectedAt(r.Path.String()); ok {
		return rejected.reason
	}
	var texts []string
	for _, pr := range r.Problems {
		d := pr.Detail
		if !pr.Path.Equal(r.Path) {
			d = pr.Path[len(r.Path):].String() + " " + d
		}
		texts = append(texts, kit.AsSentence(d))
	}
	return strings.Join(texts, " ")
}

func (p *Panel) control(r inspector.Row, id, describe string) []app.UI {
	path, text := r.Path.String(), r.Text()
	if rejected, ok := p.rejectedAt(path); ok {
		text = rejected.text
	}
	lock, mono := p.Editor.ReadOnly(), p.mono(r)
	invalid := kit.Yes(p.problemOf(r) != "")
	switch r.Input {
	case inspector.LongText, inspector.JSON:
		rows := 2
		if mono != "" && text != "" {
			rows = 6
		}
		return []app.UI{kit.El("textarea id=% class=% rows=% spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%",
			id, mono, strconv.Itoa(rows), kit.Yes(mono == ""), path, kit.Held(text), describe, invalid, kit.Yes(lock))}
	case inspector.Select, inspector.Pointer:
		var options []app.UI
		if !r.Required || text == "" {
			options = append(options, kit.El("option value=%", notSet).Text("Not set"))
		}
		for _, o := range r.Options {
			options = append(options, kit.El("option value=%", o.Value).Text(o.Label))
		}
		return []app.UI{kit.El("select id=% data-path=% data-held=% aria-describedby=% aria-invalid=% disabled=%", id, path,
			kit.Held(orNotSet(text)), describe, invalid, kit.Yes(lock)).Body(options...)}
	case inspector.Switch:
		return []app.UI{kit.El("input.switch id=% type=checkbox data-path=% data-held=% aria-describedby=% disabled=%", id, path,
			kit.Held(kit.Yes(r.On())), describe, kit.Yes(lock))}
	case inspector.Checks:
		var boxes []app.UI
		for _, o := range r.Options {
			boxes = append(boxes, kit.El("label.check").Body(
				kit.El("input type=checkbox data-path=% data-value=% data-held=% disabled=%", path, o.Value, kit.Held(kit.Yes(r.Checked(o.Value))),
					kit.Yes(lock)),
				kit.El("span").Text(o.Label)))
		}
		return []app.UI{kit.El("div.checks role=group aria-labelledby=% aria-describedby=%", id, describe).Body(boxes...)}
	case inspector.Secret:
		kind, act, name := "password", "Show", "Show %s"
		if p.shown[path] {
			kind, act, name = "text", "Hide", "Hide %s"
		}
		return []app.UI{
			kit.El("input.mono id=% type=% autocomplete=off spellcheck=false data-path=% data-held=% aria-describedby=% aria-invalid=% readonly=%",
				id, kind, path, kit.Held(text), describe, invalid, kit.Yes(lock)),
			kit.El("button.link type=button data-act=reveal data-arg=% aria-label=%", path, fmt.Sprintf(name, r.Label)).Text(act),
			kit.El("button.link type=button data-act=replace data-arg=% aria-label=% disabled=%", path, "Replace "+r.Label, kit.Yes(lock || text == "")).
				Text("Replace"),
		}
	case inspector.Number:
		step := func(name, symbol, by string) app.UI {
			return kit.IconButton("step", name+" "+r.Label, symbol, !lock).DataSet("arg", by+" "+path).Attr("tabindex", "-1")
		}
		return []app.UI{kit.El("div.stepper").Body(p.line(r, id, describe), step("Decrease", "minus", "-1"), step("Increase", "plus", "1"))}
	default:
		line := p.line(r, id, describe)
		if r.Role != schema.Color {
			return []app.UI{line}
		}
		return []app.UI{line, kit.El("input.swatch type=color data-path=% data-held=% aria-label=% disabled=%", path, kit.Held(r.Color()),
			"Choose "+r.Label, kit.Yes(lock))}
	}
}

// line draws a control with one line of text.
func (p *Panel) line(r inspector.Row, id, describe string) app.HTMLElem {
	path, text := r.Path.String(), r.Text()
	if rejected, ok := p.rejectedAt(path); ok {
		text = rejected.text
	}
	mono := p.mono(r)
	in := kit.El("input id=% type=text class=% autocomplete=off spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% "+
		"readonly=%", id, mono, kit.Yes(mono == ""), path, kit.Held(text), describe, kit.Yes(p.problemOf(r) != ""), kit.Yes(p.Editor.ReadOnly()))
	if p.pick.typed && p.pick.path == path {
		in = in.Attr("aria-controls", "variables").Attr("aria-activedescendant", optionID(p.pick.at))
	}
	switch {
	case r.Input == inspector.Number:
		in = in.Attr("inputmode", "decimal")
	case r.Input == inspector.Flow && len(p.Flows) > 0: // else people type an id
		in = in.Attr("list", "flows")
	case r.Input == inspector.Text && len(r.Options) > 0:
		in = in.Attr("list", offered(id))
	}
	return in
}

// offered returns the id of the list of values that a text is offered.
func offered(id string) string { return id + "-offered" }

// mono returns the class of code, "" for prose.
func (p *Panel) mono(r inspector.Row) string {
	if r.Code != schema.NoCode || r.Input == inspector.JSON || r.Input == inspector.Number || r.Input == inspector.Flow || r.OnLeave() {
		return "mono"
	}
	return ""
}

// notSet is the value of the option that clears a property. go-app would drop
// an empty value; no enum value and no id is a space.
const notSet = " "

func orNotSet(text string) string {
	if text == "" {
		return notSet
	}
	return text
}

// group draws the properties of an object.
func (p *Panel) group(r inspector.Row) app.UI {
	return kit.El("fieldset.group").Body(append([]app.UI{p.legend(r)}, p.content(r)...)...)
}

// content draws what is in an object, list or map, and the problem that it has as a whole.
func (p *Panel) content(r inspector.Row) []app.UI {
	var body []app.UI
	switch {
	case r.Input == inspector.Group:
		body = p.rowsOf(r.Rows)
	case len(r.Columns) > 0:
		body = p.table(r)
	default:
		body = p.elements(r)
	}
	return append(body, p.problemLine(r)...)
}

// legend draws the name of an object or list.
func (p *Panel) legend(r inspector.Row) app.UI {
	if !p.removable(r) {
		return kit.El("legend").Text(r.Label)
	}
	return kit.El("legend").Body(kit.El("span").Text(r.Label), p.remove(r))
}

// removable reports whether an object or list can be removed as a whole: its required properties cannot be cleared individually.
func (p *Panel) removable(r inspector.Row) bool {
	return r.Present && !r.Required && !p.Editor.ReadOnly()
}

func (p *Panel) remove(r inspector.Row) app.UI {
	return kit.El("button.link.dim type=button data-act=clear data-arg=% aria-label=%", r.Path.String(), "Remove "+r.Label).Text("Remove")
}

// elements draws the elements of a list, or the members of an open object, with controls to add, remove and reorder them.
func (p *Panel) elements(r inspector.Row) []app.UI {
	path, lock := r.Path.String(), p.Editor.ReadOnly()
	var body []app.UI
	for i, c := range r.Rows {
		if r.Input == inspector.Items {
			c.Label = named(r, i)
		}
		body = append(body, kit.El("div.item").Body(p.row(c), kit.El("div.item-tools").Body(p.tools(r, i)...)))
	}
	if r.Input == inspector.Items {
		return append(body, p.add(r))
	}
	id := kit.DomID("k-", path)
	return append(body, kit.El("div.new-entry").Body(
		kit.El("input.mono id=% type=text placeholder=% aria-label=% readonly=%", id, "Key", "Key of the new "+r.Element.Noun, kit.Yes(lock)),
		p.add(r)))
}

// named returns the name of an element, as in "Option 2".
func named(r inspector.Row, i int) string {
	name := fmt.Sprintf("%s %d", r.Element.Noun, i+1)
	return strings.ToUpper(name[:1]) + name[1:]
}

// add draws the button that adds an element or a member.
func (p *Panel) add(r inspector.Row) app.UI {
	return kit.El("button.link.adds type=button data-act=add data-arg=% disabled=%", r.Path.String(), kit.Yes(p.Editor.ReadOnly())).
		Text("Add " + r.Element.Noun)
}

// tools draws the buttons that move and remove an element.
func (p *Panel) tools(r inspector.Row, i int) []app.UI {
	arg := fmt.Sprintf("%d %s", i, r.Path.String())
	name, lock := strings.ToLower(named(r, i)), p.Editor.ReadOnly()
	if r.Input == inspector.Entries || len(r.Columns) > 0 { // those of a table have a grip
		return []app.UI{kit.IconButton("remove", "Remove "+name, "close", !lock).DataSet("arg", arg)}
	}
	return []app.UI{
		kit.IconButton("up", "Move up "+name, "up", i > 0 && !lock).DataSet("arg", arg),
		kit.IconButton("down", "Move down "+name, "down", i < len(r.Rows)-1 && !lock).DataSet("arg", arg),
		kit.IconButton("remove", "Remove "+name, "close", !lock).DataSet("arg", arg),
	}
}
