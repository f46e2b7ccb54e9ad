package ui

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
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
	return kit.El("div.editor data-left=% data-right=%", open(p.left && p.err == nil), open(p.right && p.err == nil)).
		OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("focusout", p.onLeave).On("keydown", p.onKey).
		Body(
			p.bar(),
			p.banners(),
			kit.El("main.work").Body(
				p.leftPanel(),
				kit.El("section.stage aria-label=%", "Form graph").Body(
					kit.El("div.canvas id=canvas data-testid=canvas"),
					p.overlay(),
					p.zoomControls(),
					p.addMenu(),
				),
				p.rightPanel(),
				kit.El("button.scrim type=button tabindex=-1 data-act=close-drawers aria-label=%", "Close the panel"),
			),
			p.dialogs(),
			kit.El("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", "Import"),
			kit.El("datalist id=flows").Body(app.Range(p.flows).Slice(func(i int) app.UI {
				return kit.El("option value=%", p.flows[i].ID).Text(p.flows[i].Name)
			})),
			kit.El("div.toasts role=status aria-live=polite").Body(
				app.If(p.toast != "", func() app.UI { return p.toastBox() }),
			),
		)
}

// toastBox shows what was said last.
func (p *editorPage) toastBox() app.UI {
	undo := kit.El("span hidden=true")
	if p.undoable {
		undo = kit.El("button.link type=button data-act=undo-toast").Text("Undo")
	}
	return kit.El("div.toast").Body(kit.El("span").Text(p.toast), undo)
}

// heading is what the page is about, for who does not see it.
func (p *editorPage) heading() string {
	if p.ed == nil {
		return "Formgraph"
	}
	return p.ed.State().Form.Name
}

// overlay covers the canvas while there is no form to draw.
func (p *editorPage) overlay() app.UI {
	switch {
	case p.ed != nil && len(p.ed.State().Form.Nodes) == 0:
		return p.emptyForm()
	case p.island != nil && p.island.Lost():
		return kit.El("button.lost type=button data-act=fit").Body(kit.Icon("fit"), kit.El("span").Text("Back to the form"))
	case p.ed != nil:
		return kit.El("div hidden=true")
	case kit.StatusOf(p.err) == 401:
		return kit.El("div.overlay").Body(kit.Notice("user", "You are signed out", "Sign in to see and edit the forms of your tenant.", kit.TextButton("sign-in-page", "Sign in", "primary")))
	case kit.StatusOf(p.err) == 404 && p.draft.taken != nil && p.draft.taken.Log != nil:
		return kit.El("div.overlay").Body(kit.Notice("warn", "This form is gone", "It was deleted, or you can no longer open it. Your unsaved work on it is still in this browser.", kit.El("div.buttons").Body(
			kit.TextButton("home", "All forms", "secondary"), kit.TextButton("save-as-new", "Save as a new form", "primary").Attr("disabled", !p.user.Can("create:forms")))))
	case kit.StatusOf(p.err) == 404: // asking again would not help
		return kit.El("div.overlay").Body(kit.Notice("warn", formNotLoaded, kit.Sentence(p.err), kit.TextButton("home", "All forms", "primary")))
	case p.err != nil:
		return kit.El("div.overlay").Body(kit.Notice("warn", formNotLoaded, kit.Sentence(p.err),
			kit.El("div.buttons").Body(kit.TextButton("home", "All forms", "secondary"), kit.TextButton("reload", "Try again", "primary"))))
	}
	return kit.El("div.overlay").Body(kit.El("div.notice role=status").Body(kit.El("span.busy"), kit.El("p").Text("Loading the form…")))
}

// emptyForm stands on the canvas of a form without nodes and offers the first one.
func (p *editorPage) emptyForm() app.UI {
	if p.ed.ReadOnly() {
		return kit.El("div.empty-hint").Text("This form has no steps yet.")
	}
	return kit.El("div.empty-hint").Body(kit.El("p").Text("This form has no steps yet."),
		kit.El("button.primary type=button data-act=add-step").Body(kit.Icon("plus"), kit.El("span").Text("Add the first step")))
}

func (p *editorPage) zoomControls() app.UI {
	percent := ""
	if p.island != nil {
		percent = fmt.Sprintf("%.0f%%", p.island.Viewport().Zoom*100)
	}
	return kit.El("div.zoom hidden=%", kit.Yes(p.ed == nil)).Body(
		p.button(command.ZoomOut), kit.El("span").Text(percent), p.button(command.ZoomIn), p.button(command.FitView),
	)
}

// addMenu is the button that adds a node, and its menu.
func (p *editorPage) addMenu() app.UI {
	if p.ed == nil || p.ed.ReadOnly() {
		return kit.El("div hidden=true")
	}
	items := kit.El("div hidden=true")
	if p.menu {
		item := func(id command.ID, name string) app.UI {
			c := command.Of(id)
			return kit.El("button.menu-item type=button role=menuitem aria-label=% data-act=%", name, string(id)).
				Body(kit.El("span.k class=%", c.Icon).Body(kit.Icon(c.Icon)), kit.El("span").Text(name), kit.El("span.key aria-hidden=true data-key=%", c.Keys[0].String()))
		}
		items = kit.El("div.menu role=menu aria-label=%", "Add node").Body(
			item(command.AddStep, "Step"), item(command.AddFlow, "Flow"), item(command.AddRouter, "Router"),
		)
	}
	if p.drop != nil {
		return kit.El("div").Body(
			kit.El("div.add-here style=%", fmt.Sprintf("left:min(%.0fpx,100%% - 208px);top:min(%.0fpx,100%% - 132px)", p.dropAt.X, p.dropAt.Y)).Body(items),
			p.addButton(kit.El("div hidden=true")),
		)
	}
	return kit.El("div").Body(kit.El("div hidden=true"), p.addButton(items))
}

func (p *editorPage) addButton(items app.UI) app.UI {
	return kit.El("div.add").Body(
		items,
		kit.El("button.quiet type=button data-act=menu aria-haspopup=menu aria-expanded=% title=%", kit.Yes(p.menu), "Add node"+" (N)").Body(kit.Icon("plus"), kit.El("span").Text("Add node")),
	)
}
