package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// blamed is the answer about who changed what last.
type blamed struct {
	Version  int  `json:"version"`
	Complete bool `json:"complete"`
	Versions []struct {
		Version int    `json:"version"`
		SavedAt string `json:"saved_at"`
		Author  string `json:"author"`
		Name    string `json:"name"`
		Kept    bool   `json:"kept"`
	} `json:"versions"`
	Nodes      map[string]int            `json:"nodes"`
	Components map[string]int            `json:"components"`
	Rules      map[string]map[string]int `json:"rules"`
}

const stepForm = `{"name":"A","nodes":[{"id":"one","type":"STEP","config":{"components":[{"id":"a","type":"TEXT","category":"FIELD","label":%q},
	{"id":"b","type":"TEXT","category":"FIELD"}]}},{"id":"two","type":"ROUTER","config":{"rules":[{"id":"r"}]}}]}`

// Each element of a form is told with the version that changed it last.
func TestBlame(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{}
	w.serving(f)
	b := w.browser()
	const path = "/bff/api/forms/ap_1/blame"
	if g := b.app("GET", path, ""); g.status != 401 {
		t.Errorf("nobody: %d %s", g.status, g.body)
	}
	b.signIn()
	for _, label := range []string{"X", "Y"} {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", fmt.Sprintf(stepForm, label)); g.status != 200 {
			t.Fatalf("save: %d %s", g.status, g.body)
		}
	}
	if g := b.app("PATCH", versionsPath+"/2", `{"name":"Second"}`); g.status != 200 {
		t.Fatalf("name: %d %s", g.status, g.body)
	}
	g := b.app("GET", path, "")
	var got blamed
	if err := json.Unmarshal([]byte(g.body), &got); err != nil || g.status != 200 || !got.Complete || got.Version != 2 {
		t.Fatalf("%d %s", g.status, g.body)
	}
	said := fmt.Sprint(got.Nodes, got.Components, got.Rules)
	if want := "map[one:2 two:1] map[a:2 b:1] map[two:map[r:1]]"; said != want {
		t.Errorf("got %s, want %s", said, want)
	}
	for _, v := range got.Versions {
		if v.Author != "Ana" || !v.Kept || v.SavedAt != savedAt(v.Version) || (v.Name == "Second") != (v.Version == 2) {
			t.Errorf("version %+v", v)
		}
	}
	if len(got.Versions) != 2 {
		t.Errorf("%d versions: %s", len(got.Versions), g.body)
	}
	if g := b.app("GET", path+"?x=1", ""); g.status != 400 || g.code() != "invalid_query" {
		t.Errorf("query: %d %s", g.status, g.body)
	}
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 204 {
		t.Fatalf("delete: %d", g.status)
	}
	if g := b.app("GET", path, ""); g.status != 404 || g.code() != "not_found" {
		t.Errorf("of a form that the tenant does not have: %d %s", g.status, g.body)
	}
}

// The list of forms is told who saved each last, even just now, and nothing of forms that were never saved here.
func TestChangesOfTheList(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{}
	w.serving(f)
	b := w.browser()
	b.signIn()
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"A"}`); g.status != 200 {
		t.Fatalf("save: %d %s", g.status, g.body)
	}
	asked := ""
	for _, list := range []string{`[{"id":"ap_2"},{"id":"ap_1"},{}]`, `{"start":0,"forms":[{"id":"ap_2"},{"id":"ap_1"}]}`} {
		w.bend(func(s *stub) {
			s.api = func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.String()
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(list))
			}
		})
		g := b.app("GET", "/bff/api/changes?page=1&per_page=7", "")
		want := `[{"id":"ap_2"},{"id":"ap_1","version":1,"saved_at":"` + savedAt(1) + `","author":"Ana","author_id":"user_1"}]`
		if g.status != 200 || g.body != want || !strings.HasSuffix(asked, "/forms?page=1&per_page=7") {
			t.Errorf("asked for %s: %d %s, want %s", asked, g.status, g.body, want)
		}
	}
	for query, want := range map[string]int{"?q=a": 400, "?page=x": 400} {
		if g := b.app("GET", "/bff/api/changes"+query, ""); g.status != want {
			t.Errorf("%s: %d %s", query, g.status, g.body)
		}
	}
	w.bend(func(s *stub) {
		s.api = func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, "text") }
	})
	if g := b.app("GET", "/bff/api/changes", ""); g.status != 502 {
		t.Errorf("no list: %d %s", g.status, g.body)
	}
}

// Saves that nobody asked for are told apart.
func TestAutomaticVersions(t *testing.T) {
	w := newWorld(t)
	f := &oneForm{}
	w.serving(f)
	b := w.browser()
	b.signIn()
	for i, how := range []string{"automatic", "", "other"} {
		if g := b.app("PATCH", "/bff/api/forms/ap_1", fmt.Sprintf(`{"name":"%d"}`, i), "X-Save", how); g.status != 200 {
			t.Fatalf("save: %d %s", g.status, g.body)
		}
	}
	g := b.app("GET", versionsPath, "")
	var list []struct {
		Automatic bool `json:"automatic"`
	}
	if err := json.Unmarshal([]byte(g.body), &list); err != nil || len(list) != 3 || list[0].Automatic || list[1].Automatic || !list[2].Automatic {
		t.Errorf("%v: %s", err, g.body)
	}
}
