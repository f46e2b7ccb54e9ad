package bff_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

const (
	livePath     = "/bff/api/forms/ap_1/live"
	presencePath = "/bff/api/forms/ap_1/presence"
)

// part is the answer about a room.
type part struct {
	Room     string
	Number   int
	ETag     string
	Accepted bool
	Closed   bool
	Form     json.RawMessage
	People   []string
	Entries  []struct {
		Number, Serial, Saved int
		Page, Name, ETag      string
	}
}

func (g got) part(t *testing.T) (p part) {
	t.Helper()
	if g.status != 200 {
		t.Fatalf("%d %s", g.status, g.body)
	}
	if err := json.Unmarshal([]byte(g.body), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// rename is an entry that sets the name of the form.
func rename(room string, number, serial int, name string) string {
	return fmt.Sprintf(`{"room":%q,"entry":{"number":%d,"page":"x","serial":%d,"edits":[{"at":"name","to":%q}]}}`, room, number, serial, name)
}

// openRoom opens the room of the form.
func (b *browser) openRoom(tab, instead string) part {
	b.w.t.Helper()
	if b.w.api == nil { // the tenant has the form that is opened
		b.w.api = func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("ETag", "1")
			writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": "A", "nodes": []any{}, "updated_at": "y"})
		}
		defer func() { b.w.api = nil }()
	}
	body := fmt.Sprintf(`{"saved":{"id":"ap_1","name":"A","nodes":[],"updated_at":"x"},"etag":"1","instead":%q}`, instead)
	return b.app("POST", livePath, body, "X-Tab", tab).part(b.w.t)
}

func TestRoom(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", livePath, ""); g.status != 401 {
		t.Errorf("nobody: %d", g.status)
	}
	b.signIn()
	if p := b.app("GET", livePath, "").part(t); !p.Closed {
		t.Errorf("no room yet: %+v", p)
	}
	opened := b.openRoom("a", "")
	if opened.Room == "" || opened.Number != 0 || opened.ETag != "1" || string(opened.Form) != `{"name":"A","nodes":[]}` {
		t.Fatalf("opened: %+v %s", opened, opened.Form)
	}
	if again := b.openRoom("b", ""); again.Room != opened.Room {
		t.Errorf("a second room: %+v", again)
	}
	p := b.app("POST", livePath, rename(opened.Room, 1, 1, "B"), "X-Tab", "a").part(t)
	if !p.Accepted || p.Number != 1 || len(p.Entries) != 1 || p.Entries[0].Page != "a" || p.Entries[0].Name != "Ana" {
		t.Errorf("first entry: %+v", p)
	}
	late := b.app("POST", livePath, rename(opened.Room, 1, 1, "C"), "X-Tab", "b").part(t)
	if late.Accepted || late.Number != 1 || len(late.Entries) != 1 || late.Entries[0].Page != "a" {
		t.Errorf("the same number again: %+v", late)
	}
	if p := b.app("GET", livePath+"?room="+opened.Room+"&after=0", "").part(t); len(p.Entries) != 1 || p.Form != nil {
		t.Errorf("since 0: %+v", p)
	}
	if p := b.app("GET", livePath, "").part(t); string(p.Form) != `{"name":"B","nodes":[]}` || len(p.People) != 1 || p.People[0] != "Ana" {
		t.Errorf("the form: %s by %q", p.Form, p.People)
	}
	// Another process reads the room from the store.
	other := w.handler(w.ic)
	w.h, other = other, w.h
	if p := b.app("POST", livePath, rename(opened.Room, 2, 2, "D"), "X-Tab", "a").part(t); !p.Accepted || p.Number != 2 {
		t.Errorf("at another process: %+v", p)
	}
	w.h = other
	if p := b.app("GET", livePath+"?room="+opened.Room+"&after=1", "").part(t); len(p.Entries) != 1 || p.Number != 2 {
		t.Errorf("at the first one: %+v", p)
	}
	if p := b.app("POST", livePath, rename("other", 3, 3, "E"), "X-Tab", "a").part(t); !p.Closed {
		t.Errorf("a room that is not there: %+v", p)
	}
	if next := b.openRoom("a", opened.Room); next.Room == opened.Room || next.Number != 0 {
		t.Errorf("a room in place of another: %+v", next)
	}
}

