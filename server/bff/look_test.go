package bff_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// A drawing that fails counts, too: a network that makes the server draw what is too large must soon wait, and is told for how long.
func TestDrawingsThatFailCount(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	small := strings.TrimPrefix(b.link(1, `,"version":1`).URL, w.editor)
	if g := b.app("PATCH", "/bff/api/forms/ap_1", largeForm(5000, 1000)); g.status != http.StatusOK {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	screens := strings.TrimPrefix(b.link(1, "").URL, w.editor) + "/screens"
	follow := func(address, path string, status int, retry string) {
		t.Helper()
		if rec := w.from(address, "GET", path, ""); rec.Code != status || rec.Header().Get("Retry-After") != retry {
			t.Fatalf("%d after %q: %.300s, want %d after %q", rec.Code, rec.Header().Get("Retry-After"), rec.Body, status, retry)
		}
	}
	const one, other = "192.0.2.1:1", "198.51.100.1:1"
	for range 3 { // of 48 MiB each, where 128 MiB are allowed at once
		follow(one, screens, http.StatusRequestEntityTooLarge, "")
	}
	follow(one, screens, http.StatusTooManyRequests, "17")
	follow(one, small, http.StatusTooManyRequests, "17")
	follow(other, small, http.StatusOK, "")
	w.clock.Move(7 * time.Second)
	follow(one, small, http.StatusTooManyRequests, "10")
	w.clock.Move(10 * time.Second)
	follow(one, small, http.StatusOK, "")
}

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
	b, turns := w.grown()
	small, large := b.link(1, `,"version":1`), b.link(1, `,"version":3`)
	before := stored.times.Load()
	finish, begun := make(chan struct{}), make(chan struct{})
	go func() { _ = turns.Do(t.Context(), httpx.LargeBody, func() { close(begun); <-finish }) }()
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
