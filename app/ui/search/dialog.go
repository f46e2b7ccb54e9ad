package search

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Names of the two dialogs.
const (
	Commands = "commands"
	Find     = "find"
)

// Dialog is the list of commands, or of places in the form, that match a query.
type Dialog struct {
	*workspace.Workspace
	query string
	at    int // index of the result that Enter selects
	index find.Index
	forms otherForms
	parts partNames
	replacing
	taken []string // the titles of the commands that were taken last, the newest first

	// Page returns the commands of a page without a form, in place of those of the form; nil for the editor. Do carries one out.
	Page func() []kit.Item
	Do   func(ctx app.Context, act, arg string)
}

// resultLimit is the maximum number of places in the list; input narrows them.
const resultLimit = 40

// result is a line of the list.
type result struct {
	group             string // heading above the first result of a group, "" for none
	icon, title, note string
	also              string // second name by which it was found
	inTitle, inNote   []find.Range
	keys              string
	disabled          bool // it cannot be chosen; the note says why
	repeats           bool // it is a command, which may be wanted again
	adds              bool // the command adds a component
	take              func(ctx app.Context)
}

// Open opens the command palette or the search of the form.
func (p *Dialog) Open(ctx app.Context, dialog string) {
	p.query, p.at = "", 0
	p.replacing = replacing{}
	p.Dialog.Open(ctx, dialog)
	if dialog == Commands {
		p.follow(ctx)
	}
}

// results returns the results of the query.
func (p *Dialog) results() []result {
	switch {
	case p.Replaces():
		return p.occurrences()
	case p.Dialog.Name() == Find:
		return p.hits()
	}
	return p.grouped()
}

func (p *Dialog) hits() []result {
	var out []result
	for _, h := range p.index.Search(p.Editor.State().Form, p.query, resultLimit) {
		out = append(out, result{
			icon: h.Icon, title: h.Title, note: h.Context, inTitle: h.InTitle, inNote: h.InContext,
			take: func(ctx app.Context) { p.goToHit(ctx, h) },
		})
	}
	return out
}

// goToHit selects a hit, brings it into view and moves the focus to its text.
func (p *Dialog) goToHit(ctx app.Context, h find.Hit) {
	if p.ShowOnPage(ctx, h.Path) {
		return
	}
	f := p.Editor.State().Form
	at, ok := f.At(h.Path)
	if _, i, j := f.Component(h.Component); !ok && h.Component != "" && i >= 0 {
		at, _ = f.At(model.ComponentPath(i, j)) // the hit is in a translation of it
	}
	sel := editor.SelectPlace(f, at)
	p.Editor.Select(sel)
	p.Panels.Right = p.Panels.Right || workspace.Wide()
	if node := sel.Only(); node != "" {
		p.Show(node)
	}
	if n := len(h.Path); n > 0 && h.Path[n-1].Key == "id" {
		return // the owner of the id is selected; the next key must not overwrite the id
	}
	query := p.query
	p.Seek = h.Path.String()
	kit.CaretSoon(ctx, "[data-path="+strconv.Quote(h.Path.String())+"]", func(value string) int { return caret(value, query) }, 0)
}

// IsOpen reports whether one of the two dialogs is open.
func (p *Dialog) IsOpen() bool { return p.Dialog.Name() == Find || p.Dialog.Name() == Commands }

// Type sets the input.
func (p *Dialog) Type(query string) { p.query, p.at, p.said = query, 0, "" }

// SetFlows sets the names of the tenant's flows by id.
func (p *Dialog) SetFlows(names map[string]string) { p.index.SetFlows(names) }

