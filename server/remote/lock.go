package remote

import (
	"context"
	"sync"
)

// Lock waits until it holds the lock of a name, which only one of several processes can hold, and returns the function that releases it.
type Lock func(ctx context.Context, name string) (unlock func(), err error)

// locks serializes the changes of each form, first come, first served. A form that nobody changes takes no memory.
type locks struct {
	shared Lock // nil if there is only this process
	mu     sync.Mutex
	held   map[string]*lock
}

type lock struct {
	turn  chan struct{} // holds the one whose turn it is
	users int           // that hold it or wait for it
}

func newLocks(shared Lock) *locks { return &locks{shared: shared, held: map[string]*lock{}} }

// acquire waits for the form's lock until ctx ends, and returns the function that releases it.
func (l *locks) acquire(ctx context.Context, id string) (release func(), err error) {
	l.mu.Lock()
	of, ok := l.held[id]
	if !ok {
		of = &lock{turn: make(chan struct{}, 1)}
		l.held[id] = of
	}
	of.users++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if of.users--; of.users == 0 {
			delete(l.held, id)
		}
	}
	select {
	case of.turn <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	next := func() { <-of.turn; leave() }
	if l.shared == nil {
		return next, nil
	}
	// Only the first of this process waits for other processes.
	unlock, err := l.shared(ctx, "form "+id)
	if err != nil {
		next()
		return nil, err
	}
	return func() { unlock(); next() }, nil
}
