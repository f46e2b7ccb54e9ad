package kit

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/pause"
)

// Life is the time during which a page is shown. A page's calls end with it.
type Life struct {
	ctx context.Context
	end context.CancelFunc
}

// NewLife begins a life.
func NewLife() Life {
	ctx, end := context.WithCancel(context.Background())
	return Life{ctx, end}
}

// End cancels the calls in progress. Ending a life that never began has no effect.
func (l Life) End() {
	if l.end != nil {
		l.end()
	}
}

// Over reports whether the person has left the page.
func (l Life) Over() bool { return l.ctx.Err() != nil }

// Context returns a context that ends with the page.
func (l Life) Context() context.Context { return l.ctx }

// Async runs f on a new goroutine. The function that f returns, unless it is nil, runs on the
// page's goroutine, but not if the person has left the page.
func (l Life) Async(ctx app.Context, f func(context.Context) func(app.Context)) {
	ctx.Async(func() {
		then := f(l.ctx)
		if then == nil {
			return
		}
		ctx.Dispatch(func(ctx app.Context) {
			if !l.Over() {
				pause.Within(func() { then(ctx) })
			}
		})
	})
}
