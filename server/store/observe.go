package store

import (
	"context"
	"errors"
	"time"
)

// Outcome returns the outcome of a call for statistics: ok, not_found, conflict, canceled or failed.
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

// Pool describes the connections of an engine at one moment, and the waits for one since it was opened.
type Pool struct {
	Name            string
	Max, Used, Idle int
	Waits           int64
	Waited          time.Duration
}
