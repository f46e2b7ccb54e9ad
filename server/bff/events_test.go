package bff_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// told is one event of a stream.
type told struct {
	id         int64
	kind, data string
	part       string // of a joint stream
}

// member returns a member of the event's data.
func (e told) member(name string) string {
	var all map[string]any
	if json.Unmarshal([]byte(e.data), &all) != nil || all[name] == nil {
		return ""
	}
	return fmt.Sprint(all[name])
}

// streamed is an open stream. Its events arrive in the channel, which is closed at its end.
type streamed struct {
	t      *testing.T
	header http.Header
	events chan told
	beats  chan struct{} // filled by beats
	close  func()
}

// open opens a stream as EventSource does, or returns the refusal.
func (b *browser) open(query string, headers ...string) (*streamed, got) {
	b.w.t.Helper()
	ctx, cancel := context.WithCancel(b.w.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.w.editor+"/bff/events?"+query, nil)
	if err != nil {
		b.w.t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Accept", "text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.client.Do(r) //nolint:bodyclose // closed at the end of the stream
	if err != nil {
		b.w.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		defer cancel()
		defer res.Body.Close() //nolint:errcheck // it has only been read
		body, _ := io.ReadAll(res.Body)
		return nil, got{res.StatusCode, res.Header, string(body)}
	}
	s := &streamed{b.w.t, res.Header, make(chan told, 100), make(chan struct{}, 1), cancel}
	b.w.t.Cleanup(cancel)
	go func() {
		defer close(s.events)
		defer res.Body.Close() //nolint:errcheck // the stream has ended
		s.read(res.Body)
	}()
	return s, got{status: res.StatusCode}
}

// read reads the events, as the HTML standard describes their format.
func (s *streamed) read(from io.Reader) {
	var e told
	for lines := bufio.NewScanner(from); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			if of, rest, ok := strings.Cut(value, ":"); ok {
				e.part, value = of, rest
			}
			e.id, _ = strconv.ParseInt(value, 10, 64)
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "retry":
			if n, err := strconv.Atoi(value); err != nil || n < 1000 || n > 4000 {
				s.t.Errorf("retry: %s, want 1 to 4 seconds", value)
			}
		case "":
			switch e.kind {
			case "":
			case "beat":
				if e.id != 0 {
					s.t.Error("a beat has an id, after which the browser would continue")
				}
				select {
				case s.beats <- struct{}{}:
				default:
				}
			default:
				s.events <- e
			}
			e = told{}
		default:
			s.t.Errorf("line %q", lines.Text())
		}
	}
}

// next returns the next event, or one without a kind at the end of the stream.
func (s *streamed) next() told {
	s.t.Helper()
	select {
	case e := <-s.events:
		return e
	case <-time.After(waittest.Limit(time.Minute)):
		s.t.Fatal("no event")
		return told{}
	}
}

// hears opens a stream of a form and reads its first event.
func (b *browser) hears(query string, headers ...string) (*streamed, told) {
	b.w.t.Helper()
	s, refused := b.open(query, headers...)
	if s == nil {
		b.w.t.Fatalf("stream of %s: %d %s", query, refused.status, refused.body)
	}
	hello := s.next()
	if hello.kind != "hello" {
		b.w.t.Fatalf("the stream begins with %+v", hello)
	}
	return s, hello
}

// publishing runs the world's events until the test ends.
func (w *world) publishing() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { w.events.Run(ctx) })
	w.t.Cleanup(func() { cancel(); running.Wait() })
}

