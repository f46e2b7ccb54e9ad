package bff_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What a session makes the server do with large forms is limited, for all that reads and changes them, and nobody else is held up.
func TestWorkOfASessionIsLimited(t *testing.T) {
	w := newWorld(t)
	large := `{"name":"` + strings.Repeat("x", 4<<20-100) + `"}`
	eve, ana := w.browser(), w.browser()
	eve.signIn()
	ana.signIn()
	n, last := 0, got{}
	for last.status != 429 && n < 100 {
		last = eve.app("PATCH", "/bff/api/forms/ap_1", large)
		n++
	}
	if n < 30 || n > 40 || last.code() != "rate_limited" || last.header.Get("Retry-After") == "" {
		t.Errorf("number %d is %d %.200s", n, last.status, last.body)
	}
	for _, path := range []string{"", "/comments", "/scenarios", "/versions", "/overview", "/live"} {
		if g := eve.app("GET", "/bff/api/forms/ap_1"+path, ""); g.status != 429 {
			t.Errorf("GET %s: %d %s", path, g.status, g.body)
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

// A conflict costs nothing: whoever has an old version must be able to save once they have merged.
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
