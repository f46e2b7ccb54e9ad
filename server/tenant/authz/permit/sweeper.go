package permit

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweepEvery is how often expired rows are removed. A day's worth of them costs a database nothing.
const sweepEvery = time.Hour

// A Sweeper removes expired rows when somebody signs in, so that it needs no goroutine. It serves every address of the
// tenant. Its exported fields are required and constant.
type Sweeper struct {
	Store interface {
		Sweep(ctx context.Context, now time.Time) error
	}
	Now func() time.Time
	Log *slog.Logger

	mu   sync.Mutex
	last time.Time
}

// run sweeps unless it has done so within sweepEvery. It logs a failure and tries again later.
func (s *Sweeper) run(ctx context.Context) {
	now := s.Now()
	s.mu.Lock()
	due := now.Sub(s.last) >= sweepEvery
	if due {
		s.last = now
	}
	s.mu.Unlock()
	if !due {
		return
	}
	if err := s.Store.Sweep(ctx, now); err != nil {
		s.Log.LogAttrs(ctx, slog.LevelWarn, "sweep failed", slog.Any("error", err))
	}
}
