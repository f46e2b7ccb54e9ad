package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// A database of the version before methods keeps its people, and they can have methods.
func TestUpgradeToMethods(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, raw, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if _, err := raw.ExecContext(t.Context(), `INSERT INTO users (id, email, name, password_hash, created) VALUES ('u', 'ana@example.com', '', '$x', 0)`); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // the test is over
	if u, err := d.User(t.Context(), "u"); err != nil || u.PasswordHash != "$x" {
		t.Errorf("user = %+v, %v, want the one from before", u, err)
	}
	m := store.Method{ID: "totp|1", UserID: "u", Type: store.MethodTOTP, Data: []byte{1}, Created: time.Unix(0, 0)}
	if err := d.CreateMethod(t.Context(), m, 1); err != nil {
		t.Errorf("CreateMethod = %v, want nil", err)
	}
}
