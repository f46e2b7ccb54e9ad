package bff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/httpx"
)

// slots bounds how many pieces of heavy work of a kind this process does at once.
type slots struct {
	free chan struct{}
	wait time.Duration // for a slot at most; 0 means that nobody waits
}

// slotWait is how long a request waits for a slot. With the time of the work itself, it leaves time to send the answer.
const slotWait = 10 * time.Second

func newSlots(atOnce int, wait time.Duration) slots { return slots{make(chan struct{}, atOnce), wait} }

// errBusy means that no slot became free in time.
var errBusy = errors.New("there is too much of this work at once")

// do does a piece of work while it holds a slot. It returns errBusy if none becomes free in time, and the error of the context if that is done
// before. The work must not write the answer: a slot would then be held for as long as the client takes to read it.
func (s slots) do(ctx context.Context, work func()) error {
	select {
	case s.free <- struct{}{}:
	default:
		if err := s.queue(ctx); err != nil {
			return err
		}
	}
	defer func() { <-s.free }()
	work()
	return nil
}

// queue waits for a slot and takes it.
func (s slots) queue(ctx context.Context) error {
	if s.wait <= 0 {
		return errBusy
	}
	late := time.NewTimer(s.wait)
	defer late.Stop()
	select {
	case s.free <- struct{}{}:
		return nil
	case <-late.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// busy returns the problem to answer errBusy with.
func busy(detail string) *httpx.Problem {
	return &httpx.Problem{Status: http.StatusTooManyRequests, Code: httpx.CodeBusy, RetryAfter: retryLater, Detail: detail}
}
