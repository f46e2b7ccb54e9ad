package kit

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Asked is what a person asked the menu of, and where the menu should be.
type Asked struct {
	Menu, Of string    // data-menu and data-of of the element
	Element  app.Value // the element
	X, Y     float64   // in the window
}

// ListenMenu calls open when a person asks for the menu of an element with the attributes data-menu and data-of: with the right button, a long
// press, or a key. menu.js makes one event of all these, and keeps the browser's own menu away.
func ListenMenu(open func(Asked)) (stop func()) {
	return Listen("contextmenu", func(e app.Value) {
		if el := Near(e, "[data-menu]"); el.Truthy() {
			data := el.Get("dataset")
			open(Asked{data.Get("menu").String(), data.Get("of").String(), el, e.Get("clientX").Float(), e.Get("clientY").Float()})
		}
	})
}

// Hold moves the focus to the part of the element that has it while its menu is closed, and returns a function that returns it there.
func (a *Asked) Hold() (back func()) {
	at := app.Window().Get("document").Get("activeElement")
	if !a.Element.Call("contains", at).Bool() {
		at = a.Element.Call("querySelector", "a,button")
	}
	back = BackTo(at)
	back()
	return back
}
