package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
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
	menu   func() string   // returns which menu of the page is open, nil for none
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
	if problem != "" || f.needOf(r) != "" {
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
	noteID := kit.DomID("n-", path)
	if r.Contrast() != "" {
		describe = append(describe, noteID)
	}
	for i := range f.found.hints[path] {
		describe = append(describe, hintID(i, path))
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
		body = append(body, kit.Tree("p.hint-text id=% role=note { @warn span { % } }", []string{mistakeID, mistake}))
	}
	body = append(body, f.noSuchFlow(r)...)
	body = append(body, f.found.warningsOf(r)...)
	if note := r.Contrast(); note != "" {
		body = append(body, kit.Tree("p.note-text id=% role=note { @info span { % } }", []string{noteID, note}))
	}
	if r.Help != "" {
		body = append(body, kit.El("small.help id=% hidden=%", helpID, kit.Yes(f.helped != path)).Text(r.Help))
	}
	body = append(body, f.problemLine(r)...)
	if f.Beside != nil {
		body = append(body, f.Beside(r.Path)...)
	}
	return kit.El("div class=%", class).Body(append(body, f.found.hintsOf(r)...)...)
}

// label draws what stands above a control: its name, a mark if it is required or differs from the default, its help, and at the right end
// the way back to the default or how much room a long text has left.
func (f *fields) label(r inspector.Row, id string) []app.UI {
	path := r.Path.String()
	name := "label for=% { span { % } span.req title=required hidden=% }"
	if r.Input == inspector.Checks {
		name = "span id=% { span { % } span.req title=required hidden=% }"
	}
	out := []app.UI{kit.Tree(name, []string{id, r.Label, kit.Yes(!r.Demanded())})}
	if r.Help != "" {
		out = append(out, kit.Tree("button.info type=button data-act=explain data-arg=% aria-label=% aria-expanded=% title=% { @info }",
			[]string{path, "About " + r.Label, kit.Yes(f.helped == path), r.Help}))
	}
	if r.Language() != schema.NoCode {
		out = append(out, f.codes.codeTools(r)...)
	}
	switch n := len([]rune(r.Text())); {
	case r.Mixed && r.Input == inspector.Switch:
		out = append(out, kit.El("small").Text(fmt.Sprintf("%d of %d", r.Ons, r.Count)))
	case r.Differs():
		out = append(out, kit.El("span.differs title=%", "Differs from the default"))
		if !f.Editor.ReadOnly() {
			out = append(out, kit.Tree("button.link.dim.push type=button data-act=reset data-arg=% aria-label=% { % }", []string{path, "Reset " + r.Label, "Reset"}))
		}
	case r.Address() != "":
		out = append(out, kit.Tree("a.push target=_blank rel=noopener href=% aria-label=% { % }", []string{r.Address(), "Open " + r.Label, "Open"}))
	case r.Max > 0 && (r.Input == inspector.Text || r.Input == inspector.LongText) && n*5 > r.Max*4:
		out = append(out, kit.El("small.push").Text(fmt.Sprintf("%d of %d", n, r.Max)))
	}
	return out
}

func (f *fields) control(r inspector.Row, id, describe string) []app.UI {
	path, text, lock := r.Path.String(), f.text(r), kit.Yes(f.Editor.ReadOnly())
	switch r.Input {
	case inspector.LongText, inspector.JSON:
		mono, rows := f.mono(r), "2"
		if mono != "" && text != "" {
			rows = "6"
		}
		return []app.UI{f.input("textarea class=% rows=% spellcheck=% readonly=%", r, id, describe, text, mono, rows, kit.Yes(mono == ""), lock)}
	case inspector.Pointer:
		class, sign := f.targetSign(r)
		const spec = "button.goes type=button role=combobox aria-haspopup=dialog aria-expanded=false class=% data-act=find-node data-arg=% disabled=%"
		return []app.UI{f.input(spec, r, id, describe, text, class, path, lock).Body(kit.El("span").Text(targetName(r, text))), sign}
	case inspector.Select:
		held := orNotSet(text)
		if r.Mixed {
			held = mixed
		}
		return []app.UI{f.input("select disabled=%", r, id, describe, held, lock).Body(choices(r, held)...)}
	case inspector.Switch:
		return []app.UI{f.input("input.switch type=checkbox data-mixed=% disabled=%", r, id, describe, kit.Yes(r.On()), kit.Yes(r.Mixed), lock)}
	case inspector.Checks:
		drawn, first, last := f.spans.Draw(path, len(r.Options))
		boxes := []app.UI{first}
		for _, o := range r.Options[drawn.From:drawn.To] {
			boxes = append(boxes, kit.Tree("label.check { input type=checkbox data-path=% data-value=% data-held=% disabled=% span { % } }",
				[]string{path, o.Value, kit.Held(kit.Yes(r.Checked(o.Value))), lock, o.Label}))
		}
		return []app.UI{kit.El("div.checks role=group aria-labelledby=% aria-describedby=%", id, describe).Body(append(boxes, last)...)}
	case inspector.Secret:
		kind, act := "password", "Show"
		if f.shown[path] {
			kind, act = "text", "Hide"
		}
		return []app.UI{
			f.input("input.mono type=% autocomplete=off spellcheck=false readonly=%", r, id, describe, text, kind, lock),
			kit.Tree("button.link type=button data-act=reveal data-arg=% aria-label=% hidden=% { % }", []string{path, act + " " + r.Label, kit.Yes(text == ""), act}),
			kit.Tree("button.link type=button data-act=replace data-arg=% aria-label=% hidden=% { % }",
				[]string{path, "Replace " + r.Label, kit.Yes(lock == "true" || text == ""), "Replace"}),
		}
	case inspector.Number:
		step := func(name, symbol, by string) app.UI {
			return kit.IconButton("step", name+" "+r.Label, symbol, lock == "false").DataSet("arg", by+" "+path).Attr("tabindex", "-1")
		}
		return []app.UI{kit.El("div.stepper").Body(f.line(r, id, describe), step("Decrease", "minus", "-1"), step("Increase", "plus", "1"))}
	default:
		line := f.line(r, id, describe)
		if r.Input == inspector.Flow {
			return []app.UI{line, f.calledFlow(r), f.flowsButton(r)}
		}
		if r.Role != schema.Color {
			return []app.UI{line}
		}
		return []app.UI{line, kit.El("input.swatch type=color data-path=% data-held=% aria-label=% disabled=%", path, kit.Held(r.Color()),
			"Choose "+r.Label, lock)}
	}
}

