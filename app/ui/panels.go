package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/help"
	"github.com/formgraph/formgraph/app/ui/history"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// leftPanel draws the palette, the outline, the problems and the history as tabs.
func (p *parts) leftPanel() app.UI {
	count, class := 0, ""
	if p.Editor != nil {
		if count = len(p.Editor.Own()); count == 0 {
			count, class = len(p.Editor.Inherited())+len(p.Editor.Warnings()), "note"
		}
	}
	tabs := []app.UI{
		p.tab(workspace.Components, "Components", 0, ""), p.tab(workspace.Outline, "Outline", 0, ""),
		p.tab(workspace.Problems, "Problems", count, class), p.tab(workspace.History, "History", 0, ""), workspace.CloseButton("left"),
	}
	return kit.El("aside.left aria-label=%", "Components and outline").Body(
		kit.El("div.tabs role=tablist").Body(tabs...),
		kit.El("div.tab-panel role=tabpanel aria-labelledby=%", "tab-"+p.Panels.Tab).Body(p.tabPanel()),
	)
}

// tab is the button of a tab. The style sheet draws the count, so that it is not part of the tab's
// accessible name.
func (p *parts) tab(key, name string, count int, class string) app.UI {
	b := kit.El("button type=button role=tab id=% aria-selected=% data-act=tab data-arg=% disabled=%",
		"tab-"+key, kit.Yes(p.Panels.Tab == key), key, kit.Yes(p.Editor == nil))
	if count == 0 {
		return b.Text(name)
	}
	return b.Text(name).Class(strings.TrimSpace("counted "+class)).DataSet("count", count).Aria("label", name)
}

// tabPanel draws the content of the open tab. The outline has an element of a type that no other tab has, so that go-app does not
// reuse it with the tree inside.
func (p *parts) tabPanel() app.UI {
	switch p.Panels.Tab {
	case workspace.Outline:
		return kit.El("ol.outline data-testid=outline role=tree aria-multiselectable=true aria-label=%", "Outline")
	case workspace.Problems:
		return p.problems.Draw()
	case workspace.History:
		return history.Draw(p.Editor.Steps())
	}
	return p.palette.Draw()
}

// dialog draws the open dialog.
func (p *parts) dialog() app.UI {
	draws := []func() app.UI{p.search.Draw, p.connect.Draw, p.transfer.Draw, func() app.UI { return help.Draw(&p.Dialog) }}
	if p.saver != nil {
		draws = append(draws, p.saver.DrawDialog)
	}
	for _, draw := range draws {
		if ui := draw(); ui != nil {
			return ui
		}
	}
	return kit.El("div hidden=true")
}

// banner explains why the form cannot be saved, or else how the form was opened.
func (p *editorPage) banner() app.UI {
	box := kit.El("div.banners")
	if pause := p.session.making.Pause(); pause != nil {
		return box.Body(kit.El("div.banner").Body(kit.Icon("warn"), pause))
	}
	if p.saver == nil {
		return box
	}
	for _, draw := range []func() app.UI{
		p.saver.Banner, func() app.UI { return p.draft.Banner(p.Editor.Unsaved()) }, p.transfer.Banner,
	} {
		if ui := draw(); ui != nil {
			return box.Body(ui)
		}
	}
	return box
}
