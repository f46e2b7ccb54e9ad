package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
)

// jointly is an open joint stream.
type jointly struct {
	*streamed

	b     *browser
	name  string
	owner string
	kept  []told // events of other parts than the one that was asked for
}

// joins opens a joint stream.
func (b *browser) joins(name string) *jointly {
	b.w.t.Helper()
	s, refused := b.open("joint=" + name)
	if s == nil {
		b.w.t.Fatalf("joint stream: %d %s", refused.status, refused.body)
	}
	first := s.next()
	if first.kind != "joined" || first.member("owner") == "" {
		b.w.t.Fatalf("the joint stream begins with %+v", first)
	}
	return &jointly{streamed: s, b: b, name: name, owner: first.member("owner")}
}

// changes adds a part to the joint stream of a name, or removes it if the query is empty, and returns the answer.
func (b *browser) changes(name, part, query string) got {
	b.w.t.Helper()
	body, err := json.Marshal(map[string]string{"stream": name, "part": part, "query": query})
	if err != nil {
		b.w.t.Fatal(err)
	}
	return b.app("POST", "/bff/api/streams", string(body))
}

func (j *jointly) change(part, query string) {
	j.t.Helper()
	if g := j.b.changes(j.name, part, query); g.status != 200 || !strings.Contains(g.body, j.owner) {
		j.t.Fatalf("part %s: %d %s, want the owner of the stream", part, g.status, g.body)
	}
}

// of returns the next event of a part.
func (j *jointly) of(part string) told {
	j.t.Helper()
	for i, e := range j.kept {
		if e.part == part {
			j.kept = append(j.kept[:i:i], j.kept[i+1:]...)
			return e
		}
	}
	for {
		e := j.next()
		if e.part == part || e.kind == "" {
			return e
		}
		j.kept = append(j.kept, e)
	}
}

// adds adds a part, and returns its first event.
func (j *jointly) adds(part, query string) told {
	j.t.Helper()
	j.change(part, query)
	return j.of(part)
}

// until skips the events of a part before one of a kind.
func (j *jointly) until(part, kind string) told {
	j.t.Helper()
	for {
		if e := j.of(part); e.kind == kind || e.kind == "" {
			return e
		}
	}
}

func (b *browser) saves(form, tab string) {
	b.w.t.Helper()
	if g := b.app("PATCH", "/bff/api/forms/"+form, `{"name":"x"}`, "X-Tab", tab); g.status != 200 {
		b.w.t.Fatalf("save: %d %s", g.status, g.body)
	}
}

// A joint stream has the events of its parts, whichever replica is told of them, and no others. A page is present as long as its part is.
func TestJointStream(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	j := b.joins("all")
	w.h = w.handler(w.ic)
	first := j.adds("1", "form=ap_1&page=a")
	if first.kind != "hello" || first.member("etag") != `"v2"` || first.id == 0 {
		t.Fatalf("part 1 begins with %+v", first)
	}
	if e := j.adds("2", "form=ap_2&page=b"); e.kind != "hello" || e.member("people") != "" {
		t.Fatalf("part 2 begins with %+v", e)
	}
	if e := j.adds("3", "form=ap_1&page=c"); e.kind != "hello" || !strings.Contains(e.data, `"page":"a"`) || strings.Contains(e.data, `"page":"b"`) {
		t.Fatalf("part 3 begins with %+v, want who is there", e)
	}
	b.saves("ap_1", "x")
	b.saves("ap_2", "y")
	for part, want := range map[string]string{"1": "x", "2": "y", "3": "x"} {
		if e := j.until(part, "saved"); e.member("tab") != want || e.id <= first.id {
			t.Errorf("part %s: %+v, want the save of %s", part, e, want)
		}
	}
	j.change("1", "")
	for j.until("3", "presence").member("left") == "" { // others who come
		continue
	}
	j.change("1", "") // it is gone already
	b.saves("ap_1", "z")
	if e := j.until("3", "saved"); e.member("tab") != "z" {
		t.Errorf("part 3: %+v", e)
	}
	for _, e := range j.kept {
		if e.part == "1" && e.member("tab") == "z" {
			t.Errorf("the part that was removed has %+v", e)
		}
	}
	// A part continues where the page was.
	if e := j.adds("4", "form=ap_1&page=a&after="+fmt.Sprint(first.id)); e.kind != "hello" || e.member("missed") != "" {
		t.Errorf("part 4 begins with %+v", e)
	}
	if e := j.until("4", "saved"); e.member("tab") != "x" {
		t.Errorf("part 4 continues with %+v", e)
	}
	// The pages leave with the stream.
	other, _ := b.hears("form=ap_1&page=d")
	j.close()
	gone := map[string]bool{}
	for len(gone) < 2 {
		if e := other.next(); e.kind == "" {
			t.Fatalf("only %v have left", gone)
		} else if e.member("left") != "" {
			gone[e.member("page")] = true
		}
	}
}

