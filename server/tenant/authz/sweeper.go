package authz

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweepEvery is how often rows without use are removed. A day of them is nothing to a database.
const sweepEvery = time.Hour

// sweeper removes expired rows when somebody signs in, so that no goroutine need be owned.
type sweeper struct {
	store interface {
		Sweep(ctx context.Context, now time.Time) error
	}
	now func() time.Time
	log *slog.Logger

	mu   sync.Mutex
	last time.Time
}

// run sweeps unless that was done within sweepEvery. A failure is logged and tried again later.
func (s *sweeper) run(ctx context.Context) {
	now := s.now()
	s.mu.Lock()
	due := now.Sub(s.last) >= sweepEvery
	if due {
		s.last = now
	}
	s.mu.Unlock()
	if !due {
		return
	}
	if err := s.store.Sweep(ctx, now); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "sweep failed", slog.Any("error", err))
	}
}
