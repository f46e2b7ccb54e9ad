package kit

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Life is the time in which a page is shown. The calls that a page makes end with it.
type Life struct {
	ctx context.Context
	end context.CancelFunc
}

// NewLife begins a life.
func NewLife() Life {
	ctx, end := context.WithCancel(context.Background())
	return Life{ctx, end}
}

// End cancels the calls that are under way. Ending a life that never began does nothing.
func (l Life) End() {
	if l.end != nil {
		l.end()
	}
}

// Over reports whether the page was left.
func (l Life) Over() bool { return l.ctx.Err() != nil }

// Context ends with the page.
func (l Life) Context() context.Context { return l.ctx }

// Async runs f on a goroutine of its own. What f returns, unless it is nil, is done on the page's
// goroutine, but not once the page was left.
func (l Life) Async(ctx app.Context, f func(context.Context) func(app.Context)) {
	ctx.Async(func() {
		then := f(l.ctx)
		if then == nil {
			return
		}
		ctx.Dispatch(func(ctx app.Context) {
			if !l.Over() {
				then(ctx)
			}
		})
	})
}
