package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func open(tb testing.TB) *sqlite.DB {
	tb.Helper()
	d, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "formgraph.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Errorf("Close = %v, want nil", err)
		}
	})
	return d
}

func TestTenant(t *testing.T) {
	storetest.Tenant(t, func(t *testing.T) store.Tenant { t.Helper(); return open(t) })
}
