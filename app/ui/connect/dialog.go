// Package connect is the dialog that connects the selected way out of a node
// to another node.
package connect

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Name is the dialog's name.
const Name = "connect"

// Dialog lists the possible targets of the selected way out.
type Dialog struct {
	*workspace.Workspace
	filter string // the input
}

// Open opens the dialog, or explains why nothing can be connected.
func (p *Dialog) Open(ctx app.Context) {
	p.filter = ""
	if _, err := editor.WayToConnect(p.Editor.State()); err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	p.Dialog.Open(ctx, Name)
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
			kit.El("code").Text(target.id))))
	}
	return p.Dialog.Frame("Connect to",
		kit.El("input id=connect-filter type=text autocomplete=off aria-label=% placeholder=% data-held=%", "Connect to", "Name",
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
	src, err := editor.WayToConnect(p.Editor.State())
	if err != nil {
		return nil
	}
	var out []target
	typed := strings.ToLower(strings.TrimSpace(p.filter))
	add := func(id, name, symbol string) {
		c := editor.Connect{From: src.From, Port: src.Port, To: model.Pointer(id)}
		if len(out) < targetLimit && strings.Contains(strings.ToLower(name+" "+id), typed) && p.Editor.Can(c) == nil {
			out = append(out, target{id, name, symbol})
		}
	}
	form := p.Editor.State().Form
	keys := form.Keys()
	for i, n := range form.Nodes {
		if keys[i] != n.ID { // no pointer can refer to it
			continue
		}
		add(n.ID, n.Name(), describe.NodeIcon(n))
	}
	add(model.EndingID, "Ending", "ending")
	return out
}

// Connect connects the selected way out to a node.
func (p *Dialog) Connect(ctx app.Context, to string) {
	was := p.Editor.State()
	src, err := editor.WayToConnect(was)
	p.Dialog.Close()
	if err != nil {
		p.Say(ctx, kit.Sentence(err))
		return
	}
	if p.Run(ctx, editor.Connect{From: src.From, Port: src.Port, To: model.Pointer(to)}) {
		p.SayUndo(ctx, describe.Connected(was.Form, p.Editor.State().Form, src))
	}
	p.Dialog.Origin.Back()
}
