package storetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// Observed checks that an engine reports its statements and transactions, and the state of its pools. The engine must be empty and unused.
func Observed(t *testing.T, db interface {
	store.Tenant
	Observe(f observe.Func)
	Pools() []store.Pool
},
) {
	t.Helper()
	var mu sync.Mutex
	var told []string
	db.Observe(func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
		return ctx, func(outcome string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, string(k)+" "+detail+" "+outcome)
		}
	})
	if _, err := db.Forms().Get(t.Context(), "ap_1"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("Get = %v", err)
	}
	form := store.Document{ID: "ap_1", Name: "A", Created: noon(), Updated: noon(), Body: []byte("{}")}
	if _, err := db.Forms().Create(t.Context(), form); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Forms().Create(t.Context(), form); !errors.Is(err, store.ErrConflict) {
		t.Fatalf("Create again = %v", err)
	}
	if err := db.InTx(t.Context(), func(store.Access) error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Fatalf("InTx = %v", err)
	}
	want := []string{
		"statement get form not_found", "statement create form ok", "statement create form conflict", "transaction  canceled",
	}
	if !slices.Equal(told, want) {
		t.Errorf("reported %q, want %q", told, want)
	}
	for _, p := range db.Pools() {
		if p.Name == "" || p.Max < 1 || p.Used != 0 || p.Idle > p.Max {
			t.Errorf("a pool at rest is %+v", p)
		}
	}
	if len(db.Pools()) == 0 {
		t.Error("no pool is described")
	}
}
