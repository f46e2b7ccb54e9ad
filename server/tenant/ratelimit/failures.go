package ratelimit

import (
	"sync"
	"time"
)

// Failures allows a number of failures of each key within a window, which begins with the first.
// It is safe for concurrent use.
type Failures struct {
	limit  int
	window time.Duration
	now    func() time.Time

	mu   sync.Mutex
	keys map[string]*failures
}

type failures struct {
	count int
	ends  time.Time
}

// NewFailures returns a counter that allows limit failures of a key within window.
func NewFailures(limit int, window time.Duration, now func() time.Time) *Failures {
	return &Failures{limit: limit, window: window, now: now, keys: map[string]*failures{}}
}

// Try counts an attempt as a failure before its outcome is known, so that attempts at once cannot
// slip through together. It returns 0 when the attempt may go on, else how long the key has to wait;
// an attempt that has to wait is not counted.
func (f *Failures) Try(key string) time.Duration {
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.keys[key]
	if k != nil && !now.Before(k.ends) {
		delete(f.keys, key)
		k = nil
	}
	if k == nil {
		if len(f.keys) >= maxKeys {
			f.forget(now)
		}
		k = &failures{ends: now.Add(f.window)}
		f.keys[key] = k
	}
	if k.count >= f.limit {
		return k.ends.Sub(now)
	}
	k.count++
	return 0
}

// Succeed takes back one attempt that Try counted and that was no failure.
func (f *Failures) Succeed(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.keys[key]; k != nil && k.count > 0 {
		k.count--
	}
}

// Clear forgets all failures of key.
func (f *Failures) Clear(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.keys, key)
}

// forget drops windows that are over, or one of the others when there are none.
func (f *Failures) forget(now time.Time) {
	for k, v := range f.keys {
		if !now.Before(v.ends) {
			delete(f.keys, k)
		}
	}
	for k := range f.keys {
		if len(f.keys) < maxKeys {
			return
		}
		delete(f.keys, k)
	}
}
