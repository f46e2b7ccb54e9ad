package bff_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

const versionsPath = "/bff/api/forms/ap_1/versions"

// oneForm is a tenant with one form, whose saves take a second each.
type oneForm struct {
	mu      sync.Mutex
	content map[string]any
	saves   int
	dateless,
	gone bool
}

func (f *oneForm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.gone:
		writeJSON(w, 404, map[string]any{})
		return
	case r.Method == http.MethodDelete:
		f.gone = true
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, 200, f.answer())
}

// answer returns the form as the tenant sends it.
func (f *oneForm) answer() map[string]any {
	out := map[string]any{"id": "ap_1", "nodes": []any{}}
	maps.Copy(out, f.content)
	if !f.dateless {
		out["created_at"], out["updated_at"] = "2026-03-01T11:00:00Z", savedAt(f.saves)
	}
	return out
}

// savedAt returns the date of a save.
func savedAt(n int) string {
	return time.Date(2026, 3, 1, 11, 0, n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
}

// set changes the form as somebody elsewhere does.
func (f *oneForm) set(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.content, f.saves = map[string]any{"name": name}, f.saves+1
}

// serving makes a form the answer to all calls of the management API.
func (w *world) serving(f *oneForm) {
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPatch || r.Method == http.MethodPost {
				s.mu.Lock()
				body := s.bodies[len(s.bodies)-1]
				s.mu.Unlock()
				var given map[string]any
				if err := json.Unmarshal([]byte(body), &given); err != nil {
					writeJSON(rw, 400, map[string]any{"message": "The body must be an object"})
					return
				}
				f.mu.Lock()
				f.content, f.saves = given, f.saves+1
				f.mu.Unlock()
			}
			f.ServeHTTP(rw, r)
		}
	})
}

// version is a version in an answer.
type version struct {
	Version int            `json:"version"`
	SavedAt string         `json:"saved_at"`
	Author  string         `json:"author"`
	Summary string         `json:"summary"`
	Note    string         `json:"note"`
	Name    string         `json:"name"`
	Form    map[string]any `json:"form"`
}

// versions returns the versions of a form, newest first, in words.
func (b *browser) versions(path string) string {
	b.w.t.Helper()
	g := b.app("GET", path, "")
	var list []version
	if err := json.Unmarshal([]byte(g.body), &list); err != nil || g.status != 200 || g.header.Get("Content-Type") != "application/json" {
		b.w.t.Fatalf("%s: %d %s", path, g.status, g.body)
	}
	var words []string
	for _, v := range list {
		words = append(words, strings.TrimSpace(fmt.Sprintf("%d by %s", v.Version, v.Author)))
	}
	return strings.Join(words, ", ")
}

// Every save is a version, with its author, its date and what changed, and can be read as it was.
func TestVersions(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{}
	w.serving(f)
	b := w.browser()
	if g := b.app("GET", versionsPath, ""); g.status != 401 {
		t.Errorf("nobody: %d %s", g.status, g.body)
	}
	b.signIn()
	if g := b.app("POST", "/bff/api/forms", `{"name":"A"}`); g.status != 200 {
		t.Fatalf("create: %d %s", g.status, g.body)
	}
	for _, name := range []string{"B", "B", "C"} {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", fmt.Sprintf(`{"name":%q}`, name)); g.status != 200 {
			t.Fatalf("save: %d %s", g.status, g.body)
		}
	}
	if got := b.versions(versionsPath); got != "3 by Ana, 2 by Ana, 1 by Ana" {
		t.Errorf("versions: %s", got)
	}
	first := `{"version":1,"saved_at":"` + savedAt(1) + `","author":"Ana","summary":"","note":"","name":""`
	second := `{"version":2,"saved_at":"` + savedAt(2) + `","author":"Ana","summary":"Name is now “B”","note":"","name":""`
	for query, want := range map[string]string{
		"?per_page=1&page=1":                     "[" + second + "}]",
		"?per_page=1&page=2&include_totals=true": `{"start":2,"limit":1,"total":3,"versions":[` + first + "}]}",
		"?page=1":                                "[]",
		"/1":                                     first + `,"form":{"id":"ap_1","name":"A","nodes":[]}}`,
	} {
		if g := b.app("GET", versionsPath+query, ""); g.status != 200 || g.body != want {
			t.Errorf("%s: %d %s\nwant %s", query, g.status, g.body, want)
		}
	}
	for path, want := range map[string]int{
		"?per_page=0": 400, "?per_page=101": 400, "?page=true": 400, "?include_totals=1": 400, "?q=a": 400, "/1?page=1": 400,
		"/4": 404, "/0": 404, "/01": 404, "/-1": 404, "/x": 404, "/99999999999": 404, "/": 404, "/1/2": 404,
	} {
		code := map[int]string{400: "invalid_query", 404: "not_found"}[want]
		if g := b.app("GET", versionsPath+path, ""); g.status != want || g.code() != code {
			t.Errorf("%s: %d %s, want %d %s", path, g.status, g.body, want, code)
		}
	}
	if g := b.app("DELETE", versionsPath+"/1", ""); g.status != 405 || g.header.Get("Allow") != "GET, PATCH" {
		t.Errorf("DELETE: %d %s", g.status, g.body)
	}
	if g := b.do("GET", versionsPath, ""); g.status != 403 || g.code() != "csrf" {
		t.Errorf("without the header: %d %s", g.status, g.body)
	}
}

