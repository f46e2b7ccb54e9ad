package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// Teams is a store of teams as the suite uses it.
type Teams interface {
	store.Teams
	Forms() store.Documents
	// RowsBesideForms counts the rows of each table that has a column tenant, form or room, which it finds in the schema.
	RowsBesideForms(ctx context.Context) (map[string]int, error)
}

// Team runs the suite of what the backend keeps for a team; open returns a new empty store each time and closes it with t.Cleanup.
func Team(t *testing.T, open func(t *testing.T) Teams) {
	t.Helper()
	team := func(t *testing.T) store.Team { t.Helper(); return open(t).Team("") }
	files(t, func(t *testing.T) store.Files { t.Helper(); return team(t).Scenarios() })
	files(t, func(t *testing.T) store.Files { t.Helper(); return team(t).Sources() })
	files(t, func(t *testing.T) store.Files { t.Helper(); return team(t).Settings() })
	files(t, func(t *testing.T) store.Files { t.Helper(); return team(t).Notes() })
	versions(t, team)
	rooms(t, team)
	links(t, func(t *testing.T) store.Links { t.Helper(); return team(t).Links() })
	comments(t, func(t *testing.T) store.Comments { t.Helper(); return team(t).Comments() })
	for _, k := range keptKinds() {
		t.Run(k.name+" of tenants apart", func(t *testing.T) { tenantsApart(t, open(t), k) })
	}
	t.Run("swept tenants", func(t *testing.T) { sweptTenants(t, open(t)) })
	t.Run("forms with versions of tenants apart", func(t *testing.T) { versionsToPrune(t, open(t)) })
	t.Run("forgotten form", func(t *testing.T) { forgottenForm(t, open(t)) })
	t.Run("kept forms", func(t *testing.T) { keptForms(t, open(t)) })
	t.Run("adopted forms", func(t *testing.T) { adoptedForms(t, open(t)) })
}

// remoteTenant is a tenant beside the embedded one, and sameForm a form that both have.
const (
	remoteTenant = "https://other.example/api/v2"
	sameForm     = "f"
)

// keptKind is a kind of what is kept beside forms.
type keptKind struct {
	name string
	put  func(ctx context.Context, s store.Team, form, word string) error // keeps something that has a word
	// read returns what all reading methods find, given the form and the word that was put.
	read func(ctx context.Context, s store.Team, form, word string) string
	// touch calls all changing methods for what was put with a word. Nothing of another tenant is changed.
	touch func(ctx context.Context, s store.Team, form, word string) []error
}

// keptKinds returns all kinds.
func keptKinds() []keptKind {
	return []keptKind{
		keptFile("scenarios", store.Team.Scenarios), keptFile("sources", store.Team.Sources), keptFile("settings", store.Team.Settings),
		keptFile("notes", store.Team.Notes),
		keptVersion(), keptRoom(), keptPresence(), keptComment(), keptLink(),
	}
}

func keptFile(name string, of func(store.Team) store.Files) keptKind {
	return keptKind{
		name,
		func(ctx context.Context, s store.Team, form, word string) error {
			_, err := of(s).Create(ctx, store.Document{ID: form, Created: noon(), Body: []byte(word)})
			return err
		},
		func(ctx context.Context, s store.Team, form, _ string) string {
			d, err := of(s).Get(ctx, form)
			return fmt.Sprintf("%s %v", d.Body, errors.Is(err, store.ErrNotFound))
		},
		func(ctx context.Context, s store.Team, form, _ string) []error {
			_, err := of(s).Update(ctx, form, noon(), func(d store.Document) (store.Document, error) { d.Body = nil; return d, nil })
			return []error{err}
		},
	}
}

func keptVersion() keptKind {
	return keptKind{
		"versions",
		func(ctx context.Context, s store.Team, form, word string) error {
			return s.Versions().Add(ctx, store.Version{
				Form: form, Number: 1, Saved: noon(), Author: word, Note: word, Hash: []byte{1}, Base: 1, Body: []byte(word),
			})
		},
		func(ctx context.Context, s store.Team, form, _ string) string {
			v := s.Versions()
			page, total, err1 := v.List(ctx, form, 0, 9)
			named, err2 := v.Named(ctx, form)
			newest, err3 := v.Newest(ctx, []string{form})
			changes, err4 := v.Changes(ctx, form, 1000)
			chain, err := v.Chain(ctx, form, 1)
			last, err5 := v.Last(ctx, form)
			sizes, err6 := v.Sizes(ctx, form)
			return fmt.Sprint(page, total, named, newest, changes, chain, errors.Is(err, store.ErrNotFound), last, sizes,
				errors.Join(err1, err2, err3, err4, err5, err6))
		},
		func(ctx context.Context, s store.Team, form, _ string) []error {
			_, err := s.Versions().Describe(ctx, form, 1, func(v *store.Version) error { v.Note, v.Name = "", ""; return nil })
			based := store.Version{Form: form, Number: 2, Base: 1, Saved: noon(), Hash: []byte{1}, Body: []byte{}}
			return []error{err, s.Versions().Add(ctx, based), s.Versions().Prune(ctx, form, []int{1}, nil)}
		},
	}
}

