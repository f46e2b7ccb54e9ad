package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// rowsOf returns the digests of a store.
func rowsOf(t *testing.T, p database.Place) dump.Digests {
	t.Helper()
	v, err := p.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // it has only read
	var ds dump.Digests
	err = v.Snapshot(t.Context(), func(s dump.Snapshot) (err error) {
		ds, err = dump.Sum(t.Context(), dump.Of(s), nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// A tenant moves to PostgreSQL and back with commands, and is the same.
func TestMigrateCommand(t *testing.T) {
	s := newShell(t)
	url, back := postgrestest.Empty(t), filepath.Join(t.TempDir(), "back")
	want := rowsOf(t, database.Place{Folder: s.folder})
	out, _ := s.run(0, "", "migrate", "--to", url)
	if !strings.Contains(out, fmt.Sprintf("moved %d rows", want.Rows())) || !strings.Contains(out, filepath.Join(s.folder, "keys")) {
		t.Errorf("migrate says %q", out)
	}
	people, _ := s.run(0, "", "user", "list")
	if moved, _ := s.run(0, "", "user", "list", "--database", url); moved != people {
		t.Errorf("people of the moved tenant:\n%s\nwant\n%s", moved, people)
	}
	out, _ = s.run(0, "", "migrate", "--from", url, "--to", back)
	if !strings.Contains(out, filepath.Join(back, "keys")) || strings.Contains(out, "U+FFFD") {
		t.Errorf("migrate back says %q", out)
	}
	for _, p := range []database.Place{{URL: url}, {Folder: back}} {
		if err := want.Compare(rowsOf(t, p)); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	if info, err := os.Stat(back); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the new folder = %v, %v, want 0700", info.Mode(), err)
	}
}

// A move that cannot be made changes nothing and exits with 2.
func TestMigrateRefuses(t *testing.T) {
	s := newShell(t)
	none := filepath.Join(t.TempDir(), "none")
	full := newShell(t).folder
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no target":         {[]string{"--from", full}, "--to"},
		"a wrong URL":       {[]string{"--to", "mysql://x/y"}, "postgres://"},
		"no source":         {[]string{"--from", none, "--to", none + "2"}, "not a data folder"},
		"itself":            {[]string{"--to", s.folder + "/."}, "both"},
		"a full target":     {[]string{"--to", full}, "not empty"},
		"an unused source":  {[]string{"--from", postgrestest.Empty(t), "--to", none}, "no tables"},
		"unreachable":       {[]string{"--from", "postgres://formgraph:topsecret@127.0.0.1:1/x", "--to", none}, "open database"},
		"a word too many":   {[]string{"--to", none, "more"}, "no other arguments"},
		"an unknown option": {[]string{"--into", none}, "not an option"},
	} {
		code := 2
		if name == "unreachable" {
			code = 1
		}
		_, complaint := s.run(code, "", append([]string{"migrate"}, c.args...)...)
		if !strings.Contains(complaint, c.want) || strings.Contains(complaint, "topsecret") {
			t.Errorf("%s: %q, want %q", name, complaint, c.want)
		}
		if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s: the folder of the target is there", name)
		}
	}
	older := newShell(t)
	older.raw(`DELETE FROM goose_db_version WHERE version_id > 3`)
	for _, args := range [][]string{{"migrate", "--to", none}, {"backup", none}} {
		if _, complaint := older.run(2, "", args...); !strings.Contains(complaint, "start formgraph serve of this version once") {
			t.Errorf("%s of older tables: %q", args[0], complaint)
		}
		if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s of older tables left something", args[0])
		}
	}
	unlock, err := lockFolder(s.folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, complaint := s.run(2, "", "migrate", "--to", none); !strings.Contains(complaint, "in use") {
		t.Errorf("beside a server: %q", complaint)
	}
	if _, complaint := s.run(2, "", "migrate", "--from", full, "--to", s.folder); !strings.Contains(complaint, "in use") {
		t.Errorf("to the folder of a server: %q", complaint)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
}

// stores are new stores of each engine, with the options that name them.
func stores(t *testing.T) map[string]database.Place {
	t.Helper()
	return map[string]database.Place{"sqlite": {Folder: newShell(t).folder}, "postgres": {URL: postgrestest.URL(t)}}
}

func argsOf(p database.Place) []string {
	if p.Shared() {
		return []string{"--database", p.URL}
	}
	return []string{"--data", p.Folder}
}

// writers is the number of writers beside a backup.
const writers = 8

// A backup that is taken while others write has the rows of one moment, and is restored into the other engine.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	for name, p := range stores(t) {
		t.Run(name, func(t *testing.T) {
			db, err := p.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close() //nolint:errcheck // the test is over
			stop := startPairs(t, db)
			defer stop()
			s := shell{t, t.TempDir()}
			for n := range sizetest.Of(0, 2, 12) {
				file := filepath.Join(t.TempDir(), "backup")
				s.run(0, "", append([]string{"backup", file}, argsOf(p)...)...)
				if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
					t.Fatalf("mode of the backup = %v, %v, want 0600", info, err)
				}
				if s.run(0, "", "restore", "--check", file); n%3 > 0 {
					checkPairs(t, restored(t, s, file, database.Place{Folder: filepath.Join(t.TempDir(), "data")}))
					continue
				}
				checkPairs(t, restored(t, s, file, database.Place{URL: postgrestest.Empty(t)}))
			}
		})
	}
}

