package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// A database of the version before access control, with a row in every table that changes, opens and keeps its rows.
func TestAccessMigration(t *testing.T) {
	d := upgraded(t, 2,
		`INSERT INTO clients VALUES ('c', 'C', NULL, 1, 1, 1, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO apis VALUES ('m', 'http://t/m', 'M', '["a"]', 'allow_all', 'deny_all')`,
		`INSERT INTO client_grants VALUES ('c', 'm', 'user', '["a"]'), ('c', 'm', 'client', '[]')`,
		`INSERT INTO users VALUES ('u', 'u@example.com', 'U', 'x', 0)`,
		`INSERT INTO permissions VALUES ('u', 'm', 'a')`,
	)
	c, err := d.Client(t.Context(), "c")
	if err != nil || c.Name != "C" || !c.Public || c.AuthMethod != "" {
		t.Errorf("client = %+v, %v", c, err)
	}
	a, err := d.APIByID(t.Context(), "m")
	if err != nil || a.Inactive || a.ScopeTexts != nil || a.UserPolicy != store.AllowAll {
		t.Errorf("API = %+v, %v", a, err)
	}
	gs, n, err := d.ListClientGrants(t.Context(), store.GrantFilter{}, 0, 10)
	if err != nil || n != 2 || gs[0].ID == gs[1].ID || len(gs[0].ID) != 28 {
		t.Errorf("grants = %+v, %d, %v", gs, n, err)
	}
	u, err := d.User(t.Context(), "u")
	if err != nil || u.Blocked {
		t.Errorf("user = %+v, %v", u, err)
	}
	if held, err := d.Held(t.Context(), "u", "m"); err != nil || len(held) != 1 {
		t.Errorf("held = %v, %v", held, err)
	}
}

// The sign-in log has a maximum number of events.
func TestEventsAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // the test is over
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, err = db.ExecContext(t.Context(), fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO events (at, type, user_id, client_id, address, audience, scope, description)
		SELECT %d, 'old', '', '', '', '', '[]', '' FROM n`, store.MaxEvents+50, now.UnixMilli()))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddEvent(t.Context(), store.Event{At: now, Type: "new"}); err != nil {
		t.Fatal(err)
	}
	page, total, err := d.ListEvents(t.Context(), store.EventFilter{}, 0, 1)
	if err != nil || total != store.MaxEvents || page[0].Type != "new" {
		t.Errorf("%d events, the newest %v, %v; want %d", total, page, err, store.MaxEvents)
	}
}
