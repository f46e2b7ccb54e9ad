package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func open(t *testing.T) *sqlite.DB {
	t.Helper()
	d, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "formgraph.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("Close = %v, want nil", err)
		}
	})
	return d
}

func TestTenant(t *testing.T) {
	storetest.Tenant(t, func(t *testing.T) store.Tenant { t.Helper(); return open(t) })
}
