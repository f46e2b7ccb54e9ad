package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// A list that continues finds its place by an index and sorts nothing.
func TestListsContinueByIndex(t *testing.T) {
	ctx := t.Context()
	d, err := Open(ctx, filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // only read from
	seen := &watched{conn: d.read}
	d.read = seen
	after := func(row interface{ Place() string }) store.Find { return store.Find{After: row.Place()} }
	for name, list := range map[string]func() error{
		"users":   func() error { _, _, err := d.ListUsers(ctx, after(store.User{}), 0, 1); return err },
		"clients": func() error { _, _, err := d.ListClients(ctx, after(store.Client{}), 0, 1); return err },
		"APIs":    func() error { _, _, err := d.ListAPIs(ctx, after(store.API{}), 0, 1); return err },
		"roles":   func() error { _, _, err := d.ListRoles(ctx, after(store.Role{}), 0, 1); return err },
		"grants": func() error {
			_, _, err := d.ListClientGrants(ctx, store.GrantFilter{Find: after(store.ClientGrant{})}, 0, 1)
			return err
		},
		"events": func() error {
			_, _, err := d.ListEvents(ctx, store.EventFilter{Find: after(store.Event{})}, 0, 1)
			return err
		},
	} {
		if err := list(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plan := seen.plan(t); !strings.Contains(plan, "SEARCH ") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}

// watched keeps the last query of a connection.
type watched struct {
	conn

	query string
	args  []any
}

func (w *watched) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	w.query, w.args = query, args
	return w.conn.QueryContext(ctx, query, args...)
}

// plan returns how SQLite runs the last query.
func (w *watched) plan(t *testing.T) string {
	t.Helper()
	rows, err := w.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+w.query, w.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // Err reports everything that went wrong
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "; ")
}
