package forms

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// actions are the lines of the menu of a form: the acts, their icons and names, and the scopes that they need.
var actions = [...][4]string{
	{"open", "arrow", "Open", ""},
	{"preview", "start", "Preview", ""},
	{"rename", "pencil", "Rename", "update:forms"},
	{"duplicate", "copy", "Duplicate", "create:forms"},
	{"export", "download", "Export", ""},
	{"copy-link", "link", "Copy link", ""},
	{"copy-id", "code", "Copy id", ""},
	{"delete", "trash", "Delete", "delete:forms"},
}

// menuOf returns the name and the lines of the menu of a form: what the person may do.
func (p *desk) menuOf(id string) (title string, items []kit.Item) {
	name := p.nameOf(id)
	for i := range actions {
		a := &actions[i]
		if a[3] != "" && !p.user.Can(a[3]) {
			continue
		}
		if a[0] == "delete" {
			items = append(items, kit.Item{})
		}
		items = append(items, kit.Item{Act: a[0], Arg: id, Icon: a[1], Name: a[2], Says: a[2] + " " + name, Danger: a[0] == "delete"})
	}
	return "More for " + name, items
}

// pressMenu opens the menu of a form at its button.
func (p *desk) pressMenu(ctx app.Context, id string, button app.Value) {
	title, items := p.menuOf(id)
	p.header.Menu.OpenAt(ctx, id, title, items, button)
}

// listenMenus opens the menu of a row where it is asked for.
func (p *desk) listenMenus(ctx app.Context) (stop func()) {
	return kit.ListenMenu(func(a kit.Asked) {
		ctx.Dispatch(func(ctx app.Context) {
			title, items := p.menuOf(a.Of)
			p.header.Menu.Open(ctx, a.Of, title, items, a.X, a.Y, a.Hold())
		})
	})
}
