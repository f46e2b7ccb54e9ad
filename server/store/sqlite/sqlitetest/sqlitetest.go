// Package sqlitetest opens databases for tests. Creating all tables takes longer than most tests, so a process creates them once and copies
// the file.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store/sqlite"
)

// name is the name of the file in its folder, as in a data folder.
const name = "formgraph.db"

// empty returns the bytes of an empty database whose tables are up to date.
var empty = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "formgraph-empty-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	path := filepath.Join(folder, name)
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	return contents(db, path)
})

// contents closes a database, which merges its log into the file, and returns the bytes of the file.
func contents(db *sqlite.DB, path string) ([]byte, error) {
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // a file of a test
}

// Put writes the file of an empty database whose tables are up to date.
func Put(tb testing.TB, path string) {
	tb.Helper()
	b, err := empty()
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
}

// Open returns an empty database in a temporary folder of the test. The database is closed when the test ends.
func Open(tb testing.TB) *sqlite.DB {
	tb.Helper()
	b, err := empty()
	if err != nil {
		tb.Fatal(err)
	}
	db := openCopy(tb, b, filepath.Join(tb.TempDir(), name))
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// Template lets fill write to an empty database, and returns a function that calls use with a copy of the result. Each copy is closed and
// removed after use. The function must not run concurrently with itself.
func Template(tb testing.TB, fill func(*sqlite.DB)) func(use func(*sqlite.DB)) {
	tb.Helper()
	b, err := empty()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), name)
	db := openCopy(tb, b, path)
	fill(db)
	if b, err = contents(db, path); err != nil {
		tb.Fatal(err)
	}
	return func(use func(*sqlite.DB)) {
		tb.Helper()
		db := openCopy(tb, b, path)
		defer func() {
			if err := db.Close(); err != nil {
				tb.Error(err)
			}
		}()
		use(db)
	}
}

// openCopy opens a database whose file has the bytes b.
func openCopy(tb testing.TB, b []byte, path string) *sqlite.DB {
	tb.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		tb.Fatal(err)
	}
	db, err := sqlite.Open(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	return db
}
