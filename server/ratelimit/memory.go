package ratelimit

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/formgraph/formgraph/server/recent"
)

// maxKeys bounds the memory that strangers can make a counter use, about 200 bytes per key.
const maxKeys = 10_000

// setback is how far the clock must be set back for earlier counts to be discarded. Otherwise counts dated in the future would cause
// refusals until that time. Readings of a correct clock differ by less.
const setback = time.Minute

// Memory is a Store that counts in this process. Its errors are nil. When it has too many keys, it forgets the least recently used one.
type Memory struct {
	mu      sync.Mutex
	buckets *recent.Map[string, *bucket]
	windows *recent.Map[string, failures]
}

type bucket struct {
	*rate.Limiter

	last time.Time // of its latest use
}

type failures struct {
	count int
	ends  time.Time
}

var _ Store = (*Memory)(nil)

// NewMemory returns a Memory that has counted nothing yet.
func NewMemory() *Memory {
	return &Memory{buckets: recent.New[string, *bucket](maxKeys), windows: recent.New[string, failures](maxKeys)}
}

// TakeToken implements Store.
func (m *Memory) TakeToken(_ context.Context, key string, perSecond, burst int, now time.Time) (taken bool, left float64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.bucket(key, perSecond, burst, now)
	taken = b.AllowN(now, 1)
	return taken, b.TokensAt(now), nil
}

// bucket returns the bucket of a key, for a use of it.
func (m *Memory) bucket(key string, perSecond, burst int, now time.Time) *bucket {
	b, ok := m.buckets.Get(key)
	if !ok || now.Before(b.last.Add(-setback)) {
		b = &bucket{Limiter: rate.NewLimiter(rate.Limit(perSecond), burst)}
		m.buckets.Put(key, b)
	}
	b.last = now
	return b
}

// spend takes n tokens, at most a burst, from the bucket of a key, which may get into debt. It returns the number that is left.
func (m *Memory) spend(key string, n, perSecond, burst int, now time.Time) (left float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.bucket(key, perSecond, burst, now)
	b.ReserveN(now, min(n, burst))
	return b.TokensAt(now)
}

// TryFailure implements Store.
func (m *Memory) TryFailure(_ context.Context, key string, limit int, window time.Duration, now time.Time) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.windows.Get(key)
	if !ok || !now.Before(k.ends) || k.ends.Sub(now) > window+setback {
		k = failures{ends: now.Add(window)}
	}
	if k.count >= limit {
		return k.ends.Sub(now), nil
	}
	k.count++
	m.windows.Put(key, k)
	return 0, nil
}

// Failures implements Store.
func (m *Memory) Failures(_ context.Context, key string, now time.Time) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.windows.Get(key); ok && now.Before(k.ends) {
		return k.count, nil
	}
	return 0, nil
}

// ForgiveFailure implements Store.
func (m *Memory) ForgiveFailure(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k, ok := m.windows.Get(key); ok && k.count > 0 {
		k.count--
		m.windows.Put(key, k)
	}
	return nil
}

// ForgetFailures implements Store.
func (m *Memory) ForgetFailures(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.windows.Delete(key)
	return nil
}
