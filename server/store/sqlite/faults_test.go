package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// fault is a condition in which the file cannot be written.
type fault struct {
	name       string
	begin, end func(t *testing.T, d *sqlite.DB, raw *sql.DB)
	want       error
}

func faults() []fault {
	pragma := func(name string, value int) func(t *testing.T, d *sqlite.DB, raw *sql.DB) {
		return func(t *testing.T, d *sqlite.DB, _ *sql.DB) {
			t.Helper()
			if err := d.Pragma(t.Context(), name, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	statement := func(texts ...string) func(t *testing.T, d *sqlite.DB, raw *sql.DB) {
		return func(t *testing.T, _ *sqlite.DB, raw *sql.DB) {
			t.Helper()
			for _, text := range texts {
				if _, err := raw.ExecContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return []fault{
		// SQLite raises the limit to the current size of the file.
		{"full disk", pragma("max_page_count", 1), pragma("max_page_count", 1<<30), store.ErrFull},
		{"read-only", pragma("query_only", 1), pragma("query_only", 0), store.ErrReadOnly},
		{"locked by another process", func(t *testing.T, d *sqlite.DB, raw *sql.DB) {
			t.Helper()
			pragma("busy_timeout", 20)(t, d, raw)
			statement("BEGIN IMMEDIATE")(t, d, raw)
		}, statement("ROLLBACK"), store.ErrUnavailable},
	}
}

// While the file cannot be written, each write returns the reason and reads continue. When the fault ends, writes work again on the same
// connections.
func TestWriteFaults(t *testing.T) {
	const kilobytes = 512
	for _, x := range faults() {
		t.Run(x.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "formgraph.db")
			d, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close() //nolint:errcheck // the test is over
			raw, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			defer raw.Close() //nolint:errcheck // the test is over
			raw.SetMaxOpenConns(1)
			body := []byte(`{"x":"` + strings.Repeat("x", kilobytes<<10) + `"}`)
			if _, err := d.Forms().Create(t.Context(), store.Document{ID: "kept", Body: body}); err != nil {
				t.Fatal(err)
			}
			writes := map[string]func(ctx context.Context) error{
				"statement": func(ctx context.Context) error {
					_, err := d.Forms().Create(ctx, store.Document{ID: "new", Body: body})
					return err
				},
				"transaction": func(ctx context.Context) error {
					return d.InTx(ctx, func(rows store.Access) error {
						for i := range 200 {
							u := store.User{ID: string(rune('a' + i)), Email: string(rune('a'+i)) + "@example.com", Name: string(body[:10000])}
							if err := rows.CreateUser(ctx, u); err != nil {
								return err
							}
						}
						return nil
					})
				},
			}
			x.begin(t, d, raw)
			for name, write := range writes {
				for range 2 {
					err := write(t.Context())
					if !errors.Is(err, x.want) || !errors.Is(err, store.ErrUnavailable) {
						t.Errorf("%s = %v, want %v", name, err, x.want)
					}
				}
			}
			if got, err := d.Forms().Get(t.Context(), "kept"); err != nil || len(got.Body) != len(body) {
				t.Errorf("read = %d bytes, %v", len(got.Body), err)
			}
			if err := d.Ping(t.Context()); err != nil {
				t.Errorf("Ping = %v, want nil", err)
			}
			x.end(t, d, raw)
			for name, write := range writes {
				if err := write(t.Context()); err != nil {
					t.Errorf("%s after the fault = %v", name, err)
				}
			}
		})
	}
}

// A file that cannot be opened is ErrUnavailable. A corrupt file is a different error, since retrying does not help.
func TestOpenFaults(t *testing.T) {
	folder := t.TempDir()
	blocked := filepath.Join(folder, "blocked.db")
	if err := os.Mkdir(blocked+"-wal", 0o700); err != nil { // where the engine needs a file
		t.Fatal(err)
	}
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is not a database. ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(folder, "damaged.db")
	d, err := sqlite.Open(t.Context(), damaged)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(damaged)
	if err != nil {
		t.Fatal(err)
	}
	copy(whole[100:], strings.Repeat("damage", len(whole)/6-100)) // after the header
	if err := os.WriteFile(damaged, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{blocked: true, text: false, damaged: false} {
		d, err := sqlite.Open(t.Context(), path)
		if err == nil {
			_ = d.Close()
		}
		if err == nil || errors.Is(err, store.ErrUnavailable) != want || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s) = %v, want ErrUnavailable: %v", filepath.Base(path), err, want)
		}
	}
}

// A write does not wait forever behind another one, and does not disturb it.
func TestWritesDoNotQueueForever(t *testing.T) {
	d := sqlitetest.Open(t)
	d.SetPatience(20 * time.Millisecond)
	err := d.InTx(t.Context(), func(rows store.Access) error {
		_, statement := d.Forms().Create(t.Context(), store.Document{ID: "other", Body: []byte("{}")})
		transaction := d.InTx(t.Context(), func(store.Access) error { return nil })
		for _, err := range []error{statement, transaction} {
			if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrFull) {
				t.Errorf("a write behind another one = %v, want ErrUnavailable", err)
			}
		}
		return rows.CreateUser(t.Context(), store.User{ID: "u", Email: "u@example.com"})
	})
	if err != nil {
		t.Errorf("the first write = %v", err)
	}
	if _, err := d.User(t.Context(), "u"); err != nil {
		t.Errorf("the first write is not stored: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.InTx(ctx, func(store.Access) error { return nil }); !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a canceled caller = %v, want Canceled", err)
	}
}
