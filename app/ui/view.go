package ui

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Render draws the page. All that changes with the form is in its regions.
func (p *editorPage) Render() app.UI {
	open := func(b bool) string {
		if b {
			return "open"
		}
		return "closed"
	}
	beside := p.err == nil && p.beside()
	left, page := p.Panels.Left && beside, p.desk.Beside()
	right := p.Panels.Right && beside && !page
	p.drawing.turn++
	return kit.El("div.editor data-left=% data-right=% data-page=% data-sheet=%", open(left), open(right), open(page), p.Panels.Sheet.String()).
		OnClick(p.onClick).OnInput(p.onInput).OnChange(p.onChange).On("focusout", p.onLeave).On("keydown", p.onKey).
		Body(
			topbar.Skip(),
			p.region(barStage, func() app.UI { return p.bar.Draw(p.popup.Of()) }),
			p.region(restStage, p.banner),
			p.region(restStage, func() app.UI { return p.dialog() }), // before the message that it hides
			kit.El("main.work").Body(
				p.region(restStage, func() app.UI { return p.leftPanel() }),
				p.region(restStage, p.middle),
				p.region(inspectorStage, func() app.UI { return p.inspector.Draw() }),
				p.region(restStage, func() app.UI { return p.preview.Draw() }),
				kit.El("button.scrim type=button tabindex=-1 data-act=close-drawers aria-label=%", "Close the panel"),
				workspace.Grip(left || right || page),
			),
			p.region(restStage, func() app.UI { return p.bar.Bottom() }),
			kit.El("input id=import-file type=file accept=.json,application/json hidden=true aria-label=%", "Import"),
			kit.El("datalist id=flows").Body(app.Range(p.Flows).Slice(func(i int) app.UI {
				return kit.El("option value=%", p.Flows[i].ID).Text(p.Flows[i].Name)
			})),
			p.popup.Draw(),
		)
}

// middle draws the canvas and what is around it. The host of the canvas has no children and no changing attributes: its content belongs to the
// island.
func (p *editorPage) middle() app.UI {
	return kit.El("div.middle").Body(
		p.desk.Views(p.Panels.Left && !p.preview.Opened()),
		kit.El("section.stage aria-label=%"+p.desk.Inert(), "Form graph").Body(
			kit.El("div.canvas id=canvas data-testid=canvas"),
			p.overlay(p.err, &p.wait),
			p.zoomControls(),
			p.menu.Draw(),
		),
		p.Toast.Box(), // at the lower side of the canvas, above the dock
		p.dock(),
		p.desk.Draw(),
	)
}

// beside reports whether the panels have room beside the canvas. They have none while the preview or a page of the desk takes their place.
func (p *parts) beside() bool { return !p.preview.Opened() && !p.desk.Covers() }

// overlay covers the canvas until there is a form to draw.
func (p *parts) overlay(err error, wait *kit.Wait) app.UI {
	switch {
	case p.Editor != nil && len(p.Editor.State().Form.Nodes) == 0:
		return p.emptyForm()
	case p.Canvas != nil && p.Canvas.Lost():
		return kit.El("button.lost type=button data-act=fit").Body(kit.Icon("fit"), kit.El("span").Text("Back to the form"))
	case p.Editor != nil:
		return kit.El("div hidden=true")
	case kit.StatusOf(err) == 401:
		return kit.El("div.overlay").Body(kit.Notice("user", "Sign in to Formgraph", "You can then see and edit this form.",
			kit.TextButton("sign-in-page", "Sign in", "primary")))
	case kit.Forbidden(err):
		return kit.El("div.overlay").Body(kit.NotAllowedPage(err, p.User))
	case kit.StatusOf(err) == 404 && p.draft.Work() != nil:
		return kit.El("div.overlay").Body(kit.Notice("search", formNotFound,
			"It was deleted, or you can no longer open it. Your unsaved work on it is still in this browser.", kit.El("div.buttons").Body(
				kit.TextButton("home", "All forms", "secondary"), app.If(p.User.Can("create:forms"), func() app.UI {
					return kit.TextButton("save-as-new", "Save as a new form", "primary")
				}))))
	case kit.StatusOf(err) == 404: // a retry would not help
		return kit.El("div.overlay").Body(kit.Notice("search", formNotFound, "It was deleted, or you can no longer open it.", kit.TextButton("home", "All forms", "primary")))
	case wait.Waiting():
		return kit.El("div.overlay").Body(wait.Page("loading"))
	case err != nil:
		return kit.El("div.overlay").Body(kit.Notice("warn", formNotLoaded, kit.Sentence(err),
			kit.El("div.buttons").Body(kit.TextButton("home", "All forms", "secondary"), kit.TextButton("reload", "Try again", "primary"))))
	}
	return kit.El("div.overlay").Body(kit.El("div.notice role=status").Body(kit.El("span.busy"), kit.El("p").Text("Loading the form…")))
}

// emptyForm is shown on the canvas of a form without nodes and offers to add the
// first one.
func (p *parts) emptyForm() app.UI {
	if p.Editor.ReadOnly() {
		return kit.El("div.empty-hint").Text("This form has no steps yet.")
	}
	return kit.El("div.empty-hint").Body(kit.El("p").Text("This form has no steps yet."),
		kit.El("button.primary type=button data-act=add-step").Body(kit.Icon("plus"), kit.El("span").Text("Add the first step")))
}

func (p *parts) zoomControls() app.UI {
	percent := ""
	if p.Canvas != nil {
		percent = fmt.Sprintf("%.0f%%", p.Canvas.Viewport().Zoom*100)
	}
	return kit.El("div.zoom hidden=%", kit.Yes(p.Editor == nil)).Body(
		topbar.Button(p.Workspace, command.ZoomOut), kit.El("span").Text(percent), topbar.Button(p.Workspace, command.ZoomIn),
		topbar.Button(p.Workspace, command.FitView), app.If(!p.ReadOnly(), func() app.UI { return topbar.Button(p.Workspace, command.TidyUp) }),
	)
}
