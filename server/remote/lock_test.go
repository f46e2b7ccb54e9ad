package remote

import (
	"context"
	"testing"
)

// A form that nobody changes takes no memory, whether its lock was held or given up.
func TestUnusedLocksVanish(t *testing.T) {
	l := newLocks()
	release, err := l.acquire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	left, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.acquire(left, "a"); err == nil {
		t.Error("a held lock was given away")
	}
	if len(l.held) != 1 {
		t.Errorf("%d locks, want one", len(l.held))
	}
	if release(); len(l.held) > 0 {
		t.Errorf("%d locks are left", len(l.held))
	}
}