// A version names those whose edits somebody else has saved.
func TestVersionsNameThoseWhoEdited(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{content: map[string]any{"name": "A"}}
	w.serving(f)
	ana := w.browser()
	ana.signIn()
	room, n := ana.openRoom("a", "").Room, 0
	edit := func(b *browser, page string) {
		t.Helper()
		n++
		if p := b.app("POST", livePath, rename(room, n, n, fmt.Sprint(n)), "X-Tab", page).part(t); !p.Accepted {
			t.Fatalf("%+v", p)
		}
	}
	save := func(want string) {
		t.Helper()
		if g := ana.app("PATCH", "/bff/api/forms/ap_1", fmt.Sprintf(`{"name":"%d"}`, n)); g.status != 200 {
			t.Fatalf("save: %d %s", g.status, g.body)
		}
		if got, _, _ := strings.Cut(ana.versions(versionsPath), ","); got != want {
			t.Errorf("the last version is %q, want %q", got, want)
		}
	}
	edit(ana, "a")
	save("2 by Ana")
	for i, name := range []string{"Ben", "Cem", "Dan"} {
		b := w.browser()
		b.signInAs(name, name)
		edit(b, name)
		save([]string{"3 by Ana with Ben", "4 by Ana with Cem and Ben", "5 by Ana with 3 others"}[i])
	}
	n++
	told := fmt.Sprintf(`{"room":%q,"entry":{"number":%d,"page":"x","serial":%d,"edits":[],"etag":"9"}}`, room, n, n)
	if p := ana.app("POST", livePath, told, "X-Tab", "a").part(t); !p.Accepted {
		t.Fatalf("%+v", p)
	}
	edit(ana, "a")
	save("6 by Ana")
}

