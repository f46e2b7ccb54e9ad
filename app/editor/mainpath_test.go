package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Where a node is added when nothing says where, and which step is filled.
func TestEndOfTheMainPath(t *testing.T) {
	for _, tt := range []struct{ name, form, way, step string }{
		{"an empty form", chain(""), "$start:next", ""},
		{"a chain", chain("a", "a>b", "b>$ending"), "b:next", "b"},
		{"a flow at the end", chain("a", "a>f", "f:f>$ending"), "f:next", "a"},
		{"the rule before the fallback", chain("r", "r:r>a,b", "a>$ending", "b>$ending"), "b:next", "b"},
		{"the fallback, if no rule leads on", chain("r", "r:r>a,", "a>$ending"), "a:next", "a"},
		{"a rule that leads back", chain("a", "a>r", "r:r>b,a", "b>$ending"), "b:next", "b"},
		{"the ending before a dead end", chain("r", "r:r>$ending,b", "b>"), "r:fallback", "b"},
		{"a dead end", chain("a", "a>b", "b>"), "b:next", "b"},
		{"a circle", chain("a", "a>b", "b>a"), "b:next", "b"},
		{"a button, if there is no next node", chain("j", "j:j>,b", "b>$ending"), "b:next", "b"},
		{"a start that leads nowhere", chain("", "a>$ending"), "$start:next", "a"},
		{"a missing node", chain("a", "a>gone"), "a:next", "a"},
	} {
		e, _ := newEditor(t, tt.form)
		if w := editor.WayToAdd(e.State()); w.From+":"+string(w.Port) != tt.way {
			t.Errorf("%s: adds on %s:%s, want %s", tt.name, w.From, w.Port, tt.way)
		}
		if got := e.Make().StepToFill(); got != tt.step {
			t.Errorf("%s: fills %q, want %q", tt.name, got, tt.step)
		}
	}
}

// A component goes to the selected step, else to the step that was selected last, else to a new one.
func TestFill(t *testing.T) {
	e, _ := newEditor(t, chain("a", "a>f", "f:f>b", "b>$ending"))
	fill := func() string {
		t.Helper()
		run(t, e, e.Make().Fill(model.KindOf("TEXT"), graph.New(e.State().Form)))
		return e.State().Selection.Only()
	}
	e.Select(editor.SelectNodes("a"))
	if got := fill(); got != "a" {
		t.Errorf("the selected step is a, filled is %s", got)
	}
	e.Select(editor.SelectNodes("f"))
	if got := fill(); got != "a" {
		t.Errorf("the step selected last is a, filled is %s", got)
	}
	run(t, e, editor.RemoveNodes{IDs: []string{"a"}, Join: true})
	if got := fill(); got != "b" {
		t.Errorf("the last step is b, filled is %s", got)
	}
	run(t, e, editor.RemoveNodes{IDs: []string{"b"}, Join: true})
	step := fill()
	if got := ways(e.State().Form); got != "$start:next>f "+"f:next>"+step+" "+step+":next>$ending" {
		t.Errorf("without a step: %s", got)
	}
	n, _ := e.State().Form.Node(step)
	if n.Parts() != 2 || n.Name() != "Step 1" {
		t.Errorf("the new step %s has %d components", n.Name(), n.Parts())
	}
}

// Only the step of a new form is selected when it opens.
func TestOpening(t *testing.T) {
	const one = `{"start":{"next_node":"s"},"nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"b","category":"BLOCK","type":"NEXT_BUTTON"}]}}]}`
	for form, want := range map[string]string{one: "s", chain("a", "a>b", "b>$ending"): "", chain("f", "f:f>$ending"): "", chain(""): ""} {
		e, _ := newEditor(t, form)
		if e.Select(editor.Opening(e.State().Form)); e.State().Selection.Only() != want || e.UndoLabel() != "" {
			t.Errorf("%s: selected is %q", form, e.State().Selection.Only())
		}
	}
}

// A new node has the smallest free number of its kind. An id that is shown as a name takes its number.
func TestNamesOfNewNodes(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[{"id":"step_1","type":"STEP"},{"id":"x","type":"STEP","alias":"step 3"},{"id":"flow_9","type":"FLOW"}]}`)
	for _, tt := range []struct {
		typ  model.NodeType
		want string
	}{{model.StepNode, "Step 2"}, {model.StepNode, "Step 4"}, {model.RouterNode, "Router 1"}, {model.FlowNode, "Flow 1"}} {
		run(t, e, e.Make().Node(tt.typ, model.Point{}, nil))
		if n, _ := e.State().Form.Node(e.State().Selection.Only()); n.Name() != tt.want {
			t.Errorf("it is called %s, want %s", n.Name(), tt.want)
		}
	}
}
