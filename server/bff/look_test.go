package bff_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// readOften counts how often versions are read.
type readOften struct {
	store.Versions

	times atomic.Int32
}

func (s *readOften) Chain(ctx context.Context, form string, number int) ([]store.Version, error) {
	defer s.times.Add(1)
	return s.Versions.Chain(ctx, form, number)
}

// Links to large forms wait for turns, and those to small ones neither for a turn nor for them.
func TestLinksToLargeFormsTakeTurns(t *testing.T) {
	w := newWorld(t)
	stored := &readOften{Versions: w.db.Team("").Versions()}
	w.keeping(stored)
	turns := httpx.NewTurns(1)
	w.adjust = func(c *bff.Config) { c.Turns = turns }
	w.h = w.handler(w.ic)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"`+strings.Repeat("x", httpx.LargeBody)+`"}`); g.status != http.StatusOK {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	small, large := b.link(1, `,"version":1`), b.link(1, `,"version":3`)
	before := stored.times.Load()
	finish, begun := make(chan struct{}), make(chan struct{})
	go turns.Do(t.Context(), httpx.LargeBody, func() { close(begun); <-finish })
	<-begun
	var free atomic.Bool
	var following sync.WaitGroup
	for range bff.MaxLooks {
		following.Go(func() {
			if g := w.looks(large.URL); g.status != http.StatusOK || !free.Load() {
				t.Errorf("a large form: %d, with a turn: %v", g.status, free.Load())
			}
		})
	}
	waittest.Until(t, "the large form is read for all", func() bool { return stored.times.Load() == before+bff.MaxLooks })
	if g := w.looks(small.URL); g.status != http.StatusOK {
		t.Errorf("a small form: %d %s", g.status, g.body)
	}
	free.Store(true)
	close(finish)
	following.Wait()
}
