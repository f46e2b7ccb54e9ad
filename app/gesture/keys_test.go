package gesture_test

import (
	"testing"

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

func TestArrowsMove(t *testing.T) {
	c := newCanvas(t, source)
	c.with(control).key("ArrowRight").wantPlace("a", 0, 0).wantUndo("")
	c.ed.Select(editor.SelectNodes("a", "r"))
	c.key("ArrowRight").key("ArrowDown").wantPlace("a", 20, 20).wantPlace("r", 420, 20)
	c.with(gesture.Mods{Control: true, Shift: true}).key("ArrowLeft").key("ArrowUp").wantPlace("a", -80, -80)
	c.ed.Undo()
	c.wantPlace("a", 0, 0).wantPlace("r", 400, 0).wantUndo("")
}

func TestArrowsMoveWhatHasNoCoordinates(t *testing.T) {
	c := newCanvas(t, source)
	at := c.scene.Card("loose").Rect.Origin().Point()
	c.ed.Select(editor.SelectNodes("loose"))
	c.with(control).key("ArrowRight").wantPlace("loose", at.X+20, at.Y)
}

func TestKeys(t *testing.T) {
	tests := []struct {
		key    string
		mods   gesture.Mods
		action gesture.Action
		taken  bool
	}{
		{"Delete", gesture.Mods{}, gesture.DeleteAction, true},
		{"Backspace", gesture.Mods{}, gesture.DeleteAction, true},
		{"c", gesture.Mods{}, gesture.ConnectAction, true},
		{"C", shift, gesture.ConnectAction, true},
		{"c", control, gesture.NoAction, false}, // copy belongs to the page
		{"n", gesture.Mods{}, gesture.AddAction, true},
		{"n", gesture.Mods{Alt: true}, gesture.NoAction, false},
		{"Enter", gesture.Mods{}, gesture.EditAction, true},
		{"+", shift, gesture.ZoomInAction, true},
		{"-", gesture.Mods{}, gesture.ZoomOutAction, true},
		{"0", gesture.Mods{}, gesture.ZoomResetAction, true},
		{"0", control, gesture.NoAction, false}, // the browser's own zoom
		{"1", shift, gesture.FitAction, true},
		{"2", shift, gesture.FitSelectionAction, true},
		{"1", gesture.Mods{}, gesture.NoAction, false},
		{"?", shift, gesture.HelpAction, true},
		{"F8", gesture.Mods{}, gesture.NextProblemAction, true},
		{"F8", shift, gesture.PreviousProblemAction, true},
		{"Tab", gesture.Mods{}, gesture.NoAction, false},
		{"ArrowLeft", gesture.Mods{Alt: true}, gesture.NoAction, false}, // back in the history
		{"x", gesture.Mods{}, gesture.NoAction, false},
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
		if c.key(k); c.last.Action != gesture.NoAction || !c.last.Taken {
			t.Errorf("%q during a drag: got %+v", k, c.last)
		}
	}
	c.up().wantPlace("a", 100, 0)
}

func TestEscapeAtRestClearsTheSelection(t *testing.T) {
	c := newCanvas(t, source).click(100, 20).key("Escape").wantSelected("")
	if c.key("Escape"); c.last.Taken {
		t.Error("with nothing to do the key is taken")
	}
}

func TestSelectAll(t *testing.T) {
	newCanvas(t, source).with(control).key("a").wantSelected("$start,a,r,f,loose,$ending")
}
