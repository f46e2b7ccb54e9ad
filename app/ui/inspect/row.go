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

// fields draws rows and their controls.
type fields struct {
	*sheet
	found  *findings
	codes  *codes
	picker *picker
	lists  *lists
	shown  map[string]bool // visible secrets, by path
	helped string          // the path of the row whose help is open
}

// row draws a row of the inspector and records it for event handlers.
func (f *fields) row(r inspector.Row) app.UI {
	path := r.Path.String()
	f.rows[path] = r
	switch r.Input {
	case inspector.Group, inspector.Items, inspector.Entries:
		return f.group(r)
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
	return f.rowAs(class, r)
}

// rowAs draws a row with a single control.
func (f *fields) rowAs(class string, r inspector.Row) app.UI {
	path := r.Path.String()
	f.rows[path] = r
	id := kit.DomID("f-", path)
	problem, problemID, helpID := f.problemOf(r), kit.DomID("p-", path), kit.DomID("h-", path)
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
	control := f.control(r, id, strings.Join(describe, " "))
	look, more := f.codes.coded(r, id, control)
	if r.Prose().Templates() && !f.Editor.ReadOnly() && look != richLook {
		control = append(control, f.picker.pickButton(r))
	}
	if f.codes.large == path {
		class += " large"
	}
	body := []app.UI{kit.El("div.f-head").Body(f.label(r, id)...), kit.El("div class=%", look).Body(append(more, control...)...)}
	if mistake != "" {
		body = append(body, kit.El("p.hint-text id=%", mistakeID).Body(kit.Icon("warn"), kit.El("span").Text(mistake)))
	}
	if r.Help != "" {
		body = append(body, kit.El("small.help id=% hidden=%", helpID, kit.Yes(f.helped != path)).Text(r.Help))
	}
	if problem != "" {
		body = append(body, kit.El("p.problem-text id=% role=alert", problemID).Body(kit.Icon("warn"), kit.El("span").Text(problem)))
	}
	return kit.El("div class=%", class).Body(append(body, f.found.hintsOf(r)...)...)
}

// label draws what stands above a control: its name, a mark if it is required or differs from the default, its help, and at the right end
// the way back to the default or how much room a long text has left.
func (f *fields) label(r inspector.Row, id string) []app.UI {
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
			"About "+r.Label, kit.Yes(f.helped == path), r.Help).Body(kit.Icon("info")))
	}
	if r.Language() != schema.NoCode {
		out = append(out, f.codes.codeTools(r)...)
	}
	switch n := len([]rune(r.Text())); {
	case r.Differs():
		out = append(out, kit.El("span.differs title=%", "Differs from the default"))
		if !f.Editor.ReadOnly() {
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

func (f *fields) control(r inspector.Row, id, describe string) []app.UI {
	path, text := r.Path.String(), r.Text()
	if rejected, ok := f.rejectedAt(path); ok {
		text = rejected.text
	}
	lock, mono := f.Editor.ReadOnly(), f.mono(r)
	invalid := kit.Yes(f.problemOf(r) != "")
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
		if f.shown[path] {
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
		return []app.UI{kit.El("div.stepper").Body(f.line(r, id, describe), step("Decrease", "minus", "-1"), step("Increase", "plus", "1"))}
	default:
		line := f.line(r, id, describe)
		if r.Role != schema.Color {
			return []app.UI{line}
		}
		return []app.UI{line, kit.El("input.swatch type=color data-path=% data-held=% aria-label=% disabled=%", path, kit.Held(r.Color()),
			"Choose "+r.Label, kit.Yes(lock))}
	}
}

// line draws a control with one line of text.
func (f *fields) line(r inspector.Row, id, describe string) app.HTMLElem {
	path, text := r.Path.String(), r.Text()
	if rejected, ok := f.rejectedAt(path); ok {
		text = rejected.text
	}
	mono := f.mono(r)
	in := kit.El("input id=% type=text class=% autocomplete=off spellcheck=% data-path=% data-held=% aria-describedby=% aria-invalid=% "+
		"readonly=%", id, mono, kit.Yes(mono == ""), path, kit.Held(text), describe, kit.Yes(f.problemOf(r) != ""), kit.Yes(f.Editor.ReadOnly()))
	if f.picker.pick.typed && f.picker.pick.path == path {
		in = in.Attr("aria-controls", "variables").Attr("aria-activedescendant", optionID(f.picker.pick.at))
	}
	switch {
	case r.Input == inspector.Number:
		in = in.Attr("inputmode", "decimal")
	case r.Input == inspector.Flow && len(f.Flows) > 0: // else people type an id
		in = in.Attr("list", "flows")
	case r.Input == inspector.Text && len(r.Options) > 0:
		in = in.Attr("list", offered(id))
	}
	return in
}

// offered returns the id of the list of values that a text is offered.
func offered(id string) string { return id + "-offered" }

// mono returns the class of code, "" for prose.
func (sh *sheet) mono(r inspector.Row) string {
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

func (f *fields) rowsOf(rows []inspector.Row) []app.UI {
	var out []app.UI
	for _, r := range rows {
		out = append(out, f.row(r))
	}
	return out
}

// bare draws the control of a row without its label, which is its name for screen readers.
func (f *fields) bare(r inspector.Row) app.UI {
	path := r.Path.String()
	f.rows[path] = r
	describe := ""
	if f.problemOf(r) != "" {
		describe = kit.DomID("p-", path)
	}
	id := kit.DomID("f-", path)
	class := "word"
	if r.Input == inspector.Select {
		class = "word menu-word"
	}
	body := append(f.control(r, id, describe), kit.El("label.unseen for=%", id).Text(r.Label))
	if r.Prose().Templates() && !f.Editor.ReadOnly() {
		body = append(body, f.picker.pickButton(r))
	}
	if r.Input == inspector.Text && len(r.Options) > 0 {
		var options []app.UI
		for _, o := range r.Options {
			options = append(options, kit.El("option value=%", o.Value).Text(o.Label))
		}
		body = append(body, kit.El("datalist id=%", offered(id)).Body(options...))
	}
	return kit.El("div.control class=%", class).Body(body...)
}
