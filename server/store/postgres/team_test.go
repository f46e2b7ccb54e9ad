package postgres_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// upgraded makes a database of an older version of the schema with rows, and returns its URL.
func upgraded(t *testing.T, version int64, statements ...string) string {
	t.Helper()
	url := postgrestest.Empty(t)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	old := stdlib.OpenDB(*config)
	defer old.Close() //nolint:errcheck // what was written is committed
	p, err := goose.NewProvider(goose.DialectPostgres, old, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := old.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return url
}

// What was kept beside forms by their IDs alone is kept, without a tenant, until a tenant adopts it.
func TestUpgradeToTenants(t *testing.T) {
	ctx := t.Context()
	const document = ` (id, name, created, updated, body) VALUES ('f', '', 0, 0, '{}')`
	d := postgrestest.OpenURL(t, upgraded(t, 12,
		`INSERT INTO versions (form, number, saved, author, author_id, summary, note, name, hash, base, body, automatic, changed)
			VALUES ('f', 1, 0, 'Ana', 'a', 's', 'n', 'x', '1', 1, '2', true, '3')`,
		`INSERT INTO rooms (form, id, number, body, etag, used) VALUES ('f', 'r', 3, '4', 'e', 5)`,
		`INSERT INTO room_entries (room, number, body) VALUES ('r', 4, '5')`,
		`INSERT INTO presences (form, page, process, sub, name, state, since, seen, owner) VALUES ('f', 'p', '1', 's', 'N', '6', 0, 9, 'o')`,
		`INSERT INTO scenarios`+document, `INSERT INTO sources`+document, `INSERT INTO settings`+document,
	))
	const tenant = "https://other.example/api/v2"
	if list, err := d.Team("").Presences().List(ctx, "f", time.Unix(0, 0)); err != nil || len(list) != 1 || list[0].Owner != "o" {
		t.Errorf("presences = %+v, %v", list, err)
	}
	for _, of := range []string{"", tenant} {
		if of != "" {
			if err := d.Adopt(ctx, of); err != nil {
				t.Fatal(err)
			}
		}
		team := d.Team(of)
		all, err := team.Versions().Changes(ctx, "f", 1000)
		if err != nil || len(all) != 1 || all[0].Author != "Ana" || all[0].Note != "n" || !all[0].Automatic || len(all[0].Changed) != 1 {
			t.Errorf("versions = %+v, %v", all, err)
		}
		if r, err := team.Rooms().Room(ctx, "f"); err != nil || r.ID != "r" || r.Number != 3 || r.ETag != "e" {
			t.Errorf("room = %+v, %v", r, err)
		}
		if e, err := team.Rooms().Entries(ctx, "r", 3, 9); err != nil || len(e) != 1 || e[0].Number != 4 {
			t.Errorf("entries = %+v, %v", e, err)
		}
		for name, files := range map[string]store.Files{"scenarios": team.Scenarios(), "sources": team.Sources(), "settings": team.Settings()} {
			if f, err := files.Get(ctx, "f"); err != nil || string(f.Body) != "{}" {
				t.Errorf("%s = %+v, %v", name, f, err)
			}
		}
	}
}

// What is kept of a form is found by an index, however many versions there are.
func TestKeptFormsAreFoundByIndex(t *testing.T) {
	d, r := traced(t)
	ctx, c := t.Context(), connected(t, d.ConnString())
	if _, err := c.Exec(ctx, `SET enable_seqscan = off; SET enable_bitmapscan = off`); err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func(context.Context) error{
		"Kept":   func(ctx context.Context) error { return first(d.Team("t").Kept(ctx, "a", 9)) },
		"Forget": func(ctx context.Context) error { return d.Team("t").Forget(ctx, "f") },
	} {
		r.take()
		if err := call(ctx); err != nil {
			t.Fatal(err)
		}
		for _, q := range r.take() {
			if !strings.HasPrefix(q.SQL, "WITH") {
				continue
			}
			found, err := c.Query(ctx, "EXPLAIN "+q.SQL, q.Args...)
			if err != nil {
				t.Fatal(err)
			}
			lines, err := pgx.CollectRows(found, pgx.RowTo[string])
			if err != nil {
				t.Fatal(err)
			}
			plan := strings.Join(lines, "\n")
			for _, table := range rows.TeamTables() {
				if !strings.Contains(plan, " on "+table.Name) {
					t.Errorf("%s does not read %s:\n%s", name, table.Name, plan)
				}
			}
			const condition = "Index Cond: ((tenant = 't'::text) AND "
			conditions := strings.Count(plan, condition+"(form ") + strings.Count(plan, condition+"(id ")
			if strings.Contains(plan, "Seq Scan") || conditions < len(rows.TeamTables()) {
				t.Errorf("%s finds %d tables by index:\n%s", name, conditions, plan)
			}
		}
	}
}
