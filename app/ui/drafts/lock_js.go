//go:build js

package drafts

import "syscall/js"

// Hold takes a draft for this page and returns what gives it back, false when
// another page has it open. The browser gives it back when the page is gone, as
// after a crash. Without locks in the browser every page may have every draft.
func Hold(id string) (release func(), ok bool) {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return func() {}, true
	}
	held := make(chan bool, 1)
	resolve := js.Undefined()
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any { resolve = args[0]; return nil })
	granted := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 0 || !args[0].Truthy() {
			held <- false
			return nil
		}
		// The lock lasts until the promise is settled.
		until := js.Global().Get("Promise").New(executor)
		held <- true
		return until
	})
	locks.Call("request", "formgraph.draft."+id, map[string]any{"ifAvailable": true}, granted)
	ok = <-held
	release = func() {
		if resolve.Truthy() {
			resolve.Invoke()
			resolve = js.Undefined()
		}
	}
	granted.Release()
	executor.Release()
	return release, ok
}
