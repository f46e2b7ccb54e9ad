package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func versions(t *testing.T, team func(t *testing.T) store.Team) {
	t.Helper()
	open := func(t *testing.T) store.Versions { t.Helper(); return team(t).Versions() }
	t.Run("versions", func(t *testing.T) { versionRows(t, open(t)) })
	t.Run("changes of versions", func(t *testing.T) { changesOfVersions(t, open(t)) })
	t.Run("sizes of versions", func(t *testing.T) { sizesOfVersions(t, open(t)) })
	t.Run("newest versions", func(t *testing.T) { newestVersions(t, open(t)) })
	t.Run("order of versions", func(t *testing.T) { versionOrder(t, open(t)) })
	t.Run("chains of versions", func(t *testing.T) { versionChains(t, open(t)) })
	t.Run("described versions", func(t *testing.T) { describedVersions(t, open(t)) })
	t.Run("pruned versions", func(t *testing.T) { prunedVersions(t, open(t)) })
	t.Run("forms with versions", func(t *testing.T) { formsWithVersions(t, open(t)) })
	t.Run("one number wins", func(t *testing.T) { oneNumberWins(t, open(t)) })
	t.Run("no version loses its base", func(t *testing.T) { versionsRace(t, team(t)) })
}

// version returns a version of form f. A base of 0 means that it has the whole form.
func version(number, base int) store.Version {
	v := store.Version{Form: "f", Number: number, Saved: later(number), Hash: fmt.Append(nil, "hash", number), Base: base, Body: fmt.Append(nil, number)}
	if base == 0 {
		v.Base = number
	}
	return v
}

// addVersions adds versions of form f with these bases, numbered from 1.
func addVersions(t *testing.T, s store.Versions, bases ...int) {
	t.Helper()
	for i, base := range bases {
		must(t, s.Add(t.Context(), version(i+1, base)))
	}
}

// numbersOf returns the numbers of versions.
func numbersOf(vs []store.Version) string {
	words := make([]string, len(vs))
	for i, v := range vs {
		words[i] = fmt.Sprint(v.Number)
	}
	return strings.Join(words, " ")
}

// versionsOf returns the numbers of all versions of form f, newest first.
func versionsOf(t *testing.T, s store.Versions) string {
	t.Helper()
	page, total, err := s.List(t.Context(), "f", 0, 1000)
	must(t, err)
	if total != len(page) {
		t.Errorf("%d versions of %d", len(page), total)
	}
	return numbersOf(page)
}

func versionRows(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Chain(ctx, "f", 1)
	mustBe(t, "Chain of nothing", err, store.ErrNotFound)
	if n, err := s.Last(ctx, "f"); n != 0 || err != nil {
		t.Errorf("Last of nothing = %d, %v", n, err)
	}
	v := store.Version{
		Form: "f", Number: 1, Saved: noon(), Author: "Ann ä", AuthorID: "auth0|1", Summary: "Step A: added", Note: "a\nb", Name: "First",
		Hash: []byte{0, 0xff}, Base: 1, Automatic: true, Body: []byte{0, 1, 0xff},
	}
	stored := v
	stored.Saved, stored.Changed = v.Saved.Add(time.Microsecond), []byte{0xff, 0}
	must(t, s.Add(ctx, stored))
	chain, err := s.Chain(ctx, "f", 1)
	must(t, err)
	if !reflect.DeepEqual(chain, []store.Version{v}) {
		t.Errorf("Chain = %+v, want %+v", chain, v)
	}
	mustBe(t, "Add of a taken number", s.Add(ctx, stored), store.ErrConflict)
	page, total, err := s.List(ctx, "f", 0, 9)
	must(t, err)
	v.Body = nil
	if total != 1 || !reflect.DeepEqual(page, []store.Version{v}) {
		t.Errorf("List = %+v of %d, want %+v", page, total, v)
	}
	for _, form := range []string{"F", "f ", ""} { // compared byte for byte
		if page, total, err := s.List(ctx, form, 0, 9); len(page) != 0 || total != 0 || err != nil {
			t.Errorf("List(%q) = %v of %d, %v", form, page, total, err)
		}
	}
}

