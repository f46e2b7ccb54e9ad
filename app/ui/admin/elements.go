package admin

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// One call creates an element with its children or text: each method call in a chain would add code to the
// program.

// say returns an element with a text.
func say(spec, text string, values ...string) app.HTMLElem { return kit.El(spec, values...).Text(text) }

// box returns an element with children. Nil children are left out.
func box(spec string, body ...app.UI) app.HTMLElem { return fill(kit.El(spec), body...) }

// fill adds children to an element. Nil children are left out.
func fill(el app.HTMLElem, body ...app.UI) app.HTMLElem {
	var there []app.UI
	for _, b := range body {
		if b != nil {
			there = append(there, b)
		}
	}
	return el.Body(there...)
}

// when returns the element if ok, or nil.
func when(ok bool, ui app.UI) app.UI {
	if ok {
		return ui
	}
	return nil
}
