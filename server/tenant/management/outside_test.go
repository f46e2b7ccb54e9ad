package management_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// watched counts updates of forms, and what is allocated while the last one excludes other writers. Before each of the next rivals updates,
// somebody else is faster. read is called after a form was read; may be nil.
type watched struct {
	store.Tenant

	rivals, updates int
	allocs          float64
	read            func()
}

func (w *watched) Forms() store.Documents { return watchedForms{w.Tenant.Forms(), w} }

type watchedForms struct {
	store.Documents

	w *watched
}

func (f watchedForms) Get(ctx context.Context, id string) (store.Document, error) {
	if f.w.read != nil {
		defer f.w.read()
	}
	return f.Documents.Get(ctx, id)
}

func (f watchedForms) Update(ctx context.Context, id string, now time.Time,
	do func(store.Document) (store.Document, error),
) (store.Document, error) {
	f.w.updates++
	if f.w.rivals--; f.w.rivals >= 0 {
		_, err := f.Documents.Update(ctx, id, now, func(d store.Document) (store.Document, error) {
			d.Name = fmt.Sprint("rival ", f.w.rivals)
			d.Body = fmt.Appendf(nil, `{"name":%q}`, d.Name)
			return d, nil
		})
		if err != nil {
			return store.Document{}, err
		}
	}
	return f.Documents.Update(ctx, id, now, func(d store.Document) (next store.Document, err error) {
		f.w.allocs = testing.AllocsPerRun(1, func() { next, err = do(d) })
		return next, err
	})
}

// A form is decoded, checked and written before its update excludes other writers, of which SQLite has one at a time. If the form changes
// meanwhile, that is done again, and after some such tries within the update, so that it ends.
func TestFormsAreCheckedOutsideOfTheUpdate(t *testing.T) {
	w := &watched{Tenant: sqlitetest.Open(t)}
	f := newFixtureOn(t, w, 1000, 100_000)
	f.seed()
	id := f.create(`{"name":"form"}`)
	large := formtest.Large(20)
	for _, x := range []struct {
		rivals, updates int
		compares        bool
	}{{0, 1, true}, {3, 4, true}, {1000, 9, false}} {
		w.rivals, w.updates = x.rivals, 0
		name := fmt.Sprint("saved against ", x.rivals)
		a := f.send(http.MethodPatch, "/api/v2/forms/"+id, string(schema.Encode(large.With("name", name))))
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%d %.300s", a.StatusCode, a.body)
		}
		if w.updates != x.updates || (w.allocs < 10) != x.compares {
			t.Errorf("with %d rivals: %d updates, the last with %v allocations; want %d", x.rivals, w.updates, w.allocs, x.updates)
		}
		if d, err := w.Tenant.Forms().Get(t.Context(), id); err != nil || d.Name != name {
			t.Errorf("the form is %q, %v, want %q", d.Name, err, name)
		}
	}
}

// A change is not made for a caller who has left.
func TestChangesEndWithTheirCallers(t *testing.T) {
	w := &watched{Tenant: sqlitetest.Open(t)}
	f := newFixtureOn(t, w, 1000, 100_000)
	f.seed()
	id := f.create(`{"name":"form"}`)
	ctx, leave := context.WithCancel(t.Context())
	w.read, w.updates = leave, 0
	r := httptest.NewRequestWithContext(ctx, http.MethodPatch, "/api/v2/forms/"+id, strings.NewReader(`{"name":"changed"}`))
	r.Header.Set("Authorization", "Bearer "+f.all)
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	f.ServeHTTP(rec, r)
	if w.updates != 0 || ctx.Err() == nil {
		t.Errorf("%d updates after the caller left, and %d", w.updates, rec.Code)
	}
}