// A save and a deletion are told to everybody who has the form open, with who made them, and to nobody else.
func TestSavesAreTold(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	ana, ben := w.browser(), w.browser()
	ana.signIn()
	w.claims = map[string]any{"sub": "user_2", "name": "Ben"}
	ben.signIn()
	own, hello := ana.hears("form=ap_1")
	other, _ := ben.hears("form=ap_1")
	elsewhere, _ := ben.hears("form=ap_2")
	if hello.member("etag") != `"v2"` || hello.member("missed") != "" || hello.id == 0 {
		t.Errorf("the stream begins with %+v, want the form's ETag", hello)
	}
	if h := own.header; h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store, no-transform" ||
		h.Get("X-Accel-Buffering") != "no" {
		t.Errorf("the headers are %v", h)
	}
	w.api = func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("ETag", `"v3"`)
		if r.Method == http.MethodDelete {
			rw.Header().Del("ETag")
			rw.WriteHeader(http.StatusNoContent)
			return
		}
		writeJSON(rw, 200, json.RawMessage(`{"id":"ap_1","updated_at":"2026-03-01T12:00:00.001Z"}`))
	}
	if g := ana.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", "tab-1"); g.status != 200 {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	want := `{"form":"ap_1","etag":"\"v3\"","updated_at":"2026-03-01T12:00:00.001Z","name":"Ana","sub":"user_1","tab":"tab-1"}`
	streams := map[string]*streamed{"her own": own, "his": other}
	for name, s := range streams { // before the form is deleted, and what was told of it is forgotten
		if e := s.next(); e.kind != "saved" || e.data != want || e.id <= hello.id {
			t.Errorf("%s stream: %+v, want saved with %s", name, e, want)
		}
	}
	ana.app("DELETE", "/bff/api/forms/ap_1", "")
	ana.app("PATCH", "/bff/api/forms/ap_2", `{"name":"x"}`)
	for name, s := range streams {
		if e := s.next(); e.kind != "deleted" || e.data != `{"form":"ap_1","name":"Ana","sub":"user_1"}` {
			t.Errorf("%s stream: %+v, want deleted", name, e)
		}
		if len(s.events) > 0 {
			t.Errorf("%s stream has more: %+v", name, s.next())
		}
	}
	if e := elsewhere.next(); e.member("form") != "ap_2" {
		t.Errorf("the stream of another form: %+v", e)
	}
}

// Only what has been saved is told.
func TestRefusedSavesAreNotTold(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	s, _ := b.hears("form=ap_1")
	for _, status := range []int{400, 412, 500} {
		w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, status, map[string]any{}) }
		b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
		b.app("DELETE", "/bff/api/forms/ap_1", "")
	}
	w.api = nil
	b.app("GET", "/bff/api/forms/ap_1", "")
	for _, tab := range []string{"a b", strings.Repeat("a", 65), "ä", `"`} {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", tab); g.status != 400 {
			t.Errorf("tab %q: %d, want 400", tab, g.status)
		}
	}
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", "last")
	if e := s.next(); e.member("tab") != "last" {
		t.Errorf("told %+v, want only the last save", e)
	}
}

// A stream continues after the last event that the browser has seen, and says if events may be missing.
func TestStreamsResume(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	first, hello := b.hears("form=ap_1")
	save := func(tab string) {
		t.Helper()
		if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", tab); g.status != 200 {
			t.Fatal(g.body)
		}
	}
	save("1")
	at := first.next().id
	first.close()
	for i := range 20 { // more than is read at once
		save(fmt.Sprint("later-", i))
	}
	last := func(n int64) []string { return []string{"Last-Event-ID", strconv.FormatInt(n, 10)} }
	for name, x := range map[string]struct {
		query   string
		headers []string
		tab     string
		missed  bool
	}{
		"by the header":           {"form=ap_1", last(at), "later-0", false},
		"by the query":            {"form=ap_1&after=" + fmt.Sprint(at), nil, "later-0", false},
		"the header counts":       {"form=ap_1&after=7", last(at), "later-0", false},
		"from the first event":    {"form=ap_1", last(hello.id), "1", false},
		"from long ago":           {"form=ap_1", last(w.clock.Now().Add(-2 * time.Hour).UnixMicro()), "", true},
		"from the future":         {"form=ap_1", last(w.clock.Now().Add(2 * time.Hour).UnixMicro()), "", true},
		"without the last events": {"form=ap_1", nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s, hello := b.hears(x.query, x.headers...)
			defer s.close()
			if missed := hello.member("missed") == "true"; missed != x.missed {
				t.Errorf("the stream begins with %+v, want missed: %v", hello, x.missed)
			}
			if x.tab == "" {
				if len(s.events) > 0 {
					t.Errorf("the stream continues with %+v", s.next())
				}
				return
			}
			if e := s.next(); e.member("tab") != x.tab {
				t.Errorf("the stream continues with %+v, want %s", e, x.tab)
			}
			for e := s.next(); e.member("tab") != "later-19"; {
				e = s.next()
			}
		})
	}
}