func keptRoom() keptKind {
	return keptKind{
		"rooms",
		func(ctx context.Context, s store.Team, form, word string) error {
			id := form + word // no two rooms have the same
			if err := s.Rooms().Open(ctx, store.Room{Form: form, ID: id, Body: []byte(word), Used: noon()}, ""); err != nil {
				return err
			}
			return s.Rooms().Append(ctx, id, store.RoomEntry{Number: 1, Body: []byte(word)}, noon())
		},
		func(ctx context.Context, s store.Team, form, word string) string {
			room, err1 := s.Rooms().Room(ctx, form)
			id, number, err2 := s.Rooms().Head(ctx, form)
			entries, err := s.Rooms().Entries(ctx, form+word, 0, 9)
			return fmt.Sprint(room, id, number, entries, errors.Is(err1, store.ErrNotFound), errors.Is(err2, store.ErrNotFound), err)
		},
		func(ctx context.Context, s store.Team, form, word string) []error {
			id := form + word
			return []error{
				s.Rooms().Append(ctx, id, store.RoomEntry{Number: 2, Body: []byte{}}, later(9)),
				s.Rooms().Compact(ctx, store.Room{ID: id, Number: 1, Body: []byte{}}, 1),
				s.Rooms().Open(ctx, store.Room{Form: form, ID: "another", Body: []byte{}, Used: noon()}, id), s.Rooms().Close(ctx, id),
			}
		},
	}
}

func keptPresence() keptKind {
	return keptKind{
		"presences",
		func(ctx context.Context, s store.Team, form, word string) error {
			return s.Presences().Enter(ctx, store.Presence{
				Form: form, Page: "p", Owner: word, Process: "1", State: []byte(word), Since: noon(), Seen: noon(),
			}, noon())
		},
		func(ctx context.Context, s store.Team, form, _ string) string {
			list, err1 := s.Presences().List(ctx, form, noon())
			owner, err2 := s.Presences().Owner(ctx, form, "p", noon())
			return fmt.Sprint(list, owner, errors.Is(err2, store.ErrNotFound), err1)
		},
		func(ctx context.Context, s store.Team, form, word string) []error {
			_, err1 := s.Presences().Tell(ctx, form, "p", word, []byte{})
			_, err2 := s.Presences().Leave(ctx, form, "p", word, "1")
			return []error{err1, err2, s.Presences().Beat(ctx, "1", later(9))}
		},
	}
}

func keptComment() keptKind {
	return keptKind{
		"comments",
		func(ctx context.Context, s store.Team, form, word string) error {
			c := comment("a", "")
			c.Text, c.Mentions = word, []store.Mention{{Person: store.Person{ID: "bo"}}}
			return s.Comments().Add(ctx, form, c, roomFor(1, 1))
		},
		func(ctx context.Context, s store.Team, form, _ string) string {
			list, err1 := s.Comments().List(ctx, form)
			unseen, err2 := s.Comments().Unseen(ctx, form, "bo")
			return fmt.Sprint(list, unseen, err1, err2)
		},
		func(ctx context.Context, s store.Team, form, _ string) []error {
			_, err1 := s.Comments().Change(ctx, form, "a", manyComments(), func(c *store.Comment) error { c.Text = ""; return nil })
			_, err2 := s.Comments().Rename(ctx, form, store.Places{Nodes: map[string]string{"step": "other"}})
			_, err3 := s.Comments().Read(ctx, form, "a", "bo")
			err4 := s.Comments().Remove(ctx, form, "a", func(store.Comment) (bool, error) { return true, nil })
			return []error{err1, err2, err3, err4, s.Comments().Add(ctx, form, comment("b", "a"), manyComments())}
		},
	}
}

func keptLink() keptKind {
	return keptKind{
		"links",
		func(ctx context.Context, s store.Team, form, word string) error {
			l := link(form+word, 1, 9)
			l.Form = form
			return s.Links().Add(ctx, l, 1, noon())
		},
		func(ctx context.Context, s store.Team, form, word string) string {
			list, err1 := s.Links().List(ctx, form)
			l, err2 := s.Links().Find(ctx, form+word)
			return fmt.Sprint(list, l, errors.Is(err2, store.ErrNotFound), err1)
		},
		func(ctx context.Context, s store.Team, form, word string) []error {
			return []error{s.Links().Count(ctx, form+word, later(2)), s.Links().Remove(ctx, form, form+word)}
		},
	}
}

