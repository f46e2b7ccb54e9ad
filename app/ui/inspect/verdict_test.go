package inspect

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const twoRouters = `{"name":"N","start":{"next_node":"a"},"nodes":[
	{"id":"a","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"EQ","operands":["{{vars.v}}","1"]}}]}},
	{"id":"s","type":"STEP","config":{"components":[]}},
	{"id":"b","type":"ROUTER","config":{"rules":[{"id":"y","condition":{"operator":"EQ","operands":["{{vars.v}}","2"]}}]}}]}`

// After an edit, what is known about routers stays if the edit did not change their conditions, wherever the routers are now.
func TestVerdictsStayWithTheirRouters(t *testing.T) {
	f := formtest.Parse(t, twoRouters)
	var v verdicts
	if v.of(f) != nil {
		t.Error("something is known before the first check")
	}
	v.found(f, []message.Flaw{
		{Path: "nodes[0].config.rules[0]", Text: "A"},
		{Path: "nodes[2].config.rules[0]", Text: "B"},
		{Path: "nodes[2].config.rules[0].condition", Text: "C"},
	})
	const all = "nodes[0].config.rules[0] nodes[2].config.rules[0] nodes[2].config.rules[0].condition"
	set := func(path string, value any) func(*model.Form) (*model.Form, error) {
		return func(f *model.Form) (*model.Form, error) { return f.Set(formtest.Path(t, path), value) }
	}
	for _, tt := range []struct {
		name string
		edit func(*model.Form) (*model.Form, error)
		want string
		same bool // whether a check would find the same
	}{
		{"nothing", func(f *model.Form) (*model.Form, error) { return f, nil }, all, true},
		{"a name", set("nodes[1].alias", "Step"), all, true},
		{"a place", set("nodes[0].coordinates", model.Point{X: 7}.Tree()), all, true},
		{"a component", set("nodes[1].config.components", []any{schema.NewObject()}), all, false},
		{"the name of a rule", set("nodes[0].config.rules[0].alias", "Named"), all, false},
		{"the target of a rule", set("nodes[2].config.rules[0].next_node", "s"), all, false},
		{
			"a condition", set("nodes[0].config.rules[0].condition.operands[1]", "7"),
			"nodes[2].config.rules[0] nodes[2].config.rules[0].condition", false,
		},
		{
			"a node less", func(f *model.Form) (*model.Form, error) { return f.Clear(formtest.Path(t, "nodes[1]")) },
			"nodes[0].config.rules[0] nodes[1].config.rules[0] nodes[1].config.rules[0].condition", false,
		},
		{
			"a router less", func(f *model.Form) (*model.Form, error) { return f.Clear(formtest.Path(t, "nodes[0]")) },
			"nodes[1].config.rules[0] nodes[1].config.rules[0].condition", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g, err := tt.edit(f)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, flaw := range v.of(g) {
				got += flaw.Path + " "
			}
			if got != tt.want+" " {
				t.Errorf("known are %s", got)
			}
			if same := sameRules(f, g); same != tt.same {
				t.Errorf("the form is the same: %t", same)
			}
			if !slices.Equal(v.of(g), v.of(g)) {
				t.Error("what is known differs when asked again")
			}
		})
	}
	v.found(f, nil)
	if got := v.of(f); got != nil {
		t.Errorf("after a check without findings, known are %v", got)
	}
}
