// Package help is the dialog with the keyboard shortcuts and the preference for the mouse
// wheel.
package help

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Name is the dialog's name.
const Name = "help"

// WheelZooms reports whether the mouse wheel zooms without a modifier key.
func WheelZooms() bool { return kit.Recall("wheel") == "zooms" }

// ToggleWheel toggles the preference for the wheel and stores it in the browser.
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

// Draw returns the dialog, nil when it is closed.
func Draw(d *workspace.Dialog) app.UI {
	if d.Name() != Name {
		return nil
	}
	var rows []app.UI
	for _, s := range command.Shortcuts() {
		rows = append(rows, kit.El("tr").Body(kit.El("th scope=row").Body(kit.El("kbd").Text(s[0])), kit.El("td").Text(s[1])))
	}
	return d.Frame("Keyboard shortcuts", kit.El("p").Text("Shortcuts work when you are not typing text."),
		kit.El("table.keys").Body(kit.El("tbody").Body(rows...)),
		kit.El("label.choice").Body(kit.El("input.switch type=checkbox id=wheel-zooms data-held=%", kit.Held(kit.Yes(WheelZooms()))),
			kit.El("span").Text("Zoom with the mouse wheel, pan with Ctrl and the wheel")),
		workspace.Buttons(kit.TextButton("cancel", "Close", "primary")))
}
