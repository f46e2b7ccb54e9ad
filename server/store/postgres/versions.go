package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// versions implements store.Versions. Those who add or remove versions of a form take a lock, so that no version loses its base.
type versions struct{ *runner }

// lockOfVersions is the first key of the advisory locks, and the hash of the form is the second.
const lockOfVersions = 0x76657273

// Versions returns the saved versions of forms.
func (d *DB) Versions() store.Versions { return versions{d.runner} }

// List implements store.Versions. It reads the page and then the total, as the lists of documents do.
func (d versions) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	page, err := all(ctx, d.runner, "list versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions WHERE form = $1
		ORDER BY saved DESC, number DESC LIMIT $2 OFFSET $3`, form, limit, offset)
	if err != nil {
		return nil, 0, err
	}
	total, err := one(ctx, d.runner, "count versions", rows.Value[int], `SELECT count(*) FROM versions WHERE form = $1`, form)
	return page, total, err
}

// Named implements store.Versions.
func (d versions) Named(ctx context.Context, form string) ([]store.Version, error) {
	return all(ctx, d.runner, "list named versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM versions
		WHERE form = $1 AND (name <> '' OR note <> '') ORDER BY saved DESC, number DESC`, form)
}

// Newest implements store.Versions.
func (d versions) Newest(ctx context.Context, forms []string) ([]store.Version, error) {
	return all(ctx, d.runner, "read newest versions", rows.Version, `SELECT `+rows.VersionColumns+` FROM unnest($1::text[]) f (id)
		CROSS JOIN LATERAL (SELECT * FROM versions WHERE form = f.id ORDER BY saved DESC, number DESC LIMIT 1) v`, forms)
}

func (d versions) Changes(ctx context.Context, form string) ([]store.Version, error) {
	return all(ctx, d.runner, "read changes", rows.ChangedVersion, `SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+`
		FROM versions WHERE form = $1 ORDER BY saved DESC, number DESC`, form)
}

func (d versions) Chain(ctx context.Context, form string, number int) ([]store.Version, error) {
	const columns = rows.VersionColumns + ", " + rows.VersionBody
	chain, err := all(ctx, d.runner, "read version", rows.WholeVersion, `WITH RECURSIVE chain (number, base) AS (
			SELECT number, base FROM versions WHERE form = $1 AND number = $2
			UNION ALL SELECT v.number, v.base FROM chain JOIN versions v ON v.form = $1 AND v.number = chain.base WHERE chain.base < chain.number)
		SELECT `+columns+` FROM versions WHERE form = $1 AND number IN (SELECT number FROM chain) ORDER BY number`, form, number)
	if err == nil && len(chain) == 0 {
		err = translate(store.ErrNotFound, "read version")
	}
	return chain, err
}

func (d versions) Last(ctx context.Context, form string) (int, error) {
	return one(ctx, d.runner, "read last version", rows.Value[int], `SELECT coalesce(max(number), 0) FROM versions WHERE form = $1`, form)
}

// alone runs f in a transaction while no other one adds or removes versions of the form.
func (d versions) alone(ctx context.Context, form string, f func(tx *runner) error) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		if err := tx.exec(ctx, "lock versions", `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfVersions, form); err != nil {
			return err
		}
		return f(tx)
	})
}

func (d versions) Add(ctx context.Context, v store.Version) error {
	return d.alone(ctx, v.Form, func(tx *runner) error {
		n, err := tx.count(ctx, "add version", `INSERT INTO versions (`+rows.VersionColumns+`, `+rows.VersionBody+`, `+rows.VersionChanged+`)
			SELECT $1::text, $2::bigint, $3::bigint, $4::text, $5::text, $6::text, $7::text, $8::text, $9::bytea, $10::bigint, $11::boolean, $12::bytea, $13::bytea
			WHERE $10 = $2 OR EXISTS (SELECT 1 FROM versions WHERE form = $1 AND number = $10)`, rows.VersionValues(v)...)
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
			`SELECT `+rows.VersionColumns+`, `+rows.VersionChanged+` FROM versions WHERE form = $1 AND number = $2 FOR UPDATE`, form, number)
		if err != nil {
			return err
		}
		next = old
		if err := change(&next); err != nil {
			return err
		}
		rows.KeepVersion(old, &next)
		return tx.must(ctx, "describe version", `UPDATE versions SET author = $3, author_id = $4, note = $5, name = $6, changed = $7
			WHERE form = $1 AND number = $2`, form, number, next.Author, next.AuthorID, next.Note, next.Name, next.Changed)
	})
	if err != nil {
		return store.Version{}, err
	}
	return next, nil
}

// pruned counts the versions that were removed, and those that have no base now: a statement reads what was there before it.
const pruned = `WITH gone AS (
		DELETE FROM versions WHERE form = $1 AND number = ANY($2) AND note = '' AND name = '' RETURNING number)
	SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM versions v WHERE v.form = $1 AND NOT v.number = ANY($2) AND NOT EXISTS (
		SELECT 1 FROM versions b WHERE b.form = $1 AND b.number = v.base AND NOT b.number = ANY($2)))`

// Prune implements store.Versions.
func (d versions) Prune(ctx context.Context, form string, remove []int, again []store.Version) error {
	numbers, bases, bodies := make([]int, len(again)), make([]int, len(again)), make([][]byte, len(again))
	for i, v := range again {
		numbers[i], bases[i], bodies[i] = v.Number, v.Base, v.Body
	}
	return d.alone(ctx, form, func(tx *runner) error {
		if err := tx.exec(ctx, "rebase versions", `UPDATE versions v SET base = u.base, body = u.body
			FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) u (number, base, body) WHERE v.form = $1 AND v.number = u.number`,
			form, numbers, bases, bodies); err != nil {
			return err
		}
		_, err := one(ctx, tx, "remove versions", func(r rows.Scanner) (struct{}, error) {
			var gone, left int
			err := r.Scan(&gone, &left)
			if err == nil && (gone < len(remove) || left > 0) {
				err = errStale
			}
			return struct{}{}, err
		}, pruned, form, append([]int{}, remove...)) // an empty list, not NULL
		if errors.Is(err, errStale) {
			err = fmt.Errorf("remove versions: %w: %w", store.ErrConflict, errStale)
		}
		return err
	})
}

var errStale = errors.New("one to be removed has a name or does not exist, or another would have no base")

func (d versions) Delete(ctx context.Context, form string) error {
	return d.alone(ctx, form, func(tx *runner) error {
		return tx.exec(ctx, "delete versions", `DELETE FROM versions WHERE form = $1`, form)
	})
}

func (d versions) Forms(ctx context.Context, before time.Time, after string, limit int) ([]string, error) {
	return all(ctx, d.runner, "list forms with versions", rows.Value[string], `SELECT form FROM versions
		WHERE form > $1 AND saved < $2 AND note = '' AND name = '' GROUP BY form ORDER BY form LIMIT $3`, after, rows.Millis(before), limit)
}
