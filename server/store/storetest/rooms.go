package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func rooms(t *testing.T, open func(t *testing.T) store.Team) {
	t.Helper()
	t.Run("life of a room", func(t *testing.T) { roomLife(t, open(t).Rooms()) })
	t.Run("one room of a form", func(t *testing.T) { oneRoom(t, open(t).Rooms()) })
	t.Run("one entry of a number", func(t *testing.T) { oneEntry(t, open(t).Rooms()) })
	t.Run("compacted room", func(t *testing.T) { compactedRoom(t, open(t).Rooms()) })
	t.Run("closed while in use", func(t *testing.T) { closedRoom(t, open(t).Rooms()) })
	t.Run("presences", func(t *testing.T) { presenceLife(t, open(t).Presences()) })
	t.Run("owners of pages", func(t *testing.T) { pageOwners(t, open(t).Presences()) })
}

func room(form, id string) store.Room {
	return store.Room{Form: form, ID: id, Body: []byte(`{}`), ETag: "1", Used: noon()}
}

// entriesOf returns the entries of a room after a number.
func entriesOf(t *testing.T, s store.Rooms, id string, after, limit int) string {
	t.Helper()
	found, err := s.Entries(t.Context(), id, after, limit)
	must(t, err)
	var out []string
	for _, e := range found {
		out = append(out, fmt.Sprintf("%d:%s", e.Number, e.Body))
	}
	return strings.Join(out, " ")
}

func add(t *testing.T, s store.Rooms, id string, number int) error {
	t.Helper()
	return s.Append(t.Context(), id, store.RoomEntry{Number: number, Body: fmt.Append(nil, "e", number)}, later(number))
}

func roomLife(t *testing.T, s store.Rooms) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Room(ctx, "f")
	mustBe(t, "Room of nothing", err, store.ErrNotFound)
	mustBe(t, "Append to nothing", add(t, s, "r", 1), store.ErrNotFound)
	must(t, s.Open(ctx, room("f", "r"), ""))
	must(t, s.Open(ctx, room("g", "q"), ""))
	for n := 1; n <= 3; n++ {
		must(t, add(t, s, "r", n))
	}
	mustBe(t, "Append of a number twice", add(t, s, "r", 3), store.ErrConflict)
	mustBe(t, "Append with a gap", add(t, s, "r", 5), store.ErrConflict)
	if id, number, err := s.Head(ctx, "f"); err != nil || id != "r" || number != 3 {
		t.Errorf("head %s %d, %v", id, number, err)
	}
	if id, number, err := s.Head(ctx, "g"); err != nil || id != "q" || number != 0 {
		t.Errorf("head %s %d, %v", id, number, err)
	}
	_, _, err = s.Head(ctx, "h")
	mustBe(t, "Head of nothing", err, store.ErrNotFound)
	if got := entriesOf(t, s, "r", 1, 10); got != "2:e2 3:e3" {
		t.Errorf("entries %q", got)
	}
	if got := entriesOf(t, s, "r", 0, 2); got != "1:e1 2:e2" {
		t.Errorf("entries %q", got)
	}
	got, err := s.Room(ctx, "f")
	must(t, err)
	if got.ID != "r" || got.Form != "f" || got.Number != 0 || string(got.Body) != `{}` || got.ETag != "1" || !got.Used.Equal(later(3)) {
		t.Errorf("room %+v", got)
	}
	n, err := s.Sweep(ctx, later(1))
	must(t, err)
	if _, err := s.Room(ctx, "g"); n != 1 || !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%d rooms swept; the unused one: %v", n, err)
	}
	must(t, s.Close(ctx, "r"))
	must(t, s.Close(ctx, "r"))
	if got := entriesOf(t, s, "r", 0, 10); got != "" {
		t.Errorf("entries of a closed room: %s", got)
	}
}

