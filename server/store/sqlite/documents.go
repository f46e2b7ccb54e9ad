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
func (d *DB) Forms() store.Documents {
	o := d.formTable()
	o.kept = d.kept.forms
	return o
}

func (d *DB) formTable() *documents {
	return &documents{
		d: d, noun: "form",
		list:   `SELECT id, name, created, updated FROM forms ORDER BY seq LIMIT ? OFFSET ?`,
		count:  `SELECT count(*) FROM forms`,
		get:    `SELECT id, name, created, updated, body FROM forms WHERE id = ?`,
		create: `INSERT INTO forms (id, name, created, updated, body) VALUES (?, ?, ?, ?, ?)`,
		put:    `UPDATE forms SET name = ?, updated = ?, body = ? WHERE id = ?`,
		rm:     `DELETE FROM forms WHERE id = ?`,
	}
}

// Flows returns the flows.
func (d *DB) Flows() store.Documents {
	o := d.flowTable()
	o.kept = d.kept.flows
	return o
}

func (d *DB) flowTable() *documents {
	return &documents{
		d: d, noun: "flow",
		list:   `SELECT id, name, created, updated FROM flows ORDER BY seq LIMIT ? OFFSET ?`,
		count:  `SELECT count(*) FROM flows`,
		get:    `SELECT id, name, created, updated, body FROM flows WHERE id = ?`,
		create: `INSERT INTO flows (id, name, created, updated, body) VALUES (?, ?, ?, ?, ?)`,
		put:    `UPDATE flows SET name = ?, updated = ?, body = ? WHERE id = ?`,
		rm:     `DELETE FROM flows WHERE id = ?`,
	}
}

// List implements store.Documents. The page and the total are read one after the other: a document
// made between them is counted and not listed, which a later page shows.
func (o *documents) List(ctx context.Context, offset, limit int) ([]store.Document, int, error) {
	rows, err := o.d.read.QueryContext(ctx, o.list, limit, offset)
	if err != nil {
		return nil, 0, translate(err, "list "+o.noun+"s")
	}
	defer rows.Close() //nolint:errcheck // Err tells all that went wrong
	var page []store.Document
	for rows.Next() {
		var d store.Document
		var created, updated int64
		if err := rows.Scan(&d.ID, &d.Name, &created, &updated); err != nil {
			return nil, 0, translate(err, "list "+o.noun+"s")
		}
		d.Created, d.Updated = instant(created), instant(updated)
		page = append(page, d)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, translate(err, "list "+o.noun+"s")
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

func (o *documents) one(row *sql.Row) (store.Document, error) {
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
func (o *documents) Update(ctx context.Context, id string, now time.Time, change func(store.Document) (store.Document, error)) (store.Document, error) {
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
	res, err := o.d.write.ExecContext(ctx, o.rm, id)
	if err != nil {
		return translate(err, "delete "+o.noun)
	}
	return affected(res, "delete "+o.noun, store.ErrNotFound)
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