func TestRoomRefuses(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	room := b.openRoom("a", "").Room
	for name, tt := range map[string]struct {
		body, tab string
		status    int
		code      string
	}{
		"no page":        {rename(room, 1, 1, "B"), "", 400, "invalid_query"},
		"no entry":       {`{"room":"` + room + `"}`, "a", 400, "invalid_body"},
		"no room":        {rename("", 1, 1, "B"), "a", 400, "invalid_body"},
		"no object":      {`[]`, "a", 400, "invalid_body"},
		"number 0":       {rename(room, 0, 1, "B"), "a", 400, "invalid_body"},
		"the id":         {`{"room":"` + room + `","entry":{"number":1,"serial":1,"edits":[{"at":"id","to":"ap_2"}]}}`, "a", 400, "invalid_body"},
		"the whole form": {`{"room":"` + room + `","entry":{"number":1,"serial":1,"edits":[{"at":"","to":{}}]}}`, "a", 400, "invalid_body"},
		"no such place":  {`{"room":"` + room + `","entry":{"number":1,"serial":1,"edits":[{"at":"nodes[7].id","to":"x"}]}}`, "a", 400, "invalid_body"},
		"too large":      {rename(room, 1, 1, strings.Repeat("x", 4<<20)), "a", 413, "too_large"},
	} {
		headers := []string{"X-Tab", tt.tab}
		if tt.tab == "" {
			headers = nil
		}
		if g := b.app("POST", livePath, tt.body, headers...); g.status != tt.status || g.code() != tt.code {
			t.Errorf("%s: %d %.200s", name, g.status, g.body)
		}
	}
	if g := b.do("POST", livePath, rename(room, 1, 1, "B"), "Content-Type", "application/json", "X-Tab", "a"); g.code() != "csrf" {
		t.Errorf("without the header: %d %s", g.status, g.body)
	}
	if g := b.app("GET", livePath+"?room=x", ""); g.code() != "invalid_query" {
		t.Errorf("half a query: %d %s", g.status, g.body)
	}
	if p := b.app("GET", livePath, "").part(t); p.Number != 0 {
		t.Errorf("a refused entry counts: %+v", p)
	}
	// Somebody who may only read sees the form, and shows what they look at.
	w.scope = "openid read:forms"
	reader := w.browser()
	reader.signIn()
	if g := reader.app("POST", livePath, rename(room, 1, 1, "B"), "X-Tab", "r"); g.status != 403 || g.code() != "scope" {
		t.Errorf("a reader writes: %d %s", g.status, g.body)
	}
	if p := reader.app("GET", livePath, "").part(t); p.Room != room {
		t.Errorf("a reader reads: %+v", p)
	}
	if g := reader.app("POST", presencePath, `{"node":"a"}`, "X-Tab", "r"); g.status != 204 {
		t.Errorf("a reader shows: %d %s", g.status, g.body)
	}
	if g := reader.app("POST", presencePath, `{"node":"`+strings.Repeat("x", 20_000)+`"}`, "X-Tab", "r"); g.status != 413 {
		t.Errorf("a reader shows much: %d %s", g.status, g.body)
	}
}

