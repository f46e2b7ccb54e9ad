package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store/sqlite"
)

// A database of the first versions is brought up to date with its rows, which are bound to no key.
func TestUpgrade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	old, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, name := range []string{"0001_tenant.sql", "0002_sessions.sql"} {
		b, err := os.ReadFile(filepath.Join("migrations", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: b}
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, old, files)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`INSERT INTO clients VALUES ('c', 'C', NULL, 1, 1, 0, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO users VALUES ('u', 'a@b', 'A', '', 0)`,
		`INSERT INTO sign_ins VALUES (x'03', 's', 'u', 0, 9999999999999)`,
		`INSERT INTO families VALUES ('f', 'c', 'u', 's', 0, 'a', '[]', 9999999999999, 0)`,
		`INSERT INTO codes VALUES (x'01', 'f', 'r', '', '', 9999999999999, 0)`,
		`INSERT INTO refresh_tokens VALUES (x'02', 'f', 9999999999999, 0)`,
	} {
		if _, err := old.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	c, f, err := d.UseCode(t.Context(), []byte{1})
	if err != nil || c.Key != "" || f.ID != "f" || f.ACR != "" || f.AMR != nil {
		t.Errorf("code = %+v of %+v, %v, want the old one without a key", c, f, err)
	}
	if s, err := d.SignIn(t.Context(), []byte{3}); err != nil || !slices.Equal(s.AMR, []string{"pwd"}) {
		t.Errorf("sign-in = %+v, %v, want the old one, by a password", s, err)
	}
	r, _, err := d.Refresh(t.Context(), []byte{2})
	if err != nil || r.Key != "" || r.FamilyID != "f" {
		t.Errorf("refresh token = %+v, %v, want the old one without a key", r, err)
	}
	o, err := d.ClientOptions(t.Context(), "c")
	if err != nil || o.RequirePushed || o.RequireDPoP || o.BackchannelURI != "" {
		t.Errorf("options = %+v, %v, want none", o, err)
	}
}
