package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// examined runs formgraph doctor and returns its results by name.
func (s shell) examined(code int, args ...string) map[string]selfcheck.Result {
	s.t.Helper()
	out, complaint := s.run(code, "", append([]string{"doctor", "--json"}, args...)...)
	var found struct {
		OK     bool
		Checks []selfcheck.Result
	}
	if err := json.Unmarshal([]byte(out), &found); err != nil {
		s.t.Fatalf("%v: %q, %q", err, out, complaint)
	}
	if found.OK != (code == 0) {
		s.t.Errorf("ok = %v with exit code %d", found.OK, code)
	}
	all := map[string]selfcheck.Result{}
	for _, r := range found.Checks {
		if bad := r.Status == selfcheck.Warn || r.Status == selfcheck.Fail; bad && r.Remedy == "" && !strings.Contains(r.Detail, ":") {
			s.t.Errorf("%s has no remedy: %+v", r.Name, r)
		}
		all[r.Name] = r
	}
	return all
}

// raw runs statements on the database file, without its foreign keys.
func (s shell) raw(statements ...string) {
	s.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.folder, database.File)+"?_pragma=foreign_keys(0)")
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the next use of the file shows its faults
	for _, text := range statements {
		if _, err := db.ExecContext(s.t.Context(), text); err != nil {
			s.t.Fatalf("%s: %v", text, err)
		}
	}
}

// A healthy tenant has no findings, and is not changed.
func TestDoctorOfHealthyTenant(t *testing.T) {
	s := newShell(t)
	before := rowsOf(t, database.Place{Folder: s.folder})
	all := s.examined(0)
	for _, name := range []string{"data", "permissions", "disk", "database", "integrity", "keys", "rows"} {
		if all[name].Status != selfcheck.OK {
			t.Errorf("%s: %+v, want ok", name, all[name])
		}
	}
	if err := before.Compare(rowsOf(t, database.Place{Folder: s.folder})); err != nil {
		t.Errorf("the rows were changed: %v", err)
	}
	if out, _ := s.run(0, "", "doctor"); !strings.Contains(out, "ok    integrity ") {
		t.Errorf("doctor says %q", out)
	}
	s.run(2, "", "doctor", "--data", filepath.Join(t.TempDir(), "none"))
	s.run(2, "", "doctor", "more")
}

// fault is something wrong that formgraph doctor must find.
type fault struct {
	plant  func(s shell)
	check  string
	status selfcheck.Status
	want   string
}

// old is a time long ago, in SQL.
const old = "1000"