// Pages are told of each other, and of each other's entries.
func TestPresence(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	first, hello := b.hears("form=ap_1&page=a")
	if hello.member("people") != "" || hello.member("room") != "" {
		t.Errorf("nobody is there: %+v", hello)
	}
	heard := func(s *streamed, kind string, all ...string) told {
		t.Helper()
		for {
			e := s.next()
			if e.kind == "" {
				t.Fatalf("the stream ends before %s", kind)
			}
			fits := e.kind == kind
			for _, text := range all {
				fits = fits && strings.Contains(e.data, text)
			}
			if fits {
				return e
			}
		}
	}
	heard(first, "presence", `"page":"a"`, `"name":"Ana"`, `"edits":true`)
	second, hello := b.hears("form=ap_1&page=b")
	if !strings.Contains(hello.data, `"page":"a"`) || strings.Contains(hello.data, `"page":"b"`) {
		t.Errorf("who is there: %s", hello.data)
	}
	heard(first, "presence", `"page":"b"`)
	if g := b.app("POST", presencePath, `{"node":"n1","edits":false}`, "X-Tab", "b"); g.status != 204 {
		t.Fatalf("%d %s", g.status, g.body)
	}
	heard(first, "presence", `"page":"b"`, `"node":"n1"`, `"edits":true`)
	room := b.openRoom("a", "").Room
	b.app("POST", livePath, rename(room, 1, 1, "B"), "X-Tab", "a").part(t)
	heard(second, "edit", room, `"number":1`, `"at":"name"`)
	b.app("POST", livePath, rename(room, 2, 2, strings.Repeat("x", 60_000)), "X-Tab", "a").part(t)
	if e := heard(second, "edit", `"number":2`); strings.Contains(e.data, "entry") {
		t.Error("the event of a large entry has the entry")
	}
	// A page that connects again before its old stream has ended stays.
	again, hello := b.hears("form=ap_1&page=b&room=" + room)
	if hello.member("room") != room || hello.member("number") != "2" {
		t.Errorf("the room: %s", hello.data)
	}
	second.close()
	heard(first, "presence", `"page":"b"`)
	again.close()
	heard(first, "presence", `"page":"b"`, `"left":true`)
	// The room stays for those who have it, and ends when nobody of them is there.
	first.close()
	for {
		s, hello := b.hears("form=ap_1&page=c&room=" + room)
		others := hello.member("people")
		s.close()
		if others == "" {
			if hello.member("room") != room {
				t.Errorf("the room has ended: %s", hello.data)
			}
			break
		}
	}
	for {
		s, hello := b.hears("form=ap_1&page=d")
		others := hello.member("people")
		s.close()
		if others == "" {
			break
		}
	}
	if p := b.app("GET", livePath, "").part(t); !p.Closed {
		t.Errorf("the room of nobody: %+v", p)
	}
	for _, query := range []string{"form=ap_1&page=", "form=ap_1&page=" + strings.Repeat("x", 65), "form=ap_1&page=a&page=b", "form=ap_1&room=%20"} {
		if query == "form=ap_1&page=" {
			continue // as without
		}
		if s, refused := b.open(query); s != nil || refused.status != 400 {
			t.Errorf("%s: %+v", query, refused)
		}
	}
}

// edits is an entry with edits, as JSON.
func edits(room string, number int, edits string) string {
	return fmt.Sprintf(`{"room":%q,"entry":{"number":%d,"serial":%d,"edits":%s}}`, room, number, number, edits)
}

