package bff_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
)

// What a person makes the server do with large forms is limited, for all that reads and changes them, and nobody else is held up.
func TestWorkOfAPersonIsLimited(t *testing.T) {
	w := newWorld(t)
	large := `{"name":"` + strings.Repeat("x", 4<<20-100) + `"}`
	eve, again, ana := w.signInAs("eve", "s1"), w.signInAs("eve", "s2"), w.signInAs("ana", "s3")
	n, last := 0, got{}
	for last.status != 429 && n < 100 {
		last = eve.app("PATCH", "/bff/api/forms/ap_1", large)
		n++
	}
	if n < 30 || n > 40 || last.code() != "rate_limited" || last.header.Get("Retry-After") == "" {
		t.Errorf("number %d is %d %.200s", n, last.status, last.body)
	}
	for _, path := range []string{"", "/comments", "/scenarios", "/versions", "/overview", "/live"} {
		for _, b := range []*browser{eve, again} {
			if g := b.app("GET", "/bff/api/forms/ap_1"+path, ""); g.status != 429 {
				t.Errorf("GET %s: %d %s", path, g.status, g.body)
			}
		}
		if g := ana.app("GET", "/bff/api/forms/ap_1"+path, ""); g.status == 429 {
			t.Errorf("GET %s of somebody else: %d %s", path, g.status, g.body)
		}
	}
	w.clock.Move(10 * time.Second)
	if g := eve.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`); g.status != 200 {
		t.Errorf("later: %d %s", g.status, g.body)
	}
}

// How much a person creates is limited, since it stays. They can still change forms.
func TestNewFormsOfAPersonAreLimited(t *testing.T) {
	w := newWorld(t)
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				writeJSON(rw, 201, map[string]any{"id": "ap_2"}) // some tenants answer with less than they store
				return
			}
			writeJSON(rw, 200, map[string]any{"id": "ap_1"})
		}
	})
	eve, again, ana := w.signInAs("eve", "s1"), w.signInAs("eve", "s2"), w.signInAs("ana", "s3")
	form := `{"name":"` + strings.Repeat("x", 2<<20) + `"}`
	n, last := 0, got{}
	for last.status != 429 && n < 50 {
		last = eve.app("POST", "/bff/api/forms", form)
		n++
	}
	if n != 33 || last.code() != "rate_limited" || !strings.Contains(last.body, "create") || last.header.Get("Retry-After") == "" {
		t.Errorf("number %d is %d %.200s", n, last.status, last.body)
	}
	if g := again.app("POST", "/bff/api/forms", `{"name":"x"}`); g.status != 429 {
		t.Errorf("in another session: %d %s", g.status, g.body)
	}
	if g := ana.app("POST", "/bff/api/forms", form); g.status != 201 {
		t.Errorf("somebody else: %d %s", g.status, g.body)
	}
	if g := eve.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`); g.status != 200 {
		t.Errorf("a change: %d %s", g.status, g.body)
	}
	w.clock.Move(2 * time.Minute)
	if g := eve.app("POST", "/bff/api/forms", `{"name":"x"}`); g.status != 201 {
		t.Errorf("later: %d %s", g.status, g.body)
	}
}

// worksTooMuch sends large changes until the server takes no more of them.
func (b *browser) worksTooMuch() {
	b.w.t.Helper()
	large := `{"name":"` + strings.Repeat("x", 4<<20-100) + `"}`
	for range 40 {
		if b.app("PATCH", "/bff/api/forms/ap_1", large).status == 429 {
			return
		}
	}
	b.w.t.Fatal("the server takes any amount of work")
}

// A conflict costs no more than its body: whoever has an old version must be able to save once they have merged.
func TestConflictsAreNoWork(t *testing.T) {
	w := newWorld(t)
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": strings.Repeat("x", 4<<20-100)})
				return
			}
			writeJSON(rw, 412, map[string]any{"statusCode": 412})
		}
	})
	b := w.browser()
	b.signIn()
	b.app("GET", "/bff/api/forms/ap_1", "")
	for n := range 100 {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", fmt.Sprintf(`{"name":"%d"}`, n), "If-Match", `"old"`); g.status != 412 {
			t.Fatalf("%d: %d %s", n, g.status, g.body)
		}
	}
}

