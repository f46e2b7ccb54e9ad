package bff_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/store"
)

// Scopes of the management API.
const (
	toRead   = "read:forms"
	toUpdate = "update:forms"
	toDelete = "delete:forms"
)

// granting is a tenant with one form that grants scopes until they are taken away, whatever the tokens say.
type granting struct {
	form oneForm

	mu    sync.Mutex
	taken []string
	asked int // changes that only asked
}

func (g *granting) take(scopes ...string) { g.mu.Lock(); defer g.mu.Unlock(); g.taken = scopes }

func (g *granting) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	scope := map[string]string{http.MethodGet: toRead, http.MethodPatch: toUpdate, http.MethodDelete: toDelete}[r.Method]
	g.mu.Lock()
	refused := slices.Contains(g.taken, scope)
	only := r.Header.Get("If-Match") == `"formgraph-asks"`
	if only {
		g.asked++
	}
	g.mu.Unlock()
	switch {
	case refused:
		writeJSON(rw, 403, map[string]any{"statusCode": 403, "errorCode": "insufficient_scope"})
	case only:
		writeJSON(rw, 400, map[string]any{"statusCode": 400, "message": "must be an object"})
	case r.Method == http.MethodDelete:
		rw.WriteHeader(http.StatusNoContent)
	default:
		g.form.ServeHTTP(rw, r)
	}
}

// A use is a request of a route, which needs scopes at the tenant, each of them.
type use struct {
	route, path, body string
	headers           []string
	needs             []string
}

// uses returns a request for each route about a form. None of them undoes what another one needs.
func (b *browser) uses(room part, link, comment string) []use {
	const form = "/bff/api/forms/{id}"
	return []use{
		{route: "GET " + form, needs: []string{toRead}},
		{route: "PATCH " + form, body: `{"name":"x"}`, needs: []string{toUpdate}},
		{route: "GET " + form + "/overview", needs: []string{toRead}},
		{route: "GET " + form + "/scenarios", needs: []string{toRead}},
		{route: "PUT " + form + "/scenarios", body: scenarioFile("A"), headers: b.tag("/scenarios"), needs: []string{toUpdate, toRead}},
		{route: "GET " + form + "/sources", needs: []string{toRead}},
		{route: "PUT " + form + "/sources", body: `{"version":1,"sources":{}}`, headers: b.tag("/sources"), needs: []string{toUpdate, toRead}},
		{route: "GET " + form + "/settings", needs: []string{toRead}},
		{route: "PUT " + form + "/settings", body: `{"save_as_you_go":false}`, headers: b.tag("/settings"), needs: []string{toUpdate, toRead}},
		{route: "GET " + form + "/notes", needs: []string{toRead}},
		{route: "PUT " + form + "/notes", body: `{"version":1,"notes":[]}`, headers: b.tag("/notes"), needs: []string{toUpdate, toRead}},
		{route: "GET " + form + "/versions", needs: []string{toRead}},
		{route: "GET " + form + "/versions/{version}", path: form + "/versions/1", needs: []string{toRead}},
		{route: "PATCH " + form + "/versions/{version}", path: form + "/versions/1", body: `{"name":"n"}`, needs: []string{toUpdate, toRead}},
		{route: "GET " + form + "/blame", needs: []string{toRead}},
		{route: "GET " + form + "/live", needs: []string{toRead}},
		{
			route: "POST " + form + "/live", body: rename(room.Room, 1, 1, "x"), headers: []string{"X-Tab", "a"},
			needs: []string{toUpdate, toRead},
		},
		{route: "POST " + form + "/presence", body: `{"node":"s"}`, headers: []string{"X-Tab", "a"}, needs: []string{toRead}},
		{route: "GET " + form + "/comments", needs: []string{toRead}},
		{route: "POST " + form + "/comments", body: `{"text":"t"}`, needs: []string{toRead}},
		{route: "PATCH " + form + "/comments/{comment}", path: form + "/comments/" + comment, body: `{"resolved":true}`, needs: []string{toRead}},
		{route: "GET " + form + "/links", needs: []string{toUpdate, toRead}},
		{
			route: "POST " + form + "/links", body: fmt.Sprintf(`{"expires_at":%q}`, b.w.clock.Now().Add(24*time.Hour).Format(time.RFC3339)),
			needs: []string{toUpdate, toRead},
		},
		// They are last, since they delete what the others use.
		{route: "DELETE " + form + "/links/{link}", path: form + "/links/" + link, needs: []string{toUpdate}},
		{route: "DELETE " + form + "/comments/{comment}", path: form + "/comments/" + comment, needs: []string{toUpdate, toRead}},
		{route: "DELETE " + form, needs: []string{toDelete}},
	}
}

