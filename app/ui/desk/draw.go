package desk

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Views draws the tabs that choose between the canvas and the pages of the desk. Until there is a form they are invisible, but in their place:
// the form opens clear of them. left reports whether the left panel is open
// beside the canvas: the tabs then keep their place on a page that covers it.
func (p *Panel) Views(left bool) app.UI {
	var tabs []app.UI
	for _, v := range views {
		on, stop := p.on(v.key), "-1"
		if on {
			stop = "0"
		}
		tabs = append(tabs, kit.El("button type=button role=tab id=% aria-selected=% tabindex=% data-act=% data-arg=%",
			"view-"+v.key, kit.Yes(on), stop, viewAct, v.key).Text(v.name))
	}
	return kit.El("div.views role=tablist aria-label=% data-inset=% data-wait=%", "Views", kit.Yes(left && p.Covers()), kit.Yes(p.Editor == nil)).On("keydown", p.key).Body(tabs...)
}

// Items returns the lines of a menu in which people choose a view.
func (p *Panel) Items() []kit.Item {
	var items []kit.Item
	for _, v := range views {
		items = append(items, kit.Item{Row: "View", Act: viewAct, Arg: v.key, Name: v.name, Chosen: p.on(v.key)})
	}
	return items
}

// viewAct is the act of the controls that show a view.
const viewAct = "view"

// on reports whether a view is shown. The graph is shown even while a page is beside it.
func (p *Panel) on(view string) bool { return view == p.page || !p.Covers() && view == workspace.Graph }

// key moves among the tabs with the arrow keys.
func (p *Panel) key(ctx app.Context, e app.Event) {
	by := map[string]int{"ArrowRight": 1, "ArrowLeft": -1}[e.Get("key").String()]
	if by == 0 {
		return
	}
	e.PreventDefault()
	at := 0
	for i, v := range views {
		if v.key == p.page {
			at = i
		}
	}
	to := views[(at+by+len(views))%len(views)].key
	p.Show(ctx, to)
	kit.Focus("#view-" + to)
}

// Inert returns the attribute to add to the spec of an element behind the desk, "" if the desk covers nothing. It is left out rather than false, since
// inert counts with any value.
func (p *Panel) Inert() string {
	if p.Covers() {
		return " inert=true"
	}
	return ""
}

// Draw draws the host of the pages. Its children belong to the script.
func (p *Panel) Draw() app.UI {
	if p.Beside() {
		return kit.El("section.desk.beside id=desk role=region data-testid=% aria-label=%", p.page, kit.Initial(p.page)+p.page[1:])
	}
	return kit.El("section.desk id=desk role=tabpanel data-testid=% aria-labelledby=% hidden=%", p.page, "view-"+p.page, kit.Yes(!p.Shown()))
}
