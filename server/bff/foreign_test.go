package bff_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/remote"
)

// atRemote is a world whose tenant is of another make.
func atRemote(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.adjust = func(c *bff.Config) {
		c.Remote, c.Upstream = true, remote.NewFlows(remote.NewForms(c.Upstream, nil), w.clock.Now)
	}
	w.h = w.handler(w.ic)
	return w
}

// An id of a remote tenant may have any shape, and is one segment of its path there. What could be read as another path is
// refused before anything is called. The embedded tenant's ids keep their shape.
func TestForeignIDs(t *testing.T) {
	w := atRemote(t)
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 200, map[string]string{"id": "x", "name": "A"})
	}
	b := w.browser()
	b.signIn()
	for segment, want := range map[string]string{
		"ap_1": "ap_1", "auth0%7C65f0c1d2": "auth0%7C65f0c1d2", "urn:x:1": "urn:x:1", "a.b~c": "a.b~c", "%61p_1": "ap_1", "%C3%BC": "%C3%BC",
		"a%20b": "a%20b", "a%3Fb%23c%3B": "a%3Fb%23c%3B", "...": "...", "a+b@c": "a+b@c",
		strings.Repeat("%C3%BC", 128): strings.Repeat("%C3%BC", 128),
	} {
		g := b.app("GET", "/bff/api/forms/"+segment, "")
		if g.status != 200 {
			t.Errorf("%s: got %d %s", segment, g.status, g.body)
			continue
		}
		if got := w.seen[len(w.seen)-1].RequestURI; got != "/api/v2/forms/"+want {
			t.Errorf("%s: called %s", segment, got)
		}
		if g := b.do("GET", "/forms/"+segment, ""); g.status != 200 || g.body != "<shell>" {
			t.Errorf("the page of %s: got %d", segment, g.status)
		}
		embedded := newWorld(t).browser()
		if g := embedded.do("GET", "/forms/"+segment, ""); (g.status == 200) != (segment == "ap_1") {
			t.Errorf("%s at the embedded tenant: got %d", segment, g.status)
		}
	}
	calls := w.called()
	for _, segment := range []string{
		"%2e%2e", "%2E", ".%2e", "a%2Fb", "a%5Cb", "a%00", "a%0d%0aHost:x", "a%7F", "a%C2%85", "%252e%252e%252f", "a%252Fb", "a%25b",
		"%FF", "%C3",
		strings.Repeat("a", 129), strings.Repeat("%C3%BC", 129),
	} {
		for _, method := range []string{"GET", "PATCH", "DELETE"} {
			if g := b.app(method, "/bff/api/forms/"+segment, ""); g.status != 400 || g.code() != "invalid_id" {
				t.Errorf("%s %s: got %d %s", method, segment, g.status, g.body)
			}
		}
		if g := b.do("GET", "/forms/"+segment, ""); g.status != 404 {
			t.Errorf("the page of %s: got %d", segment, g.status)
		}
	}
	if w.called() != calls {
		t.Errorf("%d calls", w.called()-calls)
	}
}

// A sign-in may return to the address of a remote tenant's form, and no escape sequence turns it into another origin or page.
func TestReturnToForeignForm(t *testing.T) {
	w := atRemote(t)
	at := func(given string) string {
		w.clock.Move(100 * time.Millisecond) // callbacks are limited
		b := w.browser()
		g := b.do("GET", w.consent(b.begin("?return_to="+url.QueryEscape(given))), "")
		if g.status != http.StatusSeeOther {
			t.Errorf("%q: got %d", given, g.status)
		}
		return g.header.Get("Location")
	}
	for _, given := range []string{"/forms/auth0%7C1", "/forms/urn:x:1", "/forms/a.b~c?page=2", "/forms/%C3%BC", "/forms/evil.example"} {
		if to := at(given); to != given {
			t.Errorf("%q leads to %q", given, to)
		}
	}
	for _, given := range []string{
		"/forms/%2e%2e", "/forms/a%2Fb", "/forms/%5Cevil.example", "/%2fevil.example", "/%2Fforms", "/forms%2Fx", "/forms/a%0d%0ab",
		"/forms/a%252Fb",
		"/forms/a%zz", "/forms?x=%2F", "/forms/a?x=%0a", "/%66orms", "/forms/%09/evil.example", "/bff%2Flogout",
	} {
		if to := at(given); to != "/" {
			t.Errorf("%q leads to %q", given, to)
		}
	}
	editor, err := url.Parse(w.editor)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range returnTargets() {
		if i%5 != 0 { // each costs a sign-in
			continue
		}
		to, err := editor.Parse(at(x.given))
		if err != nil || to.Host != editor.Host || to.Path != "/" && to.Path != "/forms" && strings.Count(to.Path, "/") != 2 {
			t.Errorf("%q leads to %v, %v", x.given, to, err)
		}
	}
}

