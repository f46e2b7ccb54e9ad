package ui

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// dock draws the panels below the canvas as tabs. It is closed until one of them is opened.
func (p *parts) dock() app.UI {
	if p.Editor == nil || p.Panels.Dock == "" {
		return kit.El("section.dock hidden=true")
	}
	var content app.UI
	switch p.Panels.Dock {
	case workspace.Scenarios:
		content = p.scenarios.Draw(p.popup.Of())
	case workspace.Impact:
		content = p.impact.Draw()
	default:
		content = p.preview.Journey()
	}
	tabs := []app.UI{}
	for _, tab := range []struct {
		key, name string
		open      bool
		count     int
	}{{workspace.Journey, "Journey", p.preview.Opened(), 0}, {workspace.Scenarios, "Scenarios", true, p.scenarios.Failing()}, {workspace.Impact, "Impact", true, 0}} {
		b := kit.Tab("dock-"+tab.key, "dock", tab.key, tab.name, p.Panels.Dock == tab.key, !tab.open)
		if tab.count > 0 {
			b.Class("counted").DataSet("count", strconv.Itoa(tab.count))
		}
		tabs = append(tabs, b)
	}
	return kit.El("section.dock aria-label=%", "Journey, scenarios and impact").Body(
		kit.El("header").Body(
			kit.El("div.tabs role=tablist").Body(tabs...), kit.El("span.push"), kit.IconButton("dock-close", "Close the panel below", "close", true)),
		kit.El("div.dock-body role=tabpanel aria-labelledby=%", "dock-"+p.Panels.Dock).Body(content),
	)
}

// scenariosButton opens and closes the scenarios, and counts those that do not take their path.
func (p *parts) scenariosButton() app.UI {
	b := topbar.Button(p.Workspace, command.ShowScenarios).Aria("pressed", kit.Yes(p.Panels.Dock == workspace.Scenarios))
	if n := p.scenarios.Failing(); n > 0 {
		b.Class("counted").DataSet("count", strconv.Itoa(n))
	}
	return b
}

// toggleScenarios opens or closes the scenarios.
func (p *parts) toggleScenarios(ctx app.Context) {
	if p.Panels.Dock == workspace.Scenarios {
		p.Panels.Dock = ""
		return
	}
	p.scenarios.Open(ctx)
}

// showView shows the canvas or a page of the desk.
func (p *parts) showView(ctx app.Context, view string) {
	p.preview.Close()
	if !workspace.Wide() {
		p.Panels.Close()
	}
	p.desk.Show(ctx, view)
	p.Sync(ctx)
}

// showDock shows a tab of the dock.
func (p *parts) showDock(ctx app.Context, tab string) {
	switch tab {
	case workspace.Scenarios:
		p.scenarios.Open(ctx)
	case workspace.Impact:
		p.impact.Open(ctx)
	default:
		p.Panels.Dock = tab
	}
}
