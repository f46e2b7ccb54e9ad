package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/history"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/outline"
	"github.com/formgraph/formgraph/app/ui/previewer"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/scenarios"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// openMenu opens the menu of a button, or closes it.
func (p *editorPage) openMenu(ctx app.Context, of string, button app.Value) {
	if p.context.openSubmenu(ctx, of) {
		return
	}
	if p.popup.Of() == of {
		p.popup.CloseBack()
		return
	}
	if p.popup.Within(button) { // the next menu opens in the place of this one
		p.popup.CloseBack()
		button = kit.Element(kit.Control(kit.OpenMenu, "more"))
	}
	var title string
	var items []kit.Item
	switch of {
	case previewer.Menu:
		title, items = "View", p.preview.MenuItems()
	case scenarios.Menu:
		title, items = "Scenarios", p.scenarios.MenuItems()
	default:
		if flows, ok := p.inspector.FlowItems(of); ok {
			title, items = "Your flows", flows
		} else if version, ok := p.versions.OfMenu(of); ok {
			title, items = "Version", version
		} else {
			title, items = p.bar.Menu(of)
		}
	}
	p.popup.OpenAt(ctx, of, title, items, button)
}

// listenMenus opens the menus of rows and closes all menus, and a sheet follows the finger.
func (p *editorPage) listenMenus(ctx app.Context) (stop func()) {
	drag := kit.Listen("pointerdown", func(e app.Value) { p.Panels.Drag(ctx, e, p.closeSheet) })
	leave := p.popup.Listen(ctx)
	ask := kit.ListenMenu(func(a kit.Asked) {
		ctx.Dispatch(func(ctx app.Context) {
			defer p.Rescue(ctx)
			p.openRow(ctx, a)
		})
	})
	return func() { drag(); leave(); ask() }
}

// openRow opens the menu of a row of a panel.
func (p *editorPage) openRow(ctx app.Context, a kit.Asked) {
	if p.Editor == nil {
		return
	}
	switch a.Menu {
	case outline.RowMenu:
		if p.tree.Point(a.Element) {
			p.context.openAt(ctx, graph.Vec{X: a.X, Y: a.Y})
		}
	case history.RowMenu:
		p.popup.Open(ctx, contextMenuName, "Step", historyItems(p.Workspace, a.Of), a.X, a.Y, a.Hold())
	case versions.RowMenu:
		p.popup.Open(ctx, contextMenuName, "Version", p.versions.Menu(a.Of), a.X, a.Y, a.Hold())
	case problems.RowMenu:
		p.popup.Open(ctx, contextMenuName, "Problem", p.problems.Menu(a.Of), a.X, a.Y, a.Hold())
	}
}

// historyItems are the lines of the menu of a step of the history.
func historyItems(w *workspace.Workspace, of string) []kit.Item {
	var items []kit.Item
	if it := history.Jump(w.Editor.Steps(), of); it.Name != "" {
		items = append(items, it, kit.Item{})
	}
	for _, id := range [...]command.ID{command.Undo, command.Redo, command.Compare} {
		if command.Of(id).Needs.Offered(w.Situation()) {
			items = append(items, topbar.CommandItem(w, id))
		}
	}
	return items
}
