package sqlite

import (
	"context"
)

// marks implements store.Marks.
type marks struct{ *runner }

func (d marks) Mark(ctx context.Context, name string) (string, error) {
	var v string
	err := d.row(ctx, `SELECT value FROM marks WHERE name = ?`, name).Scan(&v)
	return v, translate(err, "get mark")
}

func (d marks) PutMark(ctx context.Context, name, value string) error {
	return d.exec(ctx, "put mark", `INSERT INTO marks (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}
