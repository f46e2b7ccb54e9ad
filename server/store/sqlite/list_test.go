package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// BenchmarkLists reads and searches lists of 100,000 people.
func BenchmarkLists(b *testing.B) {
	ctx := b.Context()
	d, err := Open(ctx, filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // nothing is kept
	_, err = d.write.ExecContext(ctx, `INSERT INTO users (id, email, name, password_hash, created)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 100000)
		SELECT 'user_' || i, 'person' || i || '@example.com', 'Person ' || i, 'x', i FROM n`)
	if err != nil {
		b.Fatal(err)
	}
	middle, _, err := d.ListUsers(ctx, store.Find{}, 50_000, 1)
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		find store.Find
	}{
		{"first", store.Find{}},
		{"behind-50000", store.Find{After: middle[0].Place()}},
		{"search-1111", store.Find{Search: "person99"}},
		{"search-none", store.Find{Search: "nobody"}},
		{"search-none-umlaut", store.Find{Search: "nöbody"}},
	} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := d.ListUsers(ctx, x.find, 0, 51); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
