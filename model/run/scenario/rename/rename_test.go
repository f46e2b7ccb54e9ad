package rename_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/run/scenario/rename"
	"github.com/formgraph/formgraph/model/schema"
)

// A scenario takes the same path in a form whose elements have other ids.
func TestScenariosFollow(t *testing.T) {
	form := formtest.Parse(t, `{"name":"F","languages":{"primary":"en"},"start":{"next_node":"ask","hidden_fields":[{"key":"plan"}]},"nodes":[
		{"id":"ask","type":"STEP","config":{"components":[{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","required":true,"config":{}},
			{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go {{fields.plan}}"}}],"next_node":"run"}},
		{"id":"run","type":"FLOW","config":{"flow_id":"af_1","next_node":"r"}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"puzzle","condition":{"operator":"AND","operands":[
			{"operator":"PUZZLE","operands":["{{fields.mail}}"]}]},"next_node":"end"}],"fallback":"ask"}},
		{"id":"end","type":"STEP","config":{"components":[{"id":"done","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}],
			"next_node":"$ending"}}],"ending":{"resume_flow":true}}`)
	const file = `{"version":1,"scenarios":[{"name":"s","hidden_fields":{"plan":"free","mail":"x@example.com"},"steps":[
		{"node":"ask","answers":{"mail":"ann@example.com"},"press":"go"},{"node":"run","result":{"ok":true}},
		{"node":"r","choose":"rule:puzzle"},{"node":"end","press":"done"}],"expect":["ask","run","r","end","$ending"]}]}`
	tree, problems := schema.Decode([]byte(file))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := flow.Renames{
		Nodes:      map[string]string{"ask": "start", "run": "save", "r": "route", "end": "last"},
		Components: map[string]string{"mail": "email", "go": "next", "done": "finish"},
		Hidden:     map[string]string{"plan": "tier"},
		Rules:      map[string]map[string]string{"r": {"puzzle": "riddle"}},
	}
	got := schema.Encode(rename.File(tree.(*schema.Object), r))
	const want = `{"version":1,"scenarios":[{"name":"s","hidden_fields":{"tier":"free","email":"x@example.com"},"steps":[` +
		`{"node":"start","answers":{"email":"ann@example.com"},"press":"next"},{"node":"save","result":{"ok":true}},` +
		`{"node":"route","choose":"rule:riddle"},{"node":"last","press":"finish"}],"expect":["start","save","route","last","$ending"]}]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, of := range []struct {
		form *model.Form
		file string
		same bool
	}{{form, file, true}, {r.Apply(form), string(got), true}, {r.Apply(form), file, false}} {
		read, problems := scenario.Read([]byte(of.file))
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		outcome := scenario.Replay(run.NewProgram(of.form), &read.Scenarios[0])
		if same := outcome.Same(&read.Scenarios[0]); same != of.same {
			t.Errorf("%s: %v, it takes %v, %s", of.file, same, outcome.Path(), outcome.Missing)
		}
	}
	// What is not as the format has it stays.
	odd := `{"scenarios":[1,{"steps":[2,{"answers":[]}],"expect":[3],"hidden_fields":4}]}`
	tree, _ = schema.Decode([]byte(odd))
	if got := string(schema.Encode(rename.File(tree.(*schema.Object), r))); got != odd {
		t.Errorf("got %s", got)
	}
}
