package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// StepInMenu moves the focus to the next or previous button of the open menu, or
// into the menu from outside. It reports whether a menu is open.
func StepInMenu(down bool) bool {
	menu := Element(":popover-open")
	if !menu.Truthy() {
		return false
	}
	from := app.Window().Get("document").Get("activeElement")
	items := menu.Call("querySelectorAll", "button:enabled")
	n, at := items.Length(), -1
	for i := range n {
		if items.Index(i).Equal(from) {
			at = i
		}
	}
	switch {
	case n == 0:
		return false
	case down:
		at++
	case at < 0:
		at = n - 1
	default:
		at += n - 1
	}
	items.Index(at % n).Call("focus")
	return true
}
