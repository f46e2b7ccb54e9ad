package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// openDialog shows a modal dialog, by the name that dialogs has for it.
func (p *editorPage) openDialog(ctx app.Context, name string) {
	if name == "connect" {
		p.connectTo = ""
		if _, err := editor.WayToConnect(p.ed.State()); err != nil {
			p.say(ctx, kit.Sentence(err))
			return
		}
	}
	p.dialog = name
	p.inOutline = p.inOutline || p.tree.focused()
	ctx.Dispatch(func(ctx app.Context) {
		ctx.Defer(func(app.Context) {
			kit.SelectDialog()
			kit.Focus("dialog input, dialog .primary")
		})
	})
}

// closeDialog closes the dialog at once, so that the focus can go elsewhere.
func (p *editorPage) closeDialog() {
	p.dialog = ""
	kit.CloseDialog()
}

// refocus moves the focus back to where the dialog or menu was opened from: the
// outline, else the canvas.
func (p *editorPage) refocus() {
	back := p.inOutline
	p.inOutline = false
	if !back || !p.tree.focus() {
		kit.Focus("#canvas")
	}
}

func (p *editorPage) dialogs() app.UI {
	dialog := func(title string, body ...app.UI) app.UI {
		return kit.El("dialog aria-labelledby=dialog-title class=%", p.dialog).
			Body(append([]app.UI{kit.El("h2 id=dialog-title").Text(title)}, body...)...)
	}
	buttons := func(bs ...app.UI) app.UI { return kit.El("div.buttons").Body(bs...) }
	switch p.dialog {
	case "commands", "find":
		return p.searchDialog()
	case "help":
		var rows []app.UI
		for _, s := range command.Shortcuts() {
			rows = append(rows, kit.El("tr").Body(kit.El("th scope=row").Body(kit.El("kbd").Text(s[0])), kit.El("td").Text(s[1])))
		}
		return dialog("Keyboard shortcuts", kit.El("p").Text("Shortcuts work while no text is being typed."), kit.El("table.keys").Body(kit.El("tbody").Body(rows...)),
			kit.El("label.choice").Body(kit.El("input.switch type=checkbox id=wheel-zooms data-held=%", kit.Held(kit.Yes(kit.Recall("wheel") == "zooms"))), kit.El("span").Text("The mouse wheel zooms, and pans with Ctrl held")),
			buttons(kit.TextButton("cancel", "Close", "primary")))
	case "bad-file":
		return dialog(fmt.Sprintf("“%s” is no valid form", p.refused.name), p.badFileDialog()...)
	case "import-flows":
		return dialog("Choose flows", p.incoming.body()...)
	case "conflicts":
		var items []app.UI
		for i, c := range p.conflicts {
			items = append(items, kit.El("li.conflict").Body(kit.El("span.grow").Text(c.String()), kit.El("button.secondary type=button data-act=take-theirs data-arg=%", strconv.Itoa(i)).Text("Take the saved one")))
		}
		return dialog("Both sides changed these", kit.El("p").Text("Yours is kept in each place. Take the saved one where that is right; everything else is merged."), kit.El("ul.targets").Body(items...), buttons(kit.TextButton("cancel", "Close", "primary")))
	case "connect":
		var items []app.UI
		for _, target := range p.targets() {
			items = append(items, kit.El("li").Body(kit.El("button.out-item type=button data-act=connect data-arg=%", target.id).Body(
				kit.El("span.k class=%", target.symbol).Body(kit.Icon(target.symbol)), kit.El("span.grow").Text(target.name), kit.El("code").Text(target.id))))
		}
		return dialog("Connect to",
			kit.El("input id=connect-filter type=text autocomplete=off aria-label=% placeholder=% data-held=%", "Connect to", "Name", kit.Held(p.connectTo)),
			app.If(len(items) == 0, func() app.UI { return kit.El("p.quiet-text").Text("No node has that name") }),
			kit.El("ul.targets").Body(items...),
			buttons(kit.TextButton("cancel", "Cancel", "secondary")))
	}
	return kit.El("div hidden=true")
}

// target is a node that the connect dialog offers.
type target struct{ id, name, symbol string }

// targetLimit is how many targets the dialog lists; typing narrows them.
const targetLimit = 12

// targets lists the nodes that may be connected to and fit what is typed.
func (p *editorPage) targets() []target {
	src, err := editor.WayToConnect(p.ed.State())
	if err != nil {
		return nil
	}
	var out []target
	add := func(id, name, symbol string) {
		c := editor.Connect{From: src.From, Port: src.Port, To: model.Pointer(id)}
		if len(out) < targetLimit && strings.Contains(strings.ToLower(name+" "+id), strings.ToLower(strings.TrimSpace(p.connectTo))) && p.ed.Can(c) == nil {
			out = append(out, target{id, name, symbol})
		}
	}
	form := p.ed.State().Form
	keys := form.Keys()
	for i, n := range form.Nodes {
		if keys[i] != n.ID { // a pointer cannot name it
			continue
		}
		add(n.ID, n.Name(), nodeIcon(n))
	}
	add(model.EndingID, "Ending", "ending")
	return out
}

// connect leads the way out of the selection to a node.
func (p *editorPage) connect(ctx app.Context, to string) {
	was := p.ed.State()
	src, err := editor.WayToConnect(was)
	p.closeDialog()
	if err != nil {
		p.say(ctx, kit.Sentence(err))
		return
	}
	if p.run(ctx, editor.Connect{From: src.From, Port: src.Port, To: model.Pointer(to)}) {
		p.sayUndo(ctx, connected(was.Form, p.ed.State().Form, src))
	}
	p.refocus()
}
