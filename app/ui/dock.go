package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// dock draws the panel below the canvas: the journey of the preview, and, if the tests are shown, the impact of changes above it and the
// scenarios below it. The journey alone is a strip of one line while it is short.
func (p *parts) dock() app.UI {
	if p.Editor == nil || p.Panels.Dock == "" {
		return kit.El("section.dock hidden=true")
	}
	name, label, class, body := "Test", "Tests", "", []app.UI{p.preview.Journey()}
	if p.Panels.Dock == workspace.Journey {
		name, label = "Journey", "Journey of the preview" // the list in it is called Journey
		if p.preview.Brief() {
			class = "strip"
		}
	} else {
		body = []app.UI{p.impact.Draw(), body[0], p.scenarios.Draw(p.popup.Of())}
	}
	return kit.El("section.dock class=% aria-label=%", class, label).Body(
		kit.El("header").Body(kit.El("h2").Text(name), kit.IconButton("dock-close", "Close the panel below", "close", true)),
		kit.El("div.dock-body").Body(body...),
	)
}

// toggleTests opens or closes the panel of the tests. While the preview runs, its journey stays.
func (p *parts) toggleTests(ctx app.Context) {
	if p.Panels.Dock == workspace.Test {
		p.closeDock()
		return
	}
	p.scenarios.Open(ctx)
	p.impact.Refresh(ctx)
}

// closeDock closes the panel below the canvas, or leaves the journey of the preview there.
func (p *parts) closeDock() {
	if p.Panels.Dock == workspace.Test && p.preview.Opened() {
		p.Panels.Dock = workspace.Journey
	} else {
		p.Panels.Dock = ""
	}
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
