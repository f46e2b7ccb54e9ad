package remote

import (
	"context"
	"errors"
	"testing"
)

// A form that nobody changes takes no memory, whether its lock was held or given up.
func TestUnusedLocksVanish(t *testing.T) {
	l := newLocks(nil)
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

// Several processes take turns by the lock that they share, and a process takes it once however many of its callers wait.
func TestProcessesShareTheLock(t *testing.T) {
	holders, most := 0, 0
	shared := func(context.Context, string) (func(), error) {
		holders++
		most = max(most, holders)
		return func() { holders-- }, nil
	}
	l := newLocks(shared)
	first, err := l.acquire(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		second, err := l.acquire(t.Context(), "a")
		if err != nil {
			t.Error(err)
			return
		}
		second()
	}()
	first()
	<-done
	if holders != 0 || most != 1 {
		t.Errorf("%d still hold the shared lock, and %d held it at once", holders, most)
	}
	failing := newLocks(func(context.Context, string) (func(), error) { return nil, errors.New("down") })
	if _, err := failing.acquire(t.Context(), "a"); err == nil || len(failing.held) > 0 {
		t.Errorf("without the shared lock: %v, and %d locks are left", err, len(failing.held))
	}
}
