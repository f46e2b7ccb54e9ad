package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// documentTable holds the statements of one table of documents. All have the same columns; those of a team also have a tenant, which is the last
// parameter of the statements.
type documentTable struct {
	noun                                                 string // for errors
	list, total, missing, get, lock, create, put, delete string
}

var (
	forms, flows       = newDocumentTable("form", false), newDocumentTable("flow", false)
	scenarios, sources = newDocumentTable("scenario", true), newDocumentTable("source", true)
	formSettings       = newDocumentTable("setting", true)
	canvasNotes        = newDocumentTable("note", true)
)

// newDocumentTable returns the statements for a noun whose table has the noun's plural as its name.
func newDocumentTable(noun string, ofTeam bool) documentTable {
	table := noun + "s"
	column, value := "", ""
	and := func(string) string { return "" }
	if ofTeam {
		column, value = ", tenant", ", $6"
		and = func(parameter string) string { return " AND tenant = " + parameter }
	}
	get := `SELECT id, name, created, updated, body FROM ` + table + ` WHERE id = $1` + and("$2")
	return documentTable{
		noun:    noun,
		list:    `SELECT id, name, created, updated, NULL::bytea FROM ` + table + ` ORDER BY seq LIMIT $1 OFFSET $2`,
		total:   `SELECT count(*) FROM ` + table,
		missing: `SELECT given.id FROM unnest($1::text[]) given (id) WHERE NOT EXISTS (SELECT 1 FROM ` + table + ` t WHERE t.id = given.id)`,
		get:     get,
		lock:    get + ` FOR UPDATE`,
		create:  `INSERT INTO ` + table + ` (id, name, created, updated, body` + column + `) VALUES ($1, $2, $3, $4, $5` + value + `)`,
		put:     `UPDATE ` + table + ` SET name = $2, updated = $3, body = $4 WHERE id = $1` + and("$5"),
		delete:  `DELETE FROM ` + table + ` WHERE id = $1`,
	}
}

// documents implements store.Documents for one table.
type documents struct {
	*runner

	table *documentTable
	of    []any // the tenant, for a table of a team
}

// Forms returns the forms.
func (d *DB) Forms() store.Documents { return documents{d.runner, &forms, nil} }

// Flows returns the flows.
func (d *DB) Flows() store.Documents { return documents{d.runner, &flows, nil} }

// with returns the parameters of a statement.
func (d documents) with(args ...any) []any { return append(args, d.of...) }

// List implements store.Documents. It reads the page and then the total: a document created in between is counted but not listed until a
// later page.
func (d documents) List(ctx context.Context, offset, limit int) ([]store.Document, int, error) {
	page, err := all(ctx, d.runner, "list "+d.table.noun+"s", rows.Document, d.table.list, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	total, err := one(ctx, d.runner, "count "+d.table.noun+"s", rows.Value[int], d.table.total)
	return page, total, err
}

func (d documents) Missing(ctx context.Context, ids []string) ([]string, error) {
	return all(ctx, d.runner, "look for "+d.table.noun+"s", rows.Value[string], d.table.missing, ids)
}

func (d documents) Get(ctx context.Context, id string) (store.Document, error) {
	return one(ctx, d.runner, "get "+d.table.noun, rows.Document, d.table.get, d.with(id)...)
}

func (d documents) Create(ctx context.Context, o store.Document) (store.Document, error) {
	o.Created = rows.Instant(rows.Millis(o.Created))
	o.Updated = o.Created
	err := d.exec(ctx, "create "+d.table.noun, d.table.create,
		d.with(o.ID, o.Name, rows.Millis(o.Created), rows.Millis(o.Updated), o.Body)...)
	if err != nil {
		return store.Document{}, err
	}
	return o, nil
}

// Update implements store.Documents. It locks the row before it reads it.
func (d documents) Update(ctx context.Context, id string, now time.Time,
	change func(store.Document) (store.Document, error),
) (store.Document, error) {
	var kept store.Document
	err := d.inTx(ctx, free, func(tx *runner) error {
		old, err := one(ctx, tx, "get "+d.table.noun, rows.Document, d.table.lock, d.with(id)...)
		if err != nil {
			return err
		}
		var changed bool
		if kept, changed, err = rows.ChangeDocument(old, now, change); err != nil || !changed {
			return err
		}
		return tx.exec(ctx, "update "+d.table.noun, d.table.put, d.with(id, kept.Name, rows.Millis(kept.Updated), kept.Body)...)
	})
	if err != nil {
		return store.Document{}, err
	}
	return kept, nil
}

func (d documents) Delete(ctx context.Context, id string) error {
	return d.must(ctx, "delete "+d.table.noun, d.table.delete, id)
}
