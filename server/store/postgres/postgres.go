// Package postgres stores everything in a PostgreSQL database, which several processes may share. It does not know the meaning of the rows;
// its guarantees are those of package store.
//
// Transactions are READ COMMITTED: each statement reads what is committed when it starts. Three rules replace SQLite's single writer:
//
//   - Whatever store.Access can read has one writer at a time in all processes. The writer holds an advisory lock, which it takes before
//     its first statement reads anything (turn.go). Serializable transactions would do only if every statement of every method were one,
//     single statements and sign-ins included, and would call functions of callers again whenever two writers meet.
//   - A row that stores a new login shares that lock, so no password is reset between the check of its basis and its commit.
//   - All other changes are one statement, or lock the row that they read first.
package postgres

import (
	"context"
	"embed"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

//go:embed migrations/*.sql
var migrations embed.FS

// DB is a pool of connections to one database. It is safe for concurrent use.
//
// Each interface of store.Tenant is implemented by a type of its own over the runner; DB only combines them.
type DB struct {
	*runner
	access
	signIns
	grants
	consents
	requests
	recipients
	marks
	authSessions
	logins
	events
	proofs
	sessions
	audit
	messages

	pool     *pgxpool.Pool
	clock    *clock
	counts   Counters
	locks    *Locks
	listener *listener
}

var (
	_ store.Tenant   = (*DB)(nil)
	_ store.Sessions = (*DB)(nil)
	_ store.Audit    = (*DB)(nil)
	_ store.Messages = (*DB)(nil)
)

// access implements store.Access.
type access struct {
	clients
	apis
	users
	roles
	tickets
	methods
	standings
}

func newAccess(d *runner) access {
	return access{clients{d}, apis{d}, users{d}, roles{d}, tickets{d}, methods{d}, standings{d}}
}

// InTx implements store.Administration.
func (d *DB) InTx(ctx context.Context, f func(store.Access) error) error {
	return d.inTx(ctx, alone, func(tx *runner) error { return f(newAccess(tx)) })
}

// Open connects to the database at url and migrates its tables; processes that do so at once wait for each other. The URL has the form
// postgres://user:password@host:port/database?option=value; no error contains its password. Every acknowledged write survives a crash of
// the server, unless the server itself is configured to lose some.
//
// Open returns store.ErrUnavailable if the database cannot be reached, and store.ErrNewer if a newer program has migrated it.
func Open(ctx context.Context, url string) (*DB, error) { return open(ctx, url, nil) }

// open is Open with a tracer of all queries; nil for none.
func open(ctx context.Context, url string, tracer pgx.QueryTracer) (*DB, error) {
	config, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	config.ConnConfig.Tracer = tracer
	config.AfterConnect = useDatabase
	where := fmt.Sprintf("open database %s at %s", config.ConnConfig.Database, config.ConnConfig.Host)
	if err := migrate(ctx, config.ConnConfig); err != nil {
		return nil, translate(err, where)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, translate(err, where)
	}
	c, err := startClock(ctx, pool)
	if err != nil {
		pool.Close()
		return nil, translate(err, where)
	}
	d := &DB{pool: pool, clock: c, locks: newLocks(config), listener: newListener(config)}
	d.compose(&runner{on: pool, turns: newTurns(pool), seen: &rows.Observed{}})
	return d, nil
}

// Observe makes d report every statement and transaction to f. No other method may run at the same time.
func (d *DB) Observe(f observe.Func) { d.seen.Set(f) }

// Pools returns the state of the connection pool, without the pool for locks.
func (d *DB) Pools() []store.Pool {
	s := d.pool.Stat()
	return []store.Pool{{
		Name: "all", Max: int(s.MaxConns()), Used: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
		Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime(),
	}}
}

// Counters returns the counters that all processes on the database share.
func (d *DB) Counters() Counters { return d.counts }

// Locks returns the locks that all processes on the database respect.
func (d *DB) Locks() *Locks { return d.locks }

// compose gives the runner to each subject of the store.
func (d *DB) compose(r *runner) {
	// The tables of these are read by store.Access, so that even a single statement that writes to them takes the turn.
	guarded := *r
	guarded.guarded = true
	d.runner, d.access, d.consents, d.logins = r, newAccess(&guarded), consents{&guarded}, logins{&guarded}
	d.signIns, d.grants, d.requests, d.recipients = signIns{r}, grants{r}, requests{r}, recipients{r}
	d.marks, d.authSessions, d.events, d.proofs, d.sessions = marks{r}, authSessions{r}, events{r}, proofs{r}, sessions{r}
	d.audit, d.messages, d.counts = audit{r}, messages{r, d.listener, &atomic.Int64{}}, Counters{r}
}

// Close closes all connections. It waits for the calls that use one. The DB must not be used afterwards.
func (d *DB) Close() error {
	d.clock.stop()
	d.listener.close()
	d.locks.close()
	d.pool.Close()
	return nil
}

// Ping reports whether the database can be read.
func (d *DB) Ping(ctx context.Context) error {
	_, err := one(ctx, d.runner, "read database", rows.Value[bool], `SELECT EXISTS (SELECT FROM marks)`)
	return err
}
