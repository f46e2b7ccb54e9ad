package postgres

import (
	"context"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// team implements store.Team.
type team struct {
	*runner

	tenant string
}

// Team implements store.Teams.
func (d *DB) Team(tenant string) store.Team { return team{d.runner, tenant} }

func (d team) Scenarios() store.Files     { return d.files(&scenarios) }
func (d team) Sources() store.Files       { return d.files(&sources) }
func (d team) Settings() store.Files      { return d.files(&formSettings) }
func (d team) Notes() store.Files         { return d.files(&canvasNotes) }
func (d team) Versions() store.Versions   { return versions(d) }
func (d team) Rooms() store.Rooms         { return rooms(d) }
func (d team) Presences() store.Presences { return presences(d) }
func (d team) Comments() store.Comments   { return comments(d) }
func (d team) Links() store.Links         { return links(d) }

func (d team) files(of *documentTable) documents { return documents{d.runner, of, []any{d.tenant}} }

// lockOfForms is the first key of the advisory locks, and the hash of the tenant and the form is the second.
const lockOfForms = 0x666f726d

// alone runs f in a transaction while no other one runs for the form.
func (d team) alone(ctx context.Context, form string, f func(tx *runner) error) error {
	return d.inTx(ctx, free, func(tx *runner) error {
		if err := tx.exec(ctx, "lock form", `SELECT pg_advisory_xact_lock($1, hashtext($2))`, lockOfForms, d.tenant+" "+form); err != nil {
			return err
		}
		return f(tx)
	})
}

// keptForms finds each form by an index from the one before it: a form may have many versions.
var keptForms = func() string {
	var least []string
	for _, t := range rows.TeamTables() {
		least = append(least, `SELECT min(`+t.Form+`) AS form FROM `+t.Name+` WHERE tenant = $1 AND `+t.Form+` > kept.Form`)
	}
	return `WITH RECURSIVE kept (form, number) AS (
			SELECT $2::text COLLATE "C", 0::bigint
			UNION ALL SELECT next.form, number + 1
				FROM kept CROSS JOIN LATERAL (SELECT min(form) AS form FROM (` + strings.Join(least, " UNION ALL ") + `) least) next
				WHERE kept.form IS NOT NULL AND number < $3)
		SELECT form FROM kept WHERE number > 0 AND form IS NOT NULL ORDER BY number`
}()

func (d team) Kept(ctx context.Context, after string, limit int) ([]string, error) {
	return all(ctx, d.runner, "list kept forms", rows.Value[string], keptForms, d.tenant, after, limit)
}

// forgetForm is one statement, which deletes what is there when it begins.
var forgetForm = func() string {
	var parts []string
	for _, t := range rows.TeamTables() {
		parts = append(parts, t.Name+`_gone AS (DELETE FROM `+t.Name+` WHERE tenant = $1 AND `+t.Form+` = $2)`)
	}
	return `WITH ` + strings.Join(parts, ", ") + ` DELETE FROM presences WHERE tenant = $1 AND form = $2`
}()

func (d team) Forget(ctx context.Context, form string) error {
	return d.alone(ctx, form, func(tx *runner) error { return tx.exec(ctx, "forget form", forgetForm, d.tenant, form) })
}

// Adopt implements store.Teams. Each form has a transaction of its own, so that it takes no long one.
func (d *DB) Adopt(ctx context.Context, tenant string) error {
	var old, parts []string
	for _, t := range rows.TeamTables() {
		if t.Adopted {
			old = append(old, `SELECT `+t.Form+` AS form FROM `+t.Name+` WHERE tenant = ''`)
			parts = append(parts, t.Name+`_adopted AS (UPDATE `+t.Name+` SET tenant = $1 WHERE tenant = '' AND `+t.Form+` = $2
				AND NOT EXISTS (SELECT FROM `+t.Name+` WHERE tenant = $1 AND `+t.Form+` = $2))`)
		}
	}
	found, err := all(ctx, d.runner, "list forms to adopt", rows.Value[string],
		`SELECT form FROM (`+strings.Join(old, " UNION ")+`) old WHERE NOT EXISTS (SELECT FROM forms WHERE id = old.form) ORDER BY form`)
	for i := 0; i < len(found) && err == nil; i++ {
		err = team{d.runner, tenant}.alone(ctx, found[i], func(tx *runner) error {
			return tx.exec(ctx, "adopt form", `WITH `+strings.Join(parts, ", ")+` SELECT`, tenant, found[i])
		})
	}
	return err
}