// A stream needs a session, our own page and a form that the tenant lets the person read.
func TestStreamsAreRefused(t *testing.T) {
	w := newWorld(t)
	stranger, b := w.browser(), w.browser()
	b.signIn()
	if _, g := stranger.open("form=ap_1"); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("without a session: %d %s", g.status, g.body)
	}
	for query, headers := range map[string][]string{
		"form=ap_1":   {"Sec-Fetch-Site", "cross-site"},
		"form=ap_1&":  {"Sec-Fetch-Site", "same-site"},
		"&form=ap_1":  {"Origin", "https://evil.example"},
		"form=ap_1&&": {"Origin", "null"},
	} {
		if _, g := b.open(query, headers...); g.status != 403 || g.code() != "csrf" {
			t.Errorf("%v: %d %s, want 403 csrf", headers, g.status, g.body)
		}
	}
	for _, query := range []string{
		"", "form=", "form=a/b", "form=..", "form=%2e%2e%2fusers", "form=a%00", "form=ap_1&form=ap_2", "form=ap_1&x=1", "form=ap_1&after=x",
		"form=ap_1&after=-1", "form=ap_1&after=1&after=2", "form=" + strings.Repeat("a", 31), "form=%zz",
	} {
		if _, g := b.open(query); g.status != 400 {
			t.Errorf("%q: %d %s, want 400", query, g.status, g.body)
		}
	}
	if _, g := b.open("form=ap_1", "Last-Event-ID", "one"); g.status != 400 {
		t.Errorf("a malformed last event: %d, want 400", g.status)
	}
	if g := b.do("HEAD", "/bff/events?form=ap_1", ""); g.status != 405 {
		t.Errorf("HEAD: %d, want 405", g.status)
	}
	before := w.called()
	if before != 0 {
		t.Errorf("the tenant was called %d times for refused streams", before)
	}
	for status, want := range map[int]int{404: 404, 403: 403, 401: 403, 500: 502, 429: 429} {
		w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, status, map[string]any{}) }
		_, g := b.open("form=ap_1")
		if status == 401 {
			want = g.status // by the refresh that a 401 causes
		}
		if g.status != want || g.status < 400 {
			t.Errorf("the tenant answers %d: %d %s, want %d", status, g.status, g.body, want)
		}
	}
}

// The rules of a service client decide who may hear of forms.
func TestStreamsFollowTheRules(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{View: subjectRule()})
	b := w.browser()
	b.arrive()
	s, _ := b.hears("form=ap_1")
	s.close()
	w.claims = map[string]any{"sub": "user_9"}
	other := w.browser()
	other.arrive()
	called := w.called()
	if _, g := other.open("form=ap_1"); g.status != 403 && g.status != 401 {
		t.Errorf("a person whom no rule lets in: %d %s", g.status, g.body)
	}
	if w.called() != called {
		t.Error("the tenant was asked for a person whom no rule lets in")
	}
}

