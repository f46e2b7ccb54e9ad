package ui

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/workspace"
)

// uncover returns a function that moves the graph out from under what was opened over the canvas since uncover was called, once that is drawn. Of
// two sheets it keeps the panel.
func (p *parts) uncover(ctx app.Context) func() {
	was := p.sheet()
	return func() {
		if p.Panels.Left && p.sheet() == deskSheet {
			p.desk.Yield()
			p.Redraw(ctx)
		}
		if now := p.sheet(); now != noSheet && now != was && p.Canvas != nil {
			ctx.Defer(func(app.Context) { p.Canvas.Uncover() })
		}
	}
}

// sheet is what covers the bottom of the canvas in a narrow window.
type sheet int

// The sheets.
const (
	noSheet sheet = iota
	panelSheet
	deskSheet
)

func (p *parts) sheet() sheet {
	switch {
	case p.desk.Beside() && !workspace.Wide():
		return deskSheet
	case p.Panels.Cover():
		return panelSheet
	default:
		return noSheet
	}
}

// closeSheet closes what is a sheet in a narrow window.
func (p *parts) closeSheet(ctx app.Context) {
	if p.desk.Beside() {
		p.desk.Close(ctx)
	}
	p.Panels.Close()
}
