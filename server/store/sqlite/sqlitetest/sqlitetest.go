// Package sqlitetest opens databases for tests. Making all tables anew takes longer than most tests: a process
// makes them once and copies the file.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store/sqlite"
)

// name is what the file is called in its folder, as in a data folder.
const name = "formgraph.db"

// empty returns the bytes of a database whose tables are up to date and hold nothing.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "formgraph-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a folder of the system's for such things
	path := filepath.Join(folder, name)
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil { // the log is in the file then
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // made above
})

// Open returns an empty database in a folder of the test's own, which is closed when the test ends.
func Open(tb testing.TB) *sqlite.DB {
	tb.Helper()
	b, err := empty()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	db, err := sqlite.Open(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}
