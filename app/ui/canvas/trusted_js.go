package canvas

import (
	"sync"
	"syscall/js"
)

// trusted makes a value that the browser takes as HTML. Under a policy that
// requires trusted types a plain string is refused; this is the one place that
// makes the canvas's policy. What is passed through it is built by the markup
// functions, which escape all user text.
var trusted = sync.OnceValue(func() func(string) js.Value {
	types := js.Global().Get("trustedTypes")
	if !types.Truthy() {
		return func(html string) js.Value { return js.ValueOf(html) }
	}
	policy := types.Call("createPolicy", "formgraph-canvas", map[string]any{
		"createHTML": js.FuncOf(func(_ js.Value, args []js.Value) any { return args[0] }),
	})
	return func(html string) js.Value { return policy.Call("createHTML", html) }
})

// setHTML replaces what is inside an element.
func setHTML(el js.Value, html string) { el.Set("innerHTML", trusted()(html)) }

// addHTML appends to what is inside an element.
func addHTML(el js.Value, html string) {
	el.Call("insertAdjacentHTML", "beforeend", trusted()(html))
}
