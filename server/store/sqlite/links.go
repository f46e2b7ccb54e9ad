package sqlite

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
	return all(ctx, d.runner, "list links", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE tenant = ? AND form = ?
		ORDER BY created DESC, id`, form.Tenant, form.Form)
}

func (d links) Add(ctx context.Context, l store.Link, most int, expired time.Time) error {
	return d.inTx(ctx, func(tx *runner) error {
		if err := tx.exec(ctx, "remove expired links", `DELETE FROM links WHERE tenant = ? AND form = ? AND expires < ?`,
			l.Form.Tenant, l.Form.Form, rows.Millis(expired)); err != nil {
			return err
		}
		n, err := one(ctx, tx, "count links", rows.Value[int], `SELECT count(*) FROM links WHERE tenant = ? AND form = ?`, l.Form.Tenant, l.Form.Form)
		switch {
		case err != nil:
			return err
		case n >= most:
			return translate(store.ErrTooMany, "add link")
		}
		return tx.exec(ctx, "add link", `INSERT INTO links (`+rows.LinkColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, rows.LinkValues(l)...)
	})
}

func (d links) Find(ctx context.Context, tenant, id string) (store.Link, error) {
	return one(ctx, d.runner, "find link", rows.Link, `SELECT `+rows.LinkColumns+` FROM links WHERE id = ? AND tenant = ?`, id, tenant)
}

func (d links) Count(ctx context.Context, tenant, id string, at time.Time) error {
	return d.exec(ctx, "count link", `UPDATE links SET times = times + 1, opened = max(opened, ?) WHERE id = ? AND tenant = ?`, rows.Millis(at), id, tenant)
}

func (d links) Remove(ctx context.Context, form store.FormKey, id string) error {
	return d.must(ctx, "remove link", `DELETE FROM links WHERE id = ? AND tenant = ? AND form = ?`, id, form.Tenant, form.Form)
}

func (d links) DeleteAll(ctx context.Context, form store.FormKey) error {
	return d.exec(ctx, "delete links", `DELETE FROM links WHERE tenant = ? AND form = ?`, form.Tenant, form.Form)
}
