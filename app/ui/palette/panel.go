// Package palette is the tab of the left panel that offers the kinds of components to add.
package palette

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/find"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Panel is the palette. It does not need a form, so it is drawn while the form is loading.
type Panel struct {
	*workspace.Workspace
	Filter string // the search text
}

// ClearFilter empties the search and moves the focus to it.
func (p *Panel) ClearFilter() {
	p.Filter, p.Typing = "", ""
	kit.Focus("#palette-filter")
}

// Draw lists the component kinds; a press adds one, see Add.
func (p *Panel) Draw() app.UI {
	return kit.Kept(p.ID+" "+kit.Yes(p.ReadOnly())+" "+p.Filter, p.list)
}

func (p *Panel) list() app.UI {
	body := []app.UI{
		kit.El("label.field-search").Body(kit.Icon("search"),
			kit.El("input id=palette-filter type=search placeholder=% aria-label=% data-held=%",
				fmt.Sprintf("Search %d components", len(model.Kinds)), fmt.Sprintf("Search %d components", len(model.Kinds)), kit.Held(p.Filter))),
	}
	if p.ReadOnly() {
		body = append(body, kit.Tree("p.quiet-text.why { @lock span { % } }", []string{"You can look at this form. Your account may not change it."}))
	}
	if strings.TrimSpace(p.Filter) != "" {
		return kit.El("div data-testid=palette").Body(append(body, p.found()...)...)
	}
	for _, category := range model.Categories {
		var items []app.UI
		for _, k := range model.KindsByUse(category) {
			items = append(items, p.item(k, short(k.Label)))
		}
		list := "ul.pal"
		if category == model.Widget {
			list = "ul.pal.wide" // their names are long
		}
		body = append(body, kit.El("h2.sub").Text(category.Title()), kit.El(list).Body(items...))
	}
	return kit.El("div data-testid=palette").Body(body...)
}

// found returns the component kinds that match the palette's search, best match first.
func (p *Panel) found() []app.UI {
	var items []app.UI
	for _, k := range find.Kinds(p.Filter) {
		items = append(items, p.item(k, k.Label))
	}
	if len(items) == 0 {
		return []app.UI{
			kit.El("p.quiet-text role=status").Text("No component matches " + kit.Quote(strings.TrimSpace(p.Filter)) + "."),
			kit.TextButton("clear-filter", "Clear the search", "link"),
		}
	}
	return []app.UI{kit.El("ul.pal.wide").Body(items...)}
}

// short returns a kind's label without what its heading says, so that it fits a tile.
func short(label string) string {
	for _, end := range [...]string{" button", " field", " sign-in"} {
		label = strings.TrimSuffix(label, end)
	}
	return label
}

func (p *Panel) item(k *model.Kind, text string) app.UI {
	return kit.El("li").Body(kit.El("button.pal-item type=button data-act=add-component data-arg=% data-bring=% aria-label=% title=% disabled=%", k.Type, k.Type,
		k.FullLabel(), k.Help(), kit.Yes(p.ReadOnly())).Body(kit.Icon(k.Icon), kit.El("span").Text(text)))
}

// Add adds a component of a kind: to the selected step, else to the one that was selected last, else to the last one on the main path, else to
// a new one. It reports whether it did.
func (p *Panel) Add(ctx app.Context, k *model.Kind) bool {
	if k == nil || p.Canvas == nil {
		return false
	}
	was := p.Editor.State()
	if !p.Run(ctx, p.Editor.Make().Fill(k, p.Canvas.Scene())) {
		return false
	}
	if now := p.Editor.State(); now.Selection.Only() != was.Selection.Only() {
		p.Canvas.Reveal(now.Selection.Only())
		p.SayUndo(ctx, "Added to "+describe.QuotedNode(now.Form, now.Selection.Only())+".")
	}
	return true
}
