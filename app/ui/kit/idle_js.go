//go:build js

package kit

import "syscall/js"

// WhenIdle calls f once the browser has nothing else to do, at once where it cannot tell.
func WhenIdle(f func()) {
	ask := js.Global().Get("requestIdleCallback")
	if ask.Type() != js.TypeFunction {
		go f()
		return
	}
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		f()
		return nil
	})
	js.Global().Call("requestIdleCallback", fn)
}
