package kit

import (
	"context"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// Timing of the wait for a sign-in in another window.
const (
	signInTime = 10 * time.Minute
	signInPoll = 1500 * time.Millisecond
)

// SignIn lets a person sign in again in another window, which keeps the page and the work on it. The
// zero value is ready to use.
type SignIn struct{ stop context.CancelFunc }

// Open opens the window and returns false if the browser refuses. Once there is a session, it calls
// then with the signed-in user, who may be a different person. A wait in progress ends.
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

// poll requests the signed-in user until there is one.
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
