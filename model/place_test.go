package model_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// eachPath calls do with the path of every value of a tree.
func eachPath(v any, p schema.Path, do func(schema.Path)) {
	do(p)
	switch v := v.(type) {
	case []any:
		for i := range v {
			eachPath(v[i], p.Index(i), do)
		}
	case *schema.Object:
		for _, m := range v.Members() {
			eachPath(m.Value, p.Key(m.Key), do)
		}
	}
}

// checkPlace checks that the path of a place is the original path, and that the place exists in the form.
func checkPlace(t *testing.T, f *model.Form, p schema.Path) {
	t.Helper()
	at, in := f.At(p)
	if got := at.Path(); !got.Equal(p) {
		t.Fatalf("At(%s).Path() = %s", p, got)
	}
	if got := model.PlaceOf(p).Path(); !got.Equal(p) {
		t.Fatalf("PlaceOf(%s).Path() = %s", p, got)
	}
	if in != (at.End != "" || at.Node >= 0) {
		t.Fatalf("At(%s) = %+v, %v", p, at, in)
	}
	if at.Node >= 0 {
		n := f.Nodes[at.Node]
		if at.Component >= 0 && n.Component(at.Component) == nil || at.Rule >= 0 && n.Rule(at.Rule) == nil || at.Part() >= n.Parts() {
			t.Fatalf("At(%s) = %+v, which the form does not have", p, at)
		}
	}
}

func TestEveryPathOfAFormComesBackFromItsPlace(t *testing.T) {
	for seed := range uint64(600) {
		doc, _, _ := randomDocument(seed)
		o, ok := doc.(*schema.Object)
		if !ok {
			continue
		}
		f := model.FromTree(o)
		eachPath(f.Tree(), nil, func(p schema.Path) { checkPlace(t, f, p) })
		for _, p := range append(new(model.Checker).Check(f), model.Warnings(f)...) {
			checkPlace(t, f, p.Path)
		}
		for i := range f.Nodes {
			for _, o := range f.Outs(i) {
				checkPlace(t, f, o.Path)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	f := formOf(t, `{"start":{"next_node":"s"},"nodes":[
		{"id":"s","type":"STEP","config":{"components":[{"id":"a"},{"id":"b"}],"rules":[1]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x"}],"components":[1]}},{"id":"f","type":"FLOW"},7]}`)
	for path, want := range map[string]struct {
		end                   string
		node, component, rule int
		rest                  string
	}{
		"":                                     {"", -1, -1, -1, ""},
		"name":                                 {"", -1, -1, -1, "name"},
		"nodes":                                {"", -1, -1, -1, "nodes"},
		"nodes.x":                              {"", -1, -1, -1, "nodes.x"},
		"[3].id":                               {"", -1, -1, -1, "[3].id"},
		"translations.start":                   {"", -1, -1, -1, "translations.start"},
		"start":                                {model.StartID, -1, -1, -1, ""},
		"start.hidden_fields[2].key":           {model.StartID, -1, -1, -1, "hidden_fields[2].key"},
		"ending.after_submit.flow_id":          {model.EndingID, -1, -1, -1, "after_submit.flow_id"},
		"nodes[0]":                             {"", 0, -1, -1, ""},
		"nodes[3]":                             {"", 3, -1, -1, ""},
		"nodes[4].id":                          {"", -1, -1, -1, "nodes[4].id"},
		"nodes[0].config.components":           {"", 0, -1, -1, "config.components"},
		"nodes[0].config.components.x":         {"", 0, -1, -1, "config.components.x"},
		"nodes[0].config.components[1]":        {"", 0, 1, -1, ""},
		"nodes[0].config.components[1].config": {"", 0, 1, -1, "config"},
		"nodes[0].config.components[2].id":     {"", 0, -1, -1, "config.components[2].id"},
		"nodes[0].other.components[1].id":      {"", 0, -1, -1, "other.components[1].id"},
		"nodes[0].config.rules[0]":             {"", 0, -1, -1, "config.rules[0]"},
		"nodes[1].config.rules[0].next_node":   {"", 1, -1, 0, "next_node"},
		"nodes[1].config.components[0]":        {"", 1, -1, -1, "config.components[0]"},
		"nodes[2].config.rules[0]":             {"", 2, -1, -1, "config.rules[0]"},
	} {
		p, err := schema.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := f.At(p)
		if at.End != want.end || at.Node != want.node || at.Component != want.component || at.Rule != want.rule || at.Rest.String() != want.rest {
			t.Errorf("At(%s) = %+v, want %+v", path, at, want)
		}
		checkPlace(t, f, p)
	}
}

// At does not copy the path, so that it is cheap for thousands of problems.
func TestAtDoesNotAllocate(t *testing.T) {
	f := formOf(t, `{"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"a"}]}}]}`)
	p := model.ComponentPath(0, 0).Key("label")
	if n := testing.AllocsPerRun(100, func() { f.At(p) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