// Draw returns the dialog with the input and the list, nil when neither dialog is
// open.
func (p *Dialog) Draw() app.UI {
	if !p.IsOpen() {
		return nil
	}
	label, hint, empty := "Commands", "Find or run a command", "Nothing matches"
	if p.Dialog.Name() == Find {
		label, hint, empty = "Find in this form", "Find in this form", "No matches"
	}
	results := p.results()
	p.at = max(0, min(p.at, len(results)-1))
	active := ""
	var items []app.UI
	group := ""
	for i, r := range results {
		if r.group != group {
			group = r.group
			items = append(items, kit.El("li.result-group role=presentation").Text(group))
		}
		id := "result-" + strconv.Itoa(i)
		if i == p.at {
			active = id
		}
		items = append(items, kit.El("li.result role=option id=% aria-selected=% aria-disabled=% data-act=take data-arg=%", id,
			kit.Yes(i == p.at), kit.Yes(r.disabled), strconv.Itoa(i)).Body(
			kit.Icon(r.icon), kit.El("span.grow").Body(marked(r.title, r.inTitle), note(r)),
			kit.El("kbd hidden=%", kit.Yes(r.keys == "")).Text(r.keys),
		))
	}
	finds := p.Dialog.Name() == Find
	none := kit.El("p.quiet-text hidden=%", kit.Yes(len(items) > 0 || p.query == "" || p.Replaces())).Text(empty)
	replaces := command.Of(command.Replace)
	opens := kit.IconButton(replacingAct, replaces.Title, "swap", true).Aria("expanded", kit.Yes(p.Replaces())).
		Attr("title", replaces.Title+" ("+replaces.Shortcut()+")").Attr("hidden", !finds || p.ReadOnly())
	return kit.El("dialog.search aria-label=% class=%", label, p.Dialog.Name()).Body(
		kit.Tree("div.search-for { input id=search-text type=text role=combobox autocomplete=off spellcheck=false aria-expanded=true aria-controls=results "+
			"aria-activedescendant=% aria-label=% placeholder=% data-held=% * }", []string{active, label, hint, kit.Held(p.query)}, opens),
		p.drawReplacing(),
		none,
		kit.El("ul.results id=results role=listbox aria-label=%", label).On("pointermove", p.point).Body(items...),
	)
}

func note(r result) app.UI {
	if r.note == "" {
		return kit.El("span hidden=true")
	}
	return kit.El("small").Body(marked(r.note, r.inNote))
}

// marked draws a text with highlighted ranges.
func marked(text string, parts []find.Range) app.UI {
	var body []app.UI
	at := 0
	for _, r := range parts {
		body = append(body, app.Text(text[at:r.From]), kit.El("mark").Text(text[r.From:r.To]))
		at = r.To
	}
	return kit.El("span").Body(append(body, app.Text(text[at:]))...)
}

// point moves in the list to the result under a pointer that moves. One that rests where the list opens or scrolls chooses nothing.
func (p *Dialog) point(ctx app.Context, e app.Event) {
	_, arg, _ := kit.Act(e)
	if i, err := strconv.Atoi(arg); err == nil && i != p.at {
		p.at = i
		return
	}
	ctx.PreventUpdate()
}

// Key handles a key: it moves in the list or takes a result.
func (p *Dialog) Key(ctx app.Context, e app.Event, key string) {
	switch key {
	case "ArrowDown":
		p.at++
	case "ArrowUp":
		p.at--
	case "PageDown":
		p.at += 8
	case "PageUp":
		p.at -= 8
	case "Enter":
		switch {
		case p.Replaces() && kit.Target(e).Get("id").String() == replaceField:
			p.replace(ctx, e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool())
		case kit.Near(e, "button").Truthy():
			return // it has the focus
		default:
			p.Take(ctx, p.at)
		}
	default:
		return
	}
	e.PreventDefault()
	ctx.Defer(func(app.Context) { kit.ScrollTo(".result[aria-selected=true]") })
}

// Take closes the dialog and carries out a result.
func (p *Dialog) Take(ctx app.Context, i int) {
	results := p.results()
	if i < 0 || i >= len(results) {
		return
	}
	if r := results[i]; r.repeats && !r.disabled {
		p.taken = append([]string{r.title}, slices.DeleteFunc(p.taken, func(t string) bool { return t == r.title })...)
		p.taken = p.taken[:min(len(p.taken), recentLimit)]
	}
	p.Dialog.CloseBack()
	results[i].take(ctx)
}
