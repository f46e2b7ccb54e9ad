package kit

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// The wait for a sign-in in another window.
const (
	signInTime = 10 * time.Minute
	signInPoll = 1500 * time.Millisecond
)

// SignIn lets a person sign in again in another window, so that the page and the work in it are kept.
// The zero SignIn is ready.
type SignIn struct{ stop context.CancelFunc }

// Open opens the window and returns false when the browser does not. Once there is a session, then is
// called with the person, who may be a different one. A wait that is under way ends.
func (s *SignIn) Open(ctx app.Context, l Life, c *client.Client, then func(app.Context, client.User)) bool {
	closeWindow := OpenSignIn()
	if closeWindow == nil {
		return false
	}
	if s.stop != nil {
		s.stop()
	}
	var wait context.Context
	wait, s.stop = context.WithTimeout(l.Context(), signInTime)
	l.Async(ctx, func(context.Context) func(app.Context) {
		user, ok := poll(wait, c)
		if !ok {
			return nil
		}
		closeWindow()
		return func(ctx app.Context) { then(ctx, user) }
	})
	return true
}

// poll asks who is signed in until a person is.
func poll(ctx context.Context, c *client.Client) (client.User, bool) {
	tick := time.NewTicker(signInPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return client.User{}, false
		case <-tick.C:
		}
		if user, err := c.User(ctx); err == nil {
			return user, true
		}
	}
}