// A page belongs to the session that opened it, at every process: nobody else shows, edits or leaves in its name, or is taken for it in a save.
func TestPageBelongsToItsSession(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	ana, eve := w.browser(), w.browser()
	ana.signIn()
	eve.signInAs("eve", "Eve")
	stream, _ := ana.hears("form=ap_1&page=a")
	room := ana.openRoom("a", "").Room
	here := w.h
	for _, h := range []http.Handler{here, w.handler(w.ic)} {
		w.h = h
		for name, g := range map[string]got{
			"shows":  eve.app("POST", presencePath, `{"node":"x"}`, "X-Tab", "a"),
			"edits":  eve.app("POST", livePath, rename(room, 1, 1, "E"), "X-Tab", "a"),
			"opens":  eve.app("POST", livePath, `{"saved":{},"etag":"1","instead":"`+room+`"}`, "X-Tab", "a"),
			"enters": eve.app("GET", "/bff/events?form=ap_1&page=a", ""),
		} {
			if g.status != 409 || g.code() != "page_taken" {
				t.Errorf("somebody else %s in the name of the page: %d %s", name, g.status, g.body)
			}
		}
	}
	w.h = here
	// The page is still there, so the room stays when somebody comes who was not in it.
	second, hello := eve.hears("form=ap_1&page=e")
	if !strings.Contains(hello.data, `"page":"a"`) || !strings.Contains(hello.data, `"name":"Ana"`) || hello.member("room") != room {
		t.Errorf("who is there: %s", hello.data)
	}
	if p := ana.app("POST", livePath, rename(room, 1, 1, "B"), "X-Tab", "a").part(t); !p.Accepted {
		t.Errorf("%+v", p)
	}
	// A change by somebody else is not told as one by the page.
	const form = "/bff/api/forms/ap_1"
	for tab, want := range map[string]string{"a": "", "e": "e"} {
		tag := eve.app("GET", form+"/settings", "").header.Get("ETag")
		for kind, g := range map[string]got{
			"saved":    eve.app("PATCH", form, `{"name":"x"}`, "X-Tab", tab),
			"comment":  eve.app("POST", form+"/comments", `{"text":"x"}`, "X-Tab", tab),
			"settings": eve.app("PUT", form+"/settings", `{"save_as_you_go":true}`, "X-Tab", tab, "If-Match", tag),
		} {
			if g.status/100 != 2 {
				t.Fatalf("%s: %d %s", kind, g.status, g.body)
			}
		}
		for kinds := map[string]bool{}; len(kinds) < 3; {
			e := stream.next()
			if e.kind != "saved" && e.kind != "comment" && e.kind != "settings" {
				continue
			}
			kinds[e.kind] = true
			if e.member("tab") != want {
				t.Errorf("%s with the tab %s is told as that of %q", e.kind, tab, e.member("tab"))
			}
		}
	}
	if strings.Contains(ana.all.String()+eve.all.String(), "owner") {
		t.Error("the owner of a page is told")
	}
	second.close()
	// The name of a page that has left stays its own while the room has its entries.
	stream.close()
	for { // until the server has noticed that the stream has ended
		if _, err := w.db.Team("").Presences().Owner(t.Context(), "ap_1", "a", time.Time{}); errors.Is(err, store.ErrNotFound) {
			break
		}
	}
	if g := eve.app("POST", livePath, rename(room, 2, 2, "E"), "X-Tab", "a"); g.code() != "page_taken" {
		t.Errorf("an entry under a name of the room: %d %s", g.status, g.body)
	}
	if p := ana.app("POST", livePath, rename(room, 2, 2, "C"), "X-Tab", "a").part(t); !p.Accepted {
		t.Errorf("%+v", p)
	}
}

