package editor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// lineOf returns a form whose steps lead from one to the next, and then to the ending.
func lineOf(ids ...string) string {
	var nodes []string
	for i, id := range ids {
		to := "$ending"
		if i+1 < len(ids) {
			to = ids[i+1]
		}
		nodes = append(nodes, fmt.Sprintf(`{"id":"%s","type":"STEP","alias":"%s","coordinates":{"x":%d,"y":0},"config":{"components":[
			{"id":"go_%s","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}],"next_node":"%s"}}`, id, strings.ToUpper(id), 300*i, id, to))
	}
	return `{"name":"f","start":{"next_node":"` + ids[0] + `"},"nodes":[` + strings.Join(nodes, ",") + `]}`
}

// finding returns the first finding with a code about a node.
func finding(t *testing.T, e *editor.Editor, code schema.Code, node string) flow.Finding {
	t.Helper()
	for _, f := range e.Found().Graph() {
		if at, ok := e.State().Form.At(f.Problem.Path); ok && f.Problem.Code == code && at.Node >= 0 && e.State().Form.Nodes[at.Node].ID == node {
			return f
		}
	}
	t.Fatalf("there is no %s at %s: %v", code, node, e.Found().Graph())
	return flow.Finding{}
}

func name(e *editor.Editor, text string) editor.Command {
	return editor.Set{Path: schema.Path{schema.Key("name")}, Value: text}
}

func link(from, to string) editor.Command {
	return editor.Connect{From: from, Port: model.NextPort, To: model.Pointer(to)}
}

// A finding has the step that led to it, also after others, and what that did is made good if nothing later depends on it.
func TestCause(t *testing.T) {
	e, _ := newEditor(t, lineOf("a", "b", "c", "d"))
	run(t, e, name(e, "other"))
	run(t, e, link("a", "d"))
	lost := finding(t, e, schema.CodeUnreachable, "b")
	s, ok := e.Cause(lost)
	if before, after := s.Forms(); !ok || s.Serial != e.LastStep() || before == nil || after != e.State().Form {
		t.Fatalf("the cause is %+v, %t", s, ok)
	}
	was := dump(e.State())
	for _, tt := range []struct {
		name   string
		later  editor.Command
		undone bool
	}{
		{"another property", name(e, "third"), true},
		{"the same connection", link("a", "$ending"), false},
		{"what it led away from", link("c", "b"), false}, // then nobody could finish
		{"a deletion", editor.RemoveNodes{IDs: []string{"b"}}, false},
	} {
		run(t, e, tt.later)
		if s, ok := e.Cause(finding(t, e, schema.CodeUnreachable, "c")); !ok || s.Label.String() != "Connect" {
			t.Errorf("after %s the cause is %+v, %t", tt.name, s, ok)
		}
		c, ok := e.Reverting(s)
		if ok != tt.undone {
			t.Errorf("after %s it can be made good: %t", tt.name, ok)
		}
		if ok {
			run(t, e, c)
			if n := len(e.Found().Graph()); n != 0 || e.State().Form.Name != "third" {
				t.Errorf("after %s it leaves %d findings in %s", tt.name, n, e.State().Form.Name)
			}
			e.Undo()
		}
		if e.Undo(); dump(e.State()) != was {
			t.Errorf("after %s: more than one step", tt.name)
		}
	}
}

// A finding has no cause if the form was opened with it, if the step made what it is about, or if that was long ago.
func TestNoCause(t *testing.T) {
	e, _ := newEditor(t, strings.Replace(lineOf("a", "b"), `"next_node":"b"`, `"next_node":"$ending"`, 1))
	run(t, e, name(e, "other"))
	if s, ok := e.Cause(finding(t, e, schema.CodeUnreachable, "b")); ok {
		t.Errorf("what was there before has the cause %+v", s)
	}
	add := e.Make().Node(model.FlowNode, model.Point{}, nil)
	run(t, e, add)
	if s, ok := e.Cause(finding(t, e, schema.CodeUnreachable, add.Node.Text("id"))); ok {
		t.Errorf("a new node has the cause %+v", s)
	}
	e, _ = newEditor(t, lineOf("a", "b", "c"))
	run(t, e, link("a", "c"))
	for i := range 20 {
		s, ok := e.Cause(finding(t, e, schema.CodeUnreachable, "b"))
		if !ok || s.Label.String() != "Connect" {
			t.Fatalf("after %d steps the cause is %+v, %t", i, s, ok)
		}
		run(t, e, name(e, fmt.Sprint(i)))
	}
	if s, ok := e.Cause(finding(t, e, schema.CodeUnreachable, "b")); ok {
		t.Errorf("after 20 steps there is the cause %+v", s)
	}
	if _, ok := e.Reverting(editor.Step{Serial: -1}); ok {
		t.Error("an unknown step is made good")
	}
}

// No fix leads to another finding about the graph: of a step that leads back, the others cannot end. What nobody reached may have had one.
func TestNoFixMakesAFinding(t *testing.T) {
	back := strings.Replace(lineOf("a", "b"), `"start":{"next_node":"a"}`, `"start":{"next_node":"b"}`, 1) // a leads to b, the last
	bare := strings.Replace(lineOf("a"), `{"id":"go_a","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}`, "", 1)
	loop := `{"id":"r","type":"ROUTER","config":{"rules":[],"fallback":"r"}}`
	to := func(node string) string {
		return strings.Replace(strings.Replace(bare, `"next_node":"$ending"`, `"next_node":"r"`, 1), "}]}", "},"+node+"]}", 1)
	}
	for _, tt := range []struct {
		name, form string
		code       schema.Code
		want       string
	}{
		{"leads back", back, schema.CodeUnreachable, "Delete node"},
		{"leads on", strings.Replace(back, `"next_node":"b"}}`, `"next_node":"$ending"}}`, 1), schema.CodeUnreachable, "Connect from B, Delete node"},
		{
			"leads back in a circle with a way out", `{"name":"f","start":{"next_node":"z"},"nodes":[
			{"id":"a","type":"ROUTER","config":{"rules":[{"id":"x","next_node":"z"}],"fallback":"$ending"}},
			{"id":"z","type":"FLOW","config":{"flow_id":"af_1","next_node":"$ending"}}]}`, schema.CodeUnreachable, "Delete node",
		},
		{"no button", bare, schema.CodeNoButton, "Add a next button"},
		{"no button, and then nowhere", to(`{"id":"r","type":"FLOW","config":{"flow_id":"af_1"}}`), schema.CodeNoButton, "Add a next button"},
		{"no button, and then in a circle", to(loop), schema.CodeNoButton, ""},
	} {
		e, _ := newEditor(t, tt.form)
		f := finding(t, e, tt.code, "a")
		fixes := e.Make().Reach(f.Problem)
		if fix, ok := e.Make().Fix(f.Problem); ok {
			fixes = append(fixes, fix)
		}
		var names []string
		for _, fix := range fixes {
			names = append(names, fix.Name)
		}
		if got := strings.Join(names, ", "); got != tt.want {
			t.Errorf("%s: offers %q, want %q", tt.name, got, tt.want)
		}
	}
}