func sqliteFaults() map[string]fault {
	statement := func(texts ...string) func(shell) { return func(s shell) { s.t.Helper(); s.raw(texts...) } }
	file := func(name string, change func(path string) error) func(shell) {
		return func(s shell) {
			s.t.Helper()
			if err := change(filepath.Join(s.folder, name)); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	open := func(path string) error { return os.Chmod(path, 0o644) }
	otherKeys := func(path string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		_, err := keys.Load(path, time.Now())
		return err
	}
	damage := func(s shell) {
		s.t.Helper()
		path := filepath.Join(s.folder, database.File)
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			s.t.Fatal(err)
		}
		var root, size int
		err = db.QueryRowContext(s.t.Context(), `SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'clients_created'`).
			Scan(&root, &size)
		if err := errors.Join(err, db.Close()); err != nil {
			s.t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		clear(b[(root-1)*size : root*size])
		if err := os.WriteFile(path, b, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	junk := func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("junk", 4096)), 0o600) }
	form := `INSERT INTO forms (id, name, created, updated, body) VALUES ('ap_x', 'x', 0, 0, `
	return map[string]fault{
		"an open file":     {file(database.File, open), "permissions", selfcheck.Fail, database.File},
		"an open folder":   {file(".", func(path string) error { return os.Chmod(path, 0o755) }), "permissions", selfcheck.Fail, "chmod"},
		"open keys":        {file("keys", open), "keys", selfcheck.Fail, "chmod 600"},
		"other keys":       {file("keys", otherKeys), "keys", selfcheck.Fail, "does not belong"},
		"no keys":          {file("keys", os.Remove), "keys", selfcheck.Fail, "Restore the keys"},
		"a damaged file":   {damage, "integrity", selfcheck.Fail, "damaged"},
		"another file":     {file(database.File, junk), "database", selfcheck.Fail, "not a database"},
		"a newer version":  {statement(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`), "database", selfcheck.Fail, "9999"},
		"an older version": {statement(`DELETE FROM goose_db_version WHERE version_id > 3`), "database", selfcheck.Fail, "older"},
		"no tables":        {statement(`DROP TABLE goose_db_version`), "database", selfcheck.Fail, "no tables"},
		"lost references":  {statement(`INSERT INTO user_roles VALUES ('nobody', 'nothing')`), "integrity", selfcheck.Fail, "user_roles"},
		"a broken form":    {statement(form + `'{"name":')`), "rows", selfcheck.Fail, "ap_x"},
		"a list as form":   {statement(form + `'[]')`), "rows", selfcheck.Fail, "ap_x"},
		"an invalid form":  {statement(form + `'{"name":"x","nodes":[{"id":"a"}]}')`), "rows", selfcheck.Warn, "ap_x"},
		"a strange session": {
			statement(`INSERT INTO sessions (id, data, version, created, seen) VALUES (x'01', x'6300', 1, 9999999999999, 9999999999999)`),
			"rows", selfcheck.Warn, "these keys: 1",
		},
		"expired rows": {
			statement(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
			INSERT INTO proofs SELECT CAST(i AS BLOB), ` + old + ` FROM n`),
			"rows", selfcheck.Warn, "proofs that expired a week ago: 1000",
		},
		"old sessions": {
			statement(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
			INSERT INTO sessions (id, data, version, created, seen) SELECT CAST(i AS BLOB), x'01', 1, ` + old + `, 0 FROM n`),
			"rows", selfcheck.Warn, "sessions that expired a week ago: 1000",
		},
	}
}

// Every fault of a data folder is found by the check that it belongs to, with a remedy.
func TestDoctorFindsFaults(t *testing.T) {
	t.Parallel()
	for name, f := range sqliteFaults() {
		t.Run(name, func(t *testing.T) {
			s := newShell(t)
			f.plant(s)
			r := s.examined(1)[f.check]
			if r.Status != f.status || !strings.Contains(r.Detail+r.Remedy, f.want) {
				t.Errorf("%+v, want %s with %q", r, f.status, f.want)
			}
		})
	}
}

// Every fault of a PostgreSQL database is found.
func TestDoctorFindsFaultsOfPostgreSQL(t *testing.T) {
	s := newShell(t)
	url := postgrestest.Empty(t)
	s.run(0, "", "migrate", "--to", url)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the test is over
	all := s.examined(1, "--database", url)
	for _, name := range []string{"data", "database", "integrity", "connections", "clock", "keys", "rows"} {
		if all[name].Status != selfcheck.OK {
			t.Errorf("%s: %+v, want ok", name, all[name])
		}
	}
	if r := all["server"]; r.Status != selfcheck.Warn || !strings.Contains(r.Detail, "fsync = off") {
		t.Errorf("server: %+v, want a warning about fsync, which is off for tests", r)
	}
	name := conn.Config().Database
	for _, f := range []struct{ plant, check, want string }{
		{`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_created'::regclass`, "integrity", "users_created"},
		{`ALTER TABLE forms ADD CONSTRAINT named CHECK (name <> '') NOT VALID`, "integrity", "forms.named"},
		{`INSERT INTO forms (id, name, created, updated, body) VALUES ('ap_x', 'x', 0, 0, '')`, "rows", "ap_x"},
		{`UPDATE goose_db_version SET version_id = -version_id WHERE version_id > 1`, "database", "older"},
		{`UPDATE goose_db_version SET version_id = -version_id WHERE version_id < 0`, "integrity", "forms.named"},
		{`ALTER DATABASE ` + name + ` SET default_transaction_read_only = on`, "server", "read-only"},
	} {
		if _, err := conn.Exec(t.Context(), f.plant); err != nil {
			t.Fatalf("%s: %v", f.plant, err)
		}
		if r := s.examined(1, "--database", url)[f.check]; r.Status != selfcheck.Fail || !strings.Contains(r.Detail, f.want) {
			t.Errorf("%s: %+v, want %q", f.plant, r, f.want)
		}
	}
	r := s.examined(1, "--database", "postgres://ana:topsecret@127.0.0.1:1/x")["database"]
	if r.Status != selfcheck.Fail || strings.Contains(fmt.Sprint(r), "topsecret") {
		t.Errorf("no server: %+v, want a fault without the password", r)
	}
}

// A clock that differs is found.
func TestDoctorFindsClocks(t *testing.T) {
	s := newShell(t)
	url := postgrestest.Empty(t)
	s.run(0, "", "migrate", "--to", url)
	for ahead, want := range map[time.Duration]string{0: "", time.Minute: "1m0s ahead of", -time.Hour: "1h0m0s behind"} {
		d := &patient{
			folder: s.folder, keys: filepath.Join(s.folder, "keys"), place: database.Place{URL: url},
			now: func() time.Time { return time.Now().Add(ahead) },
		}
		checks := d.checks(t.Context())
		i := slices.IndexFunc(checks, func(c selfcheck.Check) bool { return c.Name == "clock" })
		if r := checks[i].Run(t.Context()); (r.Status == selfcheck.Warn) != (want != "") || !strings.Contains(r.Detail, want) {
			t.Errorf("%s ahead: %+v, want %q", ahead, r, want)
		}
		_ = d.view.Close()
	}
}

// The less space there is, the worse it is.
func TestFreeSpace(t *testing.T) {
	for free, want := range map[uint64]selfcheck.Status{
		5 << 30: selfcheck.OK, 500 << 20: selfcheck.Warn, 50 << 20: selfcheck.Fail, 0: selfcheck.Fail,
	} {
		if r := freeSpace(free, 10<<30); r.Status != want {
			t.Errorf("%d bytes: %+v, want %s", free, r, want)
		}
	}
}
