// Package help is the dialog with the keyboard shortcuts.
package help

import (
	"strconv"
	"strings"

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

// Type filters the shortcuts: each word is in what is pressed, in what that does, or in the heading.
func (d *Dialog) Type(query string) { d.query = strings.ToLower(query) }

func (d *Dialog) matches(heading string, row [2]string) bool {
	text := strings.ToLower(heading + " " + row[0] + " " + row[1])
	for word := range strings.FieldsSeq(d.query) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Draw returns the dialog, nil when it is closed.
func (d *Dialog) Draw() app.UI {
	if d.Name() != Name {
		d.query = ""
		return nil
	}
	var groups []app.UI
	for i, g := range command.Shortcuts() {
		var rows []app.UI
		for _, s := range g.Rows {
			if !d.matches(g.Heading, s) {
				continue
			}
			rows = append(rows, kit.El("tr").Body(kit.El("th scope=row").Body(kit.El("kbd").Text(s[0])), kit.El("td").Text(s[1])))
		}
		if len(rows) == 0 {
			continue
		}
		id := "keys-" + strconv.Itoa(i)
		groups = append(groups, kit.El("section").Body(kit.El("h3 id=%", id).Text(g.Heading),
			kit.El("table.keys aria-labelledby=%", id).Body(kit.El("tbody").Body(rows...))))
	}
	note := "They work while you are not typing text."
	if len(groups) == 0 {
		note = "No shortcut is called that."
	}
	return d.Frame("Keyboard shortcuts", kit.SearchField("id="+Filter, "Search shortcuts", d.query), kit.El("p role=status").Text(note),
		kit.El("div.key-groups").Body(groups...),
		workspace.Buttons(kit.TextButton("cancel", "Close", "secondary")))
}
