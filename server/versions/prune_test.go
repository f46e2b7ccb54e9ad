package versions

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

func TestExpired(t *testing.T) {
	const day = 24 * time.Hour
	now := noon()
	old := noon().Add(-keepAll) // still kept
	version := func(n int, saved time.Time) store.Version { return store.Version{Number: n, Saved: saved} }
	name := func(v store.Version) store.Version { v.Name = "x"; return v }
	note := func(v store.Version) store.Version { v.Note = "x"; return v }
	for _, tt := range []struct {
		name string
		list []store.Version // oldest first
		want string
	}{
		{"none", nil, "[]"},
		{"young", []store.Version{version(1, old), version(2, old), version(3, now)}, "[]"},
		{"a day", []store.Version{
			version(1, old.Add(-2*time.Hour)), version(2, old.Add(-time.Hour)), version(3, old.Add(-time.Minute)), version(4, now),
		}, "[1 2]"},
		{"midnight", []store.Version{
			version(1, old.Add(-13*time.Hour)), version(2, old.Add(-12*time.Hour-time.Millisecond)), version(3, old.Add(-12*time.Hour)),
			version(4, old.Add(-11*time.Hour)), version(5, now),
		}, "[1 3]"},
		{"named and noted", []store.Version{
			version(1, old.Add(-5*day)), name(version(2, old.Add(-5*day))), note(version(3, old.Add(-5*day))), version(4, old.Add(-5*day)),
			version(5, now),
		}, "[1]"},
		{"the newest and the last of its day are old", []store.Version{version(1, old.Add(-9*day)), version(2, old.Add(-8*day))}, "[]"},
		{"the greatest number is not the newest", []store.Version{version(1, old.Add(-9*day)), version(3, old.Add(-9*day)), version(2, old.Add(-9*day))}, "[1]"},
	} {
		list := slices.Clone(tt.list)
		slices.Reverse(list)
		if got := fmt.Sprint(expired(list, nil, maxStored, now)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Beyond the maximum, the oldest go, except those with a name.
func TestExpiredByNumber(t *testing.T) {
	var list []store.Version // newest first
	for n := maxVersions; n > 0; n-- {
		v := store.Version{Number: n, Saved: noon().Add(time.Duration(n) * time.Second)}
		if n == 3 {
			v.Name = "kept"
		}
		list = append(list, v)
	}
	gone := expired(list, nil, maxStored, noon())
	if len(gone) != pruneEvery || gone[0] != 1 || gone[2] != 4 || slices.Contains(gone, 3) {
		t.Errorf("%d versions go: %v", len(gone), gone)
	}
	if gone := expired(list[:maxVersions-pruneEvery], nil, maxStored, noon()); len(gone) != 0 {
		t.Errorf("%d versions go below the maximum", len(gone))
	}
}

// What is left after pruning can be opened as it was, in chains that are no longer than before.
func TestPrune(t *testing.T) {
	h, r := newHistory(t), rand.New(rand.NewPCG(7, 8))
	ctx := t.Context()
	form := formtest.Large(10)
	texts := map[int]string{}
	h.Now = func() time.Time { return noon().Add(-keepAll) } // nothing is old
	const count = 400
	// Seven versions a day, from long ago until now.
	for i := range count {
		saved := noon().Add(-keepAll - 24*time.Hour*(count-60)/7 + 24*time.Hour/7*time.Duration(i))
		body := schema.Encode(form.With("updated_at", saved.Format(time.RFC3339)))
		if err := h.record(ctx, "f", body, ann, false); err != nil {
			t.Fatal(err)
		}
		texts[i+1] = string(schema.Encode(form))
		if i%50 == 3 {
			if _, err := h.Stored.Describe(ctx, "f", i+1, func(v *store.Version) error { v.Name = "named"; return nil }); err != nil {
				t.Fatal(err)
			}
		}
		form = edit(t, r, i, form)
	}
	h.Now = noon
	before := size(t, h)
	list, _, err := h.Stored.List(ctx, "f", 0, count)
	if err != nil {
		t.Fatal(err)
	}
	gone := expired(list, nil, maxStored, noon())
	if err := h.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	list, total, err := h.Stored.List(ctx, "f", 0, count)
	if err != nil || total != count-len(gone) || len(gone) < 250 {
		t.Fatalf("%d versions are left of %d, %v; the rule removes %d", total, count, err, len(gone))
	}
	for _, v := range list {
		chain, err := h.Stored.Chain(ctx, "f", v.Number)
		if err != nil || len(chain) > maxChain || slices.Contains(gone, v.Number) {
			t.Fatalf("version %d: a chain of %d, %v", v.Number, len(chain), err)
		}
		if got, err := textOf(chain); err != nil || string(got) != texts[v.Number] {
			t.Fatalf("version %d is another form, %v", v.Number, err)
		}
	}
	if after := size(t, h); after > before {
		t.Errorf("%d bytes after pruning, and %d before", after, before)
	}
	if err := h.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	if _, again, _ := h.Stored.List(ctx, "f", 0, 1); again != total {
		t.Errorf("another sweep left %d of %d", again, total)
	}
}

// size returns the size of the bodies of form f.
func size(t *testing.T, h *History) int {
	t.Helper()
	list, _, err := h.Stored.List(t.Context(), "f", 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, v := range list {
		chain, err := h.Stored.Chain(t.Context(), "f", v.Number)
		if err != nil {
			t.Fatal(err)
		}
		sum += len(chain[len(chain)-1].Body)
	}
	return sum
}

// meddled is a store in which somebody names a version before it is removed.
type meddled struct {
	store.Versions
	name int
}

func (m *meddled) Prune(ctx context.Context, form string, remove []int, again []store.Version) error {
	if m.name > 0 {
		if _, err := m.Describe(ctx, form, m.name, func(v *store.Version) error { v.Name = "now"; return nil }); err != nil {
			return err
		}
		m.name = 0
	}
	return m.Versions.Prune(ctx, form, remove, again)
}

// A version that gets its name while old ones are removed stays.
func TestPruneMeetsAName(t *testing.T) {
	h := newHistory(t)
	for i := range 4 {
		if err := h.record(t.Context(), "f", at(i, strings.Repeat("x", i+1)), ann, false); err != nil {
			t.Fatal(err)
		}
	}
	m := &meddled{h.Stored, 2}
	h.Stored, h.Now = m, func() time.Time { return noon().Add(keepAll + time.Hour) }
	if err := h.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.history(t); got != "4@3:xxxx Ann, 2@1:xx Ann" {
		t.Errorf("left: %s", got)
	}
	if err := newHistory(t).Sweep(t.Context()); err != nil {
		t.Error(err)
	}
}