// targetSign draws the symbol of what a pointer leads to, which lies over its control, and returns the class of the control, "" without a symbol.
func (f *fields) targetSign(r inspector.Row) (class string, sign app.UI) {
	to := f.text(r)
	n, _ := f.Editor.State().Form.Node(to)
	if r.Mixed || n == nil && to != model.EndingID {
		return "", kit.El("span.target-sign hidden=true")
	}
	icon := "ending"
	if n != nil {
		icon = describe.NodeIcon(n)
	}
	return "signed", kit.Tree("span.target-sign class=% aria-hidden=true { * }", []string{icon}, kit.Icon(icon))
}

// targetName returns the name of what a pointer leads to.
func targetName(r inspector.Row, to string) string {
	switch {
	case r.Mixed:
		return mixed
	case to == "":
		return "Nowhere"
	}
	for _, o := range r.Options {
		if o.Value == to {
			return o.Label
		}
	}
	return to
}

// text returns the text in the control of a row: its own, or one that it refused.
func (f *fields) text(r inspector.Row) string {
	if rejected, ok := f.rejectedAt(r.Path.String()); ok {
		return rejected.text
	}
	return r.Text()
}

// input draws the element of a control, which holds a text; the values are those of the spec.
func (f *fields) input(spec string, r inspector.Row, id, describe, held string, values ...string) app.HTMLElem {
	in := kit.Tree(spec+" id=% data-path=% data-held=% aria-describedby=% aria-invalid=%",
		append(values, id, r.Path.String(), kit.Held(held), describe, kit.Yes(f.problemOf(r) != "")))
	if r.Count > 0 {
		in.Attr("data-count", strconv.Itoa(r.Count))
	}
	if r.Mixed {
		in.Attr("placeholder", mixed)
	}
	return in
}

// line draws a control with one line of text.
func (f *fields) line(r inspector.Row, id, describe string) app.HTMLElem {
	text, mono := f.text(r), f.mono(r)
	spec, values := "input type=text class=% autocomplete=off spellcheck=% readonly=%", []string{mono, kit.Yes(mono == ""), kit.Yes(f.Editor.ReadOnly())}
	if f.picker.pick.typed && f.picker.pick.path == r.Path.String() {
		spec, values = spec+" aria-controls=variables aria-activedescendant=%", append(values, optionID(f.picker.pick.at))
	}
	switch {
	case r.Input == inspector.Number:
		least, most := r.Quantity().Limits()
		spec += " inputmode=decimal role=spinbutton aria-valuenow=% aria-valuemin=% aria-valuemax=% placeholder=%"
		values = append(values, text, least, most, r.Quantity().Hint())
	case r.Input == inspector.Flow:
		if len(f.Flows) > 0 { // else people type an id
			spec += " list=flows"
		}
		if !f.Editor.ReadOnly() {
			spec, values = spec+" placeholder=%", append(values, f.askForFlow())
		}
	case r.Input == inspector.Text && len(r.Options) > 0:
		spec, values = spec+" list=%", append(values, offered(id))
	}
	return f.input(spec, r, id, describe, text, values...)
}

// offered returns the id of the list of values that a text is offered.
func offered(id string) string { return id + "-offered" }

// mixed is shown where several elements have different values.
const mixed = "Mixed"

// mono returns the class of code, "" for prose.
func (sh *sheet) mono(r inspector.Row) string {
	if r.Code != schema.NoCode || r.Input == inspector.JSON || r.Input == inspector.Number || r.Input == inspector.Flow || r.OnLeave() {
		return "mono"
	}
	return ""
}

// mostOptions is the maximum number of options that a control offers, but for the one that is chosen. To draw thousands takes seconds.
const mostOptions = 250

// choices draws the options of a select whose value is chosen.
func choices(r inspector.Row, chosen string) []app.UI {
	var out []app.UI
	add := func(value, label string, off bool) {
		out = append(out, kit.El("option value=% disabled=%", value, kit.Yes(off)).Text(label))
	}
	if r.Mixed {
		add(mixed, mixed, true)
	}
	if !r.Required || chosen == notSet {
		add(notSet, "Not set", false)
	}
	left := 0
	for i, o := range r.Options {
		if i < mostOptions || o.Value == chosen {
			add(o.Value, o.Label, false)
		} else {
			left++
		}
	}
	if left > 0 {
		add(others, fmt.Sprintf("%d more", left), true)
	}
	return out
}

// others is the value of the option that stands for others. No enum value is two spaces.
const others = "  "

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

// bare draws the control of a row without its label, which is its name for screen readers, and with what may cover it.
func (f *fields) bare(r inspector.Row, cover ...app.UI) app.UI {
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
		for _, o := range r.Options[:min(len(r.Options), mostOptions)] {
			options = append(options, kit.El("option value=%", o.Value).Text(o.Label))
		}
		body = append(body, kit.El("datalist id=%", offered(id)).Body(options...))
	}
	return kit.El("div.control class=%", class).Body(append(body, cover...)...)
}
