//go:build js

package ui

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Render draws the page. The canvas host has no children and no changing
// attributes: what is inside it is the island's.
func (p *editorPage) Render() app.UI {
	open := func(b bool) string {
		if b {
			return "open"
		}
		return "closed"
	}
	return el("div.editor data-left=% data-right=%", open(p.left && p.err == nil), open(p.right && p.err == nil)).
		OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("focusout", p.onLeave).On("keydown", p.onKey).
		Body(
			p.bar(),
			p.banners(),
			el("main.work").Body(
				p.leftPanel(),
				el("section.stage aria-label=%", t.Graph).Body(
					el("div.canvas id=canvas data-testid=canvas"),
					p.overlay(),
					p.zoomControls(),
					p.addMenu(),
				),
				p.rightPanel(),
			),
			p.dialogs(),
			el("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", t.Import),
			el("datalist id=flows").Body(app.Range(p.flows).Slice(func(i int) app.UI {
				return el("option value=%", p.flows[i].ID).Text(p.flows[i].Name)
			})),
			el("div.toasts role=status aria-live=polite").Body(
				app.If(p.toast != "", func() app.UI { return el("div.toast").Text(p.toast) }),
			),
		)
}

// heading is what the page is about, for who does not see it.
func (p *editorPage) heading() string {
	if p.ed == nil {
		return t.Product
	}
	return p.ed.State().Form.Name
}

// overlay covers the canvas while there is no form to draw.
func (p *editorPage) overlay() app.UI {
	switch {
	case p.ed != nil && len(p.ed.State().Form.Nodes) == 0:
		return el("div.empty-hint").Text(t.EmptyForm)
	case p.island != nil && p.island.Lost():
		return el("button.lost type=button data-act=fit").Body(icon("fit"), el("span").Text(t.BackToContent))
	case p.ed != nil:
		return el("div hidden=true")
	case statusOf(p.err) == 401:
		return el("div.overlay").Body(notice("user", t.SignedOut, t.SignedOutText, textButton("sign-in-page", t.SignIn, "primary")))
	case p.err != nil:
		return el("div.overlay").Body(notice("warn", t.NotLoaded, sentence(p.err),
			el("div.buttons").Body(textButton("home", t.AllForms, "secondary"), textButton("reload", t.Retry, "primary"))))
	}
	return el("div.overlay").Body(el("div.notice role=status").Body(el("span.busy"), el("p").Text(t.LoadingForm)))
}

func (p *editorPage) zoomControls() app.UI {
	percent := ""
	if p.island != nil {
		percent = fmt.Sprintf("%.0f%%", p.island.Viewport().Zoom*100)
	}
	return el("div.zoom hidden=%", yes(p.ed == nil)).Body(
		iconButton("zoom-out", t.ZoomOut, "minus", true), el("span").Text(percent), iconButton("zoom-in", t.ZoomIn, "plus", true),
		iconButton("fit", t.FitView, "fit", true),
	)
}

// addMenu is the button that adds a node, and its menu.
func (p *editorPage) addMenu() app.UI {
	if p.ed == nil || p.ed.ReadOnly() {
		return el("div hidden=true")
	}
	items := el("div hidden=true")
	if p.menu {
		item := func(kind, name, symbol string) app.UI {
			return el("button.menu-item type=button role=menuitem aria-label=% data-act=add-node data-arg=%", name, kind).
				Body(el("span.k class=%", symbol).Body(icon(symbol)), el("span").Text(name), el("span.key aria-hidden=true data-key=%", initial(name)))
		}
		items = el("div.menu role=menu aria-label=%", t.AddNode).Body(
			item("STEP", t.Step, "step"), item("FLOW", t.Flow, "flow"), item("ROUTER", t.Router, "router"),
		)
	}
	if p.drop != nil {
		return el("div").Body(
			el("div.add-here style=%", fmt.Sprintf("left:min(%.0fpx,100%% - 208px);top:min(%.0fpx,100%% - 132px)", p.dropAt.X, p.dropAt.Y)).Body(items),
			p.addButton(el("div hidden=true")),
		)
	}
	return el("div").Body(el("div hidden=true"), p.addButton(items))
}

func (p *editorPage) addButton(items app.UI) app.UI {
	return el("div.add").Body(
		items,
		el("button.quiet type=button data-act=menu aria-haspopup=menu aria-expanded=% title=%", yes(p.menu), t.AddNode+" (N)").Body(icon("plus"), el("span").Text(t.AddNode)),
	)
}
