package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func documents(t *testing.T, open func(t *testing.T) store.Documents) {
	t.Helper()
	files(t, func(t *testing.T) store.Files { t.Helper(); return open(t) })
	t.Run("pages", func(t *testing.T) { documentPages(t, open(t)) })
	t.Run("deleted", func(t *testing.T) { deletedDocument(t, open(t)) })
}

func files(t *testing.T, open func(t *testing.T) store.Files) {
	t.Helper()
	t.Run("life", func(t *testing.T) { documentLife(t, open(t)) })
	t.Run("updated rises", func(t *testing.T) { documentRises(t, open(t)) })
	t.Run("failed change", func(t *testing.T) { documentFailedChange(t, open(t)) })
	t.Run("changes in turn", func(t *testing.T) { documentTurns(t, open(t)) })
}

// same compares a document with the wanted one, times as instants.
func same(t *testing.T, got, want store.Document) {
	t.Helper()
	if got.ID != want.ID || got.Name != want.Name || !got.Created.Equal(want.Created) ||
		!got.Updated.Equal(want.Updated) || !bytes.Equal(got.Body, want.Body) {
		t.Errorf("document = %+v, want %+v", got, want)
	}
}

func documentLife(t *testing.T, s store.Files) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Get(ctx, "a")
	mustBe(t, "Get of nothing", err, store.ErrNotFound)
	_, err = s.Update(ctx, "a", noon(), func(store.Document) (store.Document, error) {
		t.Error("change was called for a document that does not exist")
		return store.Document{}, nil
	})
	mustBe(t, "Update of nothing", err, store.ErrNotFound)

	made, err := s.Create(ctx, store.Document{ID: "a", Name: "A", Created: noon().Add(time.Microsecond), Body: []byte(`{"name":"A"}`)})
	must(t, err)
	want := store.Document{ID: "a", Name: "A", Created: noon(), Updated: noon(), Body: []byte(`{"name":"A"}`)}
	same(t, made, want)
	got, err := s.Get(ctx, "a")
	must(t, err)
	same(t, got, want)
	_, err = s.Create(ctx, store.Document{ID: "a", Name: "other", Created: noon(), Body: []byte(`{}`)})
	mustBe(t, "Create of a taken id", err, store.ErrConflict)
	// Identifiers are compared byte for byte.
	_, err = s.Get(ctx, "A")
	mustBe(t, "Get in another case", err, store.ErrNotFound)
}

func deletedDocument(t *testing.T, s store.Documents) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "Delete of nothing", s.Delete(ctx, "a"), store.ErrNotFound)
	_, err := s.Create(ctx, store.Document{ID: "a", Created: noon(), Body: []byte(`{}`)})
	must(t, err)
	for _, ids := range [][]string{nil, {"a"}, {"b", "a", "c"}} {
		missing, err := s.Missing(ctx, ids)
		must(t, err)
		if want := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "a" }); !slices.Equal(missing, want) {
			t.Errorf("missing of %q: %q", ids, missing)
		}
	}
	must(t, s.Delete(ctx, "a"))
	_, err = s.Get(ctx, "a")
	mustBe(t, "Get after Delete", err, store.ErrNotFound)
}

func documentPages(t *testing.T, s store.Documents) {
	t.Helper()
	ctx := t.Context()
	for _, id := range []string{"c", "a", "b"} {
		_, err := s.Create(ctx, store.Document{ID: id, Name: "N" + id, Created: noon(), Body: []byte(`{}`)})
		must(t, err)
	}
	for _, tt := range []struct {
		offset, limit int
		want          string
	}{
		{0, 50, "cab"},
		{0, 2, "ca"},
		{2, 2, "b"},
		{3, 2, ""},
		{1000, 100, ""},
	} {
		page, total, err := s.List(ctx, tt.offset, tt.limit)
		must(t, err)
		var ids []string
		for _, d := range page {
			ids = append(ids, d.ID)
			if d.Body != nil || d.Name != "N"+d.ID || !d.Updated.Equal(noon()) {
				t.Errorf("List entry = %+v, want a summary without body", d)
			}
		}
		if got := strings.Join(ids, ""); got != tt.want || total != 3 {
			t.Errorf("List(%d, %d) = %q of %d, want %q of 3", tt.offset, tt.limit, got, total, tt.want)
		}
	}
}

