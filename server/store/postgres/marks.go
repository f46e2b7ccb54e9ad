package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// marks implements store.Marks.
type marks struct{ *runner }

func (d marks) Mark(ctx context.Context, name string) (string, error) {
	return one(ctx, d.runner, "get mark", rows.Value[string], `SELECT value FROM marks WHERE name = $1`, name)
}

func (d marks) PutMark(ctx context.Context, name, value string) error {
	return d.exec(ctx, "put mark", `INSERT INTO marks (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}
