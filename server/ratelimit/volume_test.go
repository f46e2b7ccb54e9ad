package ratelimit_test

import (
	"math"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// A key that has used more than it may waits until what it used is paid, and delays nobody else.
func TestVolume(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	v := ratelimit.Counting{Now: func() time.Time { return now }}.Volume("bytes", 100, 1000)
	v.Spend("a", 999)
	if wait := v.Wait(t.Context(), "a"); wait > 0 {
		t.Errorf("with some left: wait %v", wait)
	}
	for range 4 {
		v.Spend("a", 1000)
	}
	v.Spend("a", math.MaxInt) // a burst, and at once
	if wait := v.Wait(t.Context(), "a"); wait < 50*time.Second || wait > 51*time.Second {
		t.Errorf("in debt: wait %v, want 50 s", wait)
	}
	if wait := v.Wait(t.Context(), "b"); wait > 0 {
		t.Errorf("another key: wait %v", wait)
	}
	now = now.Add(51 * time.Second)
	if wait := v.Wait(t.Context(), "a"); wait > 0 {
		t.Errorf("after the debt is paid: wait %v", wait)
	}
}
