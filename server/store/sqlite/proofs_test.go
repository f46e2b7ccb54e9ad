package sqlite_test

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// A database of the version before proofs can store them.
func TestUpgradeToProofs(t *testing.T) {
	d := upgraded(t, 7, `INSERT INTO users (id, email, name, password_hash, created) VALUES ('u', 'ana@example.com', '', '$x', 0)`)
	if u, err := d.User(t.Context(), "u"); err != nil || u.PasswordHash != "$x" {
		t.Errorf("user = %+v, %v, want the one from before", u, err)
	}
	now := time.Unix(0, 0)
	for _, want := range []bool{true, false} {
		if first, err := d.UseProof(t.Context(), []byte{1}, now, now.Add(time.Minute)); err != nil || first != want {
			t.Errorf("UseProof = %v, %v, want %v", first, err, want)
		}
	}
}

// A closed store does not report a proof as new.
func TestUseProofFails(t *testing.T) {
	d, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "formgraph.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if first, err := d.UseProof(t.Context(), []byte{1}, time.Unix(0, 0), time.Unix(1, 0)); first || err == nil {
		t.Errorf("UseProof = %v, %v, want an error", first, err)
	}
}

// A use counts even if its client leaves: uses of others are written with it.
func TestUseProofWithoutClient(t *testing.T) {
	d := sqlitetest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, want := range []bool{true, false} {
		if first, err := d.UseProof(ctx, []byte{1}, time.Unix(0, 0), time.Unix(60, 0)); err != nil || first != want {
			t.Errorf("UseProof = %v, %v, want %v", first, err, want)
		}
	}
}

// Concurrent uses are all recorded, each for itself.
func TestProofsTogether(t *testing.T) {
	d := sqlitetest.Open(t)
	now := time.Unix(0, 0)
	var wg sync.WaitGroup
	var first, again atomic.Int32
	for i := range 200 {
		wg.Go(func() {
			ok, err := d.UseProof(t.Context(), []byte{byte(i / 2)}, now, now.Add(time.Minute))
			switch {
			case err != nil:
				t.Errorf("UseProof = %v, want nil", err)
			case ok:
				first.Add(1)
			default:
				again.Add(1)
			}
		})
	}
	wg.Wait()
	if first.Load() != 100 || again.Load() != 100 {
		t.Errorf("%d first and %d further uses, want 100 of each", first.Load(), again.Load())
	}
}

// BenchmarkUseProof records proofs one after the other, and many at once: the cost of a request with a proof when replicas
// share a memory.
func BenchmarkUseProof(b *testing.B) {
	now := time.Unix(0, 0)
	var n atomic.Uint32
	use := func(d *sqlite.DB) {
		id := make([]byte, 32)
		binary.BigEndian.PutUint32(id, n.Add(1))
		if first, err := d.UseProof(b.Context(), id, now, now.Add(time.Minute)); err != nil || !first {
			b.Error(first, err)
		}
	}
	b.Run("one", func(b *testing.B) {
		d := sqlitetest.Open(b)
		for b.Loop() {
			use(d)
		}
	})
	b.Run("many", func(b *testing.B) {
		d := sqlitetest.Open(b)
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				use(d)
			}
		})
	})
}