// tag returns the headers of a request that replaces a file of the form.
func (b *browser) tag(file string) []string {
	b.w.t.Helper()
	return []string{"If-Match", b.app("GET", "/bff/api/forms/ap_1"+file, "").header.Get("ETag")}
}

func (b *browser) use(u use) got {
	b.w.t.Helper()
	method, path, _ := strings.Cut(u.route, " ")
	if u.path != "" {
		path = u.path
	}
	return b.app(method, strings.ReplaceAll(path, "{id}", "ap_1"), u.body, u.headers...)
}

// A right that the tenant has taken away works at no route of any replica any more: at once at the embedded tenant, within a minute at others. The
// table has every route about a form.
func TestRightsThatWereTakenAway(t *testing.T) {
	for name, remote := range map[string]bool{"embedded": false, "remote": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			var c bff.Config
			w.adjust = func(of *bff.Config) { of.Remote = remote; c = *of }
			w.h = w.handler(w.ic)
			replicas := []http.Handler{w.h, w.handler(w.ic)}
			ben, ana := w.browser(), w.browser()
			ben.signInAs("ben", "Ben")
			w.withForm(ben)
			room := ben.openRoom("b", "")
			link, comment := ben.link(1, "").ID, ben.comment(`{"text":"a"}`).ID
			tenant := &granting{}
			tenant.form.set("Second")
			w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
			ana.signInAs("ana", "Ana")
			uses := ana.uses(room, link, comment)

			c.Orphans = w.orphans
			all, err := bff.KeptRoutes(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, route := range all {
				if route != "GET /bff/events" && !slices.ContainsFunc(uses, func(u use) bool { return u.route == route }) {
					t.Errorf("no row for %s", route)
				}
			}
			for _, u := range uses {
				for _, w.h = range replicas {
					if strings.HasPrefix(u.route, "DELETE") {
						break
					}
					if g := ana.use(u); g.status >= 300 {
						t.Fatalf("with every right, %s: %d %s", u.route, g.status, g.body)
					}
					u.headers = ana.again(u)
				}
				for _, scope := range u.needs {
					tenant.take(scope)
					if remote {
						w.clock.Move(time.Minute)
					} else if slices.Contains([]string{"GET /bff/api/forms/{id}/live", "POST /bff/api/forms/{id}/presence", "POST /bff/api/forms/{id}/live"}, u.route) {
						w.clock.Move(time.Second) // pages ask often
					}
					for _, w.h = range replicas {
						if g := ana.use(u); g.status != 403 || g.code() != "scope" && g.code() != "not_author" {
							t.Errorf("without %s, %s: %d %s", scope, u.route, g.status, g.body)
						}
					}
					tenant.take()
				}
				if g := ana.use(u); g.status >= 300 && !strings.HasSuffix(u.route, "/live") {
					t.Errorf("with every right again, %s: %d %s", u.route, g.status, g.body)
				}
			}
		})
	}
}

// again returns the headers of the second request of a use.
func (b *browser) again(u use) []string {
	if len(u.headers) > 0 && u.headers[0] == "If-Match" {
		_, path, _ := strings.Cut(u.route, "{id}")
		return b.tag(path)
	}
	return u.headers
}

