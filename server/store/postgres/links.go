package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// links implements store.Links.
type links team

func (d links) List(ctx context.Context, form string) ([]store.Link, error) {
	return all(ctx, d.runner, "list links", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE tenant = $1 AND form = $2
		ORDER BY created DESC, id`, d.tenant, form)
}

func (d links) Add(ctx context.Context, l store.Link, most int, expired time.Time) error {
	// Those who add links to a form take turns, since their number is limited.
	return team(d).alone(ctx, l.Form, func(tx *runner) error {
		// A statement reads what was there before it.
		n, err := one(ctx, tx, "count links", rows.Value[int], `WITH gone AS (
				DELETE FROM links WHERE tenant = $1 AND form = $2 AND expires < $3 RETURNING id)
			SELECT count(*) FROM links WHERE tenant = $1 AND form = $2 AND NOT EXISTS (SELECT 1 FROM gone WHERE gone.id = links.id)`,
			d.tenant, l.Form, rows.Millis(expired))
		switch {
		case err != nil:
			return err
		case n >= most:
			return translate(store.ErrTooMany, "add link")
		}
		return tx.exec(ctx, "add link", `INSERT INTO links (tenant, `+rows.LinkColumns+`)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, rows.LinkValues(d.tenant, l)...)
	})
}

func (d links) Find(ctx context.Context, id string) (store.Link, error) {
	return one(ctx, d.runner, "find link", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE id = $1 AND tenant = $2`, id, d.tenant)
}

func (d links) Count(ctx context.Context, id string, at time.Time) error {
	return d.exec(ctx, "count link", `UPDATE links SET times = times + 1, opened = greatest(opened, $1) WHERE id = $2 AND tenant = $3`,
		rows.Millis(at), id, d.tenant)
}

func (d links) Remove(ctx context.Context, form string, id string) error {
	return d.must(ctx, "remove link", `DELETE FROM links WHERE id = $1 AND tenant = $2 AND form = $3`, id, d.tenant, form)
}
