package editor_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// A merge keeps the work of both sides, reports conflicts, and is one step.
func TestMerge(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	base := e.Base()
	set := func(f *model.Form, v any, path ...schema.Elem) *model.Form {
		t.Helper()
		f, err := f.Set(path, v)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	theirs := set(set(base, "Theirs", schema.Key("name")), "Their alias", schema.Key("nodes"), schema.Index(0), schema.Key("alias"))
	run(t, e, editor.Set{Path: schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("alias")}, Value: "My alias"})
	run(t, e, editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: 20}})
	mine := e.State().Form

	conflicts, err := e.Merge(theirs)
	if err != nil || len(conflicts) != 1 || conflicts[0].Path.String() != "nodes[0].alias" {
		t.Fatalf("got %v, %v", conflicts, err)
	}
	if got := e.UndoLabel(); got != "Merge what was saved elsewhere" {
		t.Errorf("the step is %q", got)
	}
	f := e.State().Form
	if f.Name != "Theirs" || f.Nodes[0].Alias != "My alias" || f.Nodes[0].At == base.Nodes[0].At {
		t.Errorf("merged to %s", schema.Encode(f.Tree()))
	}
	if e.Base() != theirs || e.Changes().Tree().Has("name") || !e.Changes().Tree().Has("nodes") {
		t.Errorf("to save is %s", schema.Encode(e.Changes().Tree()))
	}
	run(t, e, editor.TakeTheirs{Conflicts: conflicts[:1]})
	if got := e.State().Form.Nodes[0].Alias; got != "Their alias" {
		t.Errorf("their value is not taken: %s", got)
	}
	e.Undo()
	e.Undo()
	if e.State().Form != mine || !e.Changes().Tree().Has("name") {
		t.Error("undo does not restore the form before the merge")
	}
}

// A merge that does not change the form under edit still changes the saved form and calls
// observers, and further typing is a separate step.
func TestMergeOfTheSame(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	alias := schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("alias")}
	typed := func(s string) {
		t.Helper()
		if err := e.Run(editor.Set{Path: alias, Value: s}); err != nil {
			t.Fatal(err)
		}
	}
	typed("H")
	mine := e.State().Form
	calls := 0
	defer e.Observe(func() { calls++ })()
	if conflicts, err := e.Merge(mine); err != nil || len(conflicts) > 0 || e.Base() != mine {
		t.Fatalf("got %v, %v", conflicts, err)
	}
	if calls == 0 || !e.Changes().Empty() {
		t.Errorf("%d calls of the observer; to save is %s", calls, schema.Encode(e.Changes().Tree()))
	}
	typed("Hi")
	e.Undo()
	if got := e.State().Form.Nodes[0].Alias; got != "H" {
		t.Errorf("after one undo %q, want what was there at the merge", got)
	}
}

func TestMergeReadOnly(t *testing.T) {
	f := model.New("x")
	e := editor.New(f, editor.Config{ReadOnly: true})
	if _, err := e.Merge(model.New("y")); err == nil || e.Base() != f {
		t.Errorf("a form open for reading was merged: %v", err)
	}
}

// What somebody else saved is taken in every state of the history: undo and redo change only the person's own work.
func TestTakenVersionIsNoStep(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	base := e.Base()
	run(t, e, editor.Set{Path: schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("alias")}, Value: "My alias"})
	e.Saved(e.State().Form)
	e.Select(editor.SelectNodes("a"))
	theirs, err := e.Base().Set(schema.Path{schema.Key("name")}, "Theirs")
	if err != nil {
		t.Fatal(err)
	}
	e.TakeSaved(nil, theirs)
	if f := e.State().Form; f.Name != "Theirs" || f.Nodes[0].Alias != "My alias" || e.Unsaved() || e.State().Selection.Only() != "a" {
		t.Errorf("taken as %s, unsaved %v, selected %v", schema.Encode(f.Tree()), e.Unsaved(), e.State().Selection)
	}
	if s, ok := e.Undo(); !ok || e.State().Form.Name != "Theirs" || e.State().Form.Nodes[0].Alias != base.Nodes[0].Alias {
		t.Errorf("undo of %q leads to %s", s.Label, schema.Encode(e.State().Form.Tree()))
	}
	e.Redo()
	if f := e.State().Form; f.Name != "Theirs" || f.Nodes[0].Alias != "My alias" || e.Unsaved() {
		t.Errorf("redo leads to %s", schema.Encode(f.Tree()))
	}
}

// What others saved is in memory once, however many states have it.
func TestTakenNodesAreShared(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for _, id := range []string{"mine", "too"} {
		run(t, e, editor.AddNode{Node: model.NewNode(model.StepNode, id, model.Point{})})
	}
	e.TakeSaved(nil, formtest.Renewed(e.Base(), "new"))
	for own := 2; own >= 0; own-- {
		left := slices.DeleteFunc(slices.Clone(e.State().Form.Nodes), func(n *model.Node) bool { return n.ID == "mine" || n.ID == "too" })
		if want := e.Base().Nodes; len(e.State().Form.Nodes) != len(want)+own || !slices.Equal(left, want) {
			t.Errorf("with %d own nodes, %d others are not the saved ones", own, len(left))
		}
		e.Undo()
	}
}
