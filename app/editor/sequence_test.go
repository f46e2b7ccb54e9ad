package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
)

func TestSequence(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	before := e.State().Form
	move := editor.MoveNodes{IDs: []string{"a"}, By: model.Point{X: 20}}
	if err := e.Run(editor.Sequence{Commands: []editor.Command{move, editor.Connect{
		From: "gone", Port: model.NextPort,
		To: "a",
	}}}); err == nil ||
		e.State().Form != before {
		t.Errorf("half of a sequence was applied: %v", err)
	}
	s, err := editor.Sequence{Commands: []editor.Command{move, editor.Connect{From: "gone"}}}.Do(e.State())
	if err == nil || s.Form != before {
		t.Errorf("with the error %v comes half of a sequence", err)
	}
	if s, err = (editor.Sequence{}).Do(e.State()); err != nil || s.Form != before {
		t.Errorf("a sequence without commands changed something: %v", err)
	}
	run(t, e, editor.Sequence{Commands: []editor.Command{move, editor.Connect{From: "a", Port: model.NextPort, To: model.EndingID}}})
	out, _ := e.State().Form.OutOf("a", model.NextPort)
	if out.To != model.EndingID || e.State().Form.Nodes[0].At == before.Nodes[0].At || e.UndoLabel() != "Connect" {
		t.Errorf("got %v, %v, %q", out.To, e.State().Form.Nodes[0].At, e.UndoLabel())
	}
	e.Undo()
	if e.State().Form != before {
		t.Error("one undo does not revert the sequence")
	}
}
