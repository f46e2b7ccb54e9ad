package bff_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// What a session makes the server do with large forms is limited, whether it is done or refused, and nobody else is held up.
func TestWorkOfASessionIsLimited(t *testing.T) {
	w := newWorld(t)
	large := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, x := range []struct {
		what, method, path, body string
		answer                   int // of the tenant
	}{
		{"large saves", "PATCH", "/bff/api/forms/ap_1", large, 200},
		{"small saves of a large form", "PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, 200},
		{"small changes of a large form that are refused", "PATCH", "/bff/api/forms/ap_1", `{"start":1}`, 400},
		{"new forms", "POST", "/bff/api/forms", large, 201},
		{"reads", "GET", "/bff/api/forms/ap_1", "", 200},
		{"reads of what is kept beside a large form", "GET", "/bff/api/forms/ap_1/comments", "", 200},
	} {
		status := x.answer
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet || status < 300 {
					rw.Header().Set("ETag", `"v1"`)
					writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": strings.Repeat("x", 1<<20)})
					return
				}
				writeJSON(rw, status, map[string]any{"statusCode": status})
			}
		})
		eve, ana := w.browser(), w.browser()
		eve.signIn()
		ana.signIn()
		eve.app("GET", "/bff/api/forms/ap_1", "")
		n, last := 0, got{}
		most := 40
		if x.method == "GET" {
			most = 8 * 40
		}
		for last.status != 429 && n < 2*most {
			last = eve.app(x.method, x.path, x.body)
			n++
		}
		if n < most*3/4 || n > most || last.code() != "rate_limited" || last.header.Get("Retry-After") == "" {
			t.Errorf("%s: number %d is %d %.200s", x.what, n, last.status, last.body)
		}
		if g := ana.app(x.method, x.path, x.body); g.status == 429 {
			t.Errorf("%s: somebody else: %d %s", x.what, g.status, g.body)
		}
		w.clock.Move(10 * time.Second)
		if g := eve.app(x.method, x.path, x.body); g.status == 429 {
			t.Errorf("%s: later: %d %s", x.what, g.status, g.body)
		}
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