// A change that fails at the tenant says what is known about it.
func TestOutcome(t *testing.T) {
	fail := func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusServiceUnavailable) }
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	form := func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 200, map[string]any{"id": "ap_1", "name": "A"})
	}
	for _, x := range []struct {
		name, method string
		remote       bool
		read, change http.HandlerFunc
		outcome      string
	}{
		{"read", "GET", false, cut, nil, ""},
		{"embedded, cut", "PATCH", false, nil, cut, "unknown"},
		{"embedded, failed", "PATCH", false, nil, fail, "unknown"},
		{"not saved", "PATCH", true, form, cut, "not_saved"},
		{"not saved, failed", "PATCH", true, form, fail, "not_saved"},
		{"not deleted", "DELETE", true, form, fail, "not_saved"},
		{"not sent", "PATCH", true, fail, nil, "not_sent"},
		{"new", "POST", true, nil, cut, "unknown"},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			if x.remote {
				w = atRemote(t)
			}
			w.api = func(rw http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					x.read(rw, r)
				} else {
					x.change(rw, r)
				}
			}
			b := w.browser()
			b.signIn()
			target, body := "/bff/api/forms/ap_1", `{"name":"x"}`
			switch x.method {
			case "POST":
				target = "/bff/api/forms"
			case "GET", "DELETE":
				body = ""
			}
			var headers []string
			if x.name == "not sent" {
				headers = []string{"If-Match", `"fg-x"`}
			}
			g := b.app(x.method, target, body, headers...)
			var p struct{ Outcome string }
			err := json.Unmarshal([]byte(g.body), &p)
			if err != nil || g.code() != "upstream_unavailable" || g.status != 502 || p.Outcome != x.outcome {
				t.Errorf("got %d %s, %v", g.status, g.body, err)
			}
		})
	}
}

// A form that is read has a tag, and saving with an old tag is a conflict.
func TestSavingAtATenantWithoutETags(t *testing.T) {
	w := atRemote(t)
	name := "A"
	w.api = func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-Match") != "" {
			t.Error("If-Match was sent")
		}
		if r.Method == http.MethodPatch {
			name += "B"
		}
		writeJSON(rw, 200, map[string]string{"id": "ap_1", "name": name})
	}
	b := w.browser()
	b.signIn()
	old := b.app("GET", "/bff/api/forms/ap_1", "").header.Get("ETag")
	g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"AB"}`, "If-Match", old)
	if tag := g.header.Get("ETag"); g.status != 200 || tag == "" || tag == old {
		t.Errorf("got %d %v", g.status, g.header)
	}
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"C"}`, "If-Match", old); g.status != 412 || g.code() != "conflict" || name != "AB" {
		t.Errorf("got %d %s, the name is %s", g.status, g.body, name)
	}
}

// The list of flows is remembered for the person who read it, and for nobody else.
func TestFlowsOfOnePerson(t *testing.T) {
	w := atRemote(t)
	w.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 200, []any{}) }
	one := w.browser()
	one.signIn()
	w.claims = map[string]any{"sub": "user_2"}
	other := w.browser()
	other.signIn()
	for i, b := range []*browser{one, one, other, one, other} {
		if g := b.app("GET", "/bff/api/flows", ""); g.status != 200 {
			t.Errorf("%d: got %d %s", i, g.status, g.body)
		}
	}
	if w.called() != 2 {
		t.Errorf("%d calls, want one for each person", w.called())
	}
}
