package sqlite

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

// keptForms finds each form by an index from the one before it: a form may have many versions.
var keptForms = func() string {
	var least []string
	for _, t := range rows.TeamTables() {
		least = append(least, `SELECT min(`+t.Form+`) AS form FROM `+t.Name+` WHERE tenant = ?1 AND `+t.Form+` > kept.Form`)
	}
	return `WITH RECURSIVE kept (form, number) AS (
			SELECT ?2, 0
			UNION ALL SELECT (SELECT min(form) FROM (` + strings.Join(least, " UNION ALL ") + `)), number + 1 FROM kept WHERE form IS NOT NULL AND number < ?3)
		SELECT form FROM kept WHERE number > 0 AND form IS NOT NULL ORDER BY number`
}()

func (d team) Kept(ctx context.Context, after string, limit int) ([]string, error) {
	return all(ctx, d.runner, "list kept forms", rows.Value[string], keptForms, d.tenant, after, limit)
}

// forgetForm are the statements that delete what is kept of a form.
var forgetForm = func() []string {
	out := []string{
		`DELETE FROM room_entries WHERE room IN (SELECT id FROM rooms WHERE tenant = ?1 AND form = ?2)`,
		`DELETE FROM presences WHERE tenant = ?1 AND form = ?2`,
	}
	for _, t := range rows.TeamTables() {
		out = append(out, `DELETE FROM `+t.Name+` WHERE tenant = ?1 AND `+t.Form+` = ?2`)
	}
	return out
}()

func (d team) Forget(ctx context.Context, form string) error {
	return d.execAll(ctx, "forget form", forgetForm, d.tenant, form)
}

// Adopt implements store.Teams. Each form has a transaction of its own, so that it takes no long one.
func (d *DB) Adopt(ctx context.Context, tenant string) error {
	var old, statements []string
	for _, t := range rows.TeamTables() {
		if t.Adopted {
			old = append(old, `SELECT `+t.Form+` AS form FROM `+t.Name+` WHERE tenant = ''`)
			statements = append(statements, `UPDATE `+t.Name+` SET tenant = ?1 WHERE tenant = '' AND `+t.Form+` = ?2
				AND NOT EXISTS (SELECT 1 FROM `+t.Name+` WHERE tenant = ?1 AND `+t.Form+` = ?2)`)
		}
	}
	found, err := all(ctx, d.runner, "list forms to adopt", rows.Value[string],
		`SELECT form FROM (`+strings.Join(old, " UNION ")+`) WHERE form NOT IN (SELECT id FROM forms) ORDER BY form`)
	for i := 0; i < len(found) && err == nil; i++ {
		err = d.execAll(ctx, "adopt form", statements, tenant, found[i])
	}
	return err
}
