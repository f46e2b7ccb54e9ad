package canvas

import (
	"sync"
	"syscall/js"
)

// trusted converts a string to a value that the browser accepts as HTML. Under
// a policy that requires trusted types, the browser refuses plain strings.
// This is the only place that creates the canvas's policy. The markup
// functions build all strings that pass through it, and escape all user text.
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

// setHTML replaces the content of an element.
func setHTML(el js.Value, html string) { el.Set("innerHTML", trusted()(html)) }

// addHTML appends to the content of an element.
func addHTML(el js.Value, html string) {
	el.Call("insertAdjacentHTML", "beforeend", trusted()(html))
}
