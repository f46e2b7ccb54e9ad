// Package help is the dialog with the keyboard shortcuts.
package help

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Name is the dialog's name.
const Name = "help"

// Filter is the id of the field that filters the shortcuts.
const Filter = "help-filter"

// Dialog is the dialog with the shortcuts.
type Dialog struct {
	*workspace.Dialog
	query string
}

// Type filters the shortcuts; see kit.KeyList.
func (d *Dialog) Type(query string) { d.query = query }

// Draw returns the dialog, nil when it is closed.
func (d *Dialog) Draw() app.UI {
	if d.Name() != Name {
		d.query = ""
		return nil
	}
	var groups []kit.KeyGroup
	for _, g := range command.Shortcuts() {
		groups = append(groups, kit.KeyGroup(g))
	}
	note := "They work while you are not typing text."
	list, found := kit.KeyList(groups, d.query)
	if !found {
		note = "No shortcut is called that."
	}
	return d.Frame("Keyboard shortcuts", kit.SearchField("id="+Filter, "Search shortcuts", d.query), kit.El("p role=status").Text(note), list,
		workspace.Buttons(kit.TextButton("cancel", "Close", "secondary")))
}
