package live_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	mlive "github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// on returns Rooms of a process on a store.
func on(stored store.Rooms) *live.Rooms {
	return live.NewRooms(live.Config{Stored: stored, Now: time.Now, Told: func(string, string, mlive.Entry) {}})
}

// The entries that are kept, stored and answered are bounded in bytes: a page that misses more gets the form.
func TestEntriesAreBoundedInBytes(t *testing.T) {
	for _, size := range []int{3 << 20, 300 << 10, 10 << 10} {
		stored := sqlitetest.Open(t).Team("").Rooms()
		rooms, ctx := on(stored), t.Context()
		opened, err := rooms.Open(ctx, "f", "", tree(t, `{}`), "1")
		if err != nil {
			t.Fatal(err)
		}
		count := 3*live.CompactBytes/size + 5
		for n := 1; n <= count; n++ {
			text := fmt.Sprint(n) + strings.Repeat("x", size)
			if part, err := rooms.Append(ctx, "f", opened.Room, "o", put(n, "p", "k", text)); err != nil || !part.Accepted || len(part.Entries) != 1 {
				t.Fatalf("%d of %d bytes: %v", n, size, err)
			}
			kept, err := stored.Entries(ctx, opened.Room, 0, 10_000)
			if err != nil {
				t.Fatal(err)
			}
			bytes := 0
			for _, e := range kept {
				bytes += len(e.Body)
			}
			if bytes > live.KeptBytes+live.CompactBytes {
				t.Fatalf("%d entries of %d bytes: %d bytes of %d entries are stored", n, size, bytes, len(kept))
			}
		}
		for after := range count {
			part, err := rooms.Since(ctx, "f", opened.Room, after)
			bytes := 0
			for _, e := range part.Entries {
				bytes += len(schema.Encode(e.Tree()))
			}
			if err != nil || bytes > live.KeptBytes || (part.Form == nil) == (bytes == 0) {
				t.Errorf("since %d of %d: %d bytes of entries, form %t, %v", after, count, bytes, part.Form != nil, err)
			}
		}
		part, err := on(stored).Since(ctx, "f", opened.Room, -1)
		if err != nil || part.Number != count || !strings.HasPrefix(part.Form.Text("k"), fmt.Sprint(count)+"x") {
			t.Errorf("another process has the number %d, %v", part.Number, err)
		}
		if forms, bytes, counted := rooms.Cached(); forms != 1 || bytes != counted || bytes > live.MaxForm+live.KeptBytes {
			t.Errorf("%d forms with %d bytes, counted %d", forms, counted, bytes)
		}
	}
}

// The shared forms that a process keeps are bounded in bytes.
func TestCacheIsBoundedInBytes(t *testing.T) {
	stored := sqlitetest.Open(t).Team("").Rooms()
	rooms, ctx := on(stored), t.Context()
	form := tree(t, `{"name":"`+strings.Repeat("x", live.MaxForm-100)+`"}`)
	const many = live.MaxCachedBytes/live.MaxForm + 4
	for i := range many {
		if _, err := rooms.Open(ctx, fmt.Sprint("f", i), "", form, "1"); err != nil {
			t.Fatal(err)
		}
	}
	if part, err := rooms.Since(ctx, "f0", "", -1); err != nil || part.Form == nil {
		t.Errorf("a form that was forgotten: %v", err)
	}
	if forms, bytes, counted := rooms.Cached(); forms >= many || bytes != counted || bytes > live.MaxCachedBytes || bytes < live.MaxCachedBytes/2 {
		t.Errorf("%d forms with %d bytes, counted %d", forms, counted, bytes)
	}
}

