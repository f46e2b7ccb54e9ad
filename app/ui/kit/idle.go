package kit

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/pause"
)

// WhenIdle calls f once the browser is idle, or immediately where the browser cannot report that. Outside a browser it
// does nothing.
func WhenIdle(f func()) {
	if app.IsServer {
		return
	}
	ask := app.Window().Get("requestIdleCallback")
	if ask.Type() != app.TypeFunction {
		go f()
		return
	}
	var fn app.Func
	fn = app.FuncOf(func(app.Value, []app.Value) any {
		fn.Release()
		pause.Event(f)
		return nil
	})
	app.Window().Call("requestIdleCallback", fn)
}
