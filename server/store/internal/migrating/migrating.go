// Package migrating brings the tables of a database up to date, for every engine of package store.
package migrating

import (
	"context"
	"database/sql"
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
	all := p.ListSources()
	newest := all[len(all)-1].Version
	version, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read version of the tables: %w", err)
	}
	if version > newest {
		return fmt.Errorf("%w: its tables have version %d, this program supports up to %d: start the newer formgraph, or restore a backup",
			store.ErrNewer, version, newest)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
