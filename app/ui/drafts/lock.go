package drafts

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Hold locks a draft for this page and returns a function that releases it, or
// false if another page has the draft open. The browser releases the lock when
// the page goes away, for example after a crash. In a browser without locks,
// every page may open every draft.
func Hold(id string) (release func(), ok bool) {
	locks := app.Window().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return func() {}, true
	}
	held := make(chan bool, 1)
	resolve := app.Undefined()
	executor := app.FuncOf(func(_ app.Value, args []app.Value) any { resolve = args[0]; return nil })
	granted := app.FuncOf(func(_ app.Value, args []app.Value) any {
		if len(args) == 0 || !args[0].Truthy() {
			held <- false
			return nil
		}
		// The lock lasts until the promise settles.
		until := app.Window().Get("Promise").New(executor)
		held <- true
		return until
	})
	locks.Call("request", "formgraph.draft."+id, map[string]any{"ifAvailable": true}, granted)
	ok = <-held
	release = func() {
		if resolve.Truthy() {
			resolve.Invoke()
			resolve = app.Undefined()
		}
	}
	granted.Release()
	executor.Release()
	return release, ok
}
