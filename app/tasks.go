//go:build js

package main

import (
	"syscall/js"

	"github.com/formgraph/formgraph/model/pause"
)

// pauseInTasks lets long work pause until the browser begins another task. A timer of Go could end a pause in the same task: while the garbage
// collector works, it takes the place of what sleeps.
func pauseInTasks() {
	due := make(chan func(), 1024) // more than can be due: each pause waits for its own
	next := js.FuncOf(func(js.Value, []js.Value) any {
		(<-due)()
		return nil
	})
	pause.In(func(f func()) {
		due <- f
		js.Global().Call("setTimeout", next, 0)
	})
}