// What versions changed is read apart from lists, since it may be large.
func changesOfVersions(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	for number := 1; number <= 3; number++ {
		v := version(number, 0)
		if number != 2 {
			v.Changed = fmt.Append(nil, "of ", number)
		}
		must(t, s.Add(ctx, v))
	}
	late := version(4, 0)
	late.Saved = later(2)
	must(t, s.Add(ctx, late))
	_, err := s.Describe(ctx, "f", 2, func(v *store.Version) error { v.Changed = []byte("known now"); return nil })
	must(t, err)
	_, err = s.Describe(ctx, "f", 3, func(v *store.Version) error {
		if v.Note = "kept"; string(v.Changed) != "of 3" {
			t.Errorf("Describe gives %q", v.Changed)
		}
		return nil
	})
	must(t, err)
	all, err := s.Changes(ctx, "f", 1000)
	must(t, err)
	var got []string
	for _, v := range all {
		if v.Body != nil {
			t.Errorf("version %d has a body", v.Number)
		}
		got = append(got, fmt.Sprintf("%d %s%s", v.Number, v.Changed, v.Note))
	}
	if want := "3 of 3kept, 4 , 2 known now, 1 of 1"; strings.Join(got, ", ") != want {
		t.Errorf("Changes = %s, want %s", strings.Join(got, ", "), want)
	}
	_, err = s.Describe(ctx, "f", 3, func(v *store.Version) error { v.Changed = nil; return nil })
	must(t, err)
	if all, err = s.Changes(ctx, "f", 1000); err != nil || len(all[0].Changed) != 0 {
		t.Errorf("Changes = %+v, %v", all, err)
	}
	if all, err = s.Changes(ctx, "g", 1000); err != nil || len(all) != 0 {
		t.Errorf("Changes of nothing = %+v, %v", all, err)
	}
}

// The size of a version is that of its body and of what it changed, also after either is replaced.
func sizesOfVersions(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	are := func(form string, want map[int]int) {
		t.Helper()
		if got, err := s.Sizes(ctx, form); err != nil || got == nil || !maps.Equal(got, want) {
			t.Errorf("Sizes(%q) = %v, %v, want %v", form, got, err, want)
		}
	}
	are("f", nil)
	large := bytes.Repeat([]byte("ä\x00\xff\n"), 1<<20) // bytes, of which an engine might store fewer
	for number, sizes := range [][2]int{{1, 0}, {len(large), 0}, {7, len(large)}} {
		v := version(number+1, number)
		v.Body, v.Changed = large[:sizes[0]], large[:sizes[1]]
		must(t, s.Add(ctx, v))
	}
	other := version(1, 0)
	other.Form = "g"
	must(t, s.Add(ctx, other))
	are("f", map[int]int{1: 1, 2: len(large), 3: 7 + len(large)})
	_, err := s.Describe(ctx, "f", 3, func(v *store.Version) error { v.Changed = large[:3]; return nil })
	must(t, err)
	again := version(2, 0)
	again.Body = large[:20]
	must(t, s.Prune(ctx, "f", []int{1}, []store.Version{again}))
	are("f", map[int]int{2: 20, 3: 10})
}

// The newest version is the last by the time of the save.
func newestVersions(t *testing.T, s store.Versions) {
	t.Helper()
	for _, form := range []string{"f", "g", "h"} {
		for number, saved := range []int{5, 7, 6} {
			v := version(number+1, 0)
			v.Form, v.Saved, v.Author, v.Changed = form, later(saved), "Ann", []byte("x")
			must(t, s.Add(t.Context(), v))
		}
	}
	for _, tt := range []struct {
		forms []string
		want  int
	}{{nil, 0}, {[]string{"none"}, 0}, {[]string{"g", "none", "f"}, 2}} {
		got, err := s.Newest(t.Context(), tt.forms)
		must(t, err)
		if len(got) != tt.want {
			t.Errorf("Newest(%v) = %+v", tt.forms, got)
		}
		for _, v := range got {
			if v.Number != 2 || v.Author != "Ann" || v.Body != nil || v.Changed != nil || v.Form == "h" {
				t.Errorf("Newest(%v) has %+v", tt.forms, v)
			}
		}
	}
}

