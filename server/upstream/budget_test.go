package upstream

import (
	"testing"
	"time"
)

// Calls without an answer are not counted by the tenant yet, and late answers give nothing back.
func TestBudget(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const window = 1_800_000_000
	said := func(left int) quota { return quota{limit: 3, left: left, reset: 2 * time.Second, window: window} }
	b := newBudget()
	want := func(step string, held time.Duration) {
		t.Helper()
		if got := b.held(now); got != held {
			t.Errorf("%s: reads are held for %v, want %v", step, got, held)
		}
	}
	b.begin(now)
	b.begin(now)
	b.begin(now)
	want("nothing is known", 0)
	b.end(2, said(2), 200, now)
	want("those that are left are under way", 2*time.Second)
	b.end(3, said(0), 200, now)
	b.end(1, said(2), 200, now)
	want("a late answer", 2*time.Second)
	now = now.Add(2 * time.Second)
	want("after the reset", 0)
	for range 3 {
		want("within the limit", 0)
		b.begin(now)
	}
	want("beyond the limit", unknownWindow)
	b.end(4, quota{}, 0, now)
	b.end(5, quota{limit: -1, left: -1}, 200, now)
	want("answers without a word", unknownWindow)
	b.end(6, quota{limit: -1, left: -1, retry: time.Minute}, 429, now)
	want("a 429", time.Minute)
	if b.flying != 0 {
		t.Errorf("%d calls are under way", b.flying)
	}
}
