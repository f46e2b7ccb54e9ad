package ratelimit

import (
	"context"
	"time"
)

// Volume limits how much each key uses, such as bytes, where the cost of a request is known only once it is done. A key that has used more than
// it may must wait. It counts in this process, and is safe for concurrent use.
type Volume struct {
	counter
	perSecond, burst int
}

// Volume returns a Volume of which each key may use perSecond in the long run and burst at once, both at least 1.
func (c Counting) Volume(name string, perSecond, burst int) *Volume {
	return &Volume{counter: c.counter(name), perSecond: perSecond, burst: burst}
}

// Wait returns how long a key must wait because of what it has used, 0 for not at all.
func (v *Volume) Wait(ctx context.Context, key string) time.Duration {
	left := v.own.spend(key, 0, v.perSecond, v.burst, v.now())
	if left > 0 {
		return 0
	}
	v.refused(ctx)
	return time.Duration((1 - left) / float64(v.perSecond) * float64(time.Second))
}

// Spend counts what a key has used, at most a burst.
func (v *Volume) Spend(key string, n int) { v.own.spend(key, n, v.perSecond, v.burst, v.now()) }
