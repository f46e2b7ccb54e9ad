// Package waittest lets tests wait for what happens, as long as this machine may need for it. Only tests and test kits import it.
package waittest

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

const (
	// reference is how long work takes on an idle machine of ours.
	reference = 40 * time.Millisecond
	// slowest bounds the factor, so that a test that hangs ends.
	slowest = 30
	// patience is how long Until waits on an idle machine of ours. What tests wait for takes far less; only a failure takes as long.
	patience = 30 * time.Second
	poll     = 2 * time.Millisecond  // the first pause between two questions
	longest  = 64 * time.Millisecond // the longest one
)

// slowness is measured once, by the clock: it counts other work of the machine, the race detector and WebAssembly, too.
var slowness = sync.OnceValue(func() float64 {
	began := time.Now()
	work()
	return factor(time.Since(began))
})

// work computes and uses memory, as tests do.
func work() {
	r := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // no secret
	list := make([]uint64, 1<<16)
	for range 8 {
		for i := range list {
			list[i] = r.Uint64()
		}
		slices.Sort(list)
	}
}

// factor returns how many times slower than ours a machine is on which work took a time.
func factor(took time.Duration) float64 {
	return min(max(float64(took)/float64(reference), 1), slowest)
}

// Limit returns how long a test waits for what takes at most d on an idle machine of ours. Let d be generous: a limit ends a test that hangs,
// and says nothing about speed. The clock of a bubble of testing/synctest needs no limit of this kind.
func Limit(d time.Duration) time.Duration { return time.Duration(float64(d) * slowness()) }

// Until waits until holds returns true, and fails the test if that takes too long. It calls holds from the goroutine of the test, which may
// fail the test itself.
func Until(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	if !Within(patience, holds) {
		tb.Fatalf("waited %v in vain: %s", Limit(patience), what)
	}
}

// Within waits until holds returns true, for at most Limit(d), and reports whether it did. It asks less and less often.
func Within(d time.Duration, holds func() bool) bool {
	end := time.Now().Add(Limit(d))
	for pause := poll; !holds(); pause = min(2*pause, longest) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}
