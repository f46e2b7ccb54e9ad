package dump_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/dump/dumptest"
)

var made = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// backup returns a backup of rows.
func backup(t *testing.T, from dump.Source) ([]byte, dump.Digests) {
	t.Helper()
	var b bytes.Buffer
	ds, err := dump.Write(t.Context(), &b, from, made, "v1", nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), ds
}

// read reads a whole backup.
func read(ctx context.Context, b []byte) (dump.Digests, error) {
	f, err := dump.Open(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return dump.Sum(ctx, f, nil)
}

// Every value is read from a backup as it was written.
func TestBackupKeepsRows(t *testing.T) {
	rows := dumptest.Rows{Count: 4, Odd: true}
	b, written := backup(t, rows)
	want, err := dump.Sum(t.Context(), rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t.Context(), b)
	if err := errors.Join(err, want.Compare(got), want.Compare(written)); err != nil {
		t.Errorf("the backup differs: %v", err)
	}
	f, err := dump.Open(bytes.NewReader(b))
	if err != nil || !f.Header.Made.Equal(made) || f.Header.Program != "v1" || f.Header.Schema != dump.Schema {
		t.Errorf("header = %+v, %v", f.Header, err)
	}
}

// A backup that was cut off anywhere is refused.
func TestCutBackupIsRefused(t *testing.T) {
	b, _ := backup(t, dumptest.Rows{Count: 1})
	for n := range len(b) {
		if _, err := read(t.Context(), b[:n]); !errors.Is(err, dump.ErrDamaged) && !errors.Is(err, dump.ErrNoBackup) {
			t.Fatalf("the first %d of %d bytes: %v, want ErrDamaged", n, len(b), err)
		}
	}
	if _, err := read(t.Context(), append(b, 0)); !errors.Is(err, dump.ErrDamaged) {
		t.Errorf("a byte more: %v, want ErrDamaged", err)
	}
}

// A backup in which a bit was changed is refused, unless the bit means nothing.
func TestChangedBackupIsRefused(t *testing.T) {
	b, want := backup(t, dumptest.Rows{Count: 1})
	const head = 10               // the header of gzip, which names a time and a system
	step := sizetest.Of(0, 11, 1) // odd, so that each bit is changed somewhere
	for i := head; i < len(b); i += step {
		changed := bytes.Clone(b)
		changed[i] ^= 1 << (i % 8)
		if got, err := read(t.Context(), changed); err == nil && want.Compare(got) != nil {
			t.Fatalf("byte %d changed: other rows were read without an error", i)
		}
	}
	// Whoever changes the rows must also change the checksum inside.
	plain := unzip(t, b)
	for i := 0; i < len(plain); i += step {
		changed := bytes.Clone(plain)
		changed[i] ^= 1 << (i % 8)
		if got, err := read(t.Context(), zip(t, changed)); err == nil {
			t.Fatalf("byte %d of %d in the stream changed: read as %d rows", i, len(plain), got.Rows())
		}
	}
}

func unzip(t *testing.T, b []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// zip returns a gzip file with b. It does not compress b, which would take longer than reading it.
func zip(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(b)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A backup of a newer program is refused with the version that made it.
func TestNewerBackupIsRefused(t *testing.T) {
	for name, set := range map[string]func(*dump.Header){
		"layout": func(h *dump.Header) { h.Version++ },
		"tables": func(h *dump.Header) { h.Schema++ },
	} {
		b := dump.WriteTables(dump.Tables(), set)
		if _, err := dump.Open(bytes.NewReader(b)); !errors.Is(err, store.ErrNewer) {
			t.Errorf("a newer version of the %s: %v, want ErrNewer", name, err)
		}
	}
}

// A backup of an older program may lack tables and columns that have a default. A backup of this program may not.
func TestOlderBackupIsCompleted(t *testing.T) {
	older := dump.Tables()
	older = older[:len(older)-1]
	for _, schema := range []int{dump.Schema - 1, dump.Schema} {
		b := dump.WriteTables(older, func(h *dump.Header) { h.Schema = schema })
		_, err := read(t.Context(), b)
		if lacks := errors.Is(err, dump.ErrDamaged); lacks != (schema == dump.Schema) {
			t.Errorf("a table less in version %d of %d: %v", schema, dump.Schema, err)
		}
	}
	older[0].Columns = older[0].Columns[:2]
	b := dump.WriteTables(older, func(h *dump.Header) { h.Schema-- })
	if _, err := read(t.Context(), b); !errors.Is(err, dump.ErrDamaged) {
		t.Errorf("columns without a default are absent: %v, want ErrDamaged", err)
	}
}

// A backup from before everything beside forms had a tenant is restored without one.
func TestBackupFromBeforeTenantsIsCompleted(t *testing.T) {
	older := dump.Tables()
	without := map[string]bool{"scenarios": true, "sources": true, "settings": true, "versions": true}
	for i, table := range older {
		if at := table.Index("tenant"); without[table.Name] {
			older[i].Columns = slices.Delete(table.Columns, at, at+1)
		}
	}
	f, err := dump.Open(bytes.NewReader(dump.WriteTables(older, func(h *dump.Header) { h.Schema = 6 })))
	if err != nil {
		t.Fatal(err)
	}
	err = f.Each(t.Context(), func(dump.Table, int64) error { return nil }, func(table dump.Table, r dump.Row) error {
		if without[table.Name] && r[table.Index("tenant")] == "" {
			delete(without, table.Name)
		}
		return nil
	})
	if err != nil || len(without) > 0 {
		t.Errorf("%v; the tables %v are not restored without a tenant", err, without)
	}
}

// Other files are not taken for backups.
func TestOtherFilesAreRefused(t *testing.T) {
	for name, b := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "gzip": zip(t, []byte("other")), "gzip of h": zip(t, []byte("h\x01\xa0")),
	} {
		if _, err := dump.Open(bytes.NewReader(b)); !errors.Is(err, dump.ErrNoBackup) {
			t.Errorf("%s: %v, want ErrNoBackup", name, err)
		}
	}
}
