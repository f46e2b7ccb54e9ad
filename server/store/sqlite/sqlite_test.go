package sqlite_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

func TestOpenMakesPrivateFiles(t *testing.T) {
	// The odd name proves that the path is not read as a query or a fragment.
	dir := filepath.Join(t.TempDir(), "da ta?x=1#y")
	path := filepath.Join(dir, "formgraph.db")
	for range 2 {
		d, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Ping(t.Context()); err != nil {
			t.Errorf("Ping = %v, want nil", err)
		}
		for name, want := range map[string]os.FileMode{dir: 0o700, path: 0o600, path + "-wal": 0o600} {
			fi, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := fi.Mode().Perm(); got != want {
				t.Errorf("mode of %s = %o, want %o", filepath.Base(name), got, want)
			}
		}
		if err := d.Close(); err != nil {
			t.Errorf("Close = %v, want nil", err)
		}
		// A second start takes away rights that somebody gave since.
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Two processes that change one file at once wait for each other and lose nothing.
func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	var dbs [2]*sqlite.DB
	for i := range dbs {
		d, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close() //nolint:errcheck // the test is over
		dbs[i] = d
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if _, err := dbs[0].Forms().Create(t.Context(), store.Document{ID: "a", Created: now, Body: []byte{}}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, d := range dbs {
		wg.Go(func() {
			for range 25 {
				_, err := d.Forms().Update(t.Context(), "a", now, func(d store.Document) (store.Document, error) {
					d.Body = append(d.Body, 'x')
					return d, nil
				})
				if err != nil {
					t.Errorf("Update = %v, want nil", err)
				}
			}
		})
	}
	wg.Wait()
	if d, err := dbs[1].Forms().Get(t.Context(), "a"); err != nil || len(d.Body) != 50 {
		t.Errorf("document has %d changes, %v, want 50", len(d.Body), err)
	}
}

func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("this is a text and no database, however long one looks at it"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below", "x.db")} {
		if d, err := sqlite.Open(t.Context(), path); err == nil {
			_ = d.Close()
			t.Errorf("Open(%s) = nil error, want one", filepath.Base(path))
		}
	}
}

// A read sees what is committed, by whichever process: a prepared statement must not keep what it read. A sign-out in one
// process that another does not see would leave the session alive.
func TestReadsSeeOtherProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	var dbs [2]*sqlite.DB
	for i := range dbs {
		d, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close() //nolint:errcheck // the test is over
		dbs[i] = d
	}
	ours, theirs := dbs[0], dbs[1]
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	id := []byte("row")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(theirs.CreateSession(t.Context(), store.Session{ID: id, Data: []byte("1"), Created: now, Seen: now}))
	must(theirs.CreateClient(t.Context(), store.Client{ID: "c", Global: true, Created: now}))
	_, err := theirs.Forms().Create(t.Context(), store.Document{ID: "a", Name: "1", Created: now, Body: []byte("{}")})
	must(err)

	// read asks at once and often, so that every connection has the statements.
	read := func(check func() error) {
		t.Helper()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 20 {
					if err := check(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	state := func(data string, global bool, name string) func() error {
		return func() error {
			s, err := ours.Session(t.Context(), id)
			c, clientErr := ours.Client(t.Context(), "c")
			f, formErr := ours.Forms().Get(t.Context(), "a")
			if err := errors.Join(err, clientErr, formErr); err != nil {
				return err
			}
			if string(s.Data) != data || c.Global != global || f.Name != name {
				return fmt.Errorf("read %s, %v, %s, want %s, %v, %s", s.Data, c.Global, f.Name, data, global, name)
			}
			return nil
		}
	}
	read(state("1", true, "1"))
	must(theirs.UpdateSession(t.Context(), id, 1, []byte("2")))
	must(theirs.SetClientGlobal(t.Context(), "c", false))
	_, err = theirs.Forms().Update(t.Context(), "a", now, func(d store.Document) (store.Document, error) { d.Name = "2"; return d, nil })
	must(err)
	read(state("2", false, "2"))

	// A later version of the program may change the tables while this one runs.
	raw, err := sql.Open("sqlite", path)
	must(err)
	defer raw.Close() //nolint:errcheck // the test is over
	for _, table := range []string{"sessions", "clients", "forms"} {
		_, err = raw.ExecContext(t.Context(), "ALTER TABLE "+table+" ADD COLUMN later TEXT")
		must(err)
	}
	read(state("2", false, "2"))

	must(theirs.DeleteSession(t.Context(), id))
	must(theirs.Forms().Delete(t.Context(), "a"))
	read(func() error {
		if _, err := ours.Session(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("a deleted session is read: %w", err)
		}
		if _, err := ours.Forms().Get(t.Context(), "a"); !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("a deleted form is read: %w", err)
		}
		return nil
	})
}
