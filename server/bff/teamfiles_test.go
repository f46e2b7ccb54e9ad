package bff_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/store"
)

const scenariosPath = "/bff/api/forms/ap_1/scenarios"

// scenarioFile returns a file with a scenario of a name, not in canonical form.
func scenarioFile(name string) string {
	return `{"scenarios":[{"expect":["ask"],"steps":[],"name":"` + name + `"}],"version":1}`
}

// Scenarios are replaced only by those who have read them, and kept in canonical form.
func TestScenarios(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", scenariosPath, ""); g.status != 401 {
		t.Errorf("nobody: %d %s", g.status, g.body)
	}
	b.signIn()
	empty := b.app("GET", scenariosPath, "")
	none := empty.header.Get("ETag")
	if empty.status != 200 || none == "" || !strings.Contains(empty.body, `"scenarios": []`) || empty.header.Get("Content-Type") != "application/json" {
		t.Fatalf("none yet: %d %v %s", empty.status, empty.header, empty.body)
	}
	for _, tag := range []string{"", `"other"`, "*"} {
		headers := []string{"If-Match", tag}
		want, code := 412, "conflict"
		if tag == "" {
			headers, want, code = nil, 428, "precondition_required"
		}
		if g := b.app("PUT", scenariosPath, scenarioFile("A"), headers...); g.status != want || g.code() != code {
			t.Errorf("If-Match %q: %d %s", tag, g.status, g.body)
		}
	}
	put := b.app("PUT", scenariosPath, scenarioFile("A"), "If-Match", none)
	first := put.header.Get("ETag")
	if put.status != 200 || first == none || !strings.HasPrefix(put.body, "{\n") || strings.Index(put.body, "version") > strings.Index(put.body, "scenarios") {
		t.Fatalf("first: %d %q %s", put.status, first, put.body)
	}
	if g := b.app("GET", scenariosPath, ""); g.body != put.body || g.header.Get("ETag") != first {
		t.Errorf("read: %q %s", g.header.Get("ETag"), g.body)
	}
	if g := b.app("PUT", scenariosPath, scenarioFile("B"), "If-Match", none); g.status != 412 {
		t.Errorf("with the first ETag: %d", g.status)
	}
	if g := b.app("PUT", scenariosPath, scenarioFile("B"), "If-Match", first); g.status != 200 || !strings.Contains(g.body, `"B"`) {
		t.Errorf("second: %d %s", g.status, g.body)
	}
	// What proxies make of the tag, and of the header.
	for i, changed := range []string{`W/TAG`, `"x", TAG`, `"BARE-gzip"`, `"BARE;br"`, `TAG-gzip`} {
		g := b.app("GET", scenariosPath, "")
		tag := g.header.Get("ETag")
		match := strings.NewReplacer("TAG", tag, "BARE", strings.Trim(tag, `"`)).Replace(changed)
		if g := b.app("PUT", scenariosPath, scenarioFile(strconv.Itoa(i)), "If-Match", match); g.status != 200 {
			t.Errorf("If-Match %s: %d %s", match, g.status, g.body)
		}
		if g := b.app("PUT", scenariosPath, scenarioFile("late"), "If-Match", match); g.status != 412 {
			t.Errorf("If-Match %s again: %d", match, g.status)
		}
	}
	copied := b.app("GET", scenariosPath, "").header.Get("X-ETag")
	if g := b.app("PUT", scenariosPath, scenarioFile("Copy"), "X-If-Match", copied); copied == "" || g.status != 200 {
		t.Errorf("X-If-Match %q: %d", copied, g.status)
	}
	if !strings.Contains(w.log.String(), `"event":"scenarios_saved"`) {
		t.Error("no audit")
	}
	if g := b.app("GET", "/bff/api/forms/ap_2/scenarios", ""); g.status != 200 || strings.Contains(g.body, `"B"`) {
		t.Errorf("another form: %d %s", g.status, g.body)
	}
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 200 {
		t.Fatalf("delete: %d %s", g.status, g.body)
	}
	if g := b.app("GET", scenariosPath, ""); g.header.Get("ETag") != none {
		t.Errorf("after the form was deleted: %s", g.body)
	}
}