// Only the session of a joint stream changes and hears it.
func TestJointStreamIsOfItsSession(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	ana, eve, nobody := w.browser(), w.browser(), w.browser()
	ana.signIn()
	eve.signIn()
	hers, other := ana.joins("all"), eve.joins("all")
	if hers.owner == other.owner {
		t.Fatal("two sessions have one owner")
	}
	if g := eve.changes("all", "1", "form=ap_1&page=e"); g.status != 200 || strings.Contains(g.body, hers.owner) {
		t.Errorf("by another session: %d %s", g.status, g.body)
	}
	if e := other.next(); e.kind != "hello" || e.part != "1" {
		t.Errorf("the other session's stream has %+v", e)
	}
	ana.joins("another").change("9", "form=ap_1") // of another stream of hers
	hers.change("2", "form=ap_1&page=a")
	if e := hers.next(); e.part != "2" {
		t.Errorf("her stream has %+v, want only her part", e)
	}
	// The name of a page belongs to one session.
	if e := hers.adds("3", "form=ap_1&page=e"); e.kind != "closed" {
		t.Errorf("with the page of another session, the part begins with %+v", e)
	}
	if g := nobody.changes("all", "1", "form=ap_1"); g.status != 401 {
		t.Errorf("nobody: %d %s", g.status, g.body)
	}
	if _, g := nobody.open("joint=all"); g.status != 401 {
		t.Errorf("nobody's stream: %d %s", g.status, g.body)
	}
	if _, g := ana.open("joint=all", "Sec-Fetch-Site", "cross-site"); g.status != 403 {
		t.Errorf("another site: %d %s", g.status, g.body)
	}
	if g := ana.do("POST", "/bff/api/streams", `{}`); g.status != 403 {
		t.Errorf("without X-CSRF: %d %s", g.status, g.body)
	}
}

// What is malformed is refused before it reaches a stream.
func TestJointStreamIsWellFormed(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	for _, name := range []string{"", "a%20b", "a&form=ap_1", "a/b", strings.Repeat("a", 65)} {
		if _, g := b.open("joint=" + name); g.status != 400 {
			t.Errorf("stream %q: %d %s, want 400", name, g.status, g.body)
		}
	}
	for _, x := range []struct {
		name, part, query string
		status            int
	}{
		{"all", "1", "form=ap_1", 200},
		{"", "1", "form=ap_1", 400},
		{"a/b", "1", "form=ap_1", 400},
		{"all", "", "form=ap_1", 400},
		{"all", "1:2", "form=ap_1", 400},
		{"all", "1", "form=", 400},
		{"all", "1", "page=a", 400},
		{"all", "1", "form=ap_1&form=ap_2", 400},
		{"all", "1", "form=ap_1&page=a b", 400},
		{"all", "1", "form=ap_1&once=1", 400},
		{"all", "1", "joint=all", 400},
		{"all", "1", "form=" + strings.Repeat("a", 5000), 413},
	} {
		if g := b.changes(x.name, x.part, x.query); g.status != x.status {
			t.Errorf("%+v: %d %s", x, g.status, g.body)
		}
	}
	for _, body := range []string{`[]`, `{"stream":1}`, `{`} {
		if g := b.app("POST", "/bff/api/streams", body); g.status != 400 {
			t.Errorf("%s: %d %s, want 400", body, g.status, g.body)
		}
	}
}

