// Package ratelimit counts requests of a key with a token bucket, and failures within a window. Replicas count together in a Store. Without
// one, counts are kept in memory and are lost at a restart; a counter that has too many keys then forgets the least recently used one.
package ratelimit

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Limiter allows a number of requests per second for each key. It is safe for concurrent use.
type Limiter struct {
	counter
	perSecond, burst int
}

// State is the state of a key after a request.
type State struct {
	Allowed   bool
	Limit     int           // requests allowed at once
	Remaining int           // requests left now
	Reset     time.Time     // when the next request is allowed or, if one is allowed now, when the whole Limit is available again
	Wait      time.Duration // time until Reset; for a request that was not allowed
}

// Take counts one request of key.
func (l *Limiter) Take(ctx context.Context, key string) State {
	now := l.now()
	s := State{Limit: l.burst}
	var tokens float64
	l.use(key, func(st Store, key string) (err error) {
		s.Allowed, tokens, err = st.TakeToken(ctx, key, l.perSecond, l.burst, now)
		return err
	})
	s.Remaining = max(0, int(math.Floor(tokens)))
	missing := float64(l.burst) - tokens
	if !s.Allowed {
		l.refused(ctx)
		missing = 1 - tokens
	}
	s.Wait = time.Duration(missing / float64(l.perSecond) * float64(time.Second))
	s.Reset = now.Add(s.Wait)
	return s
}

// Write sets the three X-RateLimit headers, the last one in seconds since 1970, rounded up. If the request was not allowed, it also sets
// Retry-After, in seconds and at least 1.
func (s State) Write(h http.Header) {
	h.Set("X-RateLimit-Limit", strconv.Itoa(s.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(s.Remaining))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(s.Reset.Add(time.Second-1).Unix(), 10))
	if !s.Allowed {
		RetryAfter(h, s.Wait)
	}
}

// RetryAfter sets the header Retry-After, in whole seconds, rounded up and at least 1.
func RetryAfter(h http.Header, wait time.Duration) {
	h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
}
