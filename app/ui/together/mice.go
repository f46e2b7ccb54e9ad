package together

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/canvas"
)

// mice are those of the people, over the canvas.
type mice struct {
	shown bool // others are
	soon  bool // the page's own is told soon
}

// Pointed tells others where the mouse is, soon.
func (p *Panel) Pointed(ctx app.Context) {
	if p.mice.soon || len(p.people.List()) == 0 || p.Saved == nil {
		return
	}
	p.mice.soon = true
	ctx.After(showPause, func(ctx app.Context) {
		ctx.PreventUpdate()
		p.mice.soon = false
		if rest := p.show(ctx); rest > 0 {
			p.Pointed(ctx)
		}
	})
}

// showMice shows where the mice of the other people are.
func (p *Panel) showMice() {
	if p.Canvas == nil {
		return
	}
	var list []canvas.Pointer
	for _, q := range p.people.List() {
		if q.At != nil && q.Sub != p.User.Sub {
			list = append(list, canvas.Pointer{Visitors: canvas.Visitors{Names: p.nameOf(q), Hue: q.Hue}, At: *q.At, Node: q.Node})
		}
	}
	if len(list) > 0 || p.mice.shown {
		p.mice.shown = len(list) > 0
		p.Canvas.ShowPointers(list)
	}
}
