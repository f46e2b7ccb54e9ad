package bff_test

import (
	"context"
	"encoding/json"
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

// tenantOf is a tenant whose forms can be hidden in its list, behind their IDs, or both.
type tenantOf struct {
	mu             sync.Mutex
	listed, gone   []string
	broken         bool // the list cannot be read
	pages, lookups int
}

func (f *tenantOf) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := strings.TrimPrefix(r.URL.EscapedPath(), "/api/v2/forms/")
	switch {
	case r.Header.Get("If-Match") == `"formgraph-asks"`:
		writeJSON(rw, 400, map[string]any{"statusCode": 400})
	case strings.HasSuffix(r.URL.Path, "/forms"):
		f.pages++
		if f.broken {
			writeJSON(rw, 404, map[string]any{"statusCode": 404})
			return
		}
		list := []any{}
		if r.URL.Query().Get("page") == "0" {
			for _, id := range f.listed {
				list = append(list, map[string]any{"id": id})
			}
		}
		writeJSON(rw, 200, list)
	case slices.Contains(f.gone, id):
		f.lookups++
		writeJSON(rw, 404, map[string]any{"statusCode": 404})
	default:
		f.lookups++
		rw.Header().Set("ETag", `"v1"`)
		writeJSON(rw, 200, map[string]any{"id": id, "name": "Mark of " + id, "nodes": []any{}})
	}
}

func (f *tenantOf) set(change func(*tenantOf)) { f.mu.Lock(); defer f.mu.Unlock(); change(f) }

// fill makes everything that can be kept beside a form, and returns the address of a link to it.
func (b *browser) fill(form string) (link string) {
	b.w.t.Helper()
	at := "/bff/api/forms/" + form
	ok := func(g got) got {
		b.w.t.Helper()
		if g.status >= 300 {
			b.w.t.Fatalf("%s: %d %s", form, g.status, g.body)
		}
		return g
	}
	saved := ok(b.app("PATCH", at, `{"name":"Mark"}`))
	room := ok(b.app("POST", at+"/live", `{"saved":`+saved.body+`,"etag":"\"v1\""}`, "X-Tab", form)).part(b.w.t).Room
	ok(b.app("POST", at+"/live", rename(room, 1, 1, "Mark"), "X-Tab", form))
	ok(b.app("POST", at+"/comments", `{"text":"Mark"}`))
	tag := ok(b.app("GET", at+"/scenarios", "")).header.Get("ETag")
	ok(b.app("PUT", at+"/scenarios", scenarioFile("Mark"), "If-Match", tag))
	made := ok(b.app("POST", at+"/links", `{"expires_at":"`+b.w.clock.Now().Add(time.Hour).Format(time.RFC3339)+`"}`))
	var l linkJSON
	if err := json.Unmarshal([]byte(made.body), &l); err != nil {
		b.w.t.Fatal(err)
	}
	return l.URL
}

// left returns the forms of which anything is kept.
func (w *world) left(tenant string) string {
	w.t.Helper()
	forms, err := w.db.Team(tenant).Kept(w.t.Context(), "", 100)
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(forms, " ")
}

// What is kept beside a form that the tenant no longer has goes with it, whoever tells that it is gone.
func TestOrphansAreDeleted(t *testing.T) {
	missing := func(f *tenantOf) func(context.Context, []string) ([]string, error) {
		return func(_ context.Context, forms []string) (gone []string, _ error) {
			f.set(func(f *tenantOf) {
				gone = slices.DeleteFunc(slices.Clone(forms), func(form string) bool { return !slices.Contains(f.gone, form) })
			})
			return gone, nil
		}
	}
	for name, adjust := range map[string]func(c *bff.Config, o *bff.OrphansConfig, f *tenantOf){
		"a tenant that says so":     func(_ *bff.Config, o *bff.OrphansConfig, f *tenantOf) { o.Missing = missing(f) },
		"people at a remote tenant": func(c *bff.Config, _ *bff.OrphansConfig, _ *tenantOf) { c.Remote = true },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.publishing()
			tenant := &tenantOf{listed: []string{"ap_1", "ap_2"}}
			w.orphaned = func(o *bff.OrphansConfig) { adjust(&bff.Config{}, o, tenant) }
			w.adjust = func(c *bff.Config) { adjust(c, &bff.OrphansConfig{}, tenant) }
			w.h = w.handler(w.ic)
			w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
			b := w.browser()
			b.signIn()
			link, other := b.fill("ap_1"), b.fill("ap_2")
			s, _ := b.hears("form=ap_1")
			if err := w.orphans.Sweep(t.Context()); err != nil || w.left("") != "ap_1 ap_2" {
				t.Fatalf("before: %v, kept of %s", err, w.left(""))
			}
			tenant.set(func(f *tenantOf) { f.listed, f.gone = []string{"ap_2"}, []string{"ap_1"} })
			if err := w.orphans.Sweep(t.Context()); err != nil || w.left("") != "ap_2" {
				t.Errorf("after: %v, kept of %s", err, w.left(""))
			}
			e := s.next()
			for e.kind == "saved" { // by fill, told late
				e = s.next()
			}
			if e.kind != "deleted" || e.member("form") != "ap_1" {
				t.Errorf("the stream has %+v, want deleted", e)
			}
			if found, err := w.db.ReadMessages(t.Context(), "form/ap_1", 0, 16); err != nil || slices.ContainsFunc(found, func(m store.Message) bool {
				return strings.Contains(string(m.Data), "Mark")
			}) {
				t.Errorf("messages: %v, %v", found, err)
			}
			if g := w.looks(link); g.status != 404 {
				t.Errorf("the link: %d", g.status)
			}
			if g := w.looks(other); g.status != 200 {
				t.Errorf("the link to another form: %d", g.status)
			}
		})
	}
}

