package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// LockOfMigrations is the key of a lock.
const LockOfMigrations = lockOfMigrations

// For tests.
var (
	OpenTraced = open
	Parse      = parse
	Translate  = translate
)

// Setting returns a setting of the connections of d.
func (d *DB) Setting(ctx context.Context, name string) (value string, err error) {
	err = d.pool.QueryRow(ctx, `SELECT current_setting($1)`, name).Scan(&value)
	return value, err
}

// MaxConns returns the size of the pool of d.
func (d *DB) MaxConns() int32 { return d.pool.Config().MaxConns }

// ConnString returns the URL of d.
func (d *DB) ConnString() string { return d.pool.Config().ConnString() }

// PublishStatement is the statement of Publish.
const PublishStatement = publish

// RowsBesideForms implements storetest.Teams.
func (d *DB) RowsBesideForms(ctx context.Context) (map[string]int, error) {
	tables, err := all(ctx, d.runner, "list tables", rows.Value[string], `SELECT DISTINCT table_name::text FROM information_schema.columns
		WHERE table_schema = current_schema() AND column_name IN ('tenant', 'form', 'room')`)
	counts := map[string]int{}
	for i := 0; i < len(tables) && err == nil; i++ {
		counts[tables[i]], err = one(ctx, d.runner, "count rows", rows.Value[int], `SELECT count(*) FROM `+tables[i])
	}
	return counts, err
}