func TestFaultyScenarios(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	none := b.app("GET", scenariosPath, "").header.Get("ETag")
	for _, x := range []struct {
		body   string
		status int
		want   string
	}{
		{"{", 400, "invalid_body"},
		{`{"version":2,"scenarios":[]}`, 400, `"version"`},
		{`{"version":1,"scenarios":[{"name":"A","steps":[],"expect":[],"x":1}]}`, 400, `scenarios[0].x`},
		{`{"version":1,"scenarios":[],"x":1}`, 400, "invalid_body"},
		{`{"version":1,"scenarios":[{"name":"A"}]}`, 400, "scenarios[0].steps"},
		{`{"version":1,"scenarios":[{"name":"` + strings.Repeat("x", 5<<20) + `"}]}`, 413, "too_large"},
	} {
		g := b.app("PUT", scenariosPath, x.body, "If-Match", none)
		if g.status != x.status || !strings.Contains(g.body, x.want) {
			t.Errorf("%.80s: %d %s", x.body, g.status, g.body)
		}
	}
	if g := b.app("GET", scenariosPath+"?x=1", ""); g.status != 400 || g.code() != "invalid_query" {
		t.Errorf("query: %d %s", g.status, g.body)
	}
	if g := b.app("GET", scenariosPath, ""); g.header.Get("ETag") != none {
		t.Errorf("a faulty file is stored: %s", g.body)
	}
	if g := b.app("POST", scenariosPath, "{}"); g.status != 405 || g.header.Get("Allow") != "GET, PUT" {
		t.Errorf("POST: %d %v", g.status, g.header)
	}
}

// The tenant decides who may read a form and its scenarios.
func TestScenariosOfForeignForms(t *testing.T) {
	w := newWorld(t)
	w.scope = "openid read:forms"
	b := w.browser()
	b.signIn()
	none := b.app("GET", scenariosPath, "").header.Get("ETag")
	if g := b.app("PUT", scenariosPath, scenarioFile("A"), "If-Match", none); g.status != 403 || g.code() != "scope" ||
		!strings.Contains(g.body, `"scope":"update:forms"`) {
		t.Errorf("without the scope: %d %s", g.status, g.body)
	}
	w.scope = ""
	b = w.browser()
	b.signIn()
	w.bend(func(s *stub) {
		s.api = func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, 404, map[string]string{"errorCode": "inexistent_form"})
		}
	})
	for _, method := range []string{"GET", "PUT"} {
		if g := b.app(method, scenariosPath, scenarioFile("A"), "If-Match", none); g.status != 404 || g.code() != "not_found" {
			t.Errorf("%s of a form that the tenant does not have: %d %s", method, g.status, g.body)
		}
	}
}

// lostFiles is a store that fails.
type lostFiles struct {
	store.Files
	err error
}

func (l lostFiles) Get(context.Context, string) (store.Document, error) {
	return store.Document{}, l.err
}

// lostTeam is a store of the team's files that cannot be reached.
type lostTeam struct {
	store.Team
	err error
}

func (l lostTeam) Scenarios() store.Files { return lostFiles{l.Team.Scenarios(), l.err} }

func TestScenariosWithoutStore(t *testing.T) {
	for _, err := range []error{errors.New("disk is gone"), store.ErrFull, store.ErrReadOnly} {
		w := newWorld(t)
		w.adjust = func(c *bff.Config) { c.Files = lostTeam{c.Files, err} }
		w.h = w.handler(w.ic)
		b := w.browser()
		b.signIn()
		g := b.app("GET", scenariosPath, "")
		if g.status != 503 || g.code() != "upstream_unavailable" || g.header.Get("Retry-After") == "" {
			t.Errorf("%v: %d %s", err, g.status, g.body)
		}
		if hint := errors.Is(err, store.ErrFull); hint != strings.Contains(g.body, "disk is full") {
			t.Errorf("%v: %s", err, g.body)
		}
	}
}

// The sources of translations are kept like scenarios, in a file of their own.
func TestSources(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signIn()
	const path = "/bff/api/forms/ap_1/sources"
	empty := b.app("GET", path, "")
	if empty.status != 200 || empty.body != `{"version":1,"sources":{}}` {
		t.Fatalf("no file: %d %s", empty.status, empty.body)
	}
	tag := empty.header.Get("ETag")
	for _, body := range []string{`{}`, `{"version":1,"sources":{"a":{"de":"no hash"}}}`, `[]`, `{"version":1,"sources":{},"x":1}`} {
		if g := b.app("PUT", path, body, "If-Match", tag); g.status != 400 || g.code() != "invalid_body" {
			t.Errorf("%s: %d %s", body, g.status, g.body)
		}
	}
	const file = `{"version":1,"sources":{"components.a.label":{"de":"1f"}},"texts":{"1f":"Earlier"}}`
	if g := b.app("PUT", path, file, "If-Match", tag); g.status != 200 || g.body != file {
		t.Errorf("put: %d %s", g.status, g.body)
	}
	if g := b.app("PUT", path, file, "If-Match", tag); g.status != 412 || g.code() != "conflict" {
		t.Errorf("put again: %d %s", g.status, g.body)
	}
	if g := b.app("GET", path, ""); g.body != file {
		t.Errorf("get: %s", g.body)
	}
	if g := b.app("GET", scenariosPath, ""); !strings.Contains(g.body, `"scenarios": []`) {
		t.Errorf("the other file: %s", g.body)
	}
	if !strings.Contains(w.log.String(), `"event":"sources_saved"`) {
		t.Error("the save is not in the log")
	}
}

