package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Choice is a button of Ask. Class is its style: primary, secondary or danger.
type Choice struct{ Name, Class string }

// Ask asks a question in a modal dialog and waits for the answer. It returns the
// index of the pressed choice, or -1 after Escape. Any page can call it,
// regardless of its content. It must not run on the goroutine of a JavaScript
// callback.
func Ask(title, text string, choices ...Choice) int {
	doc := app.Window().Get("document")
	element := func(tag, class, text string) app.Value {
		e := doc.Call("createElement", tag)
		e.Set("className", class)
		e.Set("textContent", text)
		return e
	}
	dialog, heading := element("dialog", "ask", ""), element("h2", "", title)
	heading.Set("id", "ask-title")
	dialog.Call("setAttribute", "aria-labelledby", "ask-title")
	buttons := element("div", "buttons", "")
	answer := make(chan int, 1)
	var handlers []app.Func
	on := func(target app.Value, event string, f func()) {
		h := app.FuncOf(func(app.Value, []app.Value) any { f(); return nil })
		handlers = append(handlers, h)
		target.Call("addEventListener", event, h)
	}
	chosen := -1
	for i, c := range choices {
		b := element("button", c.Class, c.Name)
		b.Set("type", "button")
		on(b, "click", func() { chosen = i; dialog.Call("close") })
		buttons.Call("append", b)
	}
	on(dialog, "close", func() { answer <- chosen })
	// The page does not receive keys meanwhile.
	stop := app.FuncOf(func(_ app.Value, args []app.Value) any { args[0].Call("stopPropagation"); return nil })
	handlers = append(handlers, stop)
	dialog.Call("addEventListener", "keydown", stop)
	dialog.Call("append", heading, element("p", "", text), buttons)
	doc.Get("body").Call("prepend", dialog) // before the message that it hides
	dialog.Call("showModal")
	if b := dialog.Call("querySelector", ".primary"); b.Truthy() {
		b.Call("focus")
	}
	i := <-answer
	dialog.Call("remove")
	for _, h := range handlers {
		h.Release()
	}
	return i
}
