// Package database opens the store that the options of a command name. It is the only package that knows all engines.
package database

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// File is the name of the SQLite file in a data folder.
const File = "formgraph.db"

// DB is an open store, and what the processes that use it at once must share. It is safe for concurrent use.
type DB struct {
	Rows

	// Now returns the current time: by the clock of the store, so that replicas agree.
	Now func() time.Time
	// Counts counts for all replicas. It is nil if only one process may serve from the store.
	Counts ratelimit.Store
	// Lock waits until it holds the lock of a name, which only one replica can hold, and returns the function that releases it. It is nil if
	// only one process may serve from the store.
	Lock func(ctx context.Context, name string) (unlock func(), err error)
	// Tidy removes expired counts and messages. The server calls it periodically.
	Tidy func(ctx context.Context) error
}

// Rows are the rows of a store of any engine. Close releases it.
type Rows interface {
	store.Tenant
	store.Sessions
	store.Audit
	store.Teams
	store.Messages
	io.Closer
	// Observe makes the store report every statement and transaction to f. No other method may run at the same time.
	Observe(f observe.Func)
	// Pools returns the state of the connection pools.
	Pools() []store.Pool
}

// Place is where a store is.
type Place struct {
	Folder string // the data folder, with the SQLite file
	URL    string // of a PostgreSQL database, in place of the file; "" for none
}

// String returns the place for messages, without the password of a URL.
func (p Place) String() string {
	if p.URL == "" {
		return p.file()
	}
	u, err := url.Parse(p.URL)
	if err != nil {
		return "the PostgreSQL database"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func (p Place) file() string { return filepath.Join(p.Folder, File) }

// Shared reports whether several processes may serve from the store.
func (p Place) Shared() bool { return p.URL != "" }

// Open opens the store, creates its tables if they do not exist, and migrates them. It returns an error that wraps store.ErrNewer if a newer
// version of the program wrote it, and store.ErrUnavailable if it cannot be reached.
func (p Place) Open(ctx context.Context) (*DB, error) {
	if p.URL != "" {
		db, err := postgres.Open(ctx, p.URL)
		if err != nil {
			return nil, err
		}
		counts := db.Counters()
		return &DB{
			Rows: db, Now: db.Now, Counts: counts, Lock: db.Locks().Lock,
			Tidy: func(ctx context.Context) error {
				return errors.Join(counts.Sweep(ctx, db.Now()), sweepMessages(ctx, db, db.Now()))
			},
		}, nil
	}
	db, err := sqlite.Open(ctx, p.file())
	if err != nil {
		return nil, err
	}
	return &DB{Rows: db, Now: time.Now, Tidy: func(ctx context.Context) error { return sweepMessages(ctx, db, time.Now()) }}, nil
}

// sweepMessages deletes the messages whose life has ended.
func sweepMessages(ctx context.Context, in store.Messages, now time.Time) error {
	_, err := in.SweepMessages(ctx, now.Add(-store.MessageLife))
	return err
}

// Exists reports whether the store may have been created. A database at a URL counts as created: only Open can find out.
func (p Place) Exists() bool {
	if p.URL != "" {
		return true
	}
	_, err := os.Stat(p.file())
	return err == nil
}