// The id of a foreign tenant may have any shape: the stream and the save agree on it.
func TestStreamsOfForeignIDs(t *testing.T) {
	w := atRemote(t)
	w.publishing()
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 200, map[string]string{"id": "x", "name": "A"})
	}
	b := w.browser()
	b.signIn()
	for _, id := range []string{"auth0|65", "a.b~c d", strings.Repeat("ü", 128)} {
		s, hello := b.hears("form=" + url.QueryEscape(id))
		if hello.member("etag") == "" {
			t.Errorf("%s: no ETag in %+v", id, hello)
		}
		if g := b.app("PATCH", "/bff/api/forms/"+url.PathEscape(id), `{"name":"A"}`); g.status != 200 {
			t.Fatalf("%s: %d %s", id, g.status, g.body)
		}
		if e := s.next(); e.kind != "saved" || e.member("form") != id || e.member("etag") == "" {
			t.Errorf("%s: told %+v", id, e)
		}
		s.close()
	}
}

// restarted replaces the handler by one whose streams beat often.
func (w *world) restarted(c bff.EventsConfig) {
	c.Now, c.Log = w.clock.Now, w.events.Log
	if c.Messages == nil {
		c.Messages = w.db
	}
	w.events = bff.NewEvents(c)
	w.h = w.handler(w.ic)
}

// A stream ends with its session, however that ends, and does not prolong it.
func TestStreamsEndWithTheSession(t *testing.T) {
	for name, end := range map[string]func(w *world, b *browser){
		"logout": func(_ *world, b *browser) { b.app("POST", "/bff/logout", "") },
		"logout at another replica": func(w *world, b *browser) {
			w.h = w.handler(w.ic)
			b.app("POST", "/bff/logout", "")
		},
		"back-channel logout": func(w *world, _ *browser) { w.tell(w.logoutToken(nil)) },
		"idle":                func(w *world, _ *browser) { w.clock.Move(61 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
			w.claims = map[string]any{"sid": "sid_1"}
			b := w.browser()
			b.signIn()
			s, _ := b.hears("form=ap_1")
			w.clock.Move(30 * time.Minute)
			<-s.beats
			<-s.beats
			end(w, b)
			if e := s.next(); e.kind != "end" || e.member("reason") != "session" {
				t.Errorf("the stream continues with %+v, want its end", e)
			}
			if e := s.next(); e.kind != "" {
				t.Errorf("the stream continues after its end with %+v", e)
			}
		})
	}
}

// While the sessions cannot be read, a stream stays open.
func TestStreamsSurviveTheStore(t *testing.T) {
	w := newWorld(t)
	w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
	w.publishing()
	b := w.browser()
	b.signIn()
	s, _ := b.hears("form=ap_1")
	w.rows.down.Store(true)
	for range 3 {
		<-s.beats
	}
	w.rows.down.Store(false)
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
	if e := s.next(); e.kind != "saved" {
		t.Errorf("then it tells %+v", e)
	}
}

// A session has a limited number of streams, and each that ends makes room. Other sessions have their own.
func TestStreamsAreLimited(t *testing.T) {
	w := newWorld(t)
	b, other := w.browser(), w.browser()
	b.signIn()
	other.signIn()
	var open []*streamed
	for range 20 {
		s, _ := b.hears("form=ap_1")
		open = append(open, s)
	}
	_, g := b.open("form=ap_2")
	if g.status != 429 || g.code() != "rate_limited" || g.header.Get("Retry-After") != "30" {
		t.Errorf("stream 21: %d %s %v, want 429 with Retry-After", g.status, g.body, g.header)
	}
	other.hears("form=ap_2")
	open[7].close()
	for range open[7].events {
		continue
	}
	for {
		if s, g := b.open("form=ap_2"); s != nil {
			break
		} else if g.status != 429 {
			t.Fatalf("after one has ended: %d %s", g.status, g.body)
		}
	}
}