// Small changes of a large form take turns, as large ones do. A person may make few changes at once of a form of which nothing is known.
func TestSmallChangesOfLargeFormsTakeTurns(t *testing.T) {
	for name, x := range map[string]struct {
		size int   // of the form that was read before, 0 if none was
		most int32 // changes at once
	}{"large": {httpx.LargeBody, 1}, "unknown": {0, 5}, "small": {1000, 7}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			var now, most atomic.Int32
			release := make(chan struct{})
			w.bend(func(s *stub) {
				s.api = func(rw http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodPatch {
						most.Store(max(most.Load(), now.Add(1)))
						<-release
						now.Add(-1)
					}
					writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": strings.Repeat("x", x.size)})
				}
			})
			eve := w.browser()
			eve.signIn()
			if x.size > 0 {
				eve.app("GET", "/bff/api/forms/ap_1", "")
			}
			cookie := eve.cookie()
			answers := make(chan *httptest.ResponseRecorder)
			const all = 7
			for range all {
				go func() {
					answers <- w.sent(cookie, "PATCH", "/bff/api/forms/ap_1", strings.NewReader(`{"name":"x"}`), "Content-Type", "application/json")
				}()
			}
			refused := 0
			if x.most < all {
				refused = all - 5
			}
			for range refused {
				if rec := <-answers; rec.Code != http.StatusTooManyRequests || !strings.Contains(rec.Body.String(), `"outcome":"not_sent"`) {
					t.Errorf("beside five that have or wait for a turn: %d %s, want 429", rec.Code, rec.Body)
				}
			}
			waittest.Until(t, "the changes arrive", func() bool { return now.Load() == x.most })
			close(release)
			for range all - refused {
				if rec := <-answers; rec.Code != http.StatusOK {
					t.Errorf("%d %s, want 200", rec.Code, rec.Body)
				}
			}
			if most.Load() != x.most {
				t.Errorf("%d at once, want %d", most.Load(), x.most)
			}
		})
	}
}

// grown makes the server give one turn at a time, and returns a browser with a form whose third version is large.
func (w *world) grown() (*browser, *httpx.Turns) {
	w.t.Helper()
	turns := httpx.NewTurns(1)
	w.adjust = func(c *bff.Config) { c.Turns = turns }
	w.h = w.handler(w.ic)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"`+strings.Repeat("x", httpx.LargeBody)+`"}`); g.status != http.StatusOK {
		w.t.Fatalf("save: %d %s", g.status, g.body)
	}
	return b, turns
}

// Opening a version of a large form and finding who changed the form take turns.
func TestVersionsOfLargeFormsTakeTurns(t *testing.T) {
	w := newWorld(t)
	w.keeping(w.db.Team("").Versions())
	b, turns := w.grown()
	cookie := b.cookie()
	for path, all := range map[string]int{"/versions/3": 7, "/versions/1": 0, "/blame": 7} {
		const places = 5
		finish, begun := make(chan struct{}), make(chan struct{})
		go func() { _ = turns.Do(t.Context(), httpx.LargeBody, func() { close(begun); <-finish }) }()
		<-begun
		if all == 0 {
			if g := b.app("GET", "/bff/api/forms/ap_1"+path, ""); g.status != http.StatusOK {
				t.Errorf("%s, a small one: %d %s", path, g.status, g.body)
			}
		}
		answers := make(chan *httptest.ResponseRecorder)
		for range all {
			go func() { answers <- w.sent(cookie, "GET", "/bff/api/forms/ap_1"+path, http.NoBody) }()
		}
		for range all - places {
			if rec := <-answers; rec.Code != http.StatusTooManyRequests {
				t.Errorf("%s beside five that wait for a turn: %d, want 429", path, rec.Code)
			}
		}
		close(finish)
		for range min(all, places) {
			if rec := <-answers; rec.Code != http.StatusOK {
				t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
			}
		}
	}
}
