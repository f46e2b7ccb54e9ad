package vault

import (
	"context"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

// limit is the maximum duration of each database operation.
const limit = 20 * time.Second

// Vault contains the parts of one person's drafts. Its methods block and must
// not run on the goroutine of a JavaScript callback.
type Vault struct {
	db     app.Value
	sealer *sealer
}

// Part is a part of a draft. Name is unique in the draft.
type Part struct {
	Draft, Name string
	Text        []byte
}

// Open opens the vault of the signed-in person.
func Open(ctx context.Context, c *client.Client) (*Vault, error) {
	keys, err := c.DraftKeys(ctx)
	if err != nil {
		return nil, err
	}
	sealer, err := newSealer(keys)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	db, err := openDatabase(ctx)
	if err != nil {
		return nil, err
	}
	return &Vault{db, sealer}, nil
}

// Close closes the database.
func (v *Vault) Close() {
	if v != nil {
		v.db.Call("close")
	}
}

// Drafts returns the ids of the drafts that have a part with the given name
// encrypted by the person, even if it is damaged.
func (v *Vault) Drafts(ctx context.Context, part string) ([]string, error) {
	rows, err := v.rows(ctx, func(table app.Value) app.Value { return table.Call("index", partIndex).Call("getAll", part) })
	var ids []string
	for _, row := range rows {
		if v.sealer.has(row.Get("key").String()) {
			ids = append(ids, row.Get("draft").String())
		}
	}
	return ids, err
}

// Named returns the person's parts with the given name, one per draft.
func (v *Vault) Named(ctx context.Context, part string) ([]Part, error) {
	return v.parts(ctx, func(table app.Value) app.Value { return table.Call("index", partIndex).Call("getAll", part) })
}

// Of returns the parts of a draft.
func (v *Vault) Of(ctx context.Context, draft string) ([]Part, error) {
	return v.parts(ctx, func(table app.Value) app.Value { return table.Call("getAll", rangeOf(draft)) })
}

// parts decrypts the parts found by a query. It omits those that cannot be
// decrypted.
func (v *Vault) parts(ctx context.Context, ask func(app.Value) app.Value) ([]Part, error) {
	rows, err := v.rows(ctx, ask)
	if err != nil {
		return nil, err
	}
	var out []Part
	for _, row := range rows {
		p := Part{Draft: row.Get("draft").String(), Name: row.Get("part").String()}
		var err error
		if p.Text, err = v.sealer.open(row.Get("key").String(), p.place(), row.Get("sealed")); err == nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// place returns the data to which an encrypted text is bound.
func (p Part) place() string { return p.Draft + "/" + p.Name }

func (v *Vault) rows(ctx context.Context, ask func(app.Value) app.Value) ([]app.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	list, err := query(ctx, v.db, ask)
	if err != nil {
		return nil, fmt.Errorf("read drafts: %w", err)
	}
	rows := make([]app.Value, list.Length())
	for i := range rows {
		rows[i] = list.Index(i)
	}
	return rows, nil
}

// Write stores some parts of a draft and removes others, atomically.
func (v *Vault) Write(ctx context.Context, draft string, put []Part, remove []string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	rows := make([]map[string]any, len(put))
	for i, part := range put {
		part.Draft = draft
		sealed, key, err := v.sealer.seal(part.place(), part.Text)
		if err != nil {
			return err
		}
		rows[i] = map[string]any{"draft": draft, "part": part.Name, "key": key, "sealed": sealed}
	}
	return transaction(ctx, v.db, func(table app.Value) {
		for _, name := range remove {
			table.Call("delete", []any{draft, name})
		}
		for _, row := range rows {
			table.Call("put", row)
		}
	})
}

// Delete removes drafts.
func (v *Vault) Delete(ctx context.Context, drafts ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return transaction(ctx, v.db, func(table app.Value) {
		for _, id := range drafts {
			table.Call("delete", rangeOf(id))
		}
	})
}

// rangeOf returns the key range of all parts of a draft: an array sorts after
// every text.
func rangeOf(draft string) app.Value {
	return app.Window().Get("IDBKeyRange").Call("bound", []any{draft}, []any{draft, []any{}})
}
