package ratelimit

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/observe"
)

// Store counts for several replicas together. Their clocks agree: now is the current time of the caller. Keys are of any length. A Store is
// safe for concurrent use.
type Store interface {
	// TakeToken takes a token from the bucket of a key. A new bucket holds burst tokens, and no bucket holds more; it gains perSecond tokens a
	// second, at most a million. TakeToken reports whether there was one, and returns the number that is left, with a fraction.
	TakeToken(ctx context.Context, key string, perSecond, burst int, now time.Time) (taken bool, left float64, err error)
	// TryFailure counts a failure of a key and returns 0. If the key has had limit failures within window, which begins with the first, it
	// counts nothing and returns the time until the window ends.
	TryFailure(ctx context.Context, key string, limit int, window time.Duration, now time.Time) (wait time.Duration, err error)
	// Failures returns the number of failures of a key in its window.
	Failures(ctx context.Context, key string, now time.Time) (int, error)
	// ForgiveFailure takes back one failure of a key, if it has any.
	ForgiveFailure(ctx context.Context, key string) error
	// ForgetFailures removes all failures of a key.
	ForgetFailures(ctx context.Context, key string) error
}

// Counting is the way in which counters count. All counters of a server are made from one.
type Counting struct {
	Now func() time.Time // required
	// Store counts for all replicas. If it is nil, or fails, a counter counts in this process.
	Store Store
	// Observe observes everything that a counter refuses; may be nil.
	Observe observe.Func
}

// Limiter returns a limiter that allows each key perSecond requests per second in the long run and burst at once, both at least 1. Limiters
// with the same name count together in the Store.
func (c Counting) Limiter(name string, perSecond, burst int) *Limiter {
	return &Limiter{counter: c.counter(name), perSecond: perSecond, burst: burst}
}

// Failures returns a counter that allows limit failures of a key within window. Counters with the same name count together in the Store.
func (c Counting) Failures(name string, limit int, window time.Duration) *Failures {
	return &Failures{counter: c.counter(name), limit: limit, window: window}
}

func (c Counting) counter(name string) counter {
	return counter{now: c.Now, shared: c.Store, own: NewMemory(), name: name, observe: c.Observe}
}

// counter is where one counter counts.
type counter struct {
	now     func() time.Time
	shared  Store // nil for none
	own     *Memory
	name    string
	observe observe.Func
}

// refused reports a refusal of the counter to the observer.
func (c counter) refused(ctx context.Context) { c.observe.Count(ctx, observe.Limit, c.name, "refused") }

// use calls f with the shared store and, if there is none or it fails, with this process's own.
func (c counter) use(key string, f func(s Store, key string) error) {
	if c.shared == nil || f(c.shared, c.name+"\x00"+key) != nil {
		_ = f(c.own, key) // it never fails
	}
}