// tenantsApart checks that neither of two tenants with the same form sees or changes what the other has.
func tenantsApart(t *testing.T, s Teams, k keptKind) {
	t.Helper()
	ctx, ours, theirs := t.Context(), s.Team(""), s.Team(remoteTenant)
	nothing := k.read(ctx, ours, sameForm, "ours")
	must(t, k.put(ctx, ours, sameForm, "ours"))
	kept := k.read(ctx, ours, sameForm, "ours")
	if kept == nothing {
		t.Fatalf("nothing is read: %s", kept)
	}
	unchanged := func(when string) {
		t.Helper()
		if got := k.read(ctx, ours, sameForm, "ours"); got != kept {
			t.Errorf("%s: %s, want %s", when, got, kept)
		}
	}
	if got := k.read(ctx, theirs, sameForm, "ours"); got != nothing {
		t.Errorf("another tenant reads %s", got)
	}
	for _, err := range k.touch(ctx, theirs, sameForm, "ours") {
		if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrConflict) {
			t.Error(err)
		}
	}
	unchanged("changed by another tenant")
	must(t, k.put(ctx, theirs, sameForm, "theirs"))
	unchanged("beside another tenant's")
	must(t, theirs.Forget(ctx, sameForm))
	unchanged("after another tenant's was forgotten")
}

// Rooms and presences do not outlive the tenant that they are of, and nobody is told of another tenant's.
func sweptTenants(t *testing.T, s Teams) {
	t.Helper()
	ctx, ours, theirs := t.Context(), s.Team(""), s.Team(remoteTenant)
	for word, team := range map[string]store.Team{"ours": ours, "theirs": theirs} {
		must(t, errors.Join(keptRoom().put(ctx, team, sameForm, word), keptPresence().put(ctx, team, sameForm, word)))
	}
	gone, err := ours.Presences().Sweep(ctx, later(1))
	must(t, err)
	if len(gone) != 1 || gone[0].Owner != "ours" {
		t.Errorf("swept %+v, want one's own", gone)
	}
	n, err := ours.Rooms().Sweep(ctx, later(1))
	must(t, err)
	counts, err := s.RowsBesideForms(ctx)
	must(t, err)
	if n != 2 || counts["rooms"]+counts["room_entries"]+counts["presences"] != 0 {
		t.Errorf("swept %d rooms; left are %v", n, counts)
	}
}

// A tenant prunes its own versions.
func versionsToPrune(t *testing.T, s Teams) {
	t.Helper()
	must(t, s.Team(remoteTenant).Versions().Add(t.Context(), version(1, 0)))
	for tenant, want := range map[string]int{"": 0, remoteTenant: 1} {
		if forms, err := s.Team(tenant).Versions().Forms(t.Context(), later(9), "", 9); len(forms) != want || err != nil {
			t.Errorf("tenant %q has %v, %v, want %d", tenant, forms, err, want)
		}
	}
}

// keepAll keeps something of each kind of a form, and reading returns what is read of all kinds.
func keepAll(t *testing.T, s store.Team, form, word string) {
	t.Helper()
	for _, k := range keptKinds() {
		must(t, k.put(t.Context(), s, form, word))
	}
}

func reading(t *testing.T, s store.Team, form, word string) string {
	t.Helper()
	var all []string
	for _, k := range keptKinds() {
		all = append(all, k.name+": "+k.read(t.Context(), s, form, word))
	}
	return strings.Join(all, "\n")
}

// A form that is forgotten leaves nothing in any table, and takes nothing along that is not its own.
func forgottenForm(t *testing.T, s Teams) {
	t.Helper()
	ctx, ours, theirs := t.Context(), s.Team(""), s.Team(remoteTenant)
	nothing := reading(t, ours, sameForm, "ours")
	must(t, ours.Forget(ctx, sameForm))
	keepAll(t, ours, sameForm, "ours")
	keepAll(t, ours, "g", "ours")
	keepAll(t, theirs, sameForm, "theirs")
	others := reading(t, ours, "g", "ours") + reading(t, theirs, sameForm, "theirs")
	before, err := s.RowsBesideForms(ctx)
	must(t, err)
	for _, table := range slices.Sorted(maps.Keys(before)) {
		if before[table] != 3 {
			t.Errorf("table %s has %d rows of 3 forms: add it to the kinds of this suite, and to what is forgotten", table, before[table])
		}
	}
	must(t, ours.Forget(ctx, sameForm))
	if got := reading(t, ours, sameForm, "ours"); got != nothing {
		t.Errorf("of a forgotten form is left\n%s", got)
	}
	if got := reading(t, ours, "g", "ours") + reading(t, theirs, sameForm, "theirs"); got != others {
		t.Errorf("others have\n%s\nwant\n%s", got, others)
	}
	must(t, errors.Join(ours.Forget(ctx, "g"), theirs.Forget(ctx, sameForm)))
	after, err := s.RowsBesideForms(ctx)
	must(t, err)
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if after[table] != 0 {
			t.Errorf("table %s has %d rows of forgotten forms", table, after[table])
		}
	}
}

