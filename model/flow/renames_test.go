package flow_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

func parsed(t *testing.T, text string) *model.Form {
	t.Helper()
	v, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return model.FromTree(v.(*schema.Object))
}

// replaced replaces texts, each given with its replacement.
func replaced(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

func TestRenames(t *testing.T) {
	const step = `{"id":"a","type":"STEP","coordinates":{"x":1,"y":2},"config":{"components":[
		{"id":"x","category":"FIELD","type":"TEXT","label":"X"},{"id":"y","category":"FIELD","type":"TEXT","label":"Y"},
		{"id":"z","category":"FIELD","type":"NUMBER"}]}}`
	const router = `{"id":"b","type":"ROUTER","coordinates":{"x":5,"y":2},"config":{"fallback":"a","rules":[]}}`
	form := func(nodes string) string { return `{"name":"F","nodes":[` + nodes + `]}` }
	before := form(step + "," + router)
	type to = map[string]string
	for name, tt := range map[string]struct {
		now        string
		nodes, are to
	}{
		"nothing":                        {before, to{}, to{}},
		"a node and its references":      {form(replaced(step, `"a"`, `"A"`) + "," + replaced(router, `"fallback":"a"`, `"fallback":"A"`)), to{"a": "A"}, to{}},
		"a node that moved":              {form(replaced(step, `"id":"a"`, `"id":"A"`, `"x":1`, `"x":9`) + "," + router), to{"a": "A"}, to{}},
		"two nodes":                      {form(replaced(step, `"id":"a"`, `"id":"A"`) + "," + replaced(router, `"id":"b"`, `"id":"B"`)), to{"a": "A", "b": "B"}, to{}},
		"another type in its place":      {form(step + "," + replaced(router, `"id":"b"`, `"id":"B"`, "ROUTER", "STEP")), to{}, to{}},
		"one deleted, another one added": {form(step + `,{"id":"c","type":"ROUTER","coordinates":{"x":7,"y":7},"config":{"rules":[]}}`), to{}, to{}},
		"a component":                    {form(replaced(step, `"id":"x"`, `"id":"X"`) + "," + router), to{}, to{"x": "X"}},
		"a component and its label":      {form(replaced(step, `"id":"x"`, `"id":"p"`, `"label":"X"`, `"label":"Phone"`) + "," + router), to{}, to{"x": "p"}},
		"components that change places": {
			form(replaced(step, `"id":"x"`, `"id":"Y2"`, `"label":"X"`, `"label":"Y"`, `"id":"y","category":"FIELD","type":"TEXT","label":"Y"`, `"id":"X2","category":"FIELD","type":"TEXT","label":"X"`) + "," + router),
			to{},
			to{"x": "X2", "y": "Y2"},
		},
		"a node and a component": {form(replaced(step, `"id":"a"`, `"id":"A"`, `"id":"z"`, `"id":"Z"`) + "," + router), to{"a": "A"}, to{"z": "Z"}},
		"a deleted component":    {form(replaced(step, `{"id":"x","category":"FIELD","type":"TEXT","label":"X"},`, "") + "," + router), to{}, to{}},
		"another kind":           {form(replaced(step, `"id":"z","category":"FIELD","type":"NUMBER"`, `"id":"q","category":"FIELD","type":"DATE"`) + "," + router), to{}, to{}},
	} {
		got := flow.RenamesOf(parsed(t, before), parsed(t, tt.now))
		if want := (flow.Renames{Nodes: tt.nodes, Components: tt.are, Hidden: to{}, Rules: map[string]to{}}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// What the editor renames is found.
func TestRenamesOfTheEditor(t *testing.T) {
	before := parsed(t, `{"name":"F","start":{"next_node":"a","hidden_fields":[{"key":"h","value":"1"}]},"nodes":[{"id":"a","type":"STEP","config":{
		"next_node":"b","components":[{"id":"x","category":"FIELD","type":"TEXT"},
		{"id":"n","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"{{fields.x}} {{fields.h}}"}}]}},
		{"id":"b","type":"FLOW","config":{"flow_id":"f","next_node":"a"}}]}`)
	now, err := flow.RenameNode(before, "a", "c")
	if err != nil {
		t.Fatal(err)
	}
	if now, err = flow.RenameNode(now, "b", "d"); err != nil {
		t.Fatal(err)
	}
	if now, err = flow.RenameComponent(now, "x", "y"); err != nil {
		t.Fatal(err)
	}
	if now, err = flow.RenameHiddenField(now, "h", "i"); err != nil {
		t.Fatal(err)
	}
	want := flow.Renames{
		Nodes: map[string]string{"a": "c", "b": "d"}, Components: map[string]string{"x": "y"}, Hidden: map[string]string{"h": "i"},
		Rules: map[string]map[string]string{},
	}
	if got := flow.RenamesOf(before, now); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := flow.SureRenamesOf(before, now); !reflect.DeepEqual(got, want) {
		t.Errorf("surely: got %v, want %v", got, want)
	}
}

// A new element in the place of a removed one is not surely the same.
func TestSureRenames(t *testing.T) {
	const (
		name  = `{"id":"name","category":"FIELD","type":"TEXT","label":"Name","hint":"H","config":{"max_length":9}}`
		phone = `{"id":"phone","category":"FIELD","type":"TEXT","label":"Phone","config":{"max_length":20}}`
		a     = `{"id":"r1","alias":"Adults","condition":{"operator":"EQ","operands":["{{fields.name}}","x"]},"next_node":"ask"}`
	)
	form := func(components, rules, step, flowNode string) *model.Form {
		return parsed(t, `{"name":"F","start":{"next_node":"ask","hidden_fields":[{"key":"h","value":"1"}]},"nodes":[`+
			`{"id":"`+step+`","type":"STEP","alias":"Ask","coordinates":{"x":1,"y":1},"config":{"components":[`+components+`]}},`+
			`{"id":"other","type":"STEP","coordinates":{"x":5,"y":1},"config":{"components":[]}},`+
			`{"id":"r","type":"ROUTER","coordinates":{"x":2,"y":1},"config":{"rules":[`+rules+`]}},`+flowNode+`]}`)
	}
	const run = `{"id":"run","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}}`
	before := form(name, a, "ask", run)
	for _, tt := range []struct {
		name string
		now  *model.Form
		want string
	}{
		{"nothing", form(name, a, "ask", run), ""},
		{"a field and its label", form(replaced(name, `"name"`, `"full"`, "Name", "Full name"), a, "ask", run), "name full"},
		{"a field and its config", form(replaced(name, `"name"`, `"full"`, "9", "50"), a, "ask", run), "name full"},
		{"another field in its place", form(phone, a, "ask", run), ""},
		{"a rule and its condition", form(name, replaced(a, `"r1"`, `"r2"`, "EQ", "NEQ"), "ask", run), "r r1 r2"},
		{"a rule and its alias", form(name, replaced(a, `"r1"`, `"r2"`, "Adults", "Minors"), "ask", run), "r r1 r2"},
		{"another rule in its place", form(name, `{"id":"r2","alias":"All","next_node":"$ending"}`, "ask", run), ""},
		{"a step that lost its fields", form("", a, "start", run), "ask start"},
		{"a flow and its alias", form(name, a, "ask", replaced(run, `"run"`, `"save"`, `"af_1"`, `"af_1"`)), "run save"},
		{
			"another flow in its place in the list", form(name, a, "ask", `{"id":"save","type":"FLOW","config":{"flow_id":"af_2"}}`), "",
		},
		{"another flow in its place", form(name, a, "ask", replaced(run, `"run"`, `"save"`, "af_1", "af_2")), ""},
		{
			"a field that moved", parsed(t, string(schema.Encode(form("", a, "ask", run).Tree().With("nodes", append(
				[]any{}, parsed(t, `{"nodes":[{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":1,"y":1},"config":{"components":[]}},{"id":"other","type":"STEP",
				"coordinates":{"x":5,"y":1},"config":{"components":[`+replaced(name, `"name"`, `"full"`)+`]}}]}`).Tree().List("nodes")...,
			))))), "name full",
		},
	} {
		r := flow.SureRenamesOf(before, tt.now)
		var got []string
		for _, m := range []map[string]string{r.Nodes, r.Components, r.Hidden} {
			for from, to := range m {
				got = append(got, from+" "+to)
			}
		}
		for router, rules := range r.Rules {
			for from, to := range rules {
				got = append(got, router+" "+from+" "+to)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: got %v, want %q", tt.name, got, tt.want)
		}
	}
	// Nodes that both forms have as the same objects are not looked at.
	list := before.Tree().List("nodes")
	gone := before.Derive(before.Tree().With("nodes", list[1:]))
	if r := flow.SureRenamesOf(before, gone); !r.Empty() {
		t.Errorf("a removed node: %v", r)
	}
}

// However many elements are renamed at once, each is found.
func TestEverythingIsRenamed(t *testing.T) {
	n := sizetest.Of(0, 2000, 12_000)
	for _, shape := range formtest.Shapes {
		before := formtest.Worst(shape, n)
		now := formtest.Renewed(before, "new_")
		r := flow.RenamesOf(before, now)
		parts := 0
		for i, was := range before.Nodes {
			is := now.Nodes[i]
			if r.Nodes[was.ID] != is.ID {
				t.Fatalf("%s: node %s is now %s, got %q", shape, was.ID, is.ID, r.Nodes[was.ID])
			}
			for j := 0; was.Component(j) != nil; j++ {
				if parts++; r.Components[was.Component(j).ID] != is.Component(j).ID {
					t.Fatalf("%s: component %s is now %q", shape, was.Component(j).ID, r.Components[was.Component(j).ID])
				}
			}
			for j := 0; was.Rule(j) != nil; j++ {
				if r.Rules[was.ID][was.Rule(j).ID] != is.Rule(j).ID {
					t.Fatalf("%s: rule %s is now %q", shape, was.Rule(j).ID, r.Rules[was.ID][was.Rule(j).ID])
				}
			}
		}
		if len(r.Nodes) != len(before.Nodes) || len(r.Components) != parts {
			t.Errorf("%s: %d nodes and %d components", shape, len(r.Nodes), len(r.Components))
		}
		if got := r.Apply(before); !schema.Equal(got.Tree(), now.Tree()) {
			t.Errorf("%s: with the new ids it is another form", shape)
		}
	}
}
