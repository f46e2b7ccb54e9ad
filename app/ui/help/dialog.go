// Package help is the dialog with the keyboard shortcuts.
package help

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Name is the dialog's name.
const Name = "help"

// Draw returns the dialog, nil when it is closed.
func Draw(d *workspace.Dialog) app.UI {
	if d.Name() != Name {
		return nil
	}
	var groups []app.UI
	for i, g := range command.Shortcuts() {
		var rows []app.UI
		for _, s := range g.Rows {
			rows = append(rows, kit.El("tr").Body(kit.El("th scope=row").Body(kit.El("kbd").Text(s[0])), kit.El("td").Text(s[1])))
		}
		id := "keys-" + strconv.Itoa(i)
		groups = append(groups, kit.El("section").Body(kit.El("h3 id=%", id).Text(g.Heading),
			kit.El("table.keys aria-labelledby=%", id).Body(kit.El("tbody").Body(rows...))))
	}
	return d.Frame("Keyboard shortcuts", kit.El("p").Text("Shortcuts work when you are not typing text."),
		kit.El("div.key-groups").Body(groups...),
		workspace.Buttons(kit.TextButton("cancel", "Close", "primary")))
}
