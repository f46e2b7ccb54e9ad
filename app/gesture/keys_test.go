package gesture_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
)

func TestArrowsWalk(t *testing.T) {
	c := newCanvas(t, source)
	for _, step := range []struct{ key, want string }{
		{"ArrowRight", "$start"},
		{"ArrowRight", "a"},
		{"ArrowRight", "r"},
		{"ArrowRight", "f"},
		{"ArrowRight", "$ending"},
		{"ArrowLeft", "f"},
		{"ArrowLeft", "r"},
		{"ArrowLeft", "a"},
		{"ArrowLeft", "$start"},
	} {
		c.key(step.key).wantSelected(step.want)
		if c.last.Reveal != step.want || !c.last.Taken {
			t.Errorf("%s: got %+v", step.key, c.last)
		}
	}
	c.wantUndo("")
}

// Down leads from a node through its components or rules, up back to the node, and past the last and before the first to other nodes. To the
// right a rule leads where its way leads, and Escape leads to the node.
func TestArrowsReachParts(t *testing.T) {
	c := newCanvas(t, source)
	c.ed.Select(editor.SelectNodes("a"))
	for _, step := range []struct{ key, want string }{
		{"ArrowDown", "a/c1"},
		{"ArrowDown", "a/c2"},
		{"ArrowUp", "a/c1"},
		{"ArrowUp", "a"},
		{"ArrowDown", "a/c1"},
		{"Escape", "a"},
		{"ArrowRight", "r"},
		{"ArrowDown", "r/one"},
		{"ArrowRight", "f"},
		{"ArrowLeft", "r"},
	} {
		c.key(step.key).wantSelected(step.want)
		if card, _, _ := strings.Cut(step.want, "/"); c.last.Reveal != card && step.key != "Escape" || !c.last.Taken {
			t.Errorf("%s: got %+v", step.key, c.last)
		}
	}
	c.key("ArrowDown").key("ArrowDown").wantSelected("r/two").key("ArrowDown")
	if s := c.ed.State().Selection; s.Within() {
		t.Errorf("past the last rule: %+v", s)
	}
	c.ed.Select(editor.Selection{Nodes: []string{"a"}, Parts: []string{"c2", "c1"}})
	c.key("ArrowDown").wantSelected("a/c2")
	c.ed.Select(editor.Selection{Nodes: []string{"a"}, Parts: []string{"c1", "c2"}})
	c.key("Escape").wantSelected("a").wantUndo("")
}

func TestArrowsMove(t *testing.T) {
	c := newCanvas(t, source)
	c.with(control).key("ArrowRight").wantPlace("a", 0, 0).wantUndo("")
	c.ed.Select(editor.SelectNodes("a", "r"))
	c.key("ArrowRight").key("ArrowDown").wantPlace("a", 20, 20).wantPlace("r", 420, 20)
	c.with(gesture.Mods{Control: true, Shift: true}).key("ArrowLeft").key("ArrowUp").wantPlace("a", -80, -80)
	c.ed.Undo()
	c.wantPlace("a", 0, 0).wantPlace("r", 400, 0).wantUndo("")
}

func TestArrowsMoveNodesWithoutCoordinates(t *testing.T) {
	c := newCanvas(t, source)
	at := c.scene.Card("loose").Rect.Origin().Point()
	c.ed.Select(editor.SelectNodes("loose"))
	c.with(control).key("ArrowRight").wantPlace("loose", at.X+20, at.Y)
}

func TestKeys(t *testing.T) {
	tests := []struct {
		key    string
		mods   gesture.Mods
		action command.ID
		taken  bool
	}{
		{"Delete", gesture.Mods{}, command.Delete, true},
		{"Backspace", gesture.Mods{}, command.Delete, true},
		{"c", gesture.Mods{}, command.Connect, true},
		{"C", shift, command.Connect, true},
		{"c", control, command.None, false}, // copy belongs to the page
		{"n", gesture.Mods{}, command.AddNode, true},
		{"n", gesture.Mods{Alt: true}, command.None, false},
		{"Enter", gesture.Mods{}, command.Edit, true},
		{"+", shift, command.ZoomIn, true},
		{"-", gesture.Mods{}, command.ZoomOut, true},
		{"0", gesture.Mods{}, command.ZoomReset, true},
		{"0", control, command.None, false}, // the browser's own zoom
		{"1", shift, command.FitView, true},
		{"2", shift, command.FitSelection, true},
		{"1", gesture.Mods{}, command.None, false},
		{"?", shift, command.Help, true},
		{"F8", gesture.Mods{}, command.NextProblem, true},
		{"F8", shift, command.PreviousProblem, true},
		{"Tab", gesture.Mods{}, command.None, false},
		{"ArrowLeft", gesture.Mods{Alt: true}, command.None, false}, // back in the history
		{"x", gesture.Mods{}, command.None, false},
	}
	for _, tt := range tests {
		c := newCanvas(t, source).with(tt.mods).key(tt.key)
		if c.last.Action != tt.action || c.last.Taken != tt.taken {
			t.Errorf("%s %+v: got action %q, taken %v", tt.key, tt.mods, c.last.Action, c.last.Taken)
		}
	}
}

func TestKeysWaitForTheGesture(t *testing.T) {
	c := newCanvas(t, source).down(100, 20).move(200, 20)
	for _, k := range []string{"Delete", "c", "ArrowRight", " "} {
		if c.key(k); c.last.Action != command.None || !c.last.Taken {
			t.Errorf("%q during a drag: got %+v", k, c.last)
		}
	}
	c.up().wantPlace("a", 100, 0)
}

func TestEscapeAtRestClearsTheSelection(t *testing.T) {
	c := newCanvas(t, source).click(100, 20).key("Escape").wantSelected("")
	if c.key("Escape"); c.last.Taken {
		t.Error("the key is taken although there is nothing to do")
	}
}

func TestSelectAll(t *testing.T) {
	newCanvas(t, source).with(control).key("a").wantSelected("$start,a,r,f,loose,$ending")
}