// A form that may not be read any more ends its part, and one that may not be read has none. The others continue.
func TestRightsEndAPart(t *testing.T) {
	w := newWorld(t)
	w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
	w.publishing()
	b := w.browser()
	b.signIn()
	j := b.joins("all")
	j.adds("1", "form=ap_1&page=a")
	j.adds("2", "form=ap_2&page=b")
	var status atomic.Int64
	status.Store(403)
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/ap_1") {
				writeJSON(rw, int(status.Load()), map[string]any{})
				return
			}
			writeJSON(rw, 200, map[string]any{"id": "ap_2"})
		}
	})
	w.clock.Move(time.Minute)
	if e := j.until("1", "end"); e.member("reason") != "rights" {
		t.Errorf("part 1: %+v, want its end", e)
	}
	if e := j.of("1"); e.kind != "closed" {
		t.Errorf("part 1, after its end: %+v", e)
	}
	for i, code := range []int64{403, 404, 500} {
		status.Store(code)
		if e := j.adds(fmt.Sprint("again-", i), "form=ap_1&page=a"); e.kind != "closed" {
			t.Errorf("the tenant answers %d: the part begins with %+v", code, e)
		}
	}
	b.saves("ap_2", "last")
	if e := j.until("2", "saved"); e.member("tab") != "last" {
		t.Errorf("part 2: %+v", e)
	}
}

// The end of the session ends all parts, says so to each, and ends the stream, even one without parts.
func TestJointStreamEndsWithTheSession(t *testing.T) {
	for name, parts := range map[string]int{"with parts": 3, "without": 0} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
			b := w.browser()
			b.signIn()
			j := b.joins("all")
			for i := range parts {
				j.adds(fmt.Sprint(i), "form=ap_1")
			}
			<-j.beats
			b.app("POST", "/bff/logout", "")
			for i := range parts {
				if e := j.until(fmt.Sprint(i), "end"); e.member("reason") != "session" {
					t.Errorf("part %d: %+v, want its end", i, e)
				}
			}
			for e := j.next(); e.kind != ""; e = j.next() {
				if e.kind != "end" && e.kind != "closed" {
					t.Errorf("after the end: %+v", e)
				}
			}
		})
	}
}

// A joint stream and its parts count as streams of the session, and a part that ends makes room.
func TestPartsAreLimited(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	j := b.joins("all")
	for i := range 19 {
		if e := j.adds(fmt.Sprint(i), "form=ap_1"); e.kind != "hello" {
			t.Fatalf("part %d begins with %+v", i, e)
		}
	}
	if e := j.adds("more", "form=ap_1"); e.kind != "closed" {
		t.Errorf("one more begins with %+v", e)
	}
	if _, g := b.open("form=ap_1"); g.status != 429 {
		t.Errorf("a stream of its own: %d", g.status)
	}
	j.change("7", "")
	for n := 0; ; n++ { // the part ends at the same time
		if e := j.adds(fmt.Sprint("next-", n), "form=ap_1"); e.kind == "hello" {
			break
		} else if e.kind != "closed" {
			t.Fatalf("after one has ended: %+v", e)
		}
	}
	j.close()
	for range j.events {
		continue
	}
	for {
		if s, g := b.open("form=ap_2"); s != nil {
			break
		} else if g.status != 429 {
			t.Fatalf("after all have ended: %d %s", g.status, g.body)
		}
	}
}

// At a shutdown, a joint stream ends at once.
func TestJointStreamEndsAtShutdown(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	j := b.joins("all")
	j.adds("1", "form=ap_1")
	w.events.End()
	for e := j.next(); e.kind != ""; e = j.next() {
		if e.kind != "closed" {
			t.Errorf("it tells %+v, want its end", e)
		}
	}
	if _, g := b.open("joint=all"); g.status != 503 {
		t.Errorf("a new one: %d, want 503", g.status)
	}
}
