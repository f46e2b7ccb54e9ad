package model_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

const fielded = `{"name":"f","nodes":[
	{"id":"s","type":"STEP","config":{"components":[
		{"id":"a","category":"FIELD","type":"TEXT","label":" First\n name "},
		{"id":"b","category":"FIELD","type":"TEXT","label":"Name"},
		{"id":"c","category":"WIDGET","type":"MAPS_ADDRESS","label":"Address"},
		{"id":"d","category":"BLOCK","type":"DIVIDER","label":"Line"},
		{"id":"e","category":"FIELD","type":"TEXT"},
		{"id":"f","category":"FIELD","type":"BOOLEAN","label":"Sure?","config":{"options":{"true":"Yes","false":"No"}}},
		{"id":"g","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"options":[{"value":"de","label":"Germany"},{"value":"fr"},7]}}]}},
	{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x"}]}},
	{"id":"t","type":"STEP","config":{"components":[{"id":"h","category":"FIELD","type":"TEXT","label":"Name"},
		{"id":"a","category":"FIELD","type":"TEXT","label":"Another"}]}}]}`

func TestNamesOfFields(t *testing.T) {
	x := formtest.Parse(t, fielded).Fields()
	for variable, want := range map[string]string{
		"fields.a": "First name", "fields.b": "Name (b)", "fields.h": "Name (h)", "fields.c.city": "Address.city", "fields.a | upper": "First name | upper",
		"fields.d": "", "fields.e": "", "fields.none": "", "vars.a": "", "a": "", "fields.": "", "": "",
	} {
		if got, ok := x.Name(variable); got != want || ok != (want != "") {
			t.Errorf("%s is %q, %t", variable, got, ok)
		}
	}
	for _, tt := range []struct {
		variable string
		value    any
		want     string
	}{
		{"fields.f", true, "Yes"},
		{"fields.f", "false", "No"},
		{"fields.f", "maybe", ""},
		{"fields.g", "de", "Germany"},
		{"fields.g", "fr", ""},
		{"fields.g", "at", ""},
		{"fields.g.x", "de", ""},
		{"fields.a", "de", ""},
		{"vars.g", "de", ""},
	} {
		if got, ok := x.ValueName(tt.variable, tt.value); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%v of %s is %q, %t", tt.value, tt.variable, got, ok)
		}
	}
	var none *model.Fields
	if name, ok := none.Name("fields.a"); ok {
		t.Errorf("nil fields have the name %q", name)
	}
}

// Forms that are derived from each other without changing a field share their fields.
func TestFieldsAreShared(t *testing.T) {
	f := formtest.Parse(t, fielded)
	x := f.Fields()
	for _, tt := range []struct {
		path  string
		value any
		same  bool
	}{
		{"name", "g", true},
		{"nodes[0].alias", "S", true},
		{"nodes[1].config.rules[0].alias", "R", true},
		{"nodes[0].config.next_node", "r", true},
		{"nodes[0].config.components[0].required", true, true},
		{"nodes[0].config.components[0].id", "z", false},
		{"nodes[0].config.components[0].category", "BLOCK", false},
		{"nodes[0].config.components[0].label", "Given name", false},
		{"nodes[0].config.components[6].config.options[0].label", "Deutschland", false},
		{"nodes[1].type", "STEP", false},
		{"nodes[2].type", "FLOW", false},
		{"nodes[3]", model.NewNode(model.StepNode, "n", model.Point{}), false},
	} {
		g, err := f.Set(formtest.Path(t, tt.path), tt.value)
		if err != nil {
			t.Fatal(err)
		}
		// The fields of the form before the last one are compared, too.
		h, err := g.Set(formtest.Path(t, "name"), "last")
		if err != nil {
			t.Fatal(err)
		}
		if (h.Fields() == x) != tt.same || f.Fields() != x {
			t.Errorf("after a change of %s the fields are the same: %t", tt.path, !tt.same)
		}
	}
}

// Forms come and go while the names of their fields stay the same.
func TestFieldsKeepNoOlderNodes(t *testing.T) {
	f := formtest.Parse(t, fielded)
	x, old := f.Fields(), weak.Make(f.Nodes[1])
	g := formtest.Parse(t, fielded)
	f = f.Derive(g.Tree())
	if f.Fields() != x {
		t.Fatal("equal nodes have other fields")
	}
	runtime.GC()
	if old.Value() != nil {
		t.Error("a node is kept")
	}
	last := weak.Make(f)
	if f = formtest.Parse(t, `{"nodes":[]}`); f.Fields() == x {
		t.Error("a form without fields has some")
	}
	runtime.GC()
	if last.Value() != nil {
		t.Error("a form is kept")
	}
	if name, ok := x.Name("fields.a"); name != "First name" || !ok {
		t.Errorf("the name is %q", name)
	}
}
