package ui

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
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

// offerNode opens the menu where a connection was dropped, or the button of an edge was
// pressed: the node that is chosen stands there and the connection leads to it.
func (p *editorPage) offerNode(ctx app.Context, d gesture.Drop, at graph.Vec) {
	p.openMenu(ctx, true)
	if d.Middle {
		at.Y += gesture.PlusSize // below the button
	}
	p.drop, p.dropAt = &d, at
}

// listenOutside closes the menu when something else is pressed. A click would not
// do: the release that drops a connection is one.
func (p *editorPage) listenOutside(ctx app.Context) (stop func()) {
	return kit.Listen("pointerdown", func(e app.Value) {
		if p.menu && !e.Get("target").Call("closest", ".menu, [data-act=menu]").Truthy() {
			ctx.Dispatch(func(ctx app.Context) { p.openMenu(ctx, false) })
		}
	})
}

// addNode adds a node where the menu was opened for one, else on the way that the selection says, else by itself
// in the middle of what is in view.
func (p *editorPage) addNode(ctx app.Context, kind model.NodeType) {
	drop := p.drop
	p.menu, p.drop = false, nil
	if p.island == nil {
		return
	}
	was := p.ed.State()
	way, onWay := editor.WayToAdd(was)
	if drop != nil {
		way, onWay = drop.From, true
	}
	var c editor.Command
	switch {
	case drop != nil && !drop.Middle:
		// The handle on its left side is where the connection ended.
		at := drop.At.Sub(graph.Vec{Y: graph.HeaderHeight / 2}).Point()
		c = p.ed.NewNode(kind, p.island.FreePlace(at), &drop.From)
	case onWay:
		c = p.ed.NewNodeOn(kind, way, p.island.Scene())
	default:
		c = p.ed.NewNode(kind, p.island.FreePlace(p.island.Center()), nil)
	}
	if !p.run(ctx, c) {
		return
	}
	if drop == nil || drop.Middle { // else it stands where the pointer is
		p.island.Reveal(p.ed.State().Selection.Only())
	}
	if onWay {
		p.sayUndo(ctx, added(was.Form, kind, way))
	}
}

// remove deletes what is selected. Of an edge it says what it joined: nothing else on the screen does.
func (p *editorPage) remove(ctx app.Context, heal bool) {
	was := p.ed.State()
	if edge := was.Selection.Edge; p.run(ctx, editor.RemoveSelection{Heal: heal}) && edge != nil {
		p.sayUndo(ctx, disconnected(was.Form, *edge))
	}
}

// sayUndo is say with a button that takes back what was done.
func (p *editorPage) sayUndo(ctx app.Context, text string) {
	p.say(ctx, text)
	p.undoable = true
}

// placeOf returns where a node is drawn.
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
	index := -1
	if s.Selection.Component != "" {
		if c, _, j := s.Form.Component(s.Selection.Component); j >= 0 && !c.Button() {
			index = j + 1
		}
	}
	if p.run(ctx, p.ed.NewComponent(k, n.ID, index)) && p.pointer && p.right {
		p.editText(ctx) // its name is typed next; a key that pressed the button goes on from there
	}
}

// editText moves the focus to the text of what is selected: E and a double click.
func (p *editorPage) editText(ctx app.Context) {
	p.right = true
	selector := ".right [data-path]"
	if path := inspector.EditPath(p.ed.State()); path != nil {
		selector = "[data-path=" + strconv.Quote(path.String()) + "]"
	}
	kit.FocusSoon(ctx, selector, 0)
}

// showFolded shows the components or rules of the selected node in the inspector,
// from the first that its card folds away.
func (p *editorPage) showFolded(ctx app.Context) {
	p.right = true
	p.left = p.left && wide() // one drawer at a time
	kit.FocusSoon(ctx, ".right .parts > :nth-child("+strconv.Itoa(graph.FoldAfter+1)+") .part", 0)
}