// All forms of which anything is kept are listed once, in order.
func keptForms(t *testing.T, s Teams) {
	t.Helper()
	ctx, ours := t.Context(), s.Team("")
	var names []string
	for _, k := range keptKinds() {
		must(t, k.put(ctx, ours, k.name, "ours"))
		if k.name != "presences" {
			names = append(names, k.name)
		}
	}
	names = append(names, "F", "all")
	slices.Sort(names)
	keepAll(t, ours, "all", "ours")
	must(t, keptVersion().put(ctx, ours, "F", "ours"))
	must(t, ours.Versions().Add(ctx, store.Version{Form: "F", Number: 2, Base: 2, Saved: noon(), Hash: []byte{1}, Body: []byte{}}))
	must(t, keptVersion().put(ctx, s.Team(remoteTenant), "theirs", "theirs"))
	for limit := 1; limit <= len(names)+1; limit++ {
		var got []string
		for after := ""; ; {
			page, err := ours.Kept(ctx, after, limit)
			must(t, err)
			if len(page) > limit {
				t.Fatalf("%d forms, want at most %d", len(page), limit)
			}
			if got = append(got, page...); len(page) < limit {
				break
			}
			after = page[limit-1]
		}
		if !slices.Equal(got, names) {
			t.Errorf("by %d: kept is %v, want %v", limit, got, names)
		}
	}
	if got, err := s.Team(remoteTenant).Kept(ctx, "", 9); err != nil || !slices.Equal(got, []string{"theirs"}) {
		t.Errorf("of another tenant is kept %v, %v", got, err)
	}
}

// A remote tenant adopts what was stored without a tenant, unless it is of a form of the embedded tenant or the tenant has its own.
func adoptedForms(t *testing.T, s Teams) {
	t.Helper()
	ctx, old, theirs := t.Context(), s.Team(""), s.Team(remoteTenant)
	for _, form := range []string{sameForm, "embedded", "both"} {
		keepAll(t, old, form, "old")
		must(t, old.Versions().Add(ctx, store.Version{Form: form, Number: 2, Base: 1, Saved: noon(), Hash: []byte{1}, Body: []byte{}}))
	}
	_, err := s.Forms().Create(ctx, store.Document{ID: "embedded", Created: noon(), Body: []byte(`{}`)})
	must(t, err)
	must(t, keptVersion().put(ctx, theirs, "both", "theirs"))
	embedded, own := reading(t, old, "embedded", "old"), keptVersion().read(ctx, theirs, "both", "theirs")
	adopted := map[string]string{}
	for _, k := range keptKinds() {
		switch k.name {
		case "notes", "comments", "links", "presences": // which always had a tenant, or end by themselves
		default:
			adopted[k.name] = k.read(ctx, old, sameForm, "old")
		}
	}
	for range 2 {
		must(t, s.Adopt(ctx, remoteTenant))
		for _, k := range keptKinds() {
			_, moves := adopted[k.name]
			if got := k.read(ctx, theirs, sameForm, "old"); moves && got != adopted[k.name] || !moves && strings.Contains(got, "old") {
				t.Errorf("%s of the tenant: %s, want %s", k.name, got, adopted[k.name])
			}
			if got := k.read(ctx, old, sameForm, "old"); strings.Contains(got, "old") == moves {
				t.Errorf("%s of no tenant: %s", k.name, got)
			}
		}
		if got := reading(t, old, "embedded", "old"); got != embedded {
			t.Errorf("the embedded tenant has\n%s\nwant\n%s", got, embedded)
		}
		if got := keptVersion().read(ctx, theirs, "both", "theirs"); got != own {
			t.Errorf("the tenant has %s, want its own %s", got, own)
		}
		if d, err := theirs.Scenarios().Get(ctx, "both"); err != nil || string(d.Body) != "old" {
			t.Errorf("scenarios of which the tenant has none: %s, %v", d.Body, err)
		}
	}
}
