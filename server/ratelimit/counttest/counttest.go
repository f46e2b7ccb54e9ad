// Package counttest tests implementations of ratelimit.Store.
package counttest

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// start is a time with more precision than stores need.
var start = time.Date(2026, 3, 1, 12, 0, 0, 123_456_789, time.UTC)

// Run tests a store. open returns a new one that has counted nothing.
func Run(t *testing.T, open func(t *testing.T) ratelimit.Store) {
	t.Helper()
	t.Run("tokens", func(t *testing.T) { tokens(t, open(t)) })
	t.Run("failures", func(t *testing.T) { failures(t, open(t)) })
	t.Run("clock that jumps", func(t *testing.T) { jumps(t, open(t)) })
	t.Run("at once", func(t *testing.T) { atOnce(t, open(t)) })
}

func tokens(t *testing.T, s ratelimit.Store) {
	t.Helper()
	now := start
	long := strings.Repeat("long\x00", 1000)
	for i, tt := range []struct {
		after time.Duration
		taken bool
		left  float64
	}{
		{0, true, 2},
		{0, true, 1},
		{0, true, 0},
		{0, false, 0},
		{250 * time.Millisecond, false, 0.5},
		{250 * time.Millisecond, true, 0},
		{time.Hour, true, 2},
		{-30 * time.Second, true, 1}, // a clock that is set back earns nothing and costs nothing
	} {
		now = now.Add(tt.after)
		taken, left, err := s.TakeToken(t.Context(), long, 2, 3, now)
		if err != nil {
			t.Fatal(err)
		}
		if tt.after >= 0 && (taken != tt.taken || math.Abs(left-tt.left) > 0.001) {
			t.Errorf("token %d: taken %t, %v left; want %t, %v", i, taken, left, tt.taken, tt.left)
		}
	}
	if taken, left, err := s.TakeToken(t.Context(), long+"er", 2, 3, now); !taken || math.Abs(left-2) > 0.001 || err != nil {
		t.Errorf("another key: taken %t, %v left, %v", taken, left, err)
	}
}

func failures(t *testing.T, s ratelimit.Store) {
	t.Helper()
	const key, window = "a\x00b", 15 * time.Minute
	now := start
	try := func(name string, want time.Duration) {
		t.Helper()
		got, err := s.TryFailure(t.Context(), key, 2, window, now)
		if err != nil {
			t.Fatal(err)
		}
		if d := got - want; d < -time.Millisecond || d > time.Millisecond || (want == 0) != (got == 0) {
			t.Errorf("%s: wait %v, want %v", name, got, want)
		}
	}
	count := func(want int) {
		t.Helper()
		if n, err := s.Failures(t.Context(), key, now); n != want || err != nil {
			t.Errorf("%d failures, %v; want %d", n, err, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	count(0)
	try("first", 0)
	now = now.Add(5 * time.Minute)
	try("second", 0)
	try("third", 10*time.Minute)
	count(2)
	now = now.Add(10 * time.Minute)
	count(0)
	try("next window", 0)
	must(s.ForgiveFailure(t.Context(), key))
	count(0)
	must(s.ForgiveFailure(t.Context(), key))
	count(0)
	try("forgiven", 0)
	try("and one more", 0)
	try("too many again", 15*time.Minute)
	must(s.ForgetFailures(t.Context(), key))
	try("forgotten", 0)
	count(1)
	must(s.ForgiveFailure(t.Context(), "nobody"))
	must(s.ForgetFailures(t.Context(), "nobody"))
}

// jumps uses up a bucket and a window while the clock is a day ahead. When the clock is correct again, no one is locked out for a day.
func jumps(t *testing.T, s ratelimit.Store) {
	t.Helper()
	const perSecond, burst, limit, window = 2, 3, 2, 15 * time.Minute
	use := func(now time.Time) (taken, tried bool) {
		t.Helper()
		taken, _, err := s.TakeToken(t.Context(), "jump", perSecond, burst, now)
		if err != nil {
			t.Fatal(err)
		}
		wait, err := s.TryFailure(t.Context(), "jump", limit, window, now)
		if err != nil {
			t.Fatal(err)
		}
		return taken, wait == 0
	}
	ahead := start.Add(24 * time.Hour)
	for range burst {
		use(ahead)
	}
	if taken, tried := use(ahead); taken || tried {
		t.Errorf("the limits are not used up: %t, %t", taken, tried)
	}
	// A bucket needs at most the time that it takes to fill.
	now := start.Add(time.Second * burst / perSecond)
	if _, err := s.TryFailure(t.Context(), "jump", limit, window, start); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.TakeToken(t.Context(), "jump", perSecond, burst, start); err != nil {
		t.Fatal(err)
	}
	if taken, tried := use(now); !taken || !tried {
		t.Errorf("after the clock is set back: token taken %t, attempt allowed %t, want both", taken, tried)
	}
}

// atOnce counts from many goroutines: none slips through.
func atOnce(t *testing.T, s ratelimit.Store) {
	t.Helper()
	var tokens, failures atomic.Int32
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			if taken, _, err := s.TakeToken(t.Context(), "x", 1, 7, start); err != nil {
				t.Error(err)
			} else if taken {
				tokens.Add(1)
			}
			if wait, err := s.TryFailure(t.Context(), "x", 5, time.Hour, start); err != nil {
				t.Error(err)
			} else if wait == 0 {
				failures.Add(1)
			}
		})
	}
	wg.Wait()
	if tokens.Load() != 7 || failures.Load() != 5 {
		t.Errorf("%d tokens of 7 and %d failures of 5 passed", tokens.Load(), failures.Load())
	}
}
