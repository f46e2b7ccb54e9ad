package sqlite

import (
	"bytes"
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// documentTable holds the statements of one table of documents. Forms and flows have the same columns.
type documentTable struct {
	noun                                  string // for errors
	list, total, get, create, put, delete string
}

var forms, flows = newDocumentTable("form"), newDocumentTable("flow")

// newDocumentTable returns the statements for a noun whose table has the noun's plural as its name.
func newDocumentTable(noun string) documentTable {
	table := noun + "s"
	return documentTable{
		noun:   noun,
		list:   `SELECT id, name, created, updated, NULL FROM ` + table + ` ORDER BY seq LIMIT ? OFFSET ?`,
		total:  `SELECT count(*) FROM ` + table,
		get:    `SELECT id, name, created, updated, body FROM ` + table + ` WHERE id = ?`,
		create: `INSERT INTO ` + table + ` (id, name, created, updated, body) VALUES (?, ?, ?, ?, ?)`,
		put:    `UPDATE ` + table + ` SET name = ?, updated = ?, body = ? WHERE id = ?`,
		delete: `DELETE FROM ` + table + ` WHERE id = ?`,
	}
}

// documents implements store.Documents for one table.
type documents struct {
	*runner

	table *documentTable
}

// Forms returns the forms.
func (d *DB) Forms() store.Documents { return documents{d.runner, &forms} }

// Flows returns the flows.
func (d *DB) Flows() store.Documents { return documents{d.runner, &flows} }

func scanDocument(row scanner) (store.Document, error) {
	var o store.Document
	var created, updated int64
	err := row.Scan(&o.ID, &o.Name, &created, &updated, &o.Body)
	o.Created, o.Updated = instant(created), instant(updated)
	return o, err
}

// List implements store.Documents. It reads the page and then the total: a document created in between is counted but not listed until a
// later page.
func (d documents) List(ctx context.Context, offset, limit int) ([]store.Document, int, error) {
	page, err := all(ctx, d.runner, "list "+d.table.noun+"s", scanDocument, d.table.list, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	var total int
	if err := d.row(ctx, d.table.total).Scan(&total); err != nil {
		return nil, 0, translate(err, "count "+d.table.noun+"s")
	}
	return page, total, nil
}

func (d documents) Get(ctx context.Context, id string) (store.Document, error) {
	o, err := scanDocument(d.row(ctx, d.table.get, id))
	if err != nil {
		return store.Document{}, translate(err, "get "+d.table.noun)
	}
	return o, nil
}

func (d documents) Create(ctx context.Context, o store.Document) (store.Document, error) {
	o.Created = instant(millis(o.Created))
	o.Updated = o.Created
	err := d.exec(ctx, "create "+d.table.noun, d.table.create, o.ID, o.Name, millis(o.Created), millis(o.Updated), o.Body)
	if err != nil {
		return store.Document{}, err
	}
	return o, nil
}

func (d documents) Update(ctx context.Context, id string, now time.Time,
	change func(store.Document) (store.Document, error),
) (store.Document, error) {
	var kept store.Document
	err := d.inTx(ctx, func(tx *runner) error {
		old, err := documents{tx, d.table}.Get(ctx, id)
		if err != nil {
			return err
		}
		// change gets its own copy of the body, so that writing into it cannot hide a change.
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
		return tx.exec(ctx, "update "+d.table.noun, d.table.put, kept.Name, millis(kept.Updated), kept.Body, id)
	})
	if err != nil {
		return store.Document{}, err
	}
	return kept, nil
}

func (d documents) Delete(ctx context.Context, id string) error {
	return d.must(ctx, "delete "+d.table.noun, d.table.delete, id)
}
