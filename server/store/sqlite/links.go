package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// links implements store.Links.
type links team

func (d links) List(ctx context.Context, form string) ([]store.Link, error) {
	return all(ctx, d.runner, "list links", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE tenant = ? AND form = ?
		ORDER BY created DESC, id`, d.tenant, form)
}

func (d links) Add(ctx context.Context, l store.Link, most int, expired time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "remove expired links", `DELETE FROM links WHERE tenant = ? AND form = ? AND expires < ?`,
			d.tenant, l.Form, rows.Millis(expired)); err != nil {
			return err
		}
		n, err := one(ctx, tx, "count links", rows.Value[int], `SELECT count(*) FROM links WHERE tenant = ? AND form = ?`, d.tenant, l.Form)
		switch {
		case err != nil:
			return err
		case n >= most:
			return translate(store.ErrTooMany, "add link")
		}
		return tx.exec(ctx, "add link", `INSERT INTO links (tenant, `+rows.LinkColumns+`)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, rows.LinkValues(d.tenant, l)...)
	})
}

func (d links) Find(ctx context.Context, id string) (store.Link, error) {
	return one(ctx, d.runner, "find link", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE id = ? AND tenant = ?`, id, d.tenant)
}

func (d links) Count(ctx context.Context, id string, at time.Time) error {
	return d.exec(ctx, "count link", `UPDATE links SET times = times + 1, opened = max(opened, ?) WHERE id = ? AND tenant = ?`,
		rows.Millis(at), id, d.tenant)
}

func (d links) Remove(ctx context.Context, form string, id string) error {
	return d.must(ctx, "remove link", `DELETE FROM links WHERE id = ? AND tenant = ? AND form = ?`, id, d.tenant, form)
}
