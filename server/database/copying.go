package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// View is a read-only view of a store. It creates, migrates and changes nothing.
type View interface {
	// Version returns an error that wraps store.ErrNewer, store.ErrOlder or store.ErrNoTables if the tables are not those of this program.
	Version(ctx context.Context) error
	// Engine returns the name and version of the database engine, such as PostgreSQL 17.2.
	Engine(ctx context.Context) (string, error)
	// Snapshot calls read with the rows of one moment, while others may write. It returns the errors of Version.
	Snapshot(ctx context.Context, read func(dump.Snapshot) error) error
	// Alone keeps others from writing until Close. It returns store.ErrInUse if a server uses the store.
	Alone(ctx context.Context) error
	// Examinations returns what can be examined of the database itself.
	Examinations(now func() time.Time) []store.Examination
	io.Closer
}

// View opens the store without migrating it.
func (p Place) View(ctx context.Context) (View, error) {
	if p.URL != "" {
		return postgres.OpenView(ctx, p.URL)
	}
	return sqlite.OpenView(ctx, p.file())
}

// Load calls write with a Sink for the store, which must have no rows, and commits what it has taken if write succeeds. It creates the
// tables before. It returns store.ErrInUse if another process uses a PostgreSQL database; for SQLite, the caller holds the lock of the folder.
func (p Place) Load(ctx context.Context, write func(dump.Sink) error) error {
	if p.URL != "" {
		return postgres.Load(ctx, p.URL, write)
	}
	existed := p.Exists()
	db, err := sqlite.Open(ctx, p.file())
	if err != nil {
		return err
	}
	err = errors.Join(db.Load(ctx, write), db.Close())
	if err != nil && !existed {
		err = errors.Join(err, p.remove())
	}
	return err
}

// remove removes the SQLite file and its side files.
func (p Place) remove() error {
	var all error
	for _, more := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(p.file() + more); err != nil && !errors.Is(err, fs.ErrNotExist) {
			all = errors.Join(all, fmt.Errorf("remove the new database: %w", err))
		}
	}
	return all
}

// Move copies all rows to another store, which must have none, and compares both afterwards; both are read again for that. Nobody else can
// write to either meanwhile. If it fails, the other store has no rows. progress may be nil.
func Move(ctx context.Context, from, to Place, progress dump.Progress) (done dump.Result, err error) {
	v, err := from.View(ctx)
	if err != nil {
		return done, err
	}
	defer v.Close() //nolint:errcheck // it has only read
	if err := v.Alone(ctx); err != nil {
		return done, fmt.Errorf("%s: %w", from, err)
	}
	err = v.Snapshot(ctx, func(s dump.Snapshot) error {
		return to.Load(ctx, func(sink dump.Sink) error {
			if done, err = dump.Copy(ctx, dump.Of(s), sink, progress); err != nil {
				return err
			}
			again, err := dump.Sum(ctx, dump.Of(s), sink.Fit)
			if err != nil {
				return fmt.Errorf("read %s again: %w", from, err)
			}
			return again.Compare(done.Rows)
		})
	})
	return done, err
}

// Restore copies all rows of a backup to the store, which must have none, and compares them afterwards. If it fails, the store has no rows.
// progress may be nil.
func (p Place) Restore(ctx context.Context, from *dump.File, progress dump.Progress) (done dump.Result, err error) {
	err = p.Load(ctx, func(sink dump.Sink) (err error) {
		done, err = dump.Copy(ctx, from, sink, progress)
		return err
	})
	return done, err
}

// Backup writes a backup of all rows, while others may use the store. program is the version of the program. progress may be nil.
func (p Place) Backup(ctx context.Context, to io.Writer, now time.Time, program string, progress dump.Progress) (
	ds dump.Digests, err error,
) {
	v, err := p.View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close() //nolint:errcheck // it has only read
	err = v.Snapshot(ctx, func(s dump.Snapshot) (err error) {
		ds, err = dump.Write(ctx, to, dump.Of(s), now, program, progress)
		return err
	})
	return ds, err
}