func oneRoom(t *testing.T, s store.Rooms) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "Open instead of nothing", s.Open(ctx, room("f", "a"), "b"), store.ErrConflict)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = s.Open(ctx, room("f", fmt.Sprint("r", i)), "") })
	}
	wg.Wait()
	won := -1
	for i, err := range errs {
		switch {
		case err == nil && won < 0:
			won = i
		case !errors.Is(err, store.ErrConflict):
			t.Errorf("Open = %v, and %d has opened", err, won)
		}
	}
	mustBe(t, "Open beside a room", s.Open(ctx, room("f", "x"), ""), store.ErrConflict)
	must(t, add(t, s, fmt.Sprint("r", won), 1))
	must(t, s.Open(ctx, room("f", "x"), fmt.Sprint("r", won)))
	if got := entriesOf(t, s, fmt.Sprint("r", won), 0, 10); got != "" {
		t.Errorf("entries of a replaced room: %s", got)
	}
}

func oneEntry(t *testing.T, s store.Rooms) {
	t.Helper()
	ctx := t.Context()
	must(t, s.Open(ctx, room("f", "r"), ""))
	const people, each = 4, 20
	var wg sync.WaitGroup
	for i := range people {
		wg.Go(func() {
			for n := 1; n <= each; {
				err := s.Append(ctx, "r", store.RoomEntry{Number: n, Body: fmt.Append(nil, i)}, noon())
				if err == nil || errors.Is(err, store.ErrConflict) {
					n++
					continue
				}
				t.Error(err)
				return
			}
		})
	}
	wg.Wait()
	found, err := s.Entries(ctx, "r", 0, 2*people*each)
	must(t, err)
	for i, e := range found {
		if e.Number != i+1 {
			t.Fatalf("entry %d has the number %d", i, e.Number)
		}
	}
	if len(found) < each {
		t.Errorf("%d entries", len(found))
	}
}

func compactedRoom(t *testing.T, s store.Rooms) {
	t.Helper()
	ctx := t.Context()
	must(t, s.Open(ctx, room("f", "r"), ""))
	for n := 1; n <= 6; n++ {
		must(t, add(t, s, "r", n))
	}
	must(t, s.Compact(ctx, store.Room{ID: "r", Number: 6, Body: []byte(`{"n":6}`), ETag: "2"}, 4))
	must(t, s.Compact(ctx, store.Room{ID: "r", Number: 5, Body: []byte(`{"n":5}`), ETag: "9"}, 6))
	if got := entriesOf(t, s, "r", 0, 10); got != "5:e5 6:e6" {
		t.Errorf("entries %q", got)
	}
	got, err := s.Room(ctx, "f")
	must(t, err)
	if got.Number != 6 || got.ETag != "2" || !bytes.Equal(got.Body, []byte(`{"n":6}`)) {
		t.Errorf("room %+v", got)
	}
	must(t, s.Compact(ctx, store.Room{ID: "r", Number: 6, Body: []byte(`{}`)}, 6))
	must(t, add(t, s, "r", 7))
}

