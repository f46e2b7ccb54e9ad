package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// documents is one table of documents; forms and flows have the same columns.
type documents struct {
	d *DB

	kept                              preparedDocuments
	noun                              string // for errors
	list, count, get, create, put, rm string // statements
}

// Forms returns the forms.
func (d *DB) Forms() store.Documents { return d.documents("form", d.kept.forms) }

// Flows returns the flows.
func (d *DB) Flows() store.Documents { return d.documents("flow", d.kept.flows) }

// documents returns the documents of a noun, whose table has the noun's plural for a name.
func (d *DB) documents(noun string, kept preparedDocuments) *documents {
	table := noun + "s"
	return &documents{
		d: d, noun: noun, kept: kept,
		list:   `SELECT id, name, created, updated, NULL FROM ` + table + ` ORDER BY seq LIMIT ? OFFSET ?`,
		count:  `SELECT count(*) FROM ` + table,
		get:    `SELECT id, name, created, updated, body FROM ` + table + ` WHERE id = ?`,
		create: `INSERT INTO ` + table + ` (id, name, created, updated, body) VALUES (?, ?, ?, ?, ?)`,
		put:    `UPDATE ` + table + ` SET name = ?, updated = ?, body = ? WHERE id = ?`,
		rm:     `DELETE FROM ` + table + ` WHERE id = ?`,
	}
}

// List implements store.Documents. The page and the total are read one after the other: a document
// created between them is counted and not listed, which a later page shows.
func (o *documents) List(ctx context.Context, offset, limit int) ([]store.Document, int, error) {
	page, err := all(ctx, &o.d.access, o.one, o.list, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	var total int
	if err := o.d.read.QueryRowContext(ctx, o.count).Scan(&total); err != nil {
		return nil, 0, translate(err, "count "+o.noun+"s")
	}
	return page, total, nil
}

// Get implements store.Documents.
func (o *documents) Get(ctx context.Context, id string) (store.Document, error) {
	return o.one(o.kept.get.QueryRowContext(ctx, id))
}

func (o *documents) one(row scanner) (store.Document, error) {
	var d store.Document
	var created, updated int64
	if err := row.Scan(&d.ID, &d.Name, &created, &updated, &d.Body); err != nil {
		return store.Document{}, translate(err, "get "+o.noun)
	}
	d.Created, d.Updated = instant(created), instant(updated)
	return d, nil
}

// Create implements store.Documents.
func (o *documents) Create(ctx context.Context, d store.Document) (store.Document, error) {
	d.Created = instant(millis(d.Created))
	d.Updated = d.Created
	if _, err := o.d.write.ExecContext(ctx, o.create, d.ID, d.Name, millis(d.Created), millis(d.Updated), d.Body); err != nil {
		return store.Document{}, translate(err, "create "+o.noun)
	}
	return d, nil
}

// Update implements store.Documents.
func (o *documents) Update(ctx context.Context, id string, now time.Time,
	change func(store.Document) (store.Document, error),
) (store.Document, error) {
	var kept store.Document
	err := o.d.inTx(ctx, func(tx *sql.Tx) error {
		old, err := o.one(tx.StmtContext(ctx, o.kept.getTx).QueryRowContext(ctx, id))
		if err != nil {
			return err
		}
		// change gets a body of its own, so that writing into it cannot hide a change.
		given := old
		given.Body = bytes.Clone(old.Body)
		next, err := change(given)
		if err != nil {
			return err
		}
		kept = old
		if next.Name == old.Name && bytes.Equal(next.Body, old.Body) {
			return nil
		}
		kept.Name, kept.Body, kept.Updated = next.Name, next.Body, store.After(old.Updated, now)
		_, err = tx.StmtContext(ctx, o.kept.put).ExecContext(ctx, kept.Name, millis(kept.Updated), kept.Body, id)
		return translate(err, "update "+o.noun)
	})
	if err != nil {
		return store.Document{}, err
	}
	return kept, nil
}

// Delete implements store.Documents.
func (o *documents) Delete(ctx context.Context, id string) error {
	return o.d.must(ctx, "delete "+o.noun, o.rm, id)
}

// affected returns none, wrapped, when a statement touched no row.
func affected(res sql.Result, action string, none error) error {
	n, err := res.RowsAffected()
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", action, none)
	}
	return nil
}