// A stream ends when the person may no longer read the form, and tells nothing that happened since.
func TestStreamsEndWithTheRight(t *testing.T) {
	for name, remote := range map[string]bool{"embedded": false, "remote": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.adjust = func(c *bff.Config) { c.Remote = remote }
			w.publishing()
			w.h = w.handler(w.ic)
			tenant := &granting{}
			tenant.form.set("A")
			w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
			b := w.browser()
			b.signIn()
			s, _ := b.hears("form=ap_1")
			w.events.Came(store.Presence{Form: "ap_1", Page: "p"})
			if e := s.next(); e.kind != "presence" {
				t.Fatalf("with the right: %+v", e)
			}
			if !remote { // whoever makes the server work too much is asked no later
				b.worksTooMuch()
			}
			tenant.take(toRead)
			w.clock.Move(time.Second)
			if remote {
				w.clock.Move(time.Minute)
			}
			w.events.Came(store.Presence{Form: "ap_1", Page: "q"})
			e := s.next()
			for e.kind == "saved" { // before
				e = s.next()
			}
			if e.kind != "end" || e.member("reason") != "rights" {
				t.Fatalf("without it: %+v, want the end", e)
			}
			if e := s.next(); e.kind != "" {
				t.Errorf("after the end: %+v", e)
			}
		})
	}
}

// An idle stream asks at its heartbeats, and says when the form is gone.
func TestIdleStreamsAskAgain(t *testing.T) {
	for status, reason := range map[int]string{401: "rights", 403: "rights", 404: "deleted", 410: "deleted"} {
		w := newWorld(t)
		w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
		b := w.browser()
		b.signIn()
		s, _ := b.hears("form=ap_1")
		<-s.beats
		w.bend(func(s *stub) {
			s.api = func(rw http.ResponseWriter, _ *http.Request) {
				writeJSON(rw, status, map[string]any{"statusCode": status})
			}
		})
		w.clock.Move(time.Second)
		if e := s.next(); e.kind != "end" || e.member("reason") != reason {
			t.Fatalf("%d: %+v, want the end with reason %s", status, e, reason)
		}
	}
}

// A stream outlives a tenant that does not answer, and does not ask it at every heartbeat.
func TestStreamsSurviveTheTenant(t *testing.T) {
	w := newWorld(t)
	w.restarted(bff.EventsConfig{Heartbeat: time.Millisecond})
	b := w.browser()
	b.signIn()
	s, _ := b.hears("form=ap_1")
	calls := 0
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) {
			w.bend(func(*stub) { calls++ })
			writeJSON(rw, 503, map[string]any{"statusCode": 503})
		}
	})
	w.clock.Move(time.Second)
	for range 20 {
		<-s.beats
	}
	w.bend(func(s *stub) {
		if calls != 1 {
			t.Errorf("asked %d times, want once", calls)
		}
		s.api = nil
	})
	w.clock.Move(time.Minute)
	<-s.beats
	if len(s.events) > 0 {
		t.Errorf("the stream has %+v", s.next())
	}
}

// Pages that edit together at a tenant that is not ours ask it twice a minute, however much they do.
func TestSharedFormsAskSeldom(t *testing.T) {
	w := remoteWorld(t, false)
	tenant := &granting{}
	tenant.form.set("A")
	w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
	b := w.browser()
	b.signIn()
	for i := range 100 {
		if g := b.app("POST", livePath, rename("room", i+1, i+1, "x"), "X-Tab", "a"); g.status != 200 {
			t.Fatalf("%d %s", g.status, g.body)
		}
		w.clock.Move(time.Second / 2)
	}
	if tenant.asked != 2 {
		t.Errorf("asked %d times in 50 seconds, want 2", tenant.asked)
	}
}

// A tenant that fails when it is asked has not taken a right away.
func TestTenantThatFailsWhenItIsAsked(t *testing.T) {
	w := remoteWorld(t, false)
	b := w.browser()
	b.signIn()
	w.withForm(b)
	inner := w.api
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-Match") == `"formgraph-asks"` {
				panic(http.ErrAbortHandler)
			}
			inner(rw, r)
		}
	})
	b.link(1, "")
}