// Versions are listed by the times when they were saved: a replica may store an earlier one later.
func versionOrder(t *testing.T, s store.Versions) {
	t.Helper()
	for number, saved := range []int{5, 7, 6, 7, 1} {
		v := version(number+1, 0)
		v.Saved = later(saved)
		must(t, s.Add(t.Context(), v))
	}
	for _, tt := range []struct {
		offset, limit int
		want          string
	}{{0, 9, "4 2 3 1 5"}, {1, 2, "2 3"}, {4, 2, "5"}, {5, 2, ""}} {
		page, total, err := s.List(t.Context(), "f", tt.offset, tt.limit)
		must(t, err)
		if got := numbersOf(page); got != tt.want || total != 5 {
			t.Errorf("List(%d, %d) = %s of %d, want %s of 5", tt.offset, tt.limit, got, total, tt.want)
		}
	}
	if n, err := s.Last(t.Context(), "f"); n != 5 || err != nil {
		t.Errorf("Last = %d, %v, want 5", n, err)
	}
}

func versionChains(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	addVersions(t, s, 0, 1, 2, 0, 4, 3)
	other := version(1, 0)
	other.Form = "g"
	must(t, s.Add(ctx, other))
	for number, want := range []string{"1", "1 2", "1 2 3", "4", "4 5", "1 2 3 6"} {
		chain, err := s.Chain(ctx, "f", number+1)
		must(t, err)
		if got := numbersOf(chain); got != want || string(chain[len(chain)-1].Body) != fmt.Sprint(number+1) {
			t.Errorf("Chain(%d) = %s, want %s", number+1, got, want)
		}
	}
	mustBe(t, "Add on a base that does not exist", s.Add(ctx, version(9, 8)), store.ErrConflict)
	v := version(2, 2)
	v.Form, v.Base = "h", 1
	mustBe(t, "Add on a base of another form", s.Add(ctx, v), store.ErrConflict)
}

func describedVersions(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	addVersions(t, s, 0, 1)
	_, err := s.Describe(ctx, "f", 3, func(*store.Version) error { t.Error("called for no version"); return nil })
	mustBe(t, "Describe of nothing", err, store.ErrNotFound)
	refused := errors.New("refused")
	_, err = s.Describe(ctx, "f", 2, func(v *store.Version) error { v.Note = "lost"; return refused })
	mustBe(t, "Describe", err, refused)
	got, err := s.Describe(ctx, "f", 2, func(v *store.Version) error {
		*v = store.Version{Form: "g", Number: 7, Author: "Ann", AuthorID: "a", Note: "note" + v.Note, Name: "name" + v.Name, Summary: "no", Base: 2}
		return nil
	})
	must(t, err)
	want := version(2, 1)
	want.Author, want.AuthorID, want.Note, want.Name = "Ann", "a", "note", "name"
	chain, err := s.Chain(ctx, "f", 2)
	must(t, err)
	if !reflect.DeepEqual(chain, []store.Version{version(1, 0), want}) {
		t.Errorf("versions are %+v, want %+v", chain, want)
	}
	if len(got.Changed) == 0 {
		got.Changed = nil
	}
	if want.Body = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("Describe = %+v, want %+v", got, want)
	}
	const writers = 20
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			if _, err := s.Describe(ctx, "f", 1, func(v *store.Version) error { v.Note += "x"; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if page, _, _ := s.List(ctx, "f", 1, 1); len(page) != 1 || len(page[0].Note) != writers {
		t.Errorf("%+v, want a note of %d", page, writers)
	}
}

func prunedVersions(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	addVersions(t, s, 0, 1, 2, 3, 0)
	_, err := s.Describe(ctx, "f", 2, func(v *store.Version) error { v.Name = "kept"; return nil })
	must(t, err)
	_, err = s.Describe(ctx, "f", 5, func(v *store.Version) error { v.Note = "kept"; return nil })
	must(t, err)
	again := func(number, base int) []store.Version {
		v := version(number, base)
		v.Body = []byte("again")
		return []store.Version{v}
	}
	mustBe(t, "Prune of a base", s.Prune(ctx, "f", []int{3}, nil), store.ErrConflict)
	mustBe(t, "Prune of a named one", s.Prune(ctx, "f", []int{2}, again(3, 1)), store.ErrConflict)
	mustBe(t, "Prune of a noted one", s.Prune(ctx, "f", []int{5}, nil), store.ErrConflict)
	mustBe(t, "Prune of nothing", s.Prune(ctx, "f", []int{7}, nil), store.ErrConflict)
	mustBe(t, "Prune of a base and one of the removed", s.Prune(ctx, "f", []int{3}, again(4, 3)), store.ErrConflict)
	mustBe(t, "Prune that rebases to nothing", s.Prune(ctx, "f", nil, again(4, 9)), store.ErrConflict)
	if named, err := s.Named(ctx, "f"); err != nil || numbersOf(named) != "5 2" {
		t.Errorf("Named = %+v, %v", named, err)
	}
	if got := versionsOf(t, s); got != "5 4 3 2 1" {
		t.Errorf("versions %s after refusals", got)
	}
	if chain, err := s.Chain(ctx, "f", 4); err != nil || numbersOf(chain) != "1 2 3 4" || string(chain[3].Body) != "4" {
		t.Errorf("chain of 4 is %+v, %v after refusals", chain, err)
	}
	must(t, s.Prune(ctx, "f", []int{3}, again(4, 2)))
	chain, err := s.Chain(ctx, "f", 4)
	must(t, err)
	if numbersOf(chain) != "1 2 4" || string(chain[2].Body) != "again" || !chain[2].Saved.Equal(later(4)) {
		t.Errorf("chain of 4 is %+v", chain)
	}
	must(t, s.Prune(ctx, "f", []int{1, 4}, again(2, 2)))
	if got := versionsOf(t, s); got != "5 2" {
		t.Errorf("versions %s, want 5 2", got)
	}
}

func formsWithVersions(t *testing.T, s store.Versions) {
	t.Helper()
	ctx := t.Context()
	for _, form := range []string{"b", "a", "C", "named", "noted"} {
		for n := range 2 {
			v := version(n+1, 0)
			v.Form = form
			switch form {
			case "named":
				v.Name = "x"
			case "noted":
				v.Note = "x"
			}
			must(t, s.Add(ctx, v))
		}
	}
	for _, tt := range []struct {
		before time.Time
		after  string
		limit  int
		want   string
	}{{later(9), "", 9, "C a b"}, {later(9), "C", 1, "a"}, {later(2), "a", 9, "b"}, {later(1), "", 9, ""}} {
		got, err := s.Forms(ctx, tt.before, tt.after, tt.limit)
		must(t, err)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("Forms(%v, %q, %d) = %v, want %s", tt.before, tt.after, tt.limit, got, tt.want)
		}
	}
}

