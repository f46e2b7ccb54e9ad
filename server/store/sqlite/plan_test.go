package sqlite

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

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
