package sqlite

import (
	"context"
)

// Mark implements store.Marks.
func (d *DB) Mark(ctx context.Context, name string) (string, error) {
	var v string
	err := d.read.QueryRowContext(ctx, `SELECT value FROM marks WHERE name = ?`, name).Scan(&v)
	return v, translate(err, "get mark")
}

// PutMark implements store.Marks.
func (d *DB) PutMark(ctx context.Context, name, value string) error {
	_, err := d.write.ExecContext(ctx, `INSERT INTO marks (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return translate(err, "put mark")
}
