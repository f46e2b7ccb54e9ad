//go:build js

package kit

import (
	"strconv"
	"syscall/js"
)

// PlaceMenu places the menu with an id below the button whose popovertarget names
// it, the first of them, or above it where the window ends. The browser shows it
// then. As nothing keeps it at the button, scrolling closes it.
func PlaceMenu(id string) {
	doc, window := js.Global().Get("document"), js.Global()
	menu, button := doc.Call("getElementById", id), Element("[popovertarget="+strconv.Quote(id)+"]")
	if !menu.Truthy() || !button.Truthy() {
		return
	}
	px := func(f float64) string { return strconv.FormatFloat(f, 'f', 0, 64) + "px" }
	box, style := button.Call("getBoundingClientRect"), menu.Get("style")
	height := window.Get("innerHeight").Float()
	top, bottom := px(box.Get("bottom").Float()+menuGap), "auto"
	if box.Get("bottom").Float()+menuHeight > height {
		top, bottom = "auto", px(height-box.Get("top").Float()+menuGap)
	}
	style.Set("top", top)
	style.Set("bottom", bottom)
	style.Set("right", px(doc.Get("documentElement").Get("clientWidth").Float()-box.Get("right").Float()))
	doc.Call("addEventListener", "scroll", menu.Get("hidePopover").Call("bind", menu), map[string]any{"capture": true, "once": true})
}

const (
	menuGap    = 4
	menuHeight = 220 // about that of the highest menu
)

// StepInMenu moves the focus to the next or the previous button of the open menu,
// and from outside into it. It reports whether a menu is open.
func StepInMenu(down bool) bool {
	menu := Element(":popover-open")
	if !menu.Truthy() {
		return false
	}
	from := js.Global().Get("document").Get("activeElement")
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
