package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/formtest"
)

// What somebody else saved over a value stays when the person undoes their own edits of it, also the earlier ones.
func TestUndoKeepsWhatOthersSaved(t *testing.T) {
	const form = `{"id":"ap_1","name":"f","nodes":[{"id":"a","type":"STEP","alias":"Begin","config":{"components":[]}}]}`
	e, _ := newEditor(t, form)
	for _, text := range []string{"Mine 1", "Mine 2"} {
		if err := e.Run(editor.Set{Path: formtest.Path(t, "nodes[0].alias"), Value: text}); err != nil {
			t.Fatal(err)
		}
		e.Seal()
	}
	e.Saved(e.State().Form)
	theirs, err := e.State().Form.Set(formtest.Path(t, "nodes[0].alias"), "Theirs")
	if err != nil {
		t.Fatal(err)
	}
	if _, conflicts := e.TakeSaved(nil, theirs); len(conflicts) > 0 {
		t.Fatalf("conflicts: %v", conflicts)
	}
	for range 2 {
		if _, ok := e.Undo(); !ok {
			t.Fatal("there is nothing to undo")
		}
		if got := e.State().Form.Nodes[0].Alias; got != "Theirs" {
			t.Errorf("undo brings back %q", got)
		}
	}
	for range 2 {
		e.Redo()
	}
	if got := e.State().Form.Nodes[0].Alias; got != "Theirs" {
		t.Errorf("redo brings back %q", got)
	}
}
