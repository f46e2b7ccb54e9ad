package kit

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Action runs the changes that a page asks the tenant to make, one at a time. It repeats a change that the tenant refuses because it
// gets too many requests. The zero Action is ready to use. Like all state of a page, it is used only on the page's goroutine.
type Action struct {
	Wait         // before the change is tried again
	doing string // such as "deleting", "" if no change is running
}

// Run runs do on a new goroutine, and then calls then with its error, unless the person has left the page. doing describes the change, as
// in "deleting". While another change is running, Run does nothing.
func (a *Action) Run(ctx app.Context, life Life, doing string, do func(context.Context) error, then func(app.Context, error)) {
	if a.doing != "" {
		return
	}
	a.doing = doing
	a.try(ctx, life, do, then)
}

func (a *Action) try(ctx app.Context, life Life, do func(context.Context) error, then func(app.Context, error)) {
	life.Async(ctx, func(c context.Context) func(app.Context) {
		err := do(c)
		return func(ctx app.Context) {
			again := func(ctx app.Context) {
				if !life.Over() {
					a.try(ctx, life, do, then)
				}
			}
			if !a.Begin(ctx, err, again) {
				a.doing = ""
				then(ctx, err)
			}
		}
	})
}

// Running reports whether a change is running, or waits to be tried again.
func (a *Action) Running() bool { return a.doing != "" }

// Cancel gives up a change that waits to be tried again.
func (a *Action) Cancel() {
	if a.Waiting() {
		a.Stop()
		a.doing = ""
	}
}

// Pause draws the wait before a change is tried again, nil if there is none.
func (a *Action) Pause() app.UI {
	if !a.Waiting() {
		return nil
	}
	return El("p.quiet-text").Body(a.Spoken(a.doing)...)
}