// Of those who add the same number, one succeeds and the others learn of it.
func oneNumberWins(t *testing.T, s store.Versions) {
	t.Helper()
	const writers, each = 8, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for done := 0; done < each; {
				n, err := s.Last(t.Context(), "f")
				if err == nil {
					v := version(n+1, n)
					v.AuthorID = fmt.Sprint(w)
					err = s.Add(t.Context(), v)
				}
				switch {
				case err == nil:
					done++
				case !errors.Is(err, store.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	chain, err := s.Chain(t.Context(), "f", writers*each)
	must(t, err)
	by := map[string]int{}
	for _, v := range chain {
		by[v.AuthorID]++
	}
	if len(chain) != writers*each || len(by) != writers || by["0"] != each {
		t.Errorf("%d versions by %v, want %d of each of %d", len(chain), by, each, writers)
	}
}

// While some add versions, others prune them and forget the form. At no time does a version lack its base.
func versionsRace(t *testing.T, team store.Team) {
	t.Helper()
	ctx, s := t.Context(), team.Versions()
	const rounds = 200
	expected := func(err error) {
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for range rounds {
				n, err := s.Last(ctx, "f")
				expected(err)
				switch {
				case w == 0 && n > 2:
					expected(team.Forget(ctx, "f"))
				case w == 1 && n > 2:
					expected(s.Prune(ctx, "f", []int{n - 1}, []store.Version{version(n, 0)}))
				default:
					expected(s.Add(ctx, version(n+1, n)))
				}
				chain, err := s.Chain(ctx, "f", n+1)
				if expected(err); len(chain) > 0 && chain[0].Base != chain[0].Number {
					t.Errorf("version %d begins with %+v", n+1, chain[0])
				}
			}
		})
	}
	wg.Wait()
}
