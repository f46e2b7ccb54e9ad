package ratelimit

import (
	"context"
	"time"
)

// Failures allows a number of failures for each key within a window, which begins with the first failure. It is safe for concurrent use.
type Failures struct {
	counter
	limit  int
	window time.Duration
}

// Try counts an attempt as a failure before its result is known, so that concurrent attempts cannot slip through together. It returns 0 if
// the attempt may proceed, and otherwise how long the key must wait; an attempt that must wait is not counted.
func (f *Failures) Try(ctx context.Context, key string) (wait time.Duration) {
	f.use(key, func(s Store, key string) (err error) {
		wait, err = s.TryFailure(ctx, key, f.limit, f.window, f.now())
		return err
	})
	if wait > 0 {
		f.refused(ctx)
	}
	return wait
}

// TryFor is Try with another window for a key, in place of that of the counter.
func (f *Failures) TryFor(ctx context.Context, key string, window time.Duration) time.Duration {
	return (&Failures{counter: f.counter, limit: f.limit, window: window}).Try(ctx, key)
}

// Count returns the number of failures of a key in its window, without counting one.
func (f *Failures) Count(ctx context.Context, key string) int {
	n := 0
	f.use(key, func(s Store, key string) (err error) {
		n, err = s.Failures(ctx, key, f.now())
		return err
	})
	return n
}

// Spent reports whether a key has used up its failures, without counting one.
func (f *Failures) Spent(ctx context.Context, key string) bool {
	return f.Count(ctx, key) >= f.limit
}

// Succeed takes back one attempt that Try counted and that succeeded.
func (f *Failures) Succeed(ctx context.Context, key string) {
	f.use(key, func(s Store, key string) error { return s.ForgiveFailure(ctx, key) })
}

// Clear forgets all failures of key.
func (f *Failures) Clear(ctx context.Context, key string) {
	f.use(key, func(s Store, key string) error { return s.ForgetFailures(ctx, key) })
}