// What was saved elsewhere is a version of nobody, noticed when the form is read, and those who may not read a form do not read its versions.
func TestVersionsSavedElsewhere(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{content: map[string]any{"name": "A"}}
	w.serving(f)
	b := w.browser()
	b.signIn()
	if got := b.versions(versionsPath); got != "1 by" {
		t.Errorf("a form that was there before: %s", got)
	}
	f.set("B")
	b.app("GET", "/bff/api/forms/ap_1", "")
	f.set("C")
	b.app("GET", "/bff/api/forms/ap_1/scenarios", "")
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"D"}`)
	f.set("E")
	if got := b.versions(versionsPath); got != "5 by, 4 by Ana, 3 by, 2 by, 1 by" {
		t.Errorf("versions: %s", got)
	}
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 204 {
		t.Fatalf("delete: %d %s", g.status, g.body)
	}
	for _, path := range []string{"", "/1"} {
		if g := b.app("GET", versionsPath+path, ""); g.status != 404 || g.code() != "not_found" || !strings.Contains(g.body, "no such form") {
			t.Errorf("of a deleted form: %d %s", g.status, g.body)
		}
	}
	if err := w.kept.Wait(t.Context(), "ap_1"); err != nil {
		t.Fatal(err)
	}
	if _, total, err := w.db.Team("").Versions().List(t.Context(), "ap_1", 0, 1); total != 0 || err != nil {
		t.Errorf("%d versions of a deleted form are stored, %v", total, err)
	}
}

// withVersion returns a browser with a form that has one version.
func withVersion(t *testing.T) (*world, *browser) {
	t.Helper()
	w := newWorld(t)
	w.serving(&oneForm{content: map[string]any{"name": "A"}})
	b := w.browser()
	b.signIn()
	b.versions(versionsPath)
	return w, b
}

// Naming one version too many is refused with the limit.
func TestNamedVersionsAreLimited(t *testing.T) {
	w, b := withVersion(t)
	for i := range 1000 {
		v := store.Version{Form: "ap_1", Number: i + 2, Saved: time.Unix(int64(i), 0), Hash: []byte{1}, Base: i + 2, Body: []byte("x"), Note: "kept"}
		if err := w.db.Team("").Versions().Add(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	if g := b.app("PATCH", versionsPath+"/1", `{"name":"x"}`); g.status != 413 || g.code() != "too_many" || !strings.Contains(g.body, "1,000") {
		t.Errorf("%d %s", g.status, g.body)
	}
}

// Names and notes are given by those who may edit, and kept in the audit log without their text.
func TestVersionNotes(t *testing.T) {
	w, b := withVersion(t)
	path := versionsPath + "/1"
	name, note := strings.Repeat("ä", 120), strings.Repeat("ö", 2000)
	for _, x := range []struct{ body, note, name string }{
		{`{"note":"first\nline"}`, "first\nline", ""},
		{`{"name":" Launch "}`, "first\nline", "Launch"},
		{`{"name":"","note":""}`, "", ""},
		{fmt.Sprintf(`{"name":%q,"note":%q}`, name, note), note, name},
	} {
		g := b.app("PATCH", path, x.body)
		var v version
		if err := json.Unmarshal([]byte(g.body), &v); err != nil || g.status != 200 || v.Note != x.note || v.Name != x.name || v.Form != nil {
			t.Errorf("%.40s: %d %.200s", x.body, g.status, g.body)
		}
		if g := b.app("GET", path, ""); json.Unmarshal([]byte(g.body), &v) != nil || v.Note != x.note || v.Name != x.name {
			t.Errorf("%.40s: then %.200s", x.body, g.body)
		}
	}
	for _, body := range []string{
		`{}`, `[]`, `{`, `"x"`, `{"note":1}`, `{"name":null}`, `{"summary":"x"}`, `{"name":"a","name":"b"}`, `{"name":"a\nb"}`, `{"note":"a\u0000"}`,
		fmt.Sprintf(`{"name":%q}`, name+"x"), fmt.Sprintf(`{"note":%q}`, note+"x"),
	} {
		if g := b.app("PATCH", path, body); g.status != 400 || g.code() != "invalid_body" {
			t.Errorf("%.40s: %d %s", body, g.status, g.body)
		}
	}
	if g := b.app("PATCH", path, `{"note":"`+strings.Repeat("x", 40<<10)+`"}`); g.status != 413 {
		t.Errorf("a long body: %d %s", g.status, g.body)
	}
	if g := b.app("PATCH", versionsPath+"/2", `{"note":"x"}`); g.status != 404 || g.code() != "not_found" {
		t.Errorf("no such version: %d %s", g.status, g.body)
	}
	var audited []string
	for line := range strings.Lines(w.log.String()) {
		if strings.Contains(line, "version_noted") {
			audited = append(audited, line)
		}
	}
	all := strings.Join(audited, "")
	if len(audited) != 5 || strings.Contains(all, "Launch") || !strings.Contains(audited[0], `"detail":"1"`) || !strings.Contains(audited[4], `"status":404`) {
		t.Errorf("the audit log lacks a change, or has its text: %s", all)
	}
	w.bend(func(s *stub) { s.scope = "read:forms" })
	reader := w.browser()
	reader.signIn()
	if g := reader.app("PATCH", path, `{"note":"x"}`); g.status != 403 || g.code() != "scope" {
		t.Errorf("a reader: %d %s", g.status, g.body)
	}
	if got := reader.versions(versionsPath); got != "1 by" {
		t.Errorf("a reader reads %s", got)
	}
}

// A tenant of another make has no ETags, IDs of any shape, and perhaps no dates.
func TestVersionsAtATenantWithoutETags(t *testing.T) {
	for _, dateless := range []bool{false, true} {
		w := atRemote(t)
		f := &oneForm{content: map[string]any{"name": "A"}, dateless: dateless}
		w.serving(f)
		b := w.browser()
		b.signIn()
		const form = "/bff/api/forms/auth0%7Cform.1"
		for i := range 3 {
			tag := b.app("GET", form, "").header.Get("ETag")
			if g := b.app("PATCH", form, fmt.Sprintf(`{"name":"B%d"}`, i), "If-Match", tag); g.status != 200 {
				t.Fatalf("save: %d %s", g.status, g.body)
			}
		}
		f.set("elsewhere")
		if got := b.versions(form + "/versions"); got != "5 by, 4 by Ana, 3 by Ana, 2 by Ana, 1 by" {
			t.Errorf("dateless %v: %s", dateless, got)
		}
		if g := b.app("GET", form+"/versions/2", ""); !strings.Contains(g.body, `"form":{"id":"auth0|form.1","name":"B0"`) {
			t.Errorf("version 2: %s", g.body)
		}
	}
}

// awayVersions is a store of versions that is away for some time.
type awayVersions struct {
	store.Versions

	mu    sync.Mutex
	err   error
	tried chan struct{} // filled by attempts that fail
}

func (a *awayVersions) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

func (a *awayVersions) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	a.mu.Lock()
	err := a.err
	a.mu.Unlock()
	if err != nil {
		select {
		case a.tried <- struct{}{}:
		default:
		}
		return nil, 0, err
	}
	return a.Versions.List(ctx, form, offset, limit)
}

// Saves succeed while the versions cannot be stored, and become versions later.
func TestVersionsWithoutStore(t *testing.T) {
	w := newWorld(t)
	w.serving(&oneForm{content: map[string]any{"name": "A"}})
	away := &awayVersions{Versions: w.db.Team("").Versions(), tried: make(chan struct{}, 1)}
	w.keeping(away)
	w.h = w.handler(w.ic)
	b := w.browser()
	b.signIn()
	away.fail(store.ErrUnavailable)
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"B"}`); g.status != 200 {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"C"}`)
	<-away.tried
	away.fail(nil)
	if got := b.versions(versionsPath); got != "2 by Ana, 1 by Ana" {
		t.Errorf("versions: %s", got)
	}
	away.fail(errors.New("disk is gone"))
	if g := b.app("GET", versionsPath, ""); g.status != 503 || g.code() != "upstream_unavailable" || strings.Contains(g.body, "disk is gone") {
		t.Errorf("away: %d %s", g.status, g.body)
	}
}
