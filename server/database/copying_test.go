package database_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/dump/dumptest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

func folder(t *testing.T) database.Place {
	t.Helper()
	return database.Place{Folder: t.TempDir()}
}

func server(t *testing.T) database.Place {
	t.Helper()
	return database.Place{URL: postgrestest.Empty(t)}
}

// engines are the places of new stores, of each engine.
var engines = map[string]func(*testing.T) database.Place{"sqlite": folder, "postgres": server}

// fill writes rows to a new store.
func fill(t *testing.T, to database.Place, from dump.Source) dump.Result {
	t.Helper()
	var done dump.Result
	err := to.Load(t.Context(), func(sink dump.Sink) (err error) {
		done, err = dump.Copy(t.Context(), from, sink, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// snapshot calls read with the rows of a store.
func snapshot(t *testing.T, p database.Place, read func(dump.Snapshot) error) {
	t.Helper()
	v, err := p.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // it has only read
	if err := v.Snapshot(t.Context(), read); err != nil {
		t.Fatal(err)
	}
}

// sums returns the digests and the highest numbers of a store.
func sums(t *testing.T, p database.Place) (ds dump.Digests, last map[string]int64) {
	t.Helper()
	last = map[string]int64{}
	snapshot(t, p, func(s dump.Snapshot) (err error) {
		ds, err = dump.Sum(t.Context(), dump.Of(s), nil)
		for _, table := range dump.Tables() {
			if table.Counted && err == nil {
				last[table.Name], err = s.Last(t.Context(), table)
			}
		}
		return err
	})
	return ds, last
}

// move copies a store to another place.
func move(t *testing.T, from, to database.Place) {
	t.Helper()
	snapshot(t, from, func(s dump.Snapshot) error {
		fill(t, to, dump.Of(s))
		return nil
	})
}

// A move to the other engine and back changes no row.
func TestMoveAndBackIsEqual(t *testing.T) {
	first, second, third := folder(t), server(t), folder(t)
	const rows = 5
	fill(t, first, dumptest.Rows{Count: rows})
	move(t, first, second)
	move(t, second, third)
	want, numbers := sums(t, first)
	if n := want.Rows(); n != int64(rows*len(dump.Tables())) {
		t.Errorf("the first store has %d rows, want %d in each of %d tables", n, rows, len(dump.Tables()))
	}
	for name, p := range map[string]database.Place{"PostgreSQL": second, "SQLite again": third} {
		got, last := sums(t, p)
		if err := want.Compare(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for table, n := range numbers {
			if last[table] != n || n != 1000 {
				t.Errorf("%s: the last number of %s is %d, want that of the first store, %d", name, table, last[table], n)
			}
		}
	}
}

// A moved store works: its lists are searched, and new rows get new numbers.
func TestMovedStoreWorks(t *testing.T) {
	for name, place := range engines {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			fill(t, p, dumptest.Rows{Count: 3})
			db, err := p.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close() //nolint:errcheck // the test is over
			if found, _, err := db.ListUsers(t.Context(), store.Find{Search: "EMAIL 2"}, 0, 10); err != nil || len(found) != 1 {
				t.Errorf("ListUsers = %d people, %v, want 1", len(found), err)
			}
			if found, _, err := db.ListAPIs(t.Context(), store.Find{Search: "identifier 1"}, 0, 10); err != nil || len(found) != 1 {
				t.Errorf("ListAPIs = %d, %v, want 1", len(found), err)
			}
			if ok, err := db.OriginListed(t.Context(), "b"); err != nil || !ok {
				t.Errorf("OriginListed = %v, %v, want true", ok, err)
			}
			if err := db.AddEvent(t.Context(), store.Event{At: db.Now(), Type: "new"}); err != nil {
				t.Fatal(err)
			}
			events, _, err := db.ListEvents(t.Context(), store.EventFilter{Type: "new"}, 0, 1)
			if err != nil || len(events) != 1 || events[0].ID != "log_0000000000000001001" {
				t.Errorf("the new event is %+v, %v, want number 1001", events, err)
			}
		})
	}
}

// PostgreSQL does not store every text of SQLite. What it stores instead is counted, and the move succeeds.
func TestOddTextsAreReplaced(t *testing.T) {
	first, second := folder(t), server(t)
	fill(t, first, dumptest.Rows{Count: 2, Odd: true})
	if done := fill(t, folder(t), dumptest.Rows{Count: 2, Odd: true}); done.Replaced != 0 {
		t.Errorf("SQLite: %d rows were changed, want 0", done.Replaced)
	}
	snapshot(t, first, func(s dump.Snapshot) error {
		if done := fill(t, second, dump.Of(s)); done.Replaced == 0 {
			t.Error("PostgreSQL: no row was changed")
		}
		return nil
	})
}

// A store with a row is not written to, and a copy that fails leaves nothing.
func TestFailedLoadLeavesNothing(t *testing.T) {
	for name, place := range engines {
		t.Run(name, func(t *testing.T) {
			p := place(t)
			load := func(from dump.Source) error {
				return p.Load(t.Context(), func(sink dump.Sink) error {
					_, err := dump.Copy(t.Context(), from, sink, nil)
					return err
				})
			}
			if err := load(failing{}); !errors.Is(err, errBroken) {
				t.Errorf("Load = %v, want the error of the source", err)
			}
			if p.URL == "" && p.Exists() {
				t.Error("the new file is still there")
			}
			if err := load(dumptest.Rows{Count: 1}); err != nil {
				t.Fatal(err)
			}
			want, _ := sums(t, p)
			if err := load(dumptest.Rows{Count: 2}); !errors.Is(err, dump.ErrNotEmpty) {
				t.Errorf("Load of a full store = %v, want ErrNotEmpty", err)
			}
			if got, _ := sums(t, p); want.Compare(got) != nil {
				t.Error("the full store was changed")
			}
		})
	}
}

var errBroken = errors.New("broken")

// failing is a source that fails after all rows.
type failing struct{}

func (failing) Each(ctx context.Context, begin func(dump.Table, int64) error, row func(dump.Table, dump.Row) error) error {
	return errors.Join((dumptest.Rows{Count: 2}).Each(ctx, begin, row), errBroken)
}

// A database cannot be used while it is moved, or moved while it is used.
func TestMoveExcludesServers(t *testing.T) {
	p := database.Place{URL: postgrestest.URL(t)}
	db, err := p.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // it has only read
	if err := v.Alone(t.Context()); !errors.Is(err, store.ErrInUse) {
		t.Errorf("Alone beside a server = %v, want ErrInUse", err)
	}
	nothing := func(dump.Sink) error { return nil }
	if err := p.Load(t.Context(), nothing); !errors.Is(err, store.ErrInUse) {
		t.Errorf("Load beside a server = %v, want ErrInUse", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := v.Alone(t.Context()); err != nil {
		t.Errorf("Alone = %v, want nil", err)
	}
	if db, err := p.Open(t.Context()); !errors.Is(err, store.ErrInUse) {
		t.Errorf("Open during a move = %v, want ErrInUse", err)
		if err == nil {
			_ = db.Close()
		}
	}
}

// Nobody writes to a SQLite file while it is moved.
func TestMoveExcludesWriters(t *testing.T) {
	p := folder(t)
	fill(t, p, dumptest.Rows{Count: 1})
	v, err := p.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Alone(t.Context()); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", "file:"+filepath.Join(p.Folder, database.File)+"?_pragma=busy_timeout(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close() //nolint:errcheck // it has written nothing
	if _, err := other.ExecContext(t.Context(), `INSERT INTO marks VALUES ('a', 'b')`); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("write during the move: %v, want that the file is locked", err)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if w, err := p.Open(t.Context()); err != nil {
		t.Error(err)
	} else if err := errors.Join(w.PutMark(t.Context(), "a", "b"), w.Close()); err != nil {
		t.Errorf("write after the move: %v", err)
	}
}
