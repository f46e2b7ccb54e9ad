package sqlite

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// versions implements store.Versions.
type versions team

// List implements store.Versions. It reads the page and then the total, as the lists of documents do.
func (d versions) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	page, err := all(ctx, d.runner, "list versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions WHERE tenant = ? AND form = ?
		ORDER BY saved DESC, number DESC LIMIT ? OFFSET ?`, d.tenant, form, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	total, err := one(ctx, d.runner, "count versions", rows.Value[int], `SELECT count(*) FROM versions WHERE tenant = ? AND form = ?`,
		d.tenant, form)
	return page, total, err
}

// Named implements store.Versions.
func (d versions) Named(ctx context.Context, form string) ([]store.Version, error) {
	return all(ctx, d.runner, "list named versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions
		WHERE tenant = ? AND form = ? AND (name <> '' OR note <> '') ORDER BY saved DESC, number DESC`, d.tenant, form)
}

// Newest implements store.Versions.
func (d versions) Newest(ctx context.Context, forms []string) ([]store.Version, error) {
	of, err := json.Marshal(forms)
	if err != nil {
		return nil, err
	}
	return all(ctx, d.runner, "read newest versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions WHERE rowid IN (
		SELECT (SELECT rowid FROM versions WHERE tenant = ?1 AND form = f.value ORDER BY saved DESC, number DESC LIMIT 1) FROM json_each(?2) f)`,
		d.tenant, string(of))
}

func (d versions) Changes(ctx context.Context, form string, limit int) ([]store.Version, error) {
	return all(ctx, d.runner, "read changes", rows.ChangedVersion, `SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+`
		FROM versions WHERE tenant = ? AND form = ? ORDER BY saved DESC, number DESC LIMIT ?`, d.tenant, form, limit)
}

// Sizes implements store.Versions. The length of a value is stored beside it.
func (d versions) Sizes(ctx context.Context, form string) (map[int]int, error) {
	sizes := rows.VersionSizes{}
	err := d.each(ctx, "read sizes of versions", sizes.Add, `SELECT number, length(`+rows.VersionBody+`) + length(`+rows.VersionChanged+`)
		FROM versions WHERE tenant = ? AND form = ?`, d.tenant, form)
	if err != nil {
		return nil, err
	}
	return sizes, nil
}

func (d versions) Chain(ctx context.Context, form string, number int) ([]store.Version, error) {
	const columns = rows.VersionColumns + ", " + rows.VersionBody
	chain, err := all(ctx, d.runner, "read version", rows.WholeVersion, `WITH RECURSIVE chain (number, base) AS (
			SELECT number, base FROM versions WHERE tenant = ?1 AND form = ?2 AND number = ?3
			UNION ALL SELECT v.number, v.base FROM chain JOIN versions v ON v.tenant = ?1 AND v.form = ?2 AND v.number = chain.base
				WHERE chain.base < chain.number)
		SELECT `+columns+` FROM versions WHERE tenant = ?1 AND form = ?2 AND number IN (SELECT number FROM chain) ORDER BY number`,
		d.tenant, form, number)
	if err == nil && len(chain) == 0 {
		err = translate(store.ErrNotFound, "read version")
	}
	return chain, err
}

func (d versions) Last(ctx context.Context, form string) (int, error) {
	return one(ctx, d.runner, "read last version", rows.Value[int], `SELECT coalesce(max(number), 0) FROM versions
		WHERE tenant = ? AND form = ?`, d.tenant, form)
}

// insertVersion is executed for every save.
const insertVersion = `INSERT INTO versions (tenant, ` + rows.VersionColumns + `, ` + rows.VersionBody + `, ` + rows.VersionChanged + `)
	SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
	WHERE ?11 = ?3 OR EXISTS (SELECT 1 FROM versions WHERE tenant = ?1 AND form = ?2 AND number = ?11)`

func (d versions) Add(ctx context.Context, v store.Version) error {
	n, err := d.count(ctx, "add version", insertVersion, rows.VersionValues(d.tenant, v)...)
	if err == nil && n == 0 {
		err = translate(store.ErrConflict, "add version")
	}
	return err
}

func (d versions) Describe(ctx context.Context, form string, number int, change func(*store.Version) error) (store.Version, error) {
	return update(ctx, d.runner, "describe version", func(tx *runner) (store.Version, error) {
		return one(ctx, tx, "read version", rows.ChangedVersion,
			`SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+` FROM versions WHERE tenant = ? AND form = ? AND number = ?`,
			d.tenant, form, number)
	}, change, func(old store.Version, v *store.Version) (string, []any) {
		rows.KeepVersion(old, v)
		return `UPDATE versions SET author = ?4, author_id = ?5, note = ?6, name = ?7, changed = ?8
				WHERE tenant = ?1 AND form = ?2 AND number = ?3`, []any{d.tenant, form, number, v.Author, v.AuthorID, v.Note, v.Name, v.Changed}
	})
}

// Prune implements store.Versions.
func (d versions) Prune(ctx context.Context, form string, remove []int, again []store.Version) error {
	return d.inTx(ctx, func(tx *runner) error {
		for _, v := range again {
			if slices.Contains(remove, v.Base) {
				return translate(store.ErrConflict, "rebase version")
			}
			if err := tx.exec(ctx, "rebase version", `UPDATE versions SET base = ?4, body = ?5
				WHERE tenant = ?1 AND form = ?2 AND number = ?3`, d.tenant, form, v.Number, v.Base, v.Body); err != nil {
				return err
			}
		}
		for _, number := range remove {
			n, err := tx.count(ctx, "remove version", `DELETE FROM versions
				WHERE tenant = ? AND form = ? AND number = ? AND note = '' AND name = ''`, d.tenant, form, number)
			if err == nil && n == 0 {
				err = translate(store.ErrConflict, "remove version")
			}
			if err != nil {
				return err
			}
		}
		left, err := one(ctx, tx, "check versions", rows.Value[int], `SELECT count(*) FROM versions v
			WHERE v.tenant = ?1 AND v.form = ?2 AND NOT EXISTS (
				SELECT 1 FROM versions b WHERE b.tenant = ?1 AND b.form = ?2 AND b.number = v.base)`, d.tenant, form)
		if err == nil && left > 0 {
			err = translate(fmt.Errorf("%w: %d versions would have no base", store.ErrConflict, left), "check versions")
		}
		return err
	})
}

func (d versions) Forms(ctx context.Context, before time.Time, after string, limit int) ([]string, error) {
	return all(ctx, d.runner, "list forms with versions", rows.Value[string], `SELECT form FROM versions
		WHERE tenant = ? AND form > ? AND saved < ? AND note = '' AND name = '' GROUP BY form ORDER BY form LIMIT ?`,
		d.tenant, after, rows.Millis(before), limit)
}
