package ui

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// leftPanel draws the palette, the outline, the problems and the history as tabs.
func (p *parts) leftPanel() app.UI {
	count, class := 0, ""
	if p.Editor != nil {
		if count, _ = p.problems.Counted(); !p.problems.Blocking() {
			class = "note"
		}
	}
	return kit.El("aside.left aria-label=%", "Components and outline").Body(
		kit.El("div.tabs").Body(
			kit.El("div.tab-list role=tablist aria-label=%", "Left panel").Body(
				p.tab(workspace.Components, "Components", "", 0, ""), p.tab(workspace.Outline, "Outline", "", 0, ""),
				p.tab(workspace.Problems, "Problems", "warn", count, class), p.tab(workspace.History, "History", "history", 0, "")),
			workspace.CloseButton("left")),
		kit.El("div.tab-panel role=tabpanel aria-labelledby=%", "tab-"+p.Panels.Tab).On("scroll", p.versions.Scrolled).Body(p.tabPanel()),
		app.If(p.Editor != nil, func() app.UI { return p.bar.Foot() }),
	)
}

// tab is the button of a tab, with its name or an icon. The style sheet draws the count, so that it is not part of the tab's accessible name.
func (p *parts) tab(key, name, icon string, count int, class string) app.UI {
	b := kit.Tab("tab-"+key, "tab", key, name, p.Panels.Tab == key, p.Editor == nil)
	if icon != "" {
		b.Class("icon-tab").Body(kit.Icon(icon))
	}
	if count > 0 {
		shown := strconv.Itoa(count)
		if count > 99 {
			shown = "99+"
		}
		b.Class("counted", class).DataSet("count", shown).Title(name + ": " + strconv.Itoa(count))
	}
	return b
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
		return kit.El("div").Body(p.past.Draw(p.Editor.Steps(), time.Now()), p.versions.Draw(time.Now(), p.popup.Of()))
	}
	return p.palette.Draw()
}

// dialog draws the open dialog.
func (p *parts) dialog() app.UI {
	draws := []func() app.UI{p.search.Draw, p.connect.Draw, p.transfer.Draw, p.help.Draw}
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
