package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// branching has ways out with and without a target.
const branching = `{"name":"f","start":{"next_node":"a","coordinates":{"x":0,"y":0}},"ending":{"coordinates":{"x":1400,"y":0}},"nodes":[
{"id":"a","type":"STEP","coordinates":{"x":180,"y":0},"config":{"components":[
{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","coordinates":{"x":540,"y":0},"config":{"rules":[{"id":"r1","condition":1,"next_node":"b"},
{"id":"r2","condition":2},{"id":"r3","condition":3}]}},
{"id":"b","type":"STEP","coordinates":{"x":980,"y":0},"config":{"components":[
{"id":"k","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"x"}}]}},
{"id":"full","type":"ROUTER","coordinates":{"x":980,"y":400},"config":{"rules":[{"id":"r1","condition":1,"next_node":"b"}],"fallback":"b"}},
{"id":"short","type":"ROUTER","coordinates":{"x":180,"y":800},"config":{"rules":[{"id":"r1","condition":1}],"fallback":"$ending"}}]}`

func TestWaysOfTheSelection(t *testing.T) {
	edge := func(from string, port model.Port) editor.Selection {
		return editor.Selection{Edge: &editor.EdgeRef{From: from, Port: port}}
	}
	for _, tt := range []struct {
		name         string
		sel          editor.Selection
		connect, add string
	}{
		{"nothing", editor.Selection{}, "", "b:next"},
		{"several", editor.SelectNodes("a", "b"), "", "b:next"},
		{"the ending", editor.SelectNodes(model.EndingID), "", "b:next"},
		{"the start", editor.SelectNodes(model.StartID), "$start:next", "$start:next"},
		{"a step that leads on", editor.SelectNodes("a"), "a:jump:j", "a:next"},
		{"a step that leads nowhere", editor.SelectNodes("b"), "b:next", "b:next"},
		{"a jump button", editor.Selection{Nodes: []string{"a"}, Component: "j"}, "a:jump:j", "a:jump:j"},
		{"a router with free rules", editor.SelectNodes("r"), "r:rule:r2", "r:rule:r2"},
		{"a rule", editor.Selection{Nodes: []string{"r"}, Rule: "r3"}, "r:rule:r3", "r:rule:r3"},
		{"a router that leads on all ways", editor.SelectNodes("full"), "full:fallback", "full:fallback"},
		{"an edge", edge("r", "rule:r1"), "r:rule:r1", "r:rule:r1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, branching)
			e.Select(tt.sel)
			name := func(w editor.EdgeRef, ok bool) string {
				if !ok {
					return ""
				}
				return w.From + ":" + string(w.Port)
			}
			w, err := editor.WayToConnect(e.State())
			if got := name(w, err == nil); got != tt.connect {
				t.Errorf("connect: got %q, want %q (%v)", got, tt.connect, err)
			}
			if got := name(editor.WayToAdd(e.State()), true); got != tt.add {
				t.Errorf("add: got %q, want %q", got, tt.add)
			}
		})
	}
}

// A way leads to the node added on it, the node leads to the way's former target and covers no card, and all of it is one undo
// step.
func TestAddedNodesAreConnectedAndCoverNothing(t *testing.T) {
	for _, way := range []editor.EdgeRef{
		{From: model.StartID, Port: "next"},
		{From: "a", Port: "next"},
		{From: "a", Port: "jump:j"},
		{From: "r", Port: "rule:r1"},
		{From: "r", Port: "rule:r2"},
		{From: "r", Port: "fallback"},
		{From: "b", Port: "next"},
		{From: "full", Port: "fallback"},
		{From: "short", Port: "rule:r1"},
	} {
		for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
			e, _ := newEditor(t, branching)
			before := e.State().Form
			led, _ := before.OutOf(way.From, way.Port)
			if led.To == "" { // no journey stops at a new node
				led.To = model.EndingID
			}
			if err := e.Run(e.Make().NodeIn(typ, editor.SpotOn(way, graph.New(before)))); err != nil {
				t.Fatal(err)
			}
			f := e.State().Form
			id := e.State().Selection.Only()
			if out, _ := f.OutOf(way.From, way.Port); string(out.To) != id || id == "" {
				t.Errorf("%v leads to %q, want the new %q", way, out.To, id)
			}
			next := model.NextPort
			if typ == model.RouterNode {
				next = model.FallbackPort
			}
			if out, _ := f.OutOf(id, next); out.To != led.To {
				t.Errorf("%v: the new node leads to %q, want %q", way, out.To, led.To)
			}
			s := graph.New(f)
			for _, c := range s.Cards() {
				if len(s.CardsIn(c.Rect, nil)) > 1 {
					t.Errorf("%v: %s at %v covers another", way, c.ID, c.Rect)
				}
			}
			if e.Undo(); !schema.Equal(e.State().Form.Tree(), before.Tree()) {
				t.Errorf("%v: one undo does not revert it", way)
			}
		}
	}
}

// With its first node a form has a complete journey.
func TestFirstNodeJoinsTheEnds(t *testing.T) {
	for _, src := range []string{`{"name":"f"}`, `{"name":"f","start":{"coordinates":{"x":0,"y":0}},
"ending":{"coordinates":{"x":200,"y":0}}}`} {
		for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
			e, _ := newEditor(t, src)
			if err := e.Run(e.Make().NodeIn(typ, editor.SpotOn(editor.WayToAdd(e.State()), graph.New(e.State().Form)))); err != nil {
				t.Fatal(err)
			}
			f := e.State().Form
			edges := f.Edges()
			if len(edges) != 2 || string(edges[0].To) != f.Nodes[0].ID || edges[1].To != model.EndingID {
				t.Errorf("got %s", schema.Encode(f.Tree()))
			}
			s := graph.New(f)
			for _, c := range s.Cards() {
				if len(s.CardsIn(c.Rect, nil)) > 1 {
					t.Errorf("%s at %v covers another", c.ID, c.Rect)
				}
			}
			if len(e.Found().Warnings()) > 0 && typ == model.StepNode {
				t.Errorf("warnings: %v", e.Found().Warnings())
			}
		}
	}
}
