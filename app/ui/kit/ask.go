package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Choice is a button of Ask. Class is its style: primary, secondary or danger.
type Choice struct{ Name, Class string }

// Ask asks a question in a modal dialog, which the page's script makes, and waits for the answer. It returns the
// index of the pressed choice, or -1 after Escape. Any page can call it,
// regardless of its content. It must not run on the goroutine of a JavaScript
// callback.
func Ask(title, text string, choices ...Choice) int {
	var buttons []any
	for _, c := range choices {
		buttons = append(buttons, c.Name, c.Class)
	}
	answer, err := Await(app.Window().Call("formgraphAsk", title, text, buttons))
	if err != nil {
		return -1
	}
	return answer.Int()
}
