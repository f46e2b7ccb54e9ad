package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// versions implements store.Versions. Those who add or remove versions of a form do so alone, so that no version loses its base.
type versions team

// List implements store.Versions. It reads the page and then the total, as the lists of documents do.
func (d versions) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	page, err := all(ctx, d.runner, "list versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions WHERE tenant = $1 AND form = $2
		ORDER BY saved DESC, number DESC LIMIT $3 OFFSET $4`, d.tenant, form, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	total, err := one(ctx, d.runner, "count versions", rows.Value[int], `SELECT count(*) FROM versions WHERE tenant = $1 AND form = $2`,
		d.tenant, form)
	return page, total, err
}

// Named implements store.Versions.
func (d versions) Named(ctx context.Context, form string) ([]store.Version, error) {
	return all(ctx, d.runner, "list named versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions
		WHERE tenant = $1 AND form = $2 AND (name <> '' OR note <> '') ORDER BY saved DESC, number DESC`, d.tenant, form)
}

// Newest implements store.Versions.
func (d versions) Newest(ctx context.Context, forms []string) ([]store.Version, error) {
	return all(ctx, d.runner, "read newest versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM unnest($2::text[]) f (id)
		CROSS JOIN LATERAL (SELECT * FROM versions WHERE tenant = $1 AND form = f.id ORDER BY saved DESC, number DESC LIMIT 1) v`, d.tenant, forms)
}

func (d versions) Changes(ctx context.Context, form string, limit int) ([]store.Version, error) {
	return all(ctx, d.runner, "read changes", rows.ChangedVersion, `SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+`
		FROM versions WHERE tenant = $1 AND form = $2 ORDER BY saved DESC, number DESC LIMIT $3`, d.tenant, form, limit)
}

// Sizes implements store.Versions. The length of a value is stored beside it.
func (d versions) Sizes(ctx context.Context, form string) (map[int]int, error) {
	sizes := rows.VersionSizes{}
	err := d.each(ctx, "read sizes of versions", sizes.Add, `SELECT number, octet_length(`+rows.VersionBody+`) + octet_length(`+rows.VersionChanged+`)
		FROM versions WHERE tenant = $1 AND form = $2`, d.tenant, form)
	if err != nil {
		return nil, err
	}
	return sizes, nil
}

func (d versions) Chain(ctx context.Context, form string, number int) ([]store.Version, error) {
	const columns = rows.VersionColumns + ", " + rows.VersionBody
	chain, err := all(ctx, d.runner, "read version", rows.WholeVersion, `WITH RECURSIVE chain (number, base) AS (
			SELECT number, base FROM versions WHERE tenant = $1 AND form = $2 AND number = $3
			UNION ALL SELECT v.number, v.base FROM chain JOIN versions v ON v.tenant = $1 AND v.form = $2 AND v.number = chain.base
				WHERE chain.base < chain.number)
		SELECT `+columns+` FROM versions WHERE tenant = $1 AND form = $2 AND number IN (SELECT number FROM chain) ORDER BY number`,
		d.tenant, form, number)
	if err == nil && len(chain) == 0 {
		err = translate(store.ErrNotFound, "read version")
	}
	return chain, err
}

func (d versions) Last(ctx context.Context, form string) (int, error) {
	return one(ctx, d.runner, "read last version", rows.Value[int], `SELECT coalesce(max(number), 0) FROM versions
		WHERE tenant = $1 AND form = $2`, d.tenant, form)
}

func (d versions) Add(ctx context.Context, v store.Version) error {
	return team(d).alone(ctx, v.Form, func(tx *runner) error {
		n, err := tx.count(ctx, "add version", `INSERT INTO versions (tenant, `+rows.VersionColumns+`, `+rows.VersionBody+`, `+rows.VersionChanged+`)
			SELECT $1::text, $2::text, $3::bigint, $4::bigint, $5::text, $6::text, $7::text, $8::text, $9::text, $10::bytea, $11::bigint, $12::boolean,
				$13::bytea, $14::bytea
			WHERE $11 = $3 OR EXISTS (SELECT 1 FROM versions WHERE tenant = $1 AND form = $2 AND number = $11)`, rows.VersionValues(d.tenant, v)...)
		if err == nil && n == 0 {
			err = translate(store.ErrConflict, "add version")
		}
		return err
	})
}

func (d versions) Describe(ctx context.Context, form string, number int, change func(*store.Version) error) (store.Version, error) {
	var next store.Version
	err := d.inTx(ctx, free, func(tx *runner) error {
		old, err := one(ctx, tx, "read version", rows.ChangedVersion,
			`SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+` FROM versions WHERE tenant = $1 AND form = $2 AND number = $3 FOR UPDATE`,
			d.tenant, form, number)
		if err != nil {
			return err
		}
		next = old
		if err := change(&next); err != nil {
			return err
		}
		rows.KeepVersion(old, &next)
		return tx.must(ctx, "describe version", `UPDATE versions SET author = $4, author_id = $5, note = $6, name = $7, changed = $8
			WHERE tenant = $1 AND form = $2 AND number = $3`, d.tenant, form, number, next.Author, next.AuthorID, next.Note, next.Name, next.Changed)
	})
	if err != nil {
		return store.Version{}, err
	}
	return next, nil
}

// pruned counts the versions that were removed, and those that have no base now: a statement reads what was there before it.
const pruned = `WITH gone AS (
		DELETE FROM versions WHERE tenant = $1 AND form = $2 AND number = ANY($3) AND note = '' AND name = '' RETURNING number)
	SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM versions v
		WHERE v.tenant = $1 AND v.form = $2 AND NOT v.number = ANY($3) AND NOT EXISTS (
			SELECT 1 FROM versions b WHERE b.tenant = $1 AND b.form = $2 AND b.number = v.base AND NOT b.number = ANY($3)))`

// Prune implements store.Versions.
func (d versions) Prune(ctx context.Context, form string, remove []int, again []store.Version) error {
	numbers, bases, bodies := make([]int, len(again)), make([]int, len(again)), make([][]byte, len(again))
	for i, v := range again {
		numbers[i], bases[i], bodies[i] = v.Number, v.Base, v.Body
	}
	return team(d).alone(ctx, form, func(tx *runner) error {
		if err := tx.exec(ctx, "rebase versions", `UPDATE versions v SET base = u.base, body = u.body
			FROM unnest($3::bigint[], $4::bigint[], $5::bytea[]) u (number, base, body)
			WHERE v.tenant = $1 AND v.form = $2 AND v.number = u.number`, d.tenant, form, numbers, bases, bodies); err != nil {
			return err
		}
		_, err := one(ctx, tx, "remove versions", func(r rows.Scanner) (struct{}, error) {
			var gone, left int
			err := r.Scan(&gone, &left)
			if err == nil && (gone < len(remove) || left > 0) {
				err = errStale
			}
			return struct{}{}, err
		}, pruned, d.tenant, form, append([]int{}, remove...)) // an empty list, not NULL
		if errors.Is(err, errStale) {
			err = fmt.Errorf("remove versions: %w: %w", store.ErrConflict, errStale)
		}
		return err
	})
}

var errStale = errors.New("one to be removed has a name or does not exist, or another would have no base")

func (d versions) Forms(ctx context.Context, before time.Time, after string, limit int) ([]string, error) {
	return all(ctx, d.runner, "list forms with versions", rows.Value[string], `SELECT form FROM versions
		WHERE tenant = $1 AND form > $2 AND saved < $3 AND note = '' AND name = '' GROUP BY form ORDER BY form LIMIT $4`,
		d.tenant, after, rows.Millis(before), limit)
}
