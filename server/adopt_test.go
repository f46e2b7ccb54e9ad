package main

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// inFolder calls use with the store of a data folder.
func inFolder(t *testing.T, folder string, use func(ctx context.Context, db *sqlite.DB)) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(folder, database.File))
	must(t, err)
	use(t.Context(), db)
	must(t, db.Close())
}

// A server with a remote tenant takes over what was kept beside its forms before the tenant was stored; the embedded tenant keeps its own.
func TestARemoteTenantAdoptsWhatWasKept(t *testing.T) {
	folder := newData(t)
	now := time.Now()
	inFolder(t, folder, func(ctx context.Context, db *sqlite.DB) {
		_, err := db.Forms().Create(ctx, store.Document{ID: "ap_here", Created: now, Body: []byte(`{}`)})
		must(t, err)
		for _, form := range []string{"ap_here", "remote"} {
			must(t, db.Team("").Versions().Add(ctx, store.Version{Form: form, Number: 1, Base: 1, Saved: now, Hash: []byte{1}, Body: []byte{2}}))
			_, err := db.Team("").Scenarios().Create(ctx, store.Document{ID: form, Created: now, Body: []byte(`{}`)})
			must(t, err)
		}
	})
	tenant := foreigntest.Start(t, foreigntest.Traits{})
	for range 2 {
		if code := atForeign(t, folder, tenant, false).stop(); code != 0 {
			t.Fatalf("the server ended with %d", code)
		}
		inFolder(t, folder, func(ctx context.Context, db *sqlite.DB) {
			for of, want := range map[string]string{"": "ap_here", tenant.URL + "/api/v2": "remote"} {
				if kept, err := db.Team(of).Kept(ctx, "", 9); err != nil || !slices.Equal(kept, []string{want}) {
					t.Errorf("of tenant %q is kept %v, %v, want %s", of, kept, err, want)
				}
			}
		})
	}
}
