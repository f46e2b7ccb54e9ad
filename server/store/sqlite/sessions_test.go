package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func TestSessions(t *testing.T) {
	storetest.Sessions(t, func(t *testing.T) store.Sessions {
		t.Helper()
		db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "formgraph.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
		return db
	})
}
