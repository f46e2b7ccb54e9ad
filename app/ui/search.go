package ui

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// searching is the open list of commands or of places in the form.
type searching struct {
	query string
	at    int // the result that Enter takes
	index find.Index
}

// resultLimit is how many results are listed; typing narrows them.
const resultLimit = 40

// result is a line of the list.
type result struct {
	icon, title, note string
	inTitle, inNote   []find.Range
	keys              string
	disabled          bool // it cannot be taken; the note says why
	take              func(ctx app.Context)
}

// openSearch opens the palette of commands or the search of the form.
func (p *editorPage) openSearch(ctx app.Context, dialog string) {
	p.search.query, p.search.at = "", 0
	p.openDialog(ctx, dialog)
}

// results lists what the query finds.
func (p *editorPage) results() []result {
	if p.dialog == "find" {
		return p.hits()
	}
	var out []result
	for _, f := range findCommands(p.search.query, p.context(), resultLimit) {
		r := result{icon: f.Icon, title: f.Name, inTitle: f.in, keys: f.Shortcut(), note: f.missing, disabled: f.missing != ""}
		r.take = func(ctx app.Context) { p.perform(ctx, f.ID, f.Arg) }
		out = append(out, r)
	}
	return out
}

func (p *editorPage) hits() []result {
	var out []result
	for _, h := range p.search.index.Search(p.ed.State().Form, p.search.query, resultLimit) {
		out = append(out, result{
			icon: h.Icon, title: h.Title, note: h.Context, inTitle: h.InTitle, inNote: h.InContext,
			take: func(ctx app.Context) { p.goToHit(ctx, h) },
		})
	}
	return out
}

// goToHit selects what was found, brings it into sight and the focus to its text.
func (p *editorPage) goToHit(ctx app.Context, h find.Hit) {
	f := p.ed.State().Form
	at, ok := f.At(h.Path)
	if _, i, j := f.Component(h.Component); !ok && h.Component != "" && i >= 0 {
		at, _ = f.At(model.ComponentPath(i, j)) // a translation of it was found
	}
	sel := editor.SelectPlace(f, at)
	p.right = p.right || wide()
	p.ed.Select(sel)
	if node := sel.Only(); node != "" {
		p.show(node)
	}
	if n := len(h.Path); n > 0 && h.Path[n-1].Key == "id" {
		return // what has the id is selected; the next key must not overwrite it
	}
	query := p.search.query
	kit.CaretSoon(ctx, "[data-path="+strconv.Quote(h.Path.String())+"]", func(value string) int { return caret(value, query) }, 0)
}

// searchDialog draws the list with the line that is typed in.
func (p *editorPage) searchDialog() app.UI {
	label, empty := "Commands", "No command has that name"
	if p.dialog == "find" {
		label, empty = "Find in this form", "No matches"
	}
	results := p.results()
	p.search.at = max(0, min(p.search.at, len(results)-1))
	active := ""
	var items []app.UI
	for i, r := range results {
		id := "result-" + strconv.Itoa(i)
		if i == p.search.at {
			active = id
		}
		items = append(items, kit.El("li.result role=option id=% aria-selected=% aria-disabled=% data-act=take data-arg=%", id, kit.Yes(i == p.search.at), kit.Yes(r.disabled), strconv.Itoa(i)).Body(
			kit.Icon(r.icon), kit.El("span.grow").Body(marked(r.title, r.inTitle), note(r)), kit.El("kbd hidden=%", kit.Yes(r.keys == "")).Text(r.keys),
		))
	}
	hint := kit.El("p.quiet-text hidden=%", kit.Yes(len(items) > 0 || p.search.query == "")).Text(empty)
	return kit.El("dialog.search aria-label=% class=%", label, p.dialog).Body(
		kit.El("input id=search-text type=text role=combobox autocomplete=off spellcheck=false aria-expanded=true aria-controls=results aria-activedescendant=% aria-label=% placeholder=% data-held=%", active, label, label, kit.Held(p.search.query)),
		hint,
		kit.El("ul.results id=results role=listbox aria-label=%", label).Body(items...),
	)
}

func note(r result) app.UI {
	if r.note == "" {
		return kit.El("span hidden=true")
	}
	return kit.El("small").Body(marked(r.note, r.inNote))
}

// marked shows a text with parts of it set apart.
func marked(text string, parts []find.Range) app.UI {
	var body []app.UI
	at := 0
	for _, r := range parts {
		body = append(body, app.Text(text[at:r.From]), kit.El("mark").Text(text[r.From:r.To]))
		at = r.To
	}
	return kit.El("span").Body(append(body, app.Text(text[at:]))...)
}

// onSearchKey moves in the list and takes a result.
func (p *editorPage) onSearchKey(ctx app.Context, e app.Event, key string) {
	switch key {
	case "ArrowDown":
		p.search.at++
	case "ArrowUp":
		p.search.at--
	case "PageDown":
		p.search.at += 8
	case "PageUp":
		p.search.at -= 8
	case "Enter":
		p.takeResult(ctx, p.search.at)
	default:
		return
	}
	e.PreventDefault()
	ctx.Defer(func(app.Context) { kit.ScrollTo(".result[aria-selected=true]") })
}

// takeResult closes the list and does what the result says.
func (p *editorPage) takeResult(ctx app.Context, i int) {
	results := p.results()
	if i < 0 || i >= len(results) {
		return
	}
	p.closeDialog()
	p.refocus()
	results[i].take(ctx)
}

// historyList lists the states of the form, the first at the end, to jump to.
func (p *editorPage) historyList() app.UI {
	steps := p.ed.Steps()
	var items []app.UI
	for i, s := range slices.Backward(steps) {
		label := s.Label
		if label == "" {
			label = "Opened"
		}
		saved := kit.El("span hidden=true")
		if s.Saved {
			saved = kit.El("small").Text("Saved")
		}
		later := ""
		if i > current(steps) {
			later = "later"
		}
		items = append(items, kit.El("li").Body(kit.El("button.out-item type=button data-act=jump class=% data-arg=% aria-current=%", later, strconv.Itoa(i), kit.Yes(s.Current)).
			Body(kit.El("span.grow").Text(label), saved)))
	}
	return kit.El("ul.history aria-label=%", "History").Body(items...)
}

func current(steps []editor.Step) int {
	for i, s := range steps {
		if s.Current {
			return i
		}
	}
	return 0
}

// arrangeButtons are what can be done with several nodes.
func (p *editorPage) arrangeButtons() app.UI {
	if len(p.ed.State().Selection.Nodes) < 2 || p.ed.ReadOnly() {
		return kit.El("div hidden=true")
	}
	var items []app.UI
	for _, c := range command.Arranging() {
		if p.applies(c.ID) {
			items = append(items, kit.El("button.pal-item type=button data-act=%", string(c.ID)).Body(kit.Icon(c.Icon), kit.El("span").Text(c.Title)))
		}
	}
	return kit.El("section").Body(kit.El("h3").Text("Arrange"), kit.El("ul.pal").Body(app.Range(items).Slice(func(i int) app.UI { return kit.El("li").Body(items[i]) })))
}
