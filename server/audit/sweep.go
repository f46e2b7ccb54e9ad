package audit

import (
	"context"
	"fmt"
	"time"
)

// sweepBatch is the maximum number of entries deleted at once: SQLite blocks saves while it deletes.
const sweepBatch = 500

// sweepPause is the pause between two batches, during which others can save.
const sweepPause = 20 * time.Millisecond

// Sweep deletes the entries older than keep, in small batches. Several replicas may sweep at once.
func (l *Log) Sweep(ctx context.Context, keep time.Duration) error {
	until := l.Now().Add(-keep)
	for {
		n, err := l.Rows.SweepAudit(ctx, until, sweepBatch)
		if err != nil {
			return fmt.Errorf("delete old audit entries: %w", err)
		}
		if n < sweepBatch {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(sweepPause):
		}
	}
}
