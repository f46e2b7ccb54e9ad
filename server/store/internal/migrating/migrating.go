// Package migrating brings the tables of a database up to date, for every engine of package store.
//
// While replicas are upgraded one by one, the version before runs on the new tables, so a migration must not break it: it adds tables,
// columns with defaults and indexes, and what is no longer used is removed one version later. Released migrations do not change.
package migrating

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store"
)

// Up runs the migrations in files that db lacks. It returns store.ErrNewer, and changes nothing, if db has been migrated by a newer
// program. The caller must keep other processes from migrating the same database meanwhile.
func Up(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS) error {
	p, err := goose.NewProvider(dialect, db, files)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	version, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read version of the tables: %w", err)
	}
	if err := Compare(files, version); errors.Is(err, store.ErrNewer) {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// Compare returns store.ErrNewer or store.ErrOlder if tables of a version are not those of the newest migration in files, and
// store.ErrNoTables if the version is 0.
func Compare(files fs.FS, version int64) error {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	var newest int64
	for _, name := range names {
		n, err := goose.NumericComponent(name)
		if err != nil {
			return fmt.Errorf("read migrations: %w", err)
		}
		newest = max(newest, n)
	}
	switch {
	case version > newest:
		return fmt.Errorf("%w: its tables have version %d, this program supports up to %d: start the newer formgraph, or restore a backup",
			store.ErrNewer, version, newest)
	case version == 0:
		return store.ErrNoTables
	case version < newest:
		return fmt.Errorf("%w: they have version %d instead of %d: start formgraph serve of this version once, which migrates them",
			store.ErrOlder, version, newest)
	}
	return nil
}
