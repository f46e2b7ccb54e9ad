package editor_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

// components lists the ids of a step's components.
func components(f *model.Form, node string) string {
	n, _ := f.Node(node)
	var ids []string
	for _, c := range n.Config.(*model.Step).Components {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// A component moves within its step and to another one, with its target, in one step of the history.
func TestMoveComponent(t *testing.T) {
	const form = `{"name":"f","nodes":[
 {"id":"a","type":"STEP","config":{"components":[{"id":"x","category":"FIELD","type":"TEXT"},
  {"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"next_node":"a"}},{"id":"n","category":"BLOCK","type":"NEXT_BUTTON"}]}},
 {"id":"b","type":"STEP","config":{"components":[{"id":"y","category":"FIELD","type":"TEXT"},{"id":"m","category":"BLOCK","type":"NEXT_BUTTON"}]}},
 {"id":"w","type":"FLOW"}]}`
	for _, tt := range []struct {
		name, a, b string
		command    editor.MoveComponent
	}{
		{"down", "j x n", "y m", editor.MoveComponent{From: "a", ID: "x", To: "a", Before: 2}},
		{"up", "n x j", "y m", editor.MoveComponent{From: "a", ID: "n", To: "a", Before: 0}},
		{"nowhere", "x j n", "y m", editor.MoveComponent{From: "a", ID: "j", To: "a", Before: 1}},
		{"nowhere, before its neighbour", "x j n", "y m", editor.MoveComponent{From: "a", ID: "j", To: "a", Before: 2}},
		{"to the end", "x n", "y m j", editor.MoveComponent{From: "a", ID: "j", To: "b", Before: -1}},
		{"between", "x n", "y j m", editor.MoveComponent{From: "a", ID: "j", To: "b", Before: 1}},
		{"to no step", "x j n", "y m", editor.MoveComponent{From: "a", ID: "j", To: "w"}},
		{"what is gone", "x j n", "y m", editor.MoveComponent{From: "a", ID: "gone", To: "b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, form)
			run(t, e, tt.command)
			f := e.State().Form
			if a, b := components(f, "a"), components(f, "b"); a != tt.a || b != tt.b {
				t.Errorf("a has %s, b has %s", a, b)
			}
			if o, ok := f.OutOf(tt.command.To, model.JumpPort(tt.command.ID)); tt.command.ID == "j" && tt.command.To != "w" && (!ok || o.To != "a") {
				t.Error("the jump button lost its target")
			}
		})
	}
	e, _ := newEditor(t, form)
	e.Select(editor.Selection{Nodes: []string{"a"}, Component: "x"})
	run(t, e, e.Make().ToStep("b"))
	if got := components(e.State().Form, "b"); got != "y x m" || e.State().Selection.Only() != "b" || e.State().Selection.Component != "x" {
		t.Errorf("a field moves to %s, and %v is selected", got, e.State().Selection)
	}
}
