package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// uncopied are the tables and columns of an engine that a copy does not contain, and why.
var uncopied = map[string]map[string]string{
	"sqlite": {
		"goose_db_version": "the version of the tables",
		"client_origins":   "written by triggers of clients",
		"rooms":            "transient, see store.Room",
		"room_entries":     "transient, see store.Room",
		"presences":        "transient, see store.Presence",
	},
	"postgres": {
		"goose_db_version":    "the version of the tables",
		"counters":            "limits, which may be lost at any time",
		"topics":              "transient, see store.Message",
		"messages":            "transient, see store.Message",
		"rooms":               "transient, see store.Room",
		"room_entries":        "transient, see store.Room",
		"presences":           "transient, see store.Presence",
		"clients.folded":      "computed", // store/postgres/searched.go
		"clients.folded_name": "computed",
		"apis.folded":         "computed",
		"apis.folded_name":    "computed",
		"users.folded":        "computed",
		"roles.folded":        "computed",
		"events.folded":       "computed",
	},
}

// types are the types of columns in each engine.
var types = map[string]map[dump.Kind]string{
	"sqlite": {
		dump.Text: "TEXT", dump.Number: "INTEGER", dump.Switch: "INTEGER", dump.Bytes: "BLOB", dump.Secret: "BLOB", dump.List: "TEXT",
		dump.Map: "TEXT",
	},
	"postgres": {
		dump.Text: "text", dump.Number: "bigint", dump.Switch: "boolean", dump.Bytes: "bytea", dump.Secret: "bytea", dump.List: "jsonb",
		dump.Map: "jsonb",
	},
}

// dump.Tables lists every column of every engine: a migration that adds one must add it there, too.
func TestTablesAreComplete(t *testing.T) {
	for name, read := range map[string]func(*testing.T) map[string]string{"sqlite": sqliteColumns, "postgres": postgresColumns} {
		t.Run(name, func(t *testing.T) {
			have := read(t)
			for _, table := range dump.Tables() {
				for _, c := range table.Columns {
					column := table.Name + "." + c.Name
					if got, want := have[column], types[name][c.Kind]; got != want {
						t.Errorf("%s has the type %q, want %q", column, got, want)
					}
					delete(have, column)
				}
			}
			for _, column := range slices.Sorted(maps.Keys(have)) {
				table, _, _ := strings.Cut(column, ".")
				if uncopied[name][column] == "" && uncopied[name][table] == "" {
					t.Errorf("%s is not in dump.Tables: it would be lost when a store is moved or restored", column)
				}
			}
		})
	}
}

// sqliteColumns returns the type of each column.
func sqliteColumns(t *testing.T) map[string]string {
	t.Helper()
	p := folder(t)
	db, err := p.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	raw, err := sql.Open("sqlite", "file:"+filepath.Join(p.Folder, database.File))
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close() //nolint:errcheck // it has only read
	found, err := raw.QueryContext(t.Context(), `SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close() //nolint:errcheck // Err reports everything that went wrong
	return columnTypes(t, found)
}

// postgresColumns returns the type of each column.
func postgresColumns(t *testing.T) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // it has only read
	found, err := conn.Query(t.Context(), `SELECT table_name, column_name, data_type FROM information_schema.columns
		WHERE table_schema = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	return columnTypes(t, found)
}

// cursor is the common interface of the rows of both drivers.
type cursor interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

func columnTypes(t *testing.T, found cursor) map[string]string {
	t.Helper()
	out := map[string]string{}
	for found.Next() {
		var table, column, kind string
		if err := found.Scan(&table, &column, &kind); err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("%s.%s", table, column)] = kind
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