func documentRises(t *testing.T, s store.Files) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Create(ctx, store.Document{ID: "a", Name: "A", Created: noon(), Body: []byte("0")})
	must(t, err)
	for i, tt := range []struct {
		name      string
		now, want time.Time
		body      string
	}{
		{"same instant", noon(), noon().Add(time.Millisecond), "1"},
		{"clock went back", noon().Add(-time.Hour), noon().Add(2 * time.Millisecond), "2"},
		{"below the resolution", noon().Add(2*time.Millisecond + 900*time.Microsecond), noon().Add(3 * time.Millisecond), "3"},
		{"clock runs again", noon().Add(time.Second), noon().Add(time.Second), "4"},
		{"nothing changed", noon().Add(time.Minute), noon().Add(time.Second), "4"},
	} {
		got, err := s.Update(ctx, "a", tt.now, func(d store.Document) (store.Document, error) {
			if want := min(i, 4); string(d.Body) != fmt.Sprint(want) {
				t.Errorf("%s: change got body %s, want %d", tt.name, d.Body, want)
			}
			d.Body = append(d.Body[:0], tt.body...) // possibly in place
			return d, nil
		})
		must(t, err)
		want := store.Document{ID: "a", Name: "A", Created: noon(), Updated: tt.want, Body: []byte(tt.body)}
		same(t, got, want)
		got, err = s.Get(ctx, "a")
		must(t, err)
		same(t, got, want)
	}
	// The name alone counts as a change, and neither ID nor Created can be changed.
	got, err := s.Update(ctx, "a", noon(), func(d store.Document) (store.Document, error) {
		d.ID, d.Created, d.Name = "b", time.Time{}, "B"
		return d, nil
	})
	must(t, err)
	same(t, got, store.Document{ID: "a", Name: "B", Created: noon(), Updated: noon().Add(time.Second + time.Millisecond), Body: []byte("4")})
}

func documentFailedChange(t *testing.T, s store.Files) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Create(ctx, store.Document{ID: "a", Name: "A", Created: noon(), Body: []byte("0")})
	must(t, err)
	refused := errors.New("refused")
	_, err = s.Update(ctx, "a", noon(), func(d store.Document) (store.Document, error) {
		d.Body = []byte("1")
		return d, refused
	})
	mustBe(t, "Update", err, refused)
	got, err := s.Get(ctx, "a")
	must(t, err)
	same(t, got, store.Document{ID: "a", Name: "A", Created: noon(), Updated: noon(), Body: []byte("0")})
}

func documentTurns(t *testing.T, s store.Files) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Create(ctx, store.Document{ID: "a", Name: "A", Created: noon(), Body: []byte{}})
	must(t, err)
	const writers = 50
	seen := make([]time.Time, writers)
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			d, err := s.Update(ctx, "a", noon(), func(d store.Document) (store.Document, error) {
				d.Body = append(d.Body, 'x')
				return d, nil
			})
			if err != nil {
				t.Errorf("Update = %v, want nil", err)
			}
			seen[i] = d.Updated
		})
	}
	wg.Wait()
	got, err := s.Get(ctx, "a")
	must(t, err)
	if len(got.Body) != writers {
		t.Errorf("body has %d changes, want %d: one was lost", len(got.Body), writers)
	}
	times := map[int64]bool{}
	for _, at := range seen {
		times[at.UnixMilli()] = true
	}
	if len(times) != writers {
		t.Errorf("%d changes have %d dates, want one each", writers, len(times))
	}
}

func kindsApart(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Forms().Create(ctx, store.Document{ID: "a", Name: "form", Created: noon(), Body: []byte(`{}`)})
	must(t, err)
	_, err = s.Flows().Get(ctx, "a")
	mustBe(t, "Get of a form among the flows", err, store.ErrNotFound)
	must(t, s.Ping(ctx))
}
