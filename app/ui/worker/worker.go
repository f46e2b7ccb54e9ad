// Package worker runs programs in workers of the browser, apart from the page. The browser loads them when they are first needed. The
// packages message of app/trial and app/desk have their messages.
package worker

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/workspace"
)

// Worker is a running worker. nil is one that has ended.
type Worker struct {
	value app.Value
	stops []func()
	ended bool
}

// The programs, by the functions of the page's scripts that start them.
const (
	Trial = "formgraphWorker" // runs forms
	Desk  = "formgraphDesk"   // draws the desk, in the element with the id desk
)

// Start starts a worker with a program. take receives its messages, and lost is called if the program cannot be loaded; both are called on the page's
// goroutine, and not after End.
func Start(ctx app.Context, of *workspace.Workspace, program string, take func(app.Context, string), lost func(app.Context)) *Worker {
	w := &Worker{value: app.Window().Call(program)}
	later := func(then func(app.Context)) {
		ctx.Dispatch(func(ctx app.Context) {
			defer of.Rescue(ctx)
			if !w.ended {
				then(ctx)
			}
		})
	}
	message := app.FuncOf(func(_ app.Value, args []app.Value) any {
		text := args[0].Get("data").String()
		later(func(ctx app.Context) { take(ctx, text) })
		return nil
	})
	failed := app.FuncOf(func(app.Value, []app.Value) any {
		later(lost)
		return nil
	})
	w.value.Set("onmessage", message)
	w.value.Set("onerror", failed)
	w.stops = []func(){message.Release, failed.Release}
	return w
}

// Post sends a message. Messages that are sent before the program is loaded wait for it.
func (w *Worker) Post(text string) {
	if w != nil && !w.ended {
		w.value.Call("postMessage", text)
	}
}

// End ends the worker at once, whatever it is doing.
func (w *Worker) End() {
	if w == nil || w.ended {
		return
	}
	w.ended = true
	w.value.Call("terminate")
	for _, handler := range []string{"onmessage", "onerror"} {
		w.value.Set(handler, nil) // a worker whose program is still being loaded reports that as an error
	}
	for _, stop := range w.stops {
		stop()
	}
}