// A form is not gone because somebody does not see it: only if it is neither listed nor found, and the list can be read.
func TestFormsThatAreThereAreKept(t *testing.T) {
	for name, change := range map[string]func(f *tenantOf){
		"hidden behind its ID": func(f *tenantOf) { f.gone = []string{"ap_1"} },
		"hidden in the list":   func(f *tenantOf) { f.listed = nil },
		"no list":              func(f *tenantOf) { f.listed, f.gone, f.broken = nil, []string{"ap_1"}, true },
	} {
		w := remoteWorld(t, false)
		tenant := &tenantOf{listed: []string{"ap_1"}}
		w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
		b := w.browser()
		b.signIn()
		b.fill("ap_1")
		tenant.set(change)
		_ = w.orphans.Sweep(t.Context()) // it may say why it does nothing
		if w.left("") != "ap_1" {
			t.Errorf("%s: kept of %q", name, w.left(""))
		}
	}
}

// While nobody is signed in, a tenant that asks for the tokens of people is not asked. It is as soon as somebody is.
func TestOrphansWaitForSomebody(t *testing.T) {
	w := remoteWorld(t, false)
	tenant := &tenantOf{listed: []string{"ap_1"}}
	w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
	b := w.browser()
	b.signIn()
	b.fill("ap_1")
	b.app("POST", "/bff/logout", "")
	tenant.set(func(f *tenantOf) { f.listed, f.gone, f.pages = nil, []string{"ap_1"}, 0 })
	if err := w.orphans.Sweep(t.Context()); err != nil || w.left("") != "ap_1" || tenant.pages != 0 {
		t.Fatalf("nobody is signed in: %v, %q, %d calls", err, w.left(""), tenant.pages)
	}
	b.signIn()
	b.app("GET", "/bff/api/forms", "")
	if err := w.orphans.Sweep(t.Context()); err != nil || w.left("") != "" {
		t.Errorf("somebody is: %v, %q", err, w.left(""))
	}
}

// A link to a form that is gone leads nowhere at once, before anything is deleted, where the tenant says so to anybody.
func TestLinkToAFormThatIsGone(t *testing.T) {
	w := newWorld(t)
	var gone []string
	w.orphaned = func(o *bff.OrphansConfig) {
		o.Missing = func(context.Context, []string) ([]string, error) { return gone, nil }
	}
	w.h = w.handler(w.ic)
	b := w.browser()
	b.signIn()
	w.withForm(b)
	l := b.link(1, "")
	if g := w.looks(l.URL); g.status != 200 {
		t.Fatalf("%d", g.status)
	}
	gone = []string{"ap_1"}
	if g := w.looks(l.URL); g.status != 404 {
		t.Errorf("the form is gone: %d", g.status)
	}
	// It can still be revoked, by whoever may change forms, and by its author even without that right.
	gone = nil
	second, changes := b.link(1, ""), 400
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			status := 404
			if r.Header.Get("If-Match") == `"formgraph-asks"` {
				status = changes
			}
			writeJSON(rw, status, map[string]any{"statusCode": status})
		}
	})
	other := w.browser()
	other.signInAs("ben", "Ben")
	if g := other.app("DELETE", linksPath+"/"+l.ID, ""); g.status != 204 {
		t.Errorf("revoked by somebody who may change forms: %d %s", g.status, g.body)
	}
	changes = 403
	if g := other.app("DELETE", linksPath+"/"+second.ID, ""); g.status != 403 {
		t.Errorf("revoked by somebody who may not: %d %s", g.status, g.body)
	}
	if g := b.app("DELETE", linksPath+"/"+second.ID, ""); g.status != 204 {
		t.Errorf("revoked by its author: %d %s", g.status, g.body)
	}
}

// Forms that are there but not in what is read of the list do not hide those that are gone.
func TestLongListsHideNoOrphans(t *testing.T) {
	w := remoteWorld(t, false)
	tenant := &tenantOf{gone: []string{"ap_z"}}
	w.bend(func(s *stub) { s.api = tenant.ServeHTTP })
	b := w.browser()
	b.signIn()
	b.app("GET", "/bff/api/forms", "")
	for n := range 60 {
		form := fmt.Sprint("ap_", n)
		if n == 0 {
			form = "ap_z" // the last in the order of the store
		}
		if _, err := w.db.Team("").Settings().Create(t.Context(), store.Document{ID: form, Created: w.clock.Now(), Body: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; strings.Contains(w.left(""), "ap_z"); n++ {
		if err := w.orphans.Sweep(t.Context()); err != nil || n > 1000 {
			t.Fatalf("after %d times the orphan is there, %v", n, err)
		}
	}
}
