//go:build js

package ui

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

// openMenu opens or closes the menu of "Add node".
func (p *editorPage) openMenu(ctx app.Context, open bool) {
	p.menu = open
	if open {
		ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { focus(".menu [role=menuitem]") }) })
	}
}

// addNode adds a node beside the selected one and leads to it where that one
// leads nowhere yet; without a selection in the middle of what is in view.
func (p *editorPage) addNode(ctx app.Context, kind model.NodeType) {
	p.menu = false
	s := p.ed.State()
	var after *editor.EdgeRef
	near := model.Point{}
	if p.island != nil {
		near = p.island.Center()
	}
	if id := s.Selection.Only(); id != "" && id != model.EndingID {
		if at, ok := p.placeOf(id); ok {
			near = at.Add(model.Point{X: nodeGap})
			if id == model.StartID {
				near = at.Add(model.Point{X: nodeGap / 2})
			}
		}
		for _, port := range []model.Port{model.NextPort, model.FallbackPort} {
			if out, ok := s.Form.OutOf(id, port); ok && out.To == "" {
				after = &editor.EdgeRef{From: id, Port: port}
			}
		}
	}
	if p.island != nil {
		near = p.island.FreePlace(near)
	}
	if p.run(ctx, p.ed.NewNode(kind, near, after)) && p.island != nil {
		p.island.Reveal(p.ed.State().Selection.Only())
	}
}

// nodeGap is how far right of a node the next one is put, in form units: a card
// is 280 wide.
const nodeGap = 360

func (p *editorPage) placeOf(id string) (model.Point, bool) {
	if p.island != nil {
		return p.island.PlaceOf(id)
	}
	return model.Point{}, false
}

// addComponent adds a component to the selected step, behind the selected
// component when there is one that is no button at its end.
func (p *editorPage) addComponent(ctx app.Context, k *model.Kind) {
	s := p.ed.State()
	n, _ := s.Form.Node(s.Selection.Only())
	if k == nil {
		return
	}
	if n == nil || n.Type != model.StepNode {
		p.say(ctx, t.SelectStep)
		return
	}
	index := -1
	if s.Selection.Component != "" {
		if c, _, j := s.Form.Component(s.Selection.Component); j >= 0 && !strings.HasSuffix(c.Type, "_BUTTON") {
			index = j + 1
		}
	}
	p.run(ctx, p.ed.NewComponent(k, n.ID, index))
}
