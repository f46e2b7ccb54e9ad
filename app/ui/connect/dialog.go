// Package connect is the dialog that finds the node to which a way out or a property leads, or the selected component moves.
package connect

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Name is the dialog's name.
const Name = "connect"

// Dialog lists the nodes that can be chosen.
type Dialog struct {
	*workspace.Workspace
	filter string                         // the input
	moving bool                           // the dialog moves the selected component
	set    func(to string) editor.Command // sets a property to a node; nil for none
	way    editor.EdgeRef                 // the way out that set sets, zero for another property
	clear  bool                           // set may also clear the property
}

// The entries of the list that are not nodes. A valid id has no plus sign.
const (
	newStep = "+step"
	nowhere = "+nowhere"
)

// Open opens the dialog, or explains why nothing can be connected.
func (p *Dialog) Open(ctx app.Context) {
	p.filter, p.moving, p.set, p.way, p.clear = "", false, nil, editor.EdgeRef{}, false
	if _, err := editor.WayToConnect(p.Editor.State()); err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	p.Dialog.Open(ctx, Name)
}

// OpenFor opens the dialog to set a property to a node: that of a way out, or of several if way is zero. clear offers to clear it.
func (p *Dialog) OpenFor(ctx app.Context, way editor.EdgeRef, clear bool, set func(to string) editor.Command) {
	p.filter, p.moving, p.set, p.way, p.clear = "", false, set, way, clear
	p.Dialog.Open(ctx, Name)
}

// OpenMove opens the dialog to move the selected component to another step.
func (p *Dialog) OpenMove(ctx app.Context) {
	p.filter, p.moving, p.set = "", true, nil
	if len(p.targets()) == 0 {
		p.Say(ctx, "There is no other step.")
		return
	}
	p.Dialog.Open(ctx, Name)
}

// command returns the command that a target stands for.
func (p *Dialog) command(to string) (editor.Command, error) {
	switch {
	case p.moving:
		return p.Editor.Make().ToStep(to), nil
	case to == nowhere:
		return p.set(""), nil
	case p.set != nil && to != newStep:
		return p.set(to), nil
	}
	src, err := p.way, error(nil)
	if p.set == nil {
		src, err = editor.WayToConnect(p.Editor.State())
	}
	if to == newStep && err == nil {
		return p.Editor.Make().NodeIn(model.StepNode, editor.SpotOn(src, p.Canvas.Scene())), nil
	}
	return editor.Connect{From: src.From, Port: src.Port, To: model.Pointer(to)}, err
}

// Type sets the input.
func (p *Dialog) Type(text string) { p.filter = text }

// ConnectFirst connects to the first node that matches the input.
func (p *Dialog) ConnectFirst(ctx app.Context) {
	if targets := p.targets(); len(targets) > 0 {
		p.Connect(ctx, targets[0].id)
	}
}

// Draw returns the dialog, nil when it is closed.
func (p *Dialog) Draw() app.UI {
	if p.Dialog.Name() != Name {
		return nil
	}
	var items []app.UI
	for _, target := range p.targets() {
		items = append(items, kit.El("li").Body(kit.El("button.out-item type=button data-act=connect data-arg=%", target.id).Body(
			kit.El("span.k class=%", target.symbol).Body(kit.Icon(target.symbol)), kit.El("span.grow").Text(target.name),
			kit.El("code hidden=%", kit.Yes(target.id == newStep || target.id == nowhere)).Text(target.id))))
	}
	title := "Connect to"
	if p.moving {
		title = "Move to"
	}
	return p.Dialog.Frame(title,
		kit.El("input id=connect-filter type=text autocomplete=off aria-label=% placeholder=% data-held=%", title, "Name",
			kit.Held(p.filter)),
		app.If(len(items) == 0, func() app.UI { return kit.El("p.quiet-text").Text("No matching nodes") }),
		kit.El("ul.targets").Body(items...),
		workspace.Buttons(kit.TextButton("cancel", "Cancel", "secondary")))
}

// target is a node that the connect dialog offers.
type target struct{ id, name, symbol string }

// targetLimit is the maximum number of targets in the dialog; input narrows
// them.
const targetLimit = 12

// targets lists the possible target nodes that match the input.
func (p *Dialog) targets() []target {
	var out []target
	typed := strings.ToLower(strings.TrimSpace(p.filter))
	add := func(id, name, symbol string) {
		if len(out) == targetLimit || !strings.Contains(strings.ToLower(name+" "+id), typed) {
			return
		}
		if c, err := p.command(id); err == nil && p.Editor.Can(c) == nil {
			out = append(out, target{id, name, symbol})
		}
	}
	form := p.Editor.State().Form
	keys := form.Keys()
	for i, n := range form.Nodes {
		if keys[i] != n.ID { // no pointer can refer to it
			continue
		}
		if !p.moving || n.ID != p.Editor.State().Selection.Only() {
			add(n.ID, n.Name(), describe.NodeIcon(n))
		}
	}
	add(model.EndingID, "Ending", "ending")
	offer := func(id, name, symbol string) {
		if strings.Contains(strings.ToLower(name), typed) {
			out = append(out, target{id, name, symbol})
		}
	}
	if p.Canvas != nil && !p.moving && (p.set == nil || p.way != editor.EdgeRef{}) {
		if _, err := p.command(newStep); err == nil {
			offer(newStep, "New step", "step")
		}
	}
	if p.clear {
		offer(nowhere, "Nowhere", "close")
	}
	return out
}

// Connect does with a node what the dialog is open for.
func (p *Dialog) Connect(ctx app.Context, to string) {
	was := p.Editor.State()
	c, err := p.command(to)
	p.Dialog.Close()
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	switch done := p.Run(ctx, c); {
	case done && p.moving:
		p.SayUndo(ctx, describe.Moved(p.Editor.State().Form, to))
		if p.Canvas != nil {
			p.Canvas.Reveal(to)
		}
	case done && to == newStep:
		p.Canvas.Reveal(p.Editor.State().Selection.Only())
		p.Dialog.Origin.Back()
		p.Perform(ctx, command.EditLabel, "")
		return
	case done && p.set == nil:
		src, _ := editor.WayToConnect(was)
		p.SayUndo(ctx, describe.Connected(was.Form, p.Editor.State().Form, src))
	}
	p.Dialog.Origin.Back()
}
