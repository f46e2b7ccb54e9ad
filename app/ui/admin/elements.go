package admin

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// Elements with children or a text are made by one call each: every call of a method in a chain is code of
// its own in the program.

// say is an element with a text.
func say(spec, text string, values ...string) app.HTMLElem { return kit.El(spec, values...).Text(text) }

// box is an element with children, of which nil are none.
func box(spec string, body ...app.UI) app.HTMLElem { return fill(kit.El(spec), body...) }

// fill puts children into an element, of which nil are none.
func fill(el app.HTMLElem, body ...app.UI) app.HTMLElem {
	var there []app.UI
	for _, b := range body {
		if b != nil {
			there = append(there, b)
		}
	}
	return el.Body(there...)
}

// when returns the element if ok, and nothing otherwise.
func when(ok bool, ui app.UI) app.UI {
	if ok {
		return ui
	}
	return nil
}
