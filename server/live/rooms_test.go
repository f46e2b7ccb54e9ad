package live_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mlive "github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// processes returns Rooms of several processes on one store, and what they tell.
func processes(t *testing.T, n int) (all []*live.Rooms, told func() int) {
	t.Helper()
	db := sqlitetest.Open(t)
	var mu sync.Mutex
	count := 0
	for range n {
		all = append(all, live.NewRooms(live.Config{Stored: db.Team("").Rooms(), Now: time.Now, Told: func(_, _ string, e mlive.Entry) {
			mu.Lock()
			defer mu.Unlock()
			if e.Number > 0 {
				count++
			}
		}}))
	}
	return all, func() int { mu.Lock(); defer mu.Unlock(); return count }
}

func tree(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	return v.(*schema.Object)
}

// put is an entry that sets a member of the form.
func put(number int, page, key, value string) mlive.Entry {
	return mlive.Entry{Number: number, Page: page, Serial: number, Edits: []schema.Edit{{Path: schema.Path{schema.Key(key)}, Value: value}}}
}

// Entries that pages of several processes offer at once get one number each, and everybody reads the same.
func TestEntriesAtOnce(t *testing.T) {
	rooms, told := processes(t, 3)
	ctx := t.Context()
	opened, err := rooms[0].Open(ctx, "f", "", tree(t, `{"name":"n"}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	const pages, each = 6, 40
	var wg sync.WaitGroup
	for p := range pages {
		wg.Go(func() {
			at, done := 0, 0
			for done < each {
				page := fmt.Sprint("p", p)
				part, err := rooms[p%len(rooms)].Append(ctx, "f", opened.Room, "o", put(at+1, page, page, fmt.Sprint(done)))
				if err != nil {
					t.Error(err)
					return
				}
				if part.Accepted {
					done++
				}
				at = part.Number
			}
		})
	}
	wg.Wait()
	var texts []string
	for _, r := range rooms {
		part, err := r.Since(ctx, "f", "", -1)
		if err != nil || part.Number != pages*each {
			t.Fatalf("%+v, %v", part, err)
		}
		texts = append(texts, string(schema.Encode(part.Form)))
		part, err = r.Since(ctx, "f", opened.Room, pages*each-3)
		if err != nil || len(part.Entries) != 3 || part.Entries[2].Number != pages*each {
			t.Errorf("%+v, %v", part, err)
		}
	}
	for p := range pages {
		if want := fmt.Sprintf(`"p%d":"%d"`, p, each-1); !strings.Contains(texts[0], want) {
			t.Errorf("%s has no %s", texts[0], want)
		}
	}
	if texts[1] != texts[0] || texts[2] != texts[0] {
		t.Errorf("the processes differ: %s", texts)
	}
	if told() != pages*each {
		t.Errorf("%d entries are told, want %d", told(), pages*each)
	}
}

// Those who have edited since the last save are known, in every process.
func TestUnsavedIsBy(t *testing.T) {
	rooms, _ := processes(t, 2)
	ctx := t.Context()
	if _, err := rooms[0].Unsaved(ctx, "f"); !errors.Is(err, live.ErrClosed) {
		t.Errorf("without a room: %v", err)
	}
	opened, err := rooms[0].Open(ctx, "f", "", tree(t, `{"name":"n"}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	add := func(name, value, etag string) {
		t.Helper()
		at++
		e := put(at, "p", "key", value)
		e.Name, e.ETag = name, etag
		if value == "" {
			e.Edits = nil
		}
		if part, err := rooms[at%2].Append(ctx, "f", opened.Room, "o", e); err != nil || !part.Accepted {
			t.Fatalf("%+v, %v", part, err)
		}
	}
	want := func(names ...string) {
		t.Helper()
		for _, r := range rooms {
			if got, err := r.Unsaved(ctx, "f"); err != nil || !slices.Equal(got, names) {
				t.Errorf("edited by %q, %v, want %q", got, err, names)
			}
			if part, err := r.Since(ctx, "f", "", -1); err != nil || !slices.Equal(part.People, names) {
				t.Errorf("the form is edited by %q, %v, want %q", part.People, err, names)
			}
		}
	}
	want()
	add("Ana", "1", "")
	add("Ben", "2", "")
	add("Ana", "3", "")
	want("Ana", "Ben")
	add("Ben", "", "2")
	want()
	add("Cem", "4", "")
	want("Cem")
}

// A process that starts, or was away for long, gets the form although old entries are gone.
func TestLongRoom(t *testing.T) {
	rooms, _ := processes(t, 2)
	ctx := t.Context()
	opened, err := rooms[0].Open(ctx, "f", "", tree(t, `{}`), "1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rooms[1].Since(ctx, "f", "", -1); err != nil {
		t.Fatal(err)
	}
	const n = 1300
	for i := 1; i <= n; i++ {
		e := put(i, "a", "k", fmt.Sprint(i))
		if i == n {
			e.ETag = "2"
		}
		if part, err := rooms[0].Append(ctx, "f", opened.Room, "o", e); err != nil || !part.Accepted {
			t.Fatalf("%d: %+v, %v", i, part, err)
		}
	}
	part, err := rooms[1].Since(ctx, "f", opened.Room, 1)
	if err != nil || part.Number != n || part.ETag != "2" || part.Form.Text("k") != fmt.Sprint(n) {
		t.Fatalf("%d %s %s, %v", part.Number, part.ETag, schema.Encode(part.Form), err)
	}
	if part, err = rooms[0].Since(ctx, "f", opened.Room, n+5); err != nil || part.Form == nil {
		t.Errorf("a number that is not there yet: %+v, %v", part, err)
	}
}

func TestRoomErrors(t *testing.T) {
	rooms, _ := processes(t, 2)
	ctx := t.Context()
	if _, err := rooms[0].Since(ctx, "f", "", -1); !errors.Is(err, live.ErrClosed) {
		t.Errorf("no room: %v", err)
	}
	opened, err := rooms[0].Open(ctx, "f", "", tree(t, `{"a":"`+strings.Repeat("x", live.MaxForm-200)+`"}`), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rooms[0].Append(ctx, "f", opened.Room, "o", put(1, "a", "b", strings.Repeat("x", 400))); !errors.Is(err, live.ErrLarge) {
		t.Errorf("a form that grows too large: %v", err)
	}
	// The bound is the size of the form, not of all that was ever sent.
	for i := 1; i <= 20; i++ {
		if part, err := rooms[0].Append(ctx, "f", opened.Room, "o", put(i, "a", "b", strings.Repeat("y", 100))); err != nil || !part.Accepted {
			t.Fatalf("%d: %v", i, err)
		}
	}
	bad := mlive.Entry{Number: 21, Edits: []schema.Edit{{Path: schema.Path{schema.Key("a"), schema.Key("b")}, Value: "x"}}}
	if _, err := rooms[0].Append(ctx, "f", opened.Room, "o", bad); !errors.Is(err, live.ErrEdits) {
		t.Errorf("edits that do not fit: %v", err)
	}
	if err := rooms[1].Close(ctx, "f"); err != nil {
		t.Fatal(err)
	}
	if _, err := rooms[0].Append(ctx, "f", opened.Room, "o", put(21, "a", "b", "z")); !errors.Is(err, live.ErrClosed) {
		t.Errorf("a closed room: %v", err)
	}
	if err := rooms[1].Close(ctx, "f"); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}
