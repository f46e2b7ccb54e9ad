package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// maxLocks bounds how many named locks one process holds or waits for. Each takes a connection from a separate pool, since
// a holder may keep a lock for seconds.
const maxLocks = 8

// idleLock is how long a connection for locks is kept without use.
const idleLock = time.Minute

// Locks are locks by name that all processes on the database respect. The database releases the locks of a process that dies.
type Locks struct {
	config *pgxpool.Config
	open   func() (*pgxpool.Pool, error) // once
	pool   *pgxpool.Pool                 // nil until it is opened
}

// newLocks returns Locks, which connect at their first use.
func newLocks(config *pgxpool.Config) *Locks {
	l := &Locks{config: config.Copy()}
	l.config.MaxConns, l.config.MinConns, l.config.MinIdleConns = maxLocks, 0, 0
	l.config.MaxConnIdleTime = idleLock
	for _, name := range []string{"lock_timeout", "statement_timeout"} {
		l.config.ConnConfig.RuntimeParams[name] = "0" // callers limit how long they wait
	}
	l.open = sync.OnceValues(func() (_ *pgxpool.Pool, err error) {
		l.pool, err = pgxpool.NewWithConfig(context.Background(), l.config)
		return l.pool, err
	})
	return l
}

func (l *Locks) close() {
	_, _ = l.open() // so that it is not opened later
	if l.pool != nil {
		l.pool.Close()
	}
}

// Lock waits until it holds the lock of a name, and returns the function that releases it. Callers of one process should queue before, so
// that waiting does not take a connection each.
func (l *Locks) Lock(ctx context.Context, name string) (unlock func(), err error) {
	pool, err := l.open()
	if err != nil {
		return nil, translate(err, "lock")
	}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, translate(err, "lock")
	}
	sum := sha256.Sum256([]byte(name))
	key := int64(binary.BigEndian.Uint64(sum[:])) //nolint:gosec // any 64 bits will do
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, key); err != nil {
		conn.Release()
		return nil, translate(err, fmt.Sprintf("lock %s", name))
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
		defer cancel()
		if _, err := conn.Exec(ctx, `SELECT pg_advisory_unlock($1)`, key); err != nil {
			_ = conn.Hijack().Close(ctx) // the lock ends with its connection
			return
		}
		conn.Release()
	}, nil
}