// closedRoom closes a room while entries are added: none of them is left.
func closedRoom(t *testing.T, s store.Rooms) {
	t.Helper()
	ctx := t.Context()
	for round := range 10 {
		id := fmt.Sprint("r", round)
		must(t, s.Open(ctx, room("f", id), ""))
		var wg sync.WaitGroup
		wg.Go(func() {
			for n := 1; n <= 20; n++ {
				if err := add(t, s, id, n); err != nil {
					if !errors.Is(err, store.ErrNotFound) {
						t.Error(err)
					}
					return
				}
			}
		})
		wg.Go(func() {
			if err := s.Close(ctx, id); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		must(t, s.Close(ctx, id))
		if got := entriesOf(t, s, id, 0, 30); got != "" {
			t.Fatalf("entries of a closed room: %s", got)
		}
	}
}

func presenceLife(t *testing.T, s store.Presences) {
	t.Helper()
	ctx := t.Context()
	enter := func(page, process string, since time.Time) {
		t.Helper()
		must(t, s.Enter(ctx, store.Presence{
			Form: "f", Page: page, Process: process, Sub: "s" + page, Name: "N" + page, State: []byte(`{}`), Since: since, Seen: since, Owner: "o",
		}, noon()))
	}
	list := func(since time.Time) string {
		t.Helper()
		found, err := s.List(ctx, "f", since)
		must(t, err)
		var out []string
		for _, p := range found {
			if p.Form != "f" || p.Sub != "s"+p.Page || p.Name != "N"+p.Page {
				t.Errorf("presence %+v", p)
			}
			out = append(out, p.Page+p.Process+string(p.State))
		}
		return strings.Join(out, " ")
	}
	enter("b", "1", later(2))
	enter("a", "1", later(1))
	enter("c", "2", later(3))
	if got := list(noon()); got != "a1{} b1{} c2{}" {
		t.Errorf("list %s", got)
	}
	there, err := s.Tell(ctx, "f", "b", "o", []byte(`{"x":1}`))
	must(t, err)
	gone, err := s.Tell(ctx, "f", "x", "o", []byte(`{}`))
	must(t, err)
	if !there || gone {
		t.Errorf("told %v, %v", there, gone)
	}
	must(t, s.Beat(ctx, "1", later(5)))
	if got := list(later(4)); got != `a1{} b1{"x":1}` {
		t.Errorf("list %s", got)
	}
	elsewhere, err := s.Leave(ctx, "f", "a", "o", "2")
	must(t, err)
	left, err := s.Leave(ctx, "f", "b", "o", "1")
	must(t, err)
	if elsewhere || !left {
		t.Errorf("left %v, %v", elsewhere, left)
	}
	if got := list(noon()); got != "a1{} c2{}" {
		t.Errorf("list %s", got)
	}
	enter("a", "2", later(6)) // its stream has moved to another process
	swept, err := s.Sweep(ctx, later(5))
	must(t, err)
	if got := list(noon()); got != "a2{}" || len(swept) != 1 || swept[0].Page != "c" || swept[0].Form != "f" {
		t.Errorf("list %s, swept %+v", got, swept)
	}
}

// pageOwners checks that a page belongs to whoever entered it, until it is gone or was not seen for long.
func pageOwners(t *testing.T, s store.Presences) {
	t.Helper()
	ctx := t.Context()
	enter := func(owner string, at, present time.Time) error {
		t.Helper()
		return s.Enter(ctx, store.Presence{Form: "f", Page: "p", Process: "1", Name: owner, State: []byte(`{}`), Since: at, Seen: at, Owner: owner}, present)
	}
	is := func(want string, since time.Time) {
		t.Helper()
		found, err := s.List(ctx, "f", noon())
		must(t, err)
		if len(found) != 1 || found[0].Owner != want || found[0].Name != want || string(found[0].State) != `{}` || !found[0].Since.Equal(since) {
			t.Errorf("%+v, want the page of %s since %v", found, want, since)
		}
		if owner, err := s.Owner(ctx, "f", "p", found[0].Seen); err != nil || owner != want {
			t.Errorf("owner %s, %v", owner, err)
		}
	}
	must(t, enter("ana", later(1), noon()))
	mustBe(t, "Enter of a page of somebody else", enter("eve", later(2), later(1)), store.ErrConflict)
	told, err := s.Tell(ctx, "f", "p", "eve", []byte(`{"x":1}`))
	must(t, err)
	left, err := s.Leave(ctx, "f", "p", "eve", "1")
	must(t, err)
	if told || left {
		t.Errorf("somebody else tells %v, leaves %v", told, left)
	}
	is("ana", later(1))
	must(t, enter("ana", later(3), later(1)))
	is("ana", later(1)) // it has come back
	_, err = s.Owner(ctx, "f", "p", later(4))
	mustBe(t, "Owner of a page that was not seen", err, store.ErrNotFound)
	must(t, enter("eve", later(9), later(4)))
	is("eve", later(9))
	_, err = s.Owner(ctx, "f", "q", noon())
	mustBe(t, "Owner of no page", err, store.ErrNotFound)
}
