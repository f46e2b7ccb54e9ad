// Package help is the dialog with the keyboard shortcuts and the preference of the mouse wheel.
package help

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Name is the dialog's name.
const Name = "help"

// WheelZooms reports whether the person wants a wheel without keys to zoom.
func WheelZooms() bool { return kit.Recall("wheel") == "zooms" }

// ToggleWheel turns the preference of the wheel around and remembers it.
func ToggleWheel(w *workspace.Workspace) {
	value := "zooms"
	if WheelZooms() {
		value = "pans"
	}
	kit.Remember("wheel", value)
	if w.Canvas != nil {
		w.Canvas.SetWheelZooms(value == "zooms")
	}
}

// Draw draws the dialog, nil when it is not open.
func Draw(d *workspace.Dialog) app.UI {
	if d.Name() != Name {
		return nil
	}
	var rows []app.UI
	for _, s := range command.Shortcuts() {
		rows = append(rows, kit.El("tr").Body(kit.El("th scope=row").Body(kit.El("kbd").Text(s[0])), kit.El("td").Text(s[1])))
	}
	return d.Frame("Keyboard shortcuts", kit.El("p").Text("Shortcuts work while no text is being typed."),
		kit.El("table.keys").Body(kit.El("tbody").Body(rows...)),
		kit.El("label.choice").Body(kit.El("input.switch type=checkbox id=wheel-zooms data-held=%", kit.Held(kit.Yes(WheelZooms()))),
			kit.El("span").Text("The mouse wheel zooms, and pans with Ctrl held")),
		workspace.Buttons(kit.TextButton("cancel", "Close", "primary")))
}