// restored restores a backup and opens the store.
func restored(t *testing.T, s shell, file string, p database.Place) *database.DB {
	t.Helper()
	s.run(0, "", append([]string{"restore", file}, argsOf(p)...)...)
	db, err := p.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// startPairs starts writers that change a form and then a flow, again and again: at each moment, the form is equal or one change ahead.
func startPairs(t *testing.T, db *database.DB) (stop func()) {
	t.Helper()
	done := make(chan struct{})
	var wg sync.WaitGroup
	for i := range writers {
		form := store.Document{ID: fmt.Sprintf("pair%d", i), Created: time.Now(), Body: []byte{}}
		for _, docs := range []store.Documents{db.Forms(), db.Flows()} {
			if _, err := docs.Create(t.Context(), form); err != nil {
				t.Fatal(err)
			}
		}
		wg.Go(func() {
			for {
				for _, docs := range []store.Documents{db.Forms(), db.Flows()} {
					select {
					case <-done:
						return
					default:
					}
					_, err := docs.Update(t.Context(), form.ID, time.Now(), func(d store.Document) (store.Document, error) {
						d.Body = append(d.Body, 'x')
						return d, nil
					})
					if err != nil {
						t.Errorf("Update = %v, want nil", err)
						return
					}
				}
			}
		})
	}
	return sync.OnceFunc(func() { close(done); wg.Wait() })
}

// checkPairs compares the forms with the flows of startPairs.
func checkPairs(t *testing.T, db *database.DB) {
	t.Helper()
	for i := range writers {
		id := fmt.Sprintf("pair%d", i)
		form, err1 := db.Forms().Get(t.Context(), id)
		flow, err2 := db.Flows().Get(t.Context(), id)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if ahead := len(form.Body) - len(flow.Body); ahead < 0 || ahead > 1 {
			t.Errorf("%s: the form has %d changes and the flow %d: that state never was", id, len(form.Body), len(flow.Body))
		}
	}
}

// A backup that is damaged, newer or something else is refused, and so is a full store. Nothing is changed.
func TestRestoreRefuses(t *testing.T) {
	s := newShell(t)
	out, said := s.run(0, "", "backup", "-")
	if !strings.Contains(said, "keys") {
		t.Errorf("backup says %q", said)
	}
	good := []byte(out)
	flipped := bytes.Clone(good)
	flipped[len(good)/2] ^= 4
	for name, p := range map[string]database.Place{
		"sqlite": {Folder: filepath.Join(t.TempDir(), "new")}, "postgres": {URL: postgrestest.URL(t)},
	} {
		for fault, b := range map[string][]byte{
			"cut": good[:len(good)-20], "cut early": good[:100], "flipped": flipped, "longer": append(bytes.Clone(good), 'x'),
			"not a backup": []byte("hello"),
		} {
			_, complaint := s.run(2, string(b), append([]string{"restore", "-"}, argsOf(p)...)...)
			if !strings.Contains(complaint, "backup") {
				t.Errorf("%s, %s: %q", name, fault, complaint)
			}
			if _, err := os.Stat(p.Folder); !p.Shared() && !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("%s, %s: the folder is there", name, fault)
			}
			if p.Shared() && rowsOf(t, p).Rows() > 0 {
				t.Fatalf("%s, %s: the database has rows", name, fault)
			}
		}
		s.run(0, string(good), append([]string{"restore", "-"}, argsOf(p)...)...)
		want := rowsOf(t, database.Place{Folder: s.folder})
		if err := want.Compare(rowsOf(t, p)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, complaint := s.run(2, string(good), append([]string{"restore", "-"}, argsOf(p)...)...); !strings.Contains(complaint, "not empty") {
			t.Errorf("%s: a second time: %q", name, complaint)
		}
		if err := want.Compare(rowsOf(t, p)); err != nil {
			t.Errorf("%s: after the refusal: %v", name, err)
		}
	}
}

// A backup replaces an older one and nothing else, and never leaves a part of itself.
func TestBackupReplacesOnlyBackups(t *testing.T) {
	s := newShell(t)
	folder := t.TempDir()
	file, other := filepath.Join(folder, "b"), filepath.Join(folder, "notes")
	if err := os.WriteFile(other, []byte("notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.run(0, "", "backup", file)
	s.run(0, "", "backup", file)
	if _, complaint := s.run(2, "", "backup", other); !strings.Contains(complaint, "not a backup") {
		t.Errorf("backup over notes: %q", complaint)
	}
	if b, err := os.ReadFile(other); err != nil || string(b) != "notes" {
		t.Errorf("the notes are %q, %v", b, err)
	}
	if _, complaint := s.run(2, "", "backup", filepath.Join(folder, "c"), "--database", postgrestest.Empty(t)); !strings.Contains(complaint, "no tables") {
		t.Errorf("backup of nothing: %q", complaint)
	}
	if found, err := os.ReadDir(folder); err != nil || len(found) != 2 {
		t.Errorf("the folder has %v, %v, want the backup and the notes", found, err)
	}
}
