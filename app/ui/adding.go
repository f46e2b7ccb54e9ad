//go:build js

package ui

import (
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// openMenu opens or closes the menu of "Add node".
func (p *editorPage) openMenu(ctx app.Context, open bool) {
	p.menu = open
	p.inOutline = p.tree.focused() || p.inOutline && open
	p.drop = nil
	if open {
		ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { kit.Focus(".menu [role=menuitem]") }) })
	}
}

// offerNode opens the menu where a new connection was dropped: the node that is
// chosen stands there and the connection leads to it.
func (p *editorPage) offerNode(ctx app.Context, d gesture.Drop, at graph.Vec) {
	p.openMenu(ctx, true)
	p.drop, p.dropAt = &d, at
}

// listenOutside closes the menu when something else is pressed. A click would not
// do: the release that drops a connection is one.
func (p *editorPage) listenOutside(ctx app.Context) (stop func()) {
	return kit.Listen("pointerdown", func(e js.Value) {
		if p.menu && !e.Get("target").Call("closest", ".menu, [data-act=menu]").Truthy() {
			ctx.Dispatch(func(ctx app.Context) { p.openMenu(ctx, false) })
		}
	})
}

// addNode adds a node beside the selected one and leads to it where that one
// leads nowhere yet; without a selection in the middle of what is in view.
func (p *editorPage) addNode(ctx app.Context, kind model.NodeType) {
	drop := p.drop
	p.menu, p.drop = false, nil
	if drop != nil {
		// The handle on its left side is where the connection ended.
		at := drop.At.Sub(graph.Vec{Y: graph.HeaderHeight / 2}).Point()
		p.run(ctx, p.ed.NewNode(kind, p.island.FreePlace(at), &drop.From))
		return
	}
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
