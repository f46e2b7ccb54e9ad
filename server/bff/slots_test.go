package bff_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
)

// reading is a client that sends another request before it reads the answer.
type reading struct {
	http.ResponseWriter

	first func() // nil once it was called
}

func (r *reading) Write(p []byte) (int, error) {
	if first := r.first; first != nil {
		r.first = nil
		first()
	}
	return r.ResponseWriter.Write(p)
}

// However many clients read their answers, others are answered too: nobody holds a slot meanwhile.
func TestNoSlotIsHeldWhileAClientReads(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	link := strings.TrimPrefix(b.link(7, "").URL, w.editor)
	page := []string{"Accept", "text/html"}
	form := []string{"Content-Type", submitted, "Origin", w.editor, "Sec-Fetch-Site", "same-origin"}
	walked := map[string]bool{}
	for _, x := range []struct {
		slots, method, path, body string
		headers                   []string
	}{
		{"maxLooks", "GET", link, "", page},
		{"maxLooks", "GET", link + "/screens", "", page},
		{"maxAtlases", "POST", "/bff/atlas", url.Values{"form": {atlasForm}}.Encode(), form},
		{"maxOverviews", "GET", "/bff/api/forms/ap_1/overview", "", []string{"X-CSRF", "1", "Sec-Fetch-Site", "same-origin"}},
	} {
		walked[x.slots] = true
		answered := 0
		var ask func(left int)
		ask = func(left int) {
			r := httptest.NewRequestWithContext(t.Context(), x.method, x.path, strings.NewReader(x.body))
			for i := 0; i < len(x.headers); i += 2 {
				r.Header.Set(x.headers[i], x.headers[i+1])
			}
			at, _ := url.Parse(w.editor)
			r.Host = at.Host
			for _, c := range b.client.Jar.Cookies(at) {
				r.AddCookie(c)
			}
			rec := httptest.NewRecorder()
			client := &reading{ResponseWriter: rec}
			if left > 0 {
				client.first = func() { ask(left - 1) }
			}
			w.h.ServeHTTP(client, r)
			if answered++; rec.Code != 200 {
				t.Errorf("%s: %d %s", x.path, rec.Code, rec.Body)
			}
		}
		if ask(5); answered != 6 {
			t.Errorf("%s: %d of 6 are answered", x.path, answered)
		}
	}
	// A new kind of slot needs a line above.
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`newSlots\((max\w+)|make\(chan struct\{\}, (max\w+)\)`).FindAllSubmatch(text, -1) {
			made[string(bytes.Join(m[1:], nil))] = true
		}
	}
	for name := range made {
		if !walked[name] {
			t.Errorf("the slots %s are not walked", name)
		}
	}
	if len(made) != len(walked) {
		t.Errorf("there are the slots %v, want %v", made, walked)
	}
}

// What is made of large forms waits for turns, but not what is made of small ones.
func TestLargeFormsTakeTurns(t *testing.T) {
	w := newWorld(t)
	turns := httpx.NewTurns(1)
	w.adjust = func(c *bff.Config) { c.Turns = turns }
	w.h = w.handler(w.ic)
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			name := "small"
			if strings.HasSuffix(r.URL.Path, "large") {
				name = strings.Repeat("x", httpx.LargeBody)
			}
			writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": name})
		}
	})
	b := w.browser()
	b.signIn()
	finish, begun := make(chan struct{}), make(chan struct{})
	go func() { _ = turns.Do(t.Context(), httpx.LargeBody, func() { close(begun); <-finish }) }()
	<-begun
	var free atomic.Bool
	answered := make(chan int)
	go func() {
		status := (&browser{w, b.client, &strings.Builder{}}).app("GET", "/bff/api/forms/large/overview", "").status
		if !free.Load() {
			t.Error("a large form has no turn")
		}
		answered <- status
	}()
	for range 5 {
		if g := b.app("GET", "/bff/api/forms/small/overview", ""); g.status != http.StatusOK {
			t.Errorf("a small form: %d %s", g.status, g.body)
		}
	}
	waittest.Until(t, "the tenant is asked for all", func() bool { return w.called() == 6 })
	free.Store(true)
	close(finish)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("a large form: %d", status)
	}
}

// A request that waits for a slot gives up after a time, or when its client has gone.
func TestWaitsForASlotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		do := bff.NewSlots(1, 10*time.Second)
		finish := make(chan struct{})
		go func() { _ = do(t.Context(), func() { <-finish }) }()
		synctest.Wait()
		never := func() { t.Error("the work was done without a slot") }
		if err := do(t.Context(), never); !errors.Is(err, bff.ErrBusy) {
			t.Errorf("after ten seconds: %v", err)
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := do(gone, never); !errors.Is(err, context.Canceled) {
			t.Errorf("after the client left: %v", err)
		}
		close(finish)
		synctest.Wait()
		done := false
		if err := do(t.Context(), func() { done = true }); err != nil || !done {
			t.Errorf("with a free slot: %v", err)
		}
		if err := bff.NewSlots(0, 0)(t.Context(), never); !errors.Is(err, bff.ErrBusy) {
			t.Errorf("where nobody waits: %v", err)
		}
	})
}

// An overview is made once for an ETag of the form and a state of its scenarios.
func TestOverviewIsMadeOnceForAnETag(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	tell := func(etag, language string) {
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, _ *http.Request) {
				if etag != "" {
					rw.Header().Set("ETag", etag)
				}
				writeJSON(rw, 200, map[string]any{"id": "ap_1", "languages": map[string]any{"primary": language}})
			}
		})
	}
	read := func() string {
		t.Helper()
		g := b.app("GET", "/bff/api/forms/ap_1/overview", "")
		if g.status != 200 {
			t.Fatalf("%d %s", g.status, g.body)
		}
		languages := regexp.MustCompile(`"languages":\["(\w+)"`).FindStringSubmatch(g.body)
		return strings.Join(slices.Compact(languages[1:]), " ")
	}
	for _, x := range [][3]string{{`"1"`, "en", "en"}, {`"1"`, "de", "en"}, {`"2"`, "de", "de"}, {"", "fr", "fr"}, {"", "en", "en"}} {
		if tell(x[0], x[1]); read() != x[2] {
			t.Errorf("with the ETag %s: not made of %s", x[0], x[2])
		}
	}
	tell(`"2"`, "it")
	if g := b.app("PUT", scenariosPath, scenarioFile("A"), "If-Match", b.app("GET", scenariosPath, "").header.Get("ETag")); g.status >= 300 {
		t.Fatalf("scenarios: %d %s", g.status, g.body)
	}
	if got := read(); got != "it" {
		t.Errorf("with other scenarios: %s", got)
	}
}
