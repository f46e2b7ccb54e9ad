package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store/internal/rows"
	"github.com/formgraph/formgraph/server/store/storetest"
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
	for name, list := range storetest.ContinuedLists(ctx, d) {
		if err := list(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plan := seen.plan(t); !strings.Contains(plan, "SEARCH ") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}

// What is kept of a form is found by an index, however many versions there are.
func TestKeptFormsAreFoundByIndex(t *testing.T) {
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // only read from
	seen := &watched{conn: d.read}
	d.read = seen
	if _, err := d.Team("t").Kept(t.Context(), "a", 9); err != nil {
		t.Fatal(err)
	}
	plan := seen.plan(t)
	for _, table := range rows.TeamTables() {
		if want := "SEARCH " + table.Name + " USING COVERING INDEX"; !strings.Contains(plan, want) || strings.Contains(plan, "SCAN "+table.Name) {
			t.Errorf("kept forms: %s lacks %s", plan, want)
		}
	}
	for _, statement := range forgetForm {
		seen.query, seen.args = statement, []any{"t", "f"}
		if plan := seen.plan(t); !strings.Contains(plan, "SEARCH ") || strings.Contains(plan, "SCAN ") || strings.Contains(plan, "(tenant=?)") {
			t.Errorf("%s: %s", statement, plan)
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
	found, err := w.conn.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+w.query, w.args...)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close() //nolint:errcheck // Err reports everything that went wrong
	var plan []string
	for found.Next() {
		var id, parent, unused int
		var step string
		if err := found.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, step)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "; ")
}
