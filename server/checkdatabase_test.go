package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// formgraph check reports whether a server can start with its database, and changes nothing.
func TestCheckOfTheDatabase(t *testing.T) {
	create := func(p database.Place) {
		t.Helper()
		db, err := p.Open(t.Context())
		must(t, err)
		must(t, db.Close())
	}
	folder := func(statements ...string) []string {
		t.Helper()
		dir := t.TempDir()
		create(database.Place{Folder: dir})
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, database.File))
		must(t, err)
		defer db.Close() //nolint:errcheck // the check shows its faults
		for _, s := range statements {
			_, err := db.ExecContext(t.Context(), s)
			must(t, err)
		}
		return []string{"--data", dir}
	}
	broken := t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, database.File), []byte(strings.Repeat("no database ", 100)), 0o600))
	url := postgrestest.URL(t)
	create(database.Place{URL: url})
	unused := postgrestest.Empty(t)
	for name, tt := range map[string]struct {
		args []string
		want []string // the first is the status
	}{
		"none": {nil, []string{"ok", "does not exist: the first start creates it"}},
		"SQLite": {folder(), []string{
			"ok", database.File, "(SQLite 3.", "has the tables of this version; on its disk, ", " are free",
		}},
		"no tables": {folder(`DROP TABLE goose_db_version`), []string{"ok", "has no tables: the first start creates them"}},
		"older tables": {
			folder(`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`),
			[]string{"warn", "has the tables of an older version", "The next start migrates them. Make a backup"},
		},
		"newer tables": {
			folder(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`),
			[]string{"fail", "has the tables of a newer version", "Start that version"},
		},
		"another file":     {[]string{"--data", broken}, []string{"fail", "not a database", "restore the last backup|Check --data"}},
		"PostgreSQL":       {[]string{"--database", url}, []string{"ok", "postgres://", "(PostgreSQL 1", "has the tables of this version"}},
		"empty PostgreSQL": {[]string{"--database", unused}, []string{"ok", "has no tables"}},
		"no server": {
			[]string{"--database", "postgres://somebody:hidden@127.0.0.1:1/formgraph"},
			[]string{"fail", "formgraph at 127.0.0.1", "Check --data or --database"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, lines, out := checked(t, tt.args...)
			line := lines["database"]
			if !strings.HasPrefix(line, tt.want[0]+" ") {
				t.Errorf("%s\n%s", line, out)
			}
			for _, words := range tt.want[1:] {
				one, other, both := strings.Cut(words, "|")
				if !strings.Contains(line, one) && (!both || !strings.Contains(line, other)) {
					t.Errorf("%q lacks %s", line, words)
				}
			}
			if strings.Contains(out, "hidden") {
				t.Errorf("the password is printed: %s", out)
			}
			if (database.Place{Folder: "data"}).Exists() {
				t.Error("the check has created a database")
			}
		})
	}
}