// The streams of all sessions together are limited, too.
func TestProcessHasLimitedStreams(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	w.events.Fill()
	if _, g := b.open("form=ap_1"); g.status != 429 || g.code() != "busy" || g.header.Get("Retry-After") != "30" {
		t.Errorf("%d %s %v, want 429 with Retry-After", g.status, g.body, g.header)
	}
}

// At a shutdown, streams end at once and no new one begins.
func TestStreamsEndAtShutdown(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	s, _ := b.hears("form=ap_1")
	w.events.End()
	if e := s.next(); e.kind != "" {
		t.Errorf("the stream tells %+v, want its end", e)
	}
	if _, g := b.open("form=ap_1"); g.status != 503 || g.header.Get("Retry-After") == "" {
		t.Errorf("a new stream: %d %s, want 503", g.status, g.body)
	}
}

// flaky is a store of messages that fails for a while.
type flaky struct {
	store.Messages

	mu       sync.Mutex
	failures int
	tried    []string
}

func (f *flaky) Publish(ctx context.Context, m store.Message, now time.Time) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tried = append(f.tried, told{data: string(m.Data)}.member("tab"))
	if f.failures--; f.failures >= 0 {
		return 0, store.ErrUnavailable
	}
	return f.Messages.Publish(ctx, m, now)
}

// Events that cannot be published are tried again in their order, and those that wait at a shutdown are published before its end.
func TestEventsArePublishedInOrder(t *testing.T) {
	w := newWorld(t)
	f := &flaky{Messages: w.db, failures: 2}
	var mu sync.Mutex
	var counted []string
	w.restarted(bff.EventsConfig{Messages: f, Observe: func(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
		return ctx, func(outcome string) {
			mu.Lock()
			defer mu.Unlock()
			counted = append(counted, fmt.Sprint(k, " ", detail, " ", outcome))
		}
	}})
	b := w.browser()
	b.signIn()
	s, _ := b.hears("form=ap_1")
	for _, tab := range []string{"1", "2", "3"} {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`, "X-Tab", tab); g.status != 200 {
			t.Fatalf("a save with a store of messages that fails: %d", g.status)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	w.events.Run(ended)
	for _, tab := range []string{"1", "2", "3"} {
		if e := s.next(); e.member("tab") != tab {
			t.Errorf("told %+v, want %s", e, tab)
		}
	}
	if want := []string{"1", "1", "1", "2", "3"}; !slices.Equal(f.tried, want) {
		t.Errorf("tried %q, want %q", f.tried, want)
	}
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`)
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"event saved published", "event saved sent", "event saved dropped"} {
		if !slices.Contains(counted, want) {
			t.Errorf("counted %q, want %q among them", counted, want)
		}
	}
}

// stuck is a connection whose client does not read: writes end at the deadline.
type stuck struct {
	*httptest.ResponseRecorder

	deadline time.Time
	writes   int
}

func (s *stuck) SetWriteDeadline(at time.Time) error {
	s.deadline = at
	return nil
}

func (s *stuck) FlushError() error {
	if s.writes++; s.writes > 1 && !s.deadline.IsZero() {
		return errors.New("deadline exceeded")
	}
	return nil
}

// A client that does not read is cut off, by a deadline of each write; between writes there is none.
func TestClientThatDoesNotReadIsCutOff(t *testing.T) {
	w := newWorld(t)
	w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
	b := w.browser()
	b.signIn()
	at, err := url.Parse(w.editor)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/bff/events?form=ap_1", nil)
	for _, c := range b.client.Jar.Cookies(at) {
		r.AddCookie(c)
	}
	s, began := &stuck{ResponseRecorder: httptest.NewRecorder()}, time.Now()
	w.h.ServeHTTP(s, r)
	if s.writes != 2 || s.deadline.Before(began.Add(10*time.Second)) || s.deadline.After(time.Now().Add(10*time.Second)) {
		t.Errorf("the stream ended after %d writes with the deadline %v, want 2 and ten seconds", s.writes, s.deadline)
	}
}
