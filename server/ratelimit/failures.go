package ratelimit

import (
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/recent"
)

// Failures allows a number of failures for each key within a window, which begins with the first failure. It is safe for concurrent use.
type Failures struct {
	limit  int
	window time.Duration
	now    func() time.Time

	mu   sync.Mutex
	keys *recent.Map[string, failures]
}

type failures struct {
	count int
	ends  time.Time
}

// NewFailures returns a counter that allows limit failures of a key within window.
func NewFailures(limit int, window time.Duration, now func() time.Time) *Failures {
	return &Failures{limit: limit, window: window, now: now, keys: recent.New[string, failures](maxKeys)}
}

// Try counts an attempt as a failure before its result is known, so that concurrent attempts cannot slip through together. It returns 0 if
// the attempt may proceed, and otherwise how long the key must wait; an attempt that must wait is not counted.
func (f *Failures) Try(key string) time.Duration {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	k, ok := f.keys.Get(key)
	if !ok || !now.Before(k.ends) {
		k = failures{ends: now.Add(f.window)}
	}
	if k.count >= f.limit {
		return k.ends.Sub(now)
	}
	k.count++
	f.keys.Put(key, k)
	return 0
}

// Spent reports whether a key has used up its failures, without counting one.
func (f *Failures) Spent(key string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	k, ok := f.keys.Get(key)
	return ok && k.count >= f.limit && f.now().Before(k.ends)
}

// Succeed takes back one attempt that Try counted and that succeeded.
func (f *Failures) Succeed(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k, ok := f.keys.Get(key); ok && k.count > 0 {
		k.count--
		f.keys.Put(key, k)
	}
}

// Clear forgets all failures of key.
func (f *Failures) Clear(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keys.Delete(key)
}
