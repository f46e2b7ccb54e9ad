// Package addmenu is the menu that adds a node: behind the selected one, on an edge, at the end of a dropped connection, or at a place.
package addmenu

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Menu is the menu of "Add node".
type Menu struct {
	*workspace.Workspace
	open   bool
	drop   *gesture.Drop // the connection that the new node is for
	dropAt graph.Vec     // position of the menu for that connection, in the canvas
}

// IsOpen reports whether the menu is open.
func (p *Menu) IsOpen() bool { return p.open }

// Toggle opens or closes the menu.
func (p *Menu) Toggle(ctx app.Context) { p.set(ctx, !p.open) }

// Close closes the menu without moving the focus.
func (p *Menu) Close() { p.open = false }

// set opens or closes the menu.
func (p *Menu) set(ctx app.Context, open bool) {
	p.open = open
	if !open {
		p.Dialog.Origin.Forget()
	}
	p.Dialog.Origin.Keep()
	p.drop = nil
	if open {
		ctx.Dispatch(func(ctx app.Context) { ctx.Defer(func(app.Context) { kit.Focus(".menu [role=menuitem]") }) })
	}
}

// Offer opens the menu at the place where a connection was dropped or the button of an edge was pressed. The
// chosen node is added there and becomes the target of the connection.
func (p *Menu) Offer(ctx app.Context, d gesture.Drop, at graph.Vec) {
	p.set(ctx, true)
	if d.Middle {
		at.Y += gesture.PlusSize // below the button
	}
	p.drop, p.dropAt = &d, at
}

// Listen closes the menu on a press outside it. A click event would not work: releasing a dropped connection
// causes one.
func (p *Menu) Listen(ctx app.Context) (stop func()) {
	return kit.Listen("pointerdown", func(e app.Value) {
		if p.open && !kit.Near(e, ".menu, [data-act=menu]").Truthy() {
			ctx.Dispatch(func(ctx app.Context) { p.set(ctx, false) })
		}
	})
}

// Add adds a node on the way out for which the menu was opened, else on that of the selection or of the main path, and reports whether it
// did. The node is where a connection was dropped, or at place if that is not nil, else where there is room.
func (p *Menu) Add(ctx app.Context, kind model.NodeType, place *model.Point) bool {
	drop := p.drop
	p.open, p.drop = false, nil
	if p.Canvas == nil {
		return false
	}
	was := p.Editor.State()
	way, scene := editor.WayToAdd(was), p.Canvas.Scene()
	if drop != nil {
		way = drop.From
	}
	spot, inView := editor.SpotOn(way, scene), false
	switch {
	case place != nil:
		spot, inView = editor.SpotAt(graph.At(*place), way, scene), true
	case drop != nil && !drop.Middle:
		// The handle on the node's left side is at the end of the connection.
		spot, inView = editor.SpotAt(drop.At.Sub(graph.Vec{Y: graph.HeaderHeight / 2}), way, scene), true
	}
	if !p.Run(ctx, p.Editor.Make().NodeIn(kind, spot)) {
		return false
	}
	if !inView {
		p.Canvas.Reveal(p.Editor.State().Selection.Only())
	}
	p.SayUndo(ctx, describe.Added(was.Form, p.Editor.State(), way))
	return true
}

// kinds are the kinds of nodes, by the commands that add them, with what a node of each does.
var kinds = [...]struct {
	id         command.ID
	name, does string
}{
	{command.AddStep, "Step", "Asks people for answers"},
	{command.AddRouter, "Router", "Chooses the way by rules"},
	{command.AddFlow, "Flow", "Runs one of your flows"},
}

// sign draws the icon of a kind on its color.
func sign(icon string) app.UI { return kit.El("span.k class=%", icon).Body(kit.Icon(icon)) }

// Draw draws the button that adds a node, with its menu, and one for each kind, which is named where the canvas is wide.
func (p *Menu) Draw() app.UI {
	if p.ReadOnly() {
		return kit.El("div hidden=true")
	}
	items := kit.El("div hidden=true")
	if p.open {
		var lines []app.UI
		for _, k := range kinds {
			c := command.Of(k.id)
			lines = append(lines, kit.El("button.menu-item type=button role=menuitem aria-label=% aria-description=% data-act=%", k.name, k.does, string(k.id)).
				Body(sign(c.Icon), kit.El("span").Body(app.Text(k.name), kit.El("small data-text=%", k.does)), kit.El("span.key aria-hidden=true data-key=%", c.Keys[0].String())))
		}
		items = kit.El("div.menu role=menu aria-label=%", "Add node").Body(lines...)
	}
	if p.drop != nil {
		return kit.El("div").Body(
			kit.El("div.add-here style=%", fmt.Sprintf("left:min(%.0fpx,100%% - 256px);top:min(%.0fpx,100%% - 168px)", p.dropAt.X,
				p.dropAt.Y)).Body(items),
			p.button(kit.El("div hidden=true")),
		)
	}
	return kit.El("div").Body(kit.El("div hidden=true"), p.button(items))
}

func (p *Menu) button(items app.UI) app.UI {
	body := []app.UI{
		items,
		kit.El("button.quiet type=button data-act=menu aria-haspopup=menu aria-expanded=% aria-label=% title=%", kit.Yes(p.open),
			"Add node", "Add node"+" (N)").Body(kit.Icon("plus")),
	}
	for _, k := range kinds {
		c, name := command.Of(k.id), "Add "+strings.ToLower(k.name)
		body = append(body, kit.El("button.icon.add-kind type=button data-act=% data-bring=% aria-label=% title=%", string(k.id), string(command.NodeOf(k.id)), name, name+" (N "+c.Keys[0].String()+")").
			Body(sign(c.Icon), kit.El("span").Text(k.name)))
	}
	return kit.El("div.add").Body(body...)
}

// Key handles a key while the menu is open.
func (p *Menu) Key(ctx app.Context, e app.Event, key string) {
	if id := command.For(key, 0, command.InMenu); id != command.None {
		e.PreventDefault()
		p.Perform(ctx, id, "")
		p.Dialog.Origin.Back()
		return
	}
	doc := app.Window().Get("document")
	item := doc.Get("activeElement")
	switch key {
	case "Escape":
		p.open = false
		if !p.Dialog.Origin.Outline() && p.drop == nil {
			kit.Focus("[data-act=menu]")
			break
		}
		p.drop = nil
		p.Dialog.Origin.Back()
	case "ArrowDown":
		if next := item.Get("nextElementSibling"); next.Truthy() {
			next.Call("focus")
		}
	case "ArrowUp":
		if prev := item.Get("previousElementSibling"); prev.Truthy() {
			prev.Call("focus")
		}
	default:
		return
	}
	e.PreventDefault()
}
