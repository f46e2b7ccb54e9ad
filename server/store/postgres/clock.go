package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// clockEvery is how often the database's clock is read. Between two readings, the time follows the monotonic clock of this machine, which
// differs from any other by less than a millisecond in that time.
const clockEvery = 30 * time.Second

// clockTime bounds one reading.
const clockTime = 5 * time.Second

// clock is the database's clock. Replicas use it instead of their own, so they agree on when a code, a token or a lease ends even if their
// machines disagree, and a machine whose clock jumps is not disturbed.
type clock struct {
	pool *pgxpool.Pool
	last atomic.Pointer[reading]
	stop context.CancelFunc
}

// reading is one reading of the database's clock, and when it was taken by the monotonic clock of this machine.
type reading struct{ theirs, ours time.Time }

// startClock reads the clock now, and then periodically until stop is called.
func startClock(ctx context.Context, pool *pgxpool.Pool) (*clock, error) {
	c := &clock{pool: pool}
	if err := c.read(ctx); err != nil {
		return nil, err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	c.stop = stop
	go func() {
		tick := time.NewTicker(clockEvery)
		defer tick.Stop()
		for {
			select {
			case <-background.Done():
				return
			case <-tick.C:
				_ = c.read(background) // the last reading remains valid, and other calls report that the database is unavailable
			}
		}
	}()
	return c, nil
}

// read takes a reading. The database's answer is assumed to be taken in the middle of the call.
func (c *clock) read(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, clockTime)
	defer cancel()
	conn, err := c.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	var theirs time.Time
	before := time.Now()
	if err := conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&theirs); err != nil {
		return err
	}
	after := time.Now()
	c.last.Store(&reading{theirs: theirs.UTC().Add(after.Sub(before) / 2), ours: after})
	return nil
}

// now returns the current time of the database.
func (c *clock) now() time.Time {
	r := c.last.Load()
	return r.theirs.Add(time.Since(r.ours))
}

// Now returns the current time by the database's clock.
func (d *DB) Now() time.Time { return d.clock.now() }

// Skew returns by how much this machine's clock is ahead of the database's.
func (d *DB) Skew() time.Duration { return time.Now().Round(0).Sub(d.clock.now()) }
