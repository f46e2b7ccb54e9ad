package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Tab is a tab of a list of tabs. The list is one stop of the Tab key: StepTab moves in it.
func Tab(id, act, arg, name string, open, disabled bool) app.HTMLElem {
	at := "-1"
	if open {
		at = "0"
	}
	return El("button type=button role=tab id=% aria-selected=% aria-label=% title=% tabindex=% data-act=% data-arg=% disabled=%", id, Yes(open), name, name,
		at, act, arg, Yes(disabled)).Text(name)
}

// StepTab opens the tab to which a key leads from the one with the focus, and reports whether there is one.
func StepTab(e app.Event, key string) bool {
	tab := Near(e, "[role=tab]")
	if !tab.Truthy() {
		return false
	}
	tabs := tab.Call("closest", "[role=tablist]").Call("querySelectorAll", "[role=tab]:enabled")
	n, at := tabs.Length(), 0
	for i := range n {
		if tabs.Index(i).Equal(tab) {
			at = i
		}
	}
	switch key {
	case "ArrowRight":
		at = (at + 1) % n
	case "ArrowLeft":
		at = (at + n - 1) % n
	case "Home":
		at = 0
	case "End":
		at = n - 1
	default:
		return false
	}
	e.PreventDefault()
	tabs.Index(at).Call("focus")
	tabs.Index(at).Call("click")
	return true
}
