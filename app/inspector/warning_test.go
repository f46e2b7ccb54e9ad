package inspector_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
)

// A warning is at the row that it is about, else at the selected part of the graph. A part in the list says whether it has one.
func TestWarningsAreAtTheirPlace(t *testing.T) {
	const form = `{"name":"f","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"next_node":"b","components":[
			{"id":"again","category":"BLOCK","type":"RESEND_BUTTON","config":{"flow_id":"#FLOW-1#"}},
			{"id":"q","category":"FIELD","type":"TEXT","required":true,"sensitive":true},{"id":"go","category":"BLOCK","type":"NEXT_BUTTON"}]}},
		{"id":"b","type":"ROUTER","config":{"fallback":"c","rules":[{"id":"r1","next_node":"$ending"},{"id":"r2"}]}},
		{"id":"c","type":"FLOW","config":{"flow_id":"af_1"}},
		{"id":"d","type":"STEP","config":{"next_node":"$ending","components":[]}},
		{"id":"e","type":"ROUTER","config":{"rules":[]}}]}`
	const router = `{"name":"f","start":{"next_node":"r"},"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[]}}]}`
	const unstarted = `{"name":"f","nodes":[{"id":"d","type":"STEP","config":{"components":[]}}]}`
	for _, tt := range []struct {
		name, form string
		sel        editor.Selection
		want       string
	}{
		{"a step with a target", form, editor.SelectNodes("a"), "[again warned] [q required sensitive] [go]"},
		{"a rule without one", form, editor.Selection{Nodes: []string{"b"}, Rule: "r2"}, "nodes[1].config.rules[1].next_node: dead_end [r1] [r2]"},
		{"its router", form, editor.SelectNodes("b"), "[r1] [r2 warned]"},
		{"a flow without one", form, editor.SelectNodes("c"), "nodes[2].config.next_node: dead_end"},
		{"a step that no journey reaches", form, editor.SelectNodes("d"), "nodes[3]: unreachable"},
		{"a router that no journey reaches", form, editor.SelectNodes("e"), "nodes[4]: unreachable"},
		{"a placeholder", form, editor.Selection{Nodes: []string{"a"}, Component: "again"}, "nodes[0].config.components[0].config.flow_id: flow_id"},
		{"otherwise", router, editor.SelectNodes("r"), "nodes[0].config.fallback: dead_end"},
		{"the start", unstarted, editor.SelectNodes(model.StartID), "start.next_node: dead_end"},
		{"the ending", unstarted, editor.SelectNodes(model.EndingID), "ending: no_ending"},
		{"several", form, editor.SelectNodes("c", "a"), ""},
	} {
		p := inspector.Read(edit(t, tt.form, tt.sel), nil)
		got := ""
		for _, r := range append(flat(p), p.Itself) {
			for _, w := range r.Warnings {
				got += fmt.Sprintf(" %s: %s", r.Path, w.Code)
			}
		}
		for _, part := range p.Parts {
			got += " [" + part.ID
			for i, on := range []bool{part.Required, part.Sensitive, part.Warned} {
				if on {
					got += []string{" required", " sensitive", " warned"}[i]
				}
			}
			got += "]"
		}
		if got != "" {
			got = got[1:]
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