// A stored room that is damaged, or that breaks the limits, is closed, so that the next page opens another one.
func TestDamagedRoomIsClosed(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	entry := func(edits string) string { return `{"number":1,"page":"p","serial":1,"edits":` + edits + `}` }
	for name, tt := range map[string]struct{ body, entry string }{
		"no JSON":               {`{`, ""},
		"deep":                  {`{"x":` + deep(3000) + `}`, ""},
		"no form":               {`{"nodes":"x"}`, ""},
		"large":                 {`{"x":"` + strings.Repeat("x", live.MaxForm) + `"}`, ""},
		"many values":           {`{"x":[0` + strings.Repeat(",0", schema.MaxValues) + `]}`, ""},
		"an entry of no JSON":   {`{}`, `{`},
		"an entry that is deep": {`{}`, entry(`[{"at":"x","to":` + deep(60) + `},{"at":"x` + strings.Repeat("[0]", 59) + `","to":` + deep(9) + `}]`)},
		"an entry elsewhere":    {`{}`, entry(`[{"at":"x[7]","to":1}]`)},
		"another number":        {`{}`, `{"number":7,"edits":[]}`},
	} {
		stored := sqlitetest.Open(t).Team("").Rooms()
		ctx := t.Context()
		if err := stored.Open(ctx, store.Room{Form: "f", ID: "old", Body: []byte(tt.body), ETag: "1", Used: time.Now()}, ""); err != nil {
			t.Fatal(err)
		}
		if tt.entry != "" {
			if err := stored.Append(ctx, "old", store.RoomEntry{Number: 1, Body: []byte(tt.entry)}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		rooms := on(stored)
		if part, err := rooms.Since(ctx, "f", "", -1); !errors.Is(err, live.ErrClosed) {
			t.Errorf("%s: %+v, %v", name, part, err)
		}
		if part, err := rooms.Open(ctx, "f", "", tree(t, `{"name":"n"}`), "1"); err != nil || part.Form.Text("name") != "n" {
			t.Errorf("%s: another room: %+v, %v", name, part, err)
		}
	}
}

// A room takes no form and no entry that breaks the limits of documents, however small the edits are that lead there.
func TestRoomKeepsTheLimitsOfDocuments(t *testing.T) {
	rooms, ctx := on(sqlitetest.Open(t).Team("").Rooms()), t.Context()
	for text, want := range map[string]error{`{"nodes":"x"}`: mlive.ErrShape, `{"start":[1]}`: mlive.ErrShape} {
		if _, err := rooms.Open(ctx, "f", "", tree(t, text), "1"); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	opened, err := rooms.Open(ctx, "f", "", tree(t, `{}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	path, n := schema.Path{schema.Key("x")}, 0
	offer := func(e schema.Edit) (live.Part, error) {
		part, err := rooms.Append(ctx, "f", opened.Room, "o", mlive.Entry{Number: n + 1, Page: "p", Serial: n + 1, Edits: []schema.Edit{e}})
		if err == nil {
			n++
		}
		return part, err
	}
	for err == nil && n < 10*schema.MaxDepth {
		_, err = offer(schema.Edit{Path: path, Value: []any{schema.NewObject()}})
		path = path.Index(0).Key("x")
	}
	part, sinceErr := rooms.Since(ctx, "f", "", -1)
	if _, depth := schema.Measure(part.Form); !errors.Is(err, mlive.ErrDeep) || sinceErr != nil || depth > schema.MaxDepth || depth < schema.MaxDepth-2 {
		t.Errorf("after %d edits: depth %d, %v", n, depth, err)
	}
	list := make([]any, schema.MaxValues/4)
	for err = nil; err == nil && n < 200; {
		_, err = offer(schema.Edit{Path: schema.Path{schema.Key(fmt.Sprint("y", n))}, Value: list})
	}
	if part, _ = rooms.Since(ctx, "f", "", -1); !errors.Is(err, mlive.ErrMany) {
		t.Errorf("after %d edits: %v", n, err)
	}
	if values, _ := schema.Measure(part.Form); values > schema.MaxValues {
		t.Errorf("%d values", values)
	}
	first := make([]schema.Edit, 200)
	for i := range first {
		first[i] = schema.Edit{Path: schema.Path{schema.Key(part.Form.Members()[part.Form.Len()-1].Key), schema.Index(0)}, Cleared: true}
	}
	part, err = rooms.Append(ctx, "f", opened.Room, "o", mlive.Entry{Number: n + 1, Page: "p", Serial: n + 1, Edits: first})
	if !errors.Is(err, schema.ErrMoves) || part.Work == 0 || part.Work > live.MaxMoves {
		t.Errorf("edits that move much: work %d, %v", part.Work, err)
	}
}

// An entry that tells a version, and those around which the form is stored whole, have the digest of the form, and only those.
func TestDigestOfSomeEntries(t *testing.T) {
	rooms, ctx := on(sqlitetest.Open(t).Team("").Rooms()), t.Context()
	opened, err := rooms.Open(ctx, "f", "", tree(t, `{"name":"n"}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for n := 1; n <= 2*live.CompactEvery; n++ {
		e := put(n, "p", "k", fmt.Sprint(n))
		if e.Digest = "forged"; n%50 == 0 {
			e.ETag = fmt.Sprint("v", n)
		}
		part, err := rooms.Append(ctx, "f", opened.Room, "o", e)
		if err != nil || !part.Accepted {
			t.Fatal(err)
		}
		got := part.Entries[0].Digest
		if got == "" {
			if n%50 == 0 || n%live.CompactEvery == 0 {
				t.Errorf("entry %d has no digest", n)
			}
			continue
		}
		with++
		now, err := rooms.Since(ctx, "f", "", -1)
		if err != nil || got != mlive.Digest(now.Form) {
			t.Errorf("entry %d has the digest %s, %v", n, got, err)
		}
	}
	if with != 5+2 {
		t.Errorf("%d entries have a digest", with)
	}
}

// Every process accepts an entry under a name that the room knows only from the session that has the page.
func TestNameInARoomBelongsToASession(t *testing.T) {
	stored := sqlitetest.Open(t).Team("").Rooms()
	ctx := t.Context()
	opened, err := on(stored).Open(ctx, "f", "", tree(t, `{}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	for n, step := range []struct {
		page, owner string
		want        error
	}{{"a", "ana", nil}, {"b", "ben", nil}, {"a", "ana", nil}, {"a", "ben", live.ErrTaken}} {
		part, err := on(stored).Append(ctx, "f", opened.Room, step.owner, put(n+1, step.page, "k", fmt.Sprint(n)))
		if !errors.Is(err, step.want) || part.Accepted == (step.want != nil) {
			t.Errorf("%d: %+v, %v", n, part, err)
		}
	}
}

// A session cannot replace or end the page of another one, which stays visible to everybody.
func TestPageOfAnotherOwner(t *testing.T) {
	db := sqlitetest.Open(t)
	left := 0
	people := func(process string) *live.People {
		return live.NewPeople(live.PeopleConfig{
			Stored: db.Team("").Presences(), Process: process, Now: time.Now, Log: slog.New(slog.DiscardHandler),
			Came: func(store.Presence) {}, Left: func(string, string) { left++ },
		})
	}
	ctx := t.Context()
	at := people("1")
	p := func(owner string) store.Presence {
		return store.Presence{Form: "f", Page: "p", Owner: owner, Name: owner, State: []byte(`{}`)}
	}
	_, leave, err := at.Enter(ctx, p("ana"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*live.People{at, people("2")} {
		if _, _, err := s.Enter(ctx, p("eve")); !errors.Is(err, live.ErrTaken) {
			t.Errorf("enter: %v", err)
		}
		if err := s.Check(ctx, "f", "p", "eve"); !errors.Is(err, live.ErrTaken) {
			t.Errorf("check: %v", err)
		}
		if err := s.Check(ctx, "f", "p", "ana"); err != nil {
			t.Errorf("the owner: %v", err)
		}
		if err := s.Tell(ctx, p("eve")); err != nil {
			t.Error(err)
		}
	}
	if here, err := at.There(ctx, "f"); err != nil || len(here) != 1 || here[0].Name != "ana" || left != 0 {
		t.Errorf("%+v are here, %d have left, %v", here, left, err)
	}
	leave()
	if here, err := at.There(ctx, "f"); err != nil || len(here) != 0 || left != 1 {
		t.Errorf("%+v are here, %d have left, %v", here, left, err)
	}
	if _, leave, err = at.Enter(ctx, p("eve")); err != nil {
		t.Errorf("the name of a page that has left: %v", err)
	} else {
		leave()
	}
}

// slow cannot be told that pages are there.
type slow struct{ store.Presences }

func (slow) Beat(context.Context, string, time.Time) error {
	return errors.New("other writers took too long")
}

// While the database is too slow to be told that people are there, nobody is taken for absent: whoever came then would close their room, or take
// the name of their page. When it can be told again, pages of processes that were killed are gone.
func TestPeopleStayWhileTheDatabaseIsSlow(t *testing.T) {
	db := sqlitetest.Open(t)
	now := time.Now()
	people := func(process string, stored store.Presences) *live.People {
		return live.NewPeople(live.PeopleConfig{
			Stored: stored, Process: process, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
			Came: func(store.Presence) {}, Left: func(string, string) {},
		})
	}
	at := people("1", slow{db.Team("").Presences()})
	if _, _, err := at.Enter(t.Context(), store.Presence{Form: "f", Page: "p", Owner: "ana", State: []byte(`{}`)}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		now = now.Add(live.AbsentAfter / 3)
		at.Beat(t.Context())
	}
	if here, err := at.There(t.Context(), "f"); err != nil || len(here) != 1 {
		t.Errorf("%+v are here, %v, want one page", here, err)
	}
	if err := at.Check(t.Context(), "f", "p", "eve"); !errors.Is(err, live.ErrTaken) {
		t.Errorf("the page of somebody who is there: %v", err)
	}
	other := people("2", db.Team("").Presences())
	other.Beat(t.Context())
	if here, err := other.There(t.Context(), "f"); err != nil || len(here) != 0 {
		t.Errorf("%+v are here, %v, though their process is silent", here, err)
	}
}
