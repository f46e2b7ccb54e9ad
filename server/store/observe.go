package store

import (
	"context"
	"errors"
	"time"
)

// Outcome returns the outcome of a call that returned err: ok, not_found, conflict, canceled or failed.
func Outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrNotFound):
		return "not_found"
	case errors.Is(err, ErrConflict):
		return "conflict"
	case errors.Is(err, context.Canceled):
		return "canceled"
	default:
		return "failed"
	}
}

// Pool is the state of a connection pool of an engine, and the waits for a connection since the pool was opened.
type Pool struct {
	Name            string
	Max, Used, Idle int
	Waits           int64
	Waited          time.Duration
}
