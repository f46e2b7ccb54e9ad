package sqlite

import (
	"context"
	"database/sql"

	"github.com/formgraph/formgraph/server/store"
)

// scanner is a row, alone or of several.
type scanner interface{ Scan(dest ...any) error }

// all reads every row of a query.
func all[T any](ctx context.Context, d *access, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := d.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, translate(err, "list")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var out []T
	for rows.Next() {
		row, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, translate(rows.Err(), "list")
}

// list reads one page of a query and counts all of its rows. The parameters of from come first. Between
// the two reads somebody may write: then the count is that of a moment before.
func list[T any](ctx context.Context, d *access, scan func(scanner) (T, error), columns, from, order string, offset, limit int, args ...any) ([]T, int, error) {
	var total int
	if err := d.read.QueryRowContext(ctx, `SELECT count(*) `+from, args...).Scan(&total); err != nil {
		return nil, 0, translate(err, "count")
	}
	page, err := all(ctx, d, scan, `SELECT `+columns+` `+from+` `+order+` LIMIT ? OFFSET ?`, append(append([]any{}, args...), limit, offset)...)
	return page, total, err
}

// must runs a statement that touches one row, or returns ErrNotFound.
func (d *access) must(ctx context.Context, action, statement string, args ...any) error {
	res, err := d.write.ExecContext(ctx, statement, args...)
	if err != nil {
		return translate(err, action)
	}
	return affected(res, action, store.ErrNotFound)
}

// exec runs one statement for each list of parameters, in a transaction.
func exec(ctx context.Context, tx *sql.Tx, action, statement string, lists ...[]any) error {
	for _, args := range lists {
		if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
			return translate(err, action)
		}
	}
	return nil
}
