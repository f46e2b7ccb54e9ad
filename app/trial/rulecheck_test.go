package trial

import (
	"testing"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

func TestRulesAreChecked(t *testing.T) {
	v, problems := schema.Decode([]byte(`{"name":"f","start":{"next_node":"s"},"nodes":[
		{"id":"s","type":"STEP","config":{"next_node":"r","components":[
			{"id":"age","category":"FIELD","type":"NUMBER","label":"Age","required":true},
			{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[
			{"id":"a","alias":"Under 18","condition":{"operator":"LT","operands":["{{fields.age}}",18]}},
			{"id":"b","alias":"Teenagers","condition":{"operator":"LT","operands":["{{fields.age}}",16]}},
			{"id":"c","condition":{"operator":"AND","operands":[{"operator":"GT","operands":["{{fields.age}}",65]},
				{"operator":"LT","operands":["{{fields.age}}",20]}]}}]}}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r := Work(t.Context(), message.Job{Do: message.Rules, Form: v.(*schema.Object)}, func(int) {})
	if len(r.Flaws) != 2 || r.Fault != "" {
		t.Fatalf("got %+v", r)
	}
	const path = "nodes[1].config.rules"
	if got := r.Flaws[0]; got.Path != path+"[1]" || !got.Moves || got.Before != 0 || got.Text == "" || got.Example == "" {
		t.Errorf("the shadowed rule is %+v", got)
	}
	if got := r.Flaws[1]; got.Path != path+"[2]" || got.Moves || !got.Removes || got.Text == "" {
		t.Errorf("the contradictory rule is %+v", got)
	}
}

func TestTooManyRulesAreSaid(t *testing.T) {
	r := Work(t.Context(), message.Job{Do: message.Rules, Form: formtest.Worst("variables", 5000).Tree()}, func(int) {})
	if len(r.Flaws) == 0 || r.Flaws[0].Path != "nodes[1].config.rules" || r.Flaws[0].Moves || r.Flaws[0].Removes {
		t.Errorf("got %d flaws, %+v", len(r.Flaws), r.Flaws[:min(1, len(r.Flaws))])
	}
}
