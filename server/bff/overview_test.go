package bff_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// The list of forms learns what is in each form: its picture, problems, languages and coverage.
func TestOverview(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", "/bff/api/forms/ap_1/overview", ""); g.status != 401 {
		t.Errorf("signed out: %d", g.status)
	}
	b.signIn()
	g := b.app("GET", "/bff/api/forms/ap_1/overview", "")
	var o struct {
		Nodes              map[string]string
		Problems, Warnings int
		Languages          []string
		Coverage           *int
		Flows              []string
	}
	if err := json.Unmarshal([]byte(g.body), &o); err != nil || g.status != 200 {
		t.Fatalf("%d %s %v", g.status, g.body, err)
	}
	if o.Nodes["start"] == "" || len(o.Languages) == 0 || o.Coverage != nil {
		t.Errorf("overview %s", g.body)
	}
	w.mu.Lock()
	w.api = func(out http.ResponseWriter, _ *http.Request) {
		writeJSON(out, 200, json.RawMessage(`{"id":"ap_1","start":{"next_node":"r"},"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[
			{"id":"x","condition":{"operator":"EQ","operands":["{{fields.none}}","1"]},"next_node":"$ending"},
			{"id":"y","condition":{"operator":"EQ","operands":["{{vars.a}}","1"]},"next_node":"$ending"},
			{"id":"z","condition":{"operator":"EQ","operands":["{{vars.a}}","1"]}}],"fallback":"f"}},
			{"id":"f","type":"FLOW","config":{"flow_id":"af_1","next_node":"g"}},{"id":"g","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"h"}},
			{"id":"h","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`))
	}
	w.mu.Unlock()
	g = b.app("GET", "/bff/api/forms/ap_1/overview", "")
	// The warnings are about the unknown field, the rule that never decides, the rule that leads nowhere, and the placeholder.
	if err := json.Unmarshal([]byte(g.body), &o); err != nil || o.Warnings != 4 {
		t.Errorf("the overview %s counts %d warnings", g.body, o.Warnings)
	}
	if !slices.Equal(o.Flows, []string{"af_1", "af_1"}) {
		t.Errorf("the overview %s names the flows %q", g.body, o.Flows)
	}
	if g := b.app("GET", "/bff/api/forms/ap_1/overview?x=1", ""); g.status != 400 {
		t.Errorf("with a query: %d", g.status)
	}
}

func TestTemplates(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", "/bff/templates", ""); g.status != 401 {
		t.Errorf("signed out: %d", g.status)
	}
	b.signIn()
	var list []struct{ ID, Name, About string }
	g := b.app("GET", "/bff/templates", "")
	if err := json.Unmarshal([]byte(g.body), &list); err != nil || len(list) != 8 {
		t.Fatalf("%s %v", g.body, err)
	}
	for _, of := range list {
		var file struct {
			File struct {
				Form struct{ Name string }
			}
			Scenarios struct{ Scenarios []any }
		}
		g := b.app("GET", "/bff/templates/"+of.ID, "")
		if err := json.Unmarshal([]byte(g.body), &file); err != nil || file.File.Form.Name != of.Name || len(file.Scenarios.Scenarios) == 0 || of.About == "" {
			t.Errorf("%s: %v %s", of.ID, err, g.body)
		}
	}
	if g := b.app("GET", "/bff/templates/none", ""); g.status != 404 || g.code() != "not_found" {
		t.Errorf("unknown: %d %s", g.status, g.body)
	}
}
