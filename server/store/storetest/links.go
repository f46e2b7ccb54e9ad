package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

func links(t *testing.T, open func(t *testing.T) store.Links) {
	t.Helper()
	t.Run("links", func(t *testing.T) { linkRows(t, open(t)) })
	t.Run("expired links", func(t *testing.T) { expiredLinks(t, open(t)) })
	t.Run("links are bounded", func(t *testing.T) { linksBounded(t, open(t)) })
}

// link returns a link to form f, made and expiring at times.
func link(id string, created, expires int) store.Link {
	return store.Link{ID: id, Form: ours(), Created: later(created), Expires: later(expires), Author: store.Person{ID: "ann", Name: "Ann"}}
}

// linksOf returns the IDs of the links to a form.
func linksOf(t *testing.T, s store.Links, form string) string {
	t.Helper()
	list, err := s.List(t.Context(), form)
	must(t, err)
	var ids []string
	for _, l := range list {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

func linkRows(t *testing.T, s store.Links) {
	t.Helper()
	ctx := t.Context()
	want := link("a", 1, 9)
	want.Label, want.Version = "For <Ä> \U0001F600", 7
	must(t, s.Add(ctx, want, 9, noon()))
	must(t, s.Add(ctx, link("b", 2, 8), 9, noon()))
	mustBe(t, "Add of a taken ID", s.Add(ctx, link("a", 3, 9), 9, noon()), store.ErrConflict)
	got, err := s.Find(ctx, "a")
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Find = %+v, want %+v", got, want)
	}
	if got := linksOf(t, s, ours()); got != "b a" {
		t.Errorf("links %s, want the newest first", got)
	}
	_, err = s.Find(ctx, "A")
	mustBe(t, "Find in another case", err, store.ErrNotFound)
	must(t, s.Count(ctx, "none", later(3)))
	for _, at := range []int{4, 5, 3} {
		must(t, s.Count(ctx, "a", later(at)))
	}
	want.Opened, want.Times = later(5), 3
	if got, err := s.Find(ctx, "a"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Find = %+v, %v, want %+v", got, err, want)
	}
	must(t, s.Remove(ctx, ours(), "a"))
	mustBe(t, "Remove of another form's", s.Remove(ctx, "g", "b"), store.ErrNotFound)
	mustBe(t, "Remove again", s.Remove(ctx, ours(), "a"), store.ErrNotFound)
	_, err = s.Find(ctx, "a")
	mustBe(t, "Find after Remove", err, store.ErrNotFound)
	if got := linksOf(t, s, ours()); got != "b" {
		t.Errorf("links %s", got)
	}
}

func expiredLinks(t *testing.T, s store.Links) {
	t.Helper()
	ctx := t.Context()
	must(t, s.Add(ctx, link("a", 1, 3), 2, noon()))
	must(t, s.Add(ctx, link("b", 2, 4), 2, noon()))
	mustBe(t, "Add of one too many", s.Add(ctx, link("c", 3, 9), 2, later(3)), store.ErrTooMany)
	if got := linksOf(t, s, ours()); got != "b a" {
		t.Errorf("links %s after a refusal", got)
	}
	must(t, s.Add(ctx, link("c", 3, 9), 2, later(4)))
	if got := linksOf(t, s, ours()); got != "c b" {
		t.Errorf("links %s, want those that have not expired", got)
	}
}

func linksBounded(t *testing.T, s store.Links) {
	t.Helper()
	const most = 5
	var added atomic.Int32
	var wg sync.WaitGroup
	for w := range 20 {
		wg.Go(func() {
			switch err := s.Add(t.Context(), link(fmt.Sprint(w), 1, 9), most, noon()); {
			case err == nil:
				added.Add(1)
			case !errors.Is(err, store.ErrTooMany):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := added.Load(); n != most {
		t.Errorf("%d links were added, want %d", n, most)
	}
}