// Notes are kept like scenarios, and everybody who has the form open is told that there are new ones.
func TestNotes(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	const path, file = "/bff/api/forms/ap_1/notes", `{"version":1,"notes":[{"id":"n","text":"Ask legal","coordinates":{"x":1,"y":2}}]}`
	empty := b.app("GET", path, "")
	if empty.status != 200 || empty.body != `{"version":1,"notes":[]}` {
		t.Fatalf("no file: %d %s", empty.status, empty.body)
	}
	tag := empty.header.Get("ETag")
	if g := b.app("PUT", path, strings.Replace(file, "Ask legal", "", 1), "If-Match", tag); g.status != 400 || g.code() != "invalid_body" {
		t.Errorf("an empty note: %d %s", g.status, g.body)
	}
	s, _ := b.hears("form=ap_1")
	if g := b.app("PUT", path, file, "If-Match", tag, "X-Tab", "mine"); g.status != 200 || g.body != file {
		t.Errorf("put: %d %s", g.status, g.body)
	}
	if e := s.next(); e.kind != "notes" || e.data != `{"form":"ap_1","name":"Ana","sub":"user_1","tab":"mine"}` {
		t.Errorf("event %s %s", e.kind, e.data)
	}
	if g := b.app("GET", path, ""); g.body != file {
		t.Errorf("get: %s", g.body)
	}
	if !strings.Contains(w.log.String(), `"event":"notes_saved"`) {
		t.Error("the change is not in the log")
	}
}

// Settings of a form are kept like scenarios, and everybody who has it open is told.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	w.publishing()
	b := w.browser()
	b.signIn()
	const path, off, on = "/bff/api/forms/ap_1/settings", `{"save_as_you_go":false}`, `{"save_as_you_go":true}`
	empty := b.app("GET", path, "")
	if empty.status != 200 || empty.body != off {
		t.Fatalf("no file: %d %s", empty.status, empty.body)
	}
	tag := empty.header.Get("ETag")
	for _, body := range []string{`{}`, `{"save_as_you_go":1}`, `[]`, `null`, `{"save_as_you_go":true,"x":1}`, `{`} {
		if g := b.app("PUT", path, body, "If-Match", tag); g.status != 400 || g.code() != "invalid_body" {
			t.Errorf("%s: %d %s", body, g.status, g.body)
		}
	}
	s, _ := b.hears("form=ap_1")
	if g := b.app("PUT", path, on, "If-Match", tag, "X-Tab", "a b"); g.status != 400 {
		t.Errorf("a tab of another shape: %d %s", g.status, g.body)
	}
	if g := b.app("PUT", path, on, "If-Match", tag, "X-Tab", "mine"); g.status != 200 || g.body != on {
		t.Errorf("put: %d %s", g.status, g.body)
	}
	e := s.next()
	if e.kind != "settings" || e.data != `{"form":"ap_1","name":"Ana","sub":"user_1","tab":"mine","settings":{"save_as_you_go":true}}` {
		t.Errorf("event %s %s", e.kind, e.data)
	}
	if g := b.app("PUT", path, off, "If-Match", tag); g.status != 412 || g.code() != "conflict" {
		t.Errorf("put again: %d %s", g.status, g.body)
	}
	if g := b.app("GET", path, ""); g.body != on {
		t.Errorf("get: %s", g.body)
	}
	if !strings.Contains(w.log.String(), `"event":"settings_saved"`) {
		t.Error("the change is not in the log")
	}
	w.scope = "openid read:forms"
	b = w.browser()
	b.signIn()
	if g := b.app("PUT", path, off, "If-Match", tag); g.status != 403 || g.code() != "scope" {
		t.Errorf("without the scope: %d %s", g.status, g.body)
	}
	if g := b.app("GET", path, ""); g.status != 200 {
		t.Error("somebody who may read the form cannot read its settings")
	}
}
