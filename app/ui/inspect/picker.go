package inspect

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// picker lists the variables that can be put into a text.
type picker struct {
	*sheet
	found *findings
	codes *codes
	pick  pick
}

// pick is the state of the list of variables.
type pick struct {
	path  string // of the text, "" if the picker is closed
	query string
	// typed reports whether the list follows a template that a person types: the text keeps the focus.
	typed bool
	at    int // index of the active variable
	caret int // in the text, in characters of JavaScript
	top   int // of the list in the window, in pixels
}

// FilterID is the id of the input that filters the rows.
const FilterID = "search-rows"

// SearchID is the id of the input that filters the variables.
const SearchID = "variable-search"

// openPicker opens the list of variables for the text with a path.
func (p *picker) openPicker(ctx app.Context, path string) {
	if p.pick.path == path {
		p.closePicker()
		return
	}
	p.pick = pick{path: path}
	if el := kit.Element("[data-path=" + strconv.Quote(path) + "]"); el.Truthy() {
		p.place(el)
	}
	kit.FocusSoon(ctx, "#"+SearchID, 0)
}

// place puts the list beside a control and remembers its caret.
func (p *picker) place(el app.Value) {
	if at := el.Get("selectionStart"); at.Type() == app.TypeNumber {
		p.pick.caret = at.Int()
	}
	room := app.Window().Get("innerHeight").Int() - pickerHeight
	p.pick.top = max(8, min(el.Call("getBoundingClientRect").Get("top").Int()-48, room))
}

// follow lists the variables for a template that is being typed, and closes the list at its end.
func (p *picker) follow(el app.Value, r inspector.Row) {
	p.pick = pick{}
	if !r.Prose().Templates() {
		return
	}
	p.place(el)
	if begun, ok := inspector.Begun(el.Get("value").String(), p.pick.caret); ok {
		p.pick.path, p.pick.query, p.pick.typed = r.Path.String(), begun, true
	}
}

// pickerHeight is the greatest height of the list and the room below it, in pixels.
const pickerHeight = 452

func (p *picker) closePicker() {
	path := p.pick.path
	p.pick = pick{}
	if path != "" {
		kit.Focus("[data-path=" + strconv.Quote(path) + "]")
	}
}

// Type takes the text of an input with an id, and reports whether it is one of the inspector's that has no path.
func (p *Panel) Type(id, text string) bool {
	switch id {
	case SearchID:
		p.picker.pick.query, p.picker.pick.at = text, 0
	case FilterID:
		p.sections.query = text
	case PasteID:
		p.lists.paste.text = text
	case KindID:
		p.kinds.to = text
	default:
		return false
	}
	return true
}

// variables returns the variables that the picker lists, by origin and in one list: as many as can be drawn. more reports whether others match.
func (p *picker) variables() (groups []inspector.VariableGroup, all []inspector.Variable, more bool) {
	path, err := schema.ParsePath(p.pick.path)
	if err != nil || p.pick.path == "" {
		return nil, nil, false
	}
	groups = inspector.Variables(p.found.analysis(), path, p.pick.query)
	for i, g := range groups {
		left := kit.SpanStep - len(all)
		if left == 0 {
			return groups[:i], all, true
		}
		if len(g.Variables) > left {
			groups[i].Variables = g.Variables[:left]
			return groups[:i+1], append(all, groups[i].Variables...), true
		}
		all = append(all, g.Variables...)
	}
	return groups, all, false
}

