package remote

import (
	"context"
	"sync"
)

// locks serializes the changes of each form, first come, first served. A form that nobody changes takes no memory.
type locks struct {
	mu   sync.Mutex
	held map[string]*lock
}

type lock struct {
	turn  chan struct{} // holds the one whose turn it is
	users int           // that hold it or wait for it
}

func newLocks() *locks { return &locks{held: map[string]*lock{}} }

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
		return func() { <-of.turn; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
