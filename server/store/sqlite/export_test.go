package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// Pragma sets a pragma on the writing connection.
func (d *DB) Pragma(ctx context.Context, name string, value int) error {
	_, err := d.pools.write.ExecContext(ctx, fmt.Sprintf("PRAGMA %s = %d", name, value))
	return err
}

// SetPatience sets how long a write waits for its turn.
func (d *DB) SetPatience(t time.Duration) { d.patience = t }

// RowsBesideForms implements storetest.Teams.
func (d *DB) RowsBesideForms(ctx context.Context) (map[string]int, error) {
	tables, err := all(ctx, d.runner, "list tables", rows.Value[string], `SELECT DISTINCT t.name FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND c.name IN ('tenant', 'form', 'room')`)
	counts := map[string]int{}
	for i := 0; i < len(tables) && err == nil; i++ {
		counts[tables[i]], err = one(ctx, d.runner, "count rows", rows.Value[int], `SELECT count(*) FROM `+tables[i])
	}
	return counts, err
}

// LastSetting returns the highest number of a row of settings.
func (d *DB) LastSetting(ctx context.Context) (int, error) {
	return one(ctx, d.runner, "read number", rows.Value[int], `SELECT max(seq) FROM settings`)
}
