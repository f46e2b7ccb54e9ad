package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// openMenu opens the menu of a button, or closes it.
func (p *editorPage) openMenu(ctx app.Context, of string, button app.Value) {
	if p.popup.Of() == of {
		p.popup.CloseBack()
		return
	}
	if p.popup.Within(button) { // the next menu opens in the place of this one
		p.popup.CloseBack()
		button = kit.Element(kit.Control(kit.OpenMenu, "more"))
	}
	title, items := p.bar.Menu(of)
	p.popup.OpenAt(ctx, of, title, items, button)
}

// closeMenus closes the menu on a press outside it, and a sheet follows the finger.
func (p *editorPage) closeMenus(ctx app.Context) (stop func()) {
	return kit.Listen("pointerdown", func(e app.Value) {
		p.Panels.Drag(ctx, e)
		if p.popup.Outside(e.Get("target")) {
			ctx.Dispatch(func(app.Context) { p.popup.Close() })
		}
	})
}
