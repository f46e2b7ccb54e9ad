package saver

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// retryAfter returns how long the page waits before it retries a save that could
// not reach the server, after a number of tries: a short time at first, then
// half a minute.
func retryAfter(tries int) time.Duration {
	return min(2*time.Second<<min(tries, 4), 30*time.Second)
}

// Online retries a save that could not reach the server.
func (s *sending) Online(ctx app.Context) {
	if s.last.state == Offline {
		s.save(ctx)
	}
}

// retryLater schedules another try of a save that could not reach the server.
func (s *sending) retryLater(ctx app.Context) {
	if s.last.state != Offline {
		s.tries = 0
		return
	}
	wait := retryAfter(s.tries)
	s.tries++
	at := time.Now().Add(wait)
	s.retryAt = at
	ctx.After(wait, func(ctx app.Context) {
		if s.last.state == Offline && s.retryAt.Equal(at) && !s.Over() {
			s.save(ctx)
		}
	})
}
