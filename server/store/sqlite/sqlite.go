// Package sqlite stores everything in one SQLite file. It is the default engine of package store and needs no cgo. It does not know the
// meaning of the rows; its guarantees are those of package store.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/migrating"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

//go:embed migrations/*.sql
var migrations embed.FS

// readers is the number of connections for reads. Readers never wait for the writer in WAL mode; more than a few only cost memory.
const readers = 4

// busyTimeout is how long a statement waits for another process that is writing to the file.
const busyTimeout = 5 * time.Second

// writeTime limits how long a write waits for its turn among the writers of this process, and the total time of a single statement: while
// another process holds the lock of the file, each write waits for busyTimeout, and even the last of many must return in bounded time.
const writeTime = 10 * time.Second

// DB is an open database file. It is safe for concurrent use.
//
// SQLite has one writer at a time: the writing pool has exactly one connection, so the writers of this process queue in Go, in order and
// with their contexts, instead of polling the file lock. All changes use it. Reads outside a transaction use the other pool, whose
// connections refuse to write.
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
	*proofs
	sessions
	audit
	*messages

	pools struct{ write, read *sql.DB }
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
	return d.inTx(ctx, func(tx *runner) error { return f(newAccess(tx)) })
}

// Open opens or creates the database file at path and migrates its tables; processes that do so at once wait for each other. It creates a
// missing folder with mode 0700 and the file with mode 0600, and removes other users' access to an existing file. Every acknowledged write
// survives a crash of the process or the machine. Open returns store.ErrNewer if a newer program has migrated the file.
func Open(ctx context.Context, path string) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	if err := restrict(path); err != nil {
		return nil, err
	}
	if err := registerFold(); err != nil {
		return nil, fmt.Errorf("add functions to the database: %w", err)
	}
	d := &DB{messages: &messages{}}
	var err error
	pools := &d.pools
	if pools.write, err = sql.Open("sqlite", dsn(path, "_txlock=immediate")); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	pools.write.SetMaxOpenConns(1)
	if pools.read, err = sql.Open("sqlite", dsn(path, "_pragma=query_only(1)")); err != nil {
		return nil, errors.Join(fmt.Errorf("open database: %w", err), d.Close())
	}
	pools.read.SetMaxOpenConns(readers)
	pools.read.SetMaxIdleConns(readers)
	if err := d.migrate(ctx, path); err != nil {
		return nil, errors.Join(translate(err, "open database "+path), d.Close())
	}
	prepared, err := prepare(ctx, pools.read, pools.write)
	if err != nil {
		return nil, errors.Join(translate(err, "open database "+path), d.Close())
	}
	r := &runner{read: pools.read, write: pools.write, prepared: prepared, patience: writeTime, seen: &rows.Observed{}}
	r.begin = func(ctx context.Context) (*sql.Tx, func(), error) { return begin(ctx, pools.write, r.patience) }
	d.compose(r)
	return d, nil
}

// begin begins a transaction within a time limit, which the transaction itself may exceed. The caller must call end after it.
func begin(ctx context.Context, pool *sql.DB, within time.Duration) (tx *sql.Tx, end func(), err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	end = func() { cancel(nil) }
	late := time.AfterFunc(within, func() { cancel(errWait) })
	tx, err = pool.BeginTx(ctx, nil)
	if err == nil && !late.Stop() {
		err = errors.Join(errWait, tx.Rollback())
	}
	if err != nil {
		late.Stop()
		err = waited(ctx, err)
		end()
		return nil, nil, err
	}
	return tx, end, nil
}

// Observe makes d report every statement and transaction to f. No other method may run at the same time.
func (d *DB) Observe(f observe.Func) { d.seen.Set(f) }

// Pools returns the state of the two connection pools.
func (d *DB) Pools() []store.Pool {
	describe := func(name string, db *sql.DB) store.Pool {
		s := db.Stats()
		return store.Pool{Name: name, Max: s.MaxOpenConnections, Used: s.InUse, Idle: s.Idle, Waits: s.WaitCount, Waited: s.WaitDuration}
	}
	return []store.Pool{describe("read", d.pools.read), describe("write", d.pools.write)}
}

// compose gives the runner to each subject of the store.
func (d *DB) compose(r *runner) {
	d.runner, d.access = r, newAccess(r)
	d.signIns, d.grants, d.consents, d.requests, d.recipients = signIns{r}, grants{r}, consents{r}, requests{r}, recipients{r}
	d.marks, d.authSessions, d.logins, d.events, d.sessions = marks{r}, authSessions{r}, logins{r}, events{r}, sessions{r}
	d.proofs, d.audit = &proofs{runner: r}, audit{r}
}

// restrict creates the file before SQLite does, since SQLite would make it readable by others. SQLite gives its side files the mode of the
// main file.
func restrict(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's own setting
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	if err := errors.Join(f.Chmod(0o600), f.Close()); err != nil {
		return fmt.Errorf("restrict database to its owner: %w", err)
	}
	return nil
}

// dsn returns the URI of the file, so that a path may contain "?", "#" or spaces.
func dsn(path, more string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	u.RawQuery = "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)" +
		fmt.Sprintf("&_pragma=busy_timeout(%d)&%s", busyTimeout.Milliseconds(), more)
	return u.String()
}

func (d *DB) migrate(ctx context.Context, path string) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	unlock, err := lockMigrations(ctx, path)
	if err != nil {
		return err
	}
	defer unlock() //nolint:errcheck // what was written is committed
	return migrating.Up(ctx, goose.DialectSQLite3, d.pools.write, dir)
}

// Close closes the file. The DB must not be used afterwards.
func (d *DB) Close() error {
	var err error
	if d.pools.read != nil {
		err = d.pools.read.Close()
	}
	if d.pools.write != nil {
		err = errors.Join(err, d.pools.write.Close())
	}
	return err
}

// Ping reports whether the file can be read.
func (d *DB) Ping(ctx context.Context) error {
	var one int
	return translate(d.row(ctx, `SELECT count(*) FROM marks`).Scan(&one), "read database")
}