// A room takes only what may be a form, within the limits of documents, and says what is wrong.
func TestRoomTakesOnlyForms(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	room := b.openRoom("a", "").Room
	deep := strings.Repeat("[", 50) + strings.Repeat("]", 50)
	long := "a" + strings.Repeat(".a", 20)
	moves := `{"at":"list","to":[` + strings.TrimSuffix(strings.Repeat("0,", 60_000), ",") + `]}` + strings.Repeat(`,{"at":"list[0]","in":0}`, 100)
	for name, tt := range map[string]struct {
		edits  string
		status int
		code   string
		says   string
	}{
		"nodes that are a text": {`[{"at":"nodes","to":"x"}]`, 400, "invalid_body", "nodes must be a list"},
		"a node that is none":   {`[{"at":"nodes","to":[1]}]`, 400, "invalid_body", "nodes[0] must be an object"},
		"an ending":             {`[{"at":"ending","to":1}]`, 400, "invalid_body", "ending must be an object"},
		"a deep place":          {`[{"at":"` + long + `","to":` + deep + `}]`, 400, "invalid_body", "deeper than 64"},
		"many edits":            {`[` + strings.Repeat(`{"at":"a","to":1},`, 20_000) + `{"at":"a","to":1}]`, 413, "too_large", "at most 20000 edits"},
		"much work":             {`[` + moves + `]`, 413, "too_large", "move more than 4194304"},
	} {
		g := b.app("POST", livePath, edits(room, 1, tt.edits), "X-Tab", "a")
		if g.status != tt.status || g.code() != tt.code || !strings.Contains(g.body, tt.says) {
			t.Errorf("%s: %d %.300s", name, g.status, g.body)
		}
	}
	many := `[` + strings.TrimSuffix(strings.Repeat("0,", 150_000), ",") + `]`
	if p := b.app("POST", livePath, edits(room, 1, `[{"at":"a","to":`+many+`}]`), "X-Tab", "a").part(t); !p.Accepted {
		t.Fatalf("%+v", p)
	}
	g := b.app("POST", livePath, edits(room, 2, `[{"at":"b","to":`+many+`}]`), "X-Tab", "a")
	if g.status != 413 || !strings.Contains(g.body, "200000 values") {
		t.Errorf("many values: %d %s", g.status, g.body)
	}
	if p := b.app("POST", livePath, edits(room, 2, `[{"at":"a","to":`+many+`}]`), "X-Tab", "a").part(t); !p.Accepted {
		t.Errorf("in place of the others: %+v", p)
	}
	// The saved form that a room begins with is the tenant's.
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("ETag", `"5"`)
		writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": "A", "updated_at": "x"})
	}
	open := func(saved, etag string) got {
		return b.app("POST", livePath, fmt.Sprintf(`{"saved":%s,"etag":%q,"instead":%q}`, saved, etag, room), "X-Tab", "a")
	}
	for _, tt := range []struct {
		saved, etag string
		status      int
	}{
		{`{"name":"B"}`, `"5"`, 400},
		{`{"name":"A"}`, "", 412},
		{`{"name":"A"}`, `"4"`, 412},
		{`{"name":"A","id":"ap_2"}`, `"5"`, 200},
		{`{"name":"A","id":"ap_2"}`, `W/"5-gzip"`, 200},
	} {
		if g := open(tt.saved, tt.etag); g.status != tt.status {
			t.Errorf("%s as %s: %d %s", tt.saved, tt.etag, g.status, g.body)
		}
	}
}

// What a session may tell and read of shared forms is bounded in bytes.
func TestSharedFormsAreBoundedForEachSession(t *testing.T) {
	w := newWorld(t)
	b, other := w.browser(), w.browser()
	b.signIn()
	other.signInAs("ben", "Ben")
	room := b.openRoom("a", "").Room
	large := strings.Repeat("x", 3<<20)
	told, g := 0, got{}
	for told < 64 {
		told++
		if g = b.app("POST", livePath, rename(room, told, told, large), "X-Tab", "a"); g.status != 200 {
			break
		}
	}
	if g.status != 429 || g.code() != "rate_limited" || !strings.Contains(g.body, "1 MiB") || told < 4 {
		t.Errorf("entry %d of 3 MiB: %d %.200s", told, g.status, g.body)
	}
	if g := b.app("GET", livePath, ""); g.status != 429 {
		t.Errorf("a read after that: %d", g.status)
	}
	// The answer to a page that misses large entries is the form.
	p := other.app("GET", fmt.Sprintf("%s?room=%s&after=0", livePath, room), "").part(t)
	if len(p.Entries) > 0 || len(p.Form) < 3<<20 || p.Number != told-1 {
		t.Errorf("%d entries, a form of %d bytes, number %d after %d", len(p.Entries), len(p.Form), p.Number, told)
	}
	w.clock.Move(time.Minute)
	if g := b.app("GET", livePath, ""); g.status != 200 {
		t.Errorf("a minute later: %d %.200s", g.status, g.body)
	}
}
