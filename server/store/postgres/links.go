package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// links implements store.Links.
type links struct{ *runner }

// Links returns the links to look at forms.
func (d *DB) Links() store.Links { return links{d.runner} }

func (d links) List(ctx context.Context, form store.FormKey) ([]store.Link, error) {
	return all(ctx, d.runner, "list links", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE tenant = $1 AND form = $2
		ORDER BY created DESC, id`, form.Tenant, form.Form)
}

func (d links) Add(ctx context.Context, l store.Link, most int, expired time.Time) error {
	// Those who add links to a form take turns, since their number is limited.
	return comments(d).alone(ctx, l.Form, func(tx *runner) error {
		// A statement reads what was there before it.
		n, err := one(ctx, tx, "count links", rows.Value[int], `WITH gone AS (
				DELETE FROM links WHERE tenant = $1 AND form = $2 AND expires < $3 RETURNING id)
			SELECT count(*) FROM links WHERE tenant = $1 AND form = $2 AND NOT EXISTS (SELECT 1 FROM gone WHERE gone.id = links.id)`,
			l.Form.Tenant, l.Form.Form, rows.Millis(expired))
		switch {
		case err != nil:
			return err
		case n >= most:
			return translate(store.ErrTooMany, "add link")
		}
		return tx.exec(ctx, "add link", `INSERT INTO links (`+rows.LinkColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, rows.LinkValues(l)...)
	})
}

func (d links) Find(ctx context.Context, tenant, id string) (store.Link, error) {
	return one(ctx, d.runner, "find link", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE id = $1 AND tenant = $2`, id, tenant)
}

func (d links) Count(ctx context.Context, tenant, id string, at time.Time) error {
	return d.exec(ctx, "count link", `UPDATE links SET times = times + 1, opened = greatest(opened, $1) WHERE id = $2 AND tenant = $3`, rows.Millis(at), id, tenant)
}

func (d links) Remove(ctx context.Context, form store.FormKey, id string) error {
	return d.must(ctx, "remove link", `DELETE FROM links WHERE id = $1 AND tenant = $2 AND form = $3`, id, form.Tenant, form.Form)
}

func (d links) DeleteAll(ctx context.Context, form store.FormKey) error {
	return d.exec(ctx, "delete links", `DELETE FROM links WHERE tenant = $1 AND form = $2`, form.Tenant, form.Form)
}
