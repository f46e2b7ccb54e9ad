package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/ratelimit/counttest"
)

func TestMemory(t *testing.T) {
	counttest.Run(t, func(*testing.T) ratelimit.Store { return ratelimit.NewMemory() })
}

// Two replicas that share a store allow together what one would allow.
func TestReplicasCountTogether(t *testing.T) {
	shared := ratelimit.NewMemory()
	var limits []*ratelimit.Limiter
	var wrong []*ratelimit.Failures
	for range 2 {
		count := ratelimit.Counting{Now: newClock().read, Store: shared}
		limits = append(limits, count.Limiter("requests", 1, 2))
		wrong = append(wrong, count.Failures("wrong", 2, time.Minute))
	}
	other := ratelimit.Counting{Now: newClock().read, Store: shared}.Limiter("other requests", 1, 2)
	for i := range 4 {
		if s := limits[i%2].Take(t.Context(), "a"); s.Allowed != (i < 2) {
			t.Errorf("request %d: allowed %t", i, s.Allowed)
		}
		if wait := wrong[i%2].Try(t.Context(), "a"); (wait == 0) != (i < 2) {
			t.Errorf("failure %d: wait %v", i, wait)
		}
	}
	if !wrong[0].Spent(t.Context(), "a") {
		t.Error("the failures are not used up")
	}
	if !other.Take(t.Context(), "a").Allowed {
		t.Error("a counter with another name counts the same key")
	}
}

// down is a store that cannot be reached.
type down struct{ ratelimit.Store }

func (down) TakeToken(context.Context, string, int, int, time.Time) (bool, float64, error) {
	return true, 9, errors.New("down")
}

func (down) TryFailure(context.Context, string, int, time.Duration, time.Time) (time.Duration, error) {
	return 0, errors.New("down")
}

// While the store is down, each process counts for itself.
func TestCountingContinuesWithoutTheStore(t *testing.T) {
	count := ratelimit.Counting{Now: newClock().read, Store: down{}}
	limit, wrong := count.Limiter("requests", 1, 1), count.Failures("wrong", 1, time.Minute)
	for i := range 2 {
		if s := limit.Take(t.Context(), "a"); s.Allowed != (i == 0) || s.Remaining != 0 {
			t.Errorf("request %d: %+v", i, s)
		}
		if wait := wrong.Try(t.Context(), "a"); (wait == 0) != (i == 0) {
			t.Errorf("failure %d: wait %v", i, wait)
		}
	}
}