// drawPicker draws the list beside the inspector.
func (p *picker) drawPicker() app.UI {
	if _, ok := p.rows[p.pick.path]; !ok {
		return kit.El("div hidden=true")
	}
	groups, all, more := p.variables()
	active := ""
	if p.pick.at < len(all) {
		active = optionID(p.pick.at)
	}
	if p.pick.typed && len(all) == 0 {
		return kit.El("div hidden=true")
	}
	var list []app.UI
	i := 0
	for _, g := range groups {
		rows := []app.UI{kit.El("h3 role=presentation").Text(g.Title)}
		for _, v := range g.Variables {
			rows = append(rows, kit.Tree("div.variable role=option id=% data-act=pick-variable data-arg=% aria-selected=% { @% span.grow { span { % } code { % } } "+
				"small { % } small.example { % } }", []string{optionID(i), v.Text, kit.Yes(i == p.pick.at), cmp.Or(v.Icon, "code"), v.Title, v.Text, v.Type, v.Example}))
			i++
		}
		list = append(list, kit.El("div role=group aria-label=%", g.Title).Body(rows...))
	}
	switch {
	case len(all) == 0:
		list = append(list, kit.El("p.quiet-text").Text("No variable matches."))
	case more:
		list = append(list, kit.El("p.quiet-text").Text("Type to find others."))
	}
	return kit.Tree("div.picker role=dialog aria-label=% style=% { div.field-search hidden=% { @search input id=% type=text role=combobox autocomplete=off "+
		"spellcheck=false aria-expanded=true aria-controls=variables aria-activedescendant=% aria-label=% placeholder=% data-held=% } * "+
		"p.keys-hint { kbd { % } kbd { % } span.grow { % } kbd { % } span { % } button.link type=button data-act=pick-close { % } } }",
		[]string{
			"Variables", fmt.Sprintf("top:%dpx", p.pick.top), kit.Yes(p.pick.typed), SearchID, active, "Search variables", "Search variables",
			kit.Held(p.pick.query), "↑", "↓", "choose", "Enter", "use", "Close",
		}, kit.El("div.variables id=variables role=listbox aria-label=%", "Variables").Body(list...))
}

func optionID(i int) string { return "variable-" + strconv.Itoa(i) }

// pickerKey handles a key in the picker, and reports whether it did.
func (p *picker) pickerKey(ctx app.Context, key string) bool {
	_, all, _ := p.variables()
	switch key {
	case "ArrowDown", "ArrowUp":
		if p.pick.typed && len(all) == 0 {
			return false
		}
		if len(all) > 0 {
			p.pick.at = (p.pick.at + kit.Arrow(key) + len(all)) % len(all)
			kit.ScrollTo("#" + optionID(p.pick.at))
		}
	case "Enter":
		if p.pick.at >= len(all) {
			return false
		}
		p.useVariable(ctx, all[p.pick.at].Text)
	case "Escape":
		p.closePicker()
	default:
		return false
	}
	return true
}

// useVariable puts a variable into the text of the picker: in place of the whole left side of a comparison, else at the caret.
func (p *picker) useVariable(ctx app.Context, text string) {
	path := p.pick.path
	r, ok := p.rows[path]
	if !ok {
		return
	}
	if el := kit.Element("fg-rich[data-for=" + strconv.Quote(kit.DomID("f-", path)) + "]"); p.codes.visual[path] && el.Truthy() {
		p.pick = pick{}
		el.Call("insertTemplate", "{{"+text+"}}")
		p.Sync(ctx)
		return
	}
	now := r.Prose().Insert("{{"+text+"}}", p.pick.caret)
	p.Edit(ctx, path, now)
	p.pick = pick{}
	p.Typing = ""
	p.Sync(ctx)
	kit.CaretSoon(ctx, "[data-path="+strconv.Quote(path)+"]", func(value string) int { return len(value) }, 0)
}

// pickButton draws the button that opens the list of variables for a row whose text may contain them. Its key is {{ in the text.
func (p *picker) pickButton(r inspector.Row) app.UI {
	path := r.Path.String()
	return kit.El("button.pick type=button tabindex=-1 data-act=pick data-arg=% aria-label=% aria-expanded=% title=%", path, "Insert a variable into "+r.Label,
		kit.Yes(p.pick.path == path), "Insert a variable").Text("{}")
}
