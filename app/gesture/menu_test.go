package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// The right button selects what is under it and asks for its menu; a selection of several nodes stays.
func TestMenuSelectsWhatItIsAbout(t *testing.T) {
	c := newCanvas(t, source)
	for _, tt := range []struct {
		x, y float64
		want string
	}{{100, 58, "a/c1"}, {100, 20, "a"}, {500, 58, "r/one"}, {340, 20, "a:next"}, {100, 600, ""}} {
		if c.menu(tt.x, tt.y).wantSelected(tt.want); !c.last.Menu {
			t.Errorf("no menu at %v, %v", tt.x, tt.y)
		}
	}
	c.ed.Select(editor.SelectNodes("a", "r"))
	c.menu(500, 58).wantSelected("a,r")
	c.menu(810, 20).wantSelected("f")

	c.down(100, 20).move(200, 300)
	if c.menu(100, 600); c.last.Menu || c.chart.Phase() != gesture.Dragging {
		t.Error("a menu opens during a drag")
	}
	c.up()
}

// A finger that rests opens the menu, and its lift selects nothing else. One that has moved does not.
func TestRestingFingerOpensTheMenu(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	hold := func() *canvas { return c.send(gesture.Event{Type: gesture.Hold}) }
	if c.down(100, 20); !c.last.Hold {
		t.Error("a finger does not ask for a hold")
	}
	if hold().wantSelected("a"); !c.last.Menu || c.chart.Phase() != gesture.Idle {
		t.Errorf("a held finger: %+v, %v", c.last, c.chart.Phase())
	}
	if c.up().wantSelected("a"); c.last.Menu {
		t.Error("the lift opens a menu")
	}
	// On a row it lifts the row first.
	c.down(100, 58)
	if hold(); c.last.Menu || c.chart.Phase() != gesture.Carrying {
		t.Errorf("a finger held on a row: %+v, %v", c.last, c.chart.Phase())
	}
	if c.up().wantSelected("a/c1"); !c.last.Menu || c.chart.Phase() != gesture.Idle {
		t.Errorf("the lift of a finger held on a row: %+v", c.last)
	}
	c.down(100, 600).move(100, 640)
	if hold(); c.last.Menu {
		t.Error("a moved finger opens a menu")
	}
	c.up()
	c.touch = false
	if c.down(100, 58); c.last.Hold {
		t.Error("a mouse asks for a hold")
	}
	if hold(); c.last.Menu {
		t.Error("a held mouse opens a menu")
	}
}

// The spots of a card act on it; where they are not shown, a press only selects.
func TestSpots(t *testing.T) {
	const more, copies, trash = 248, 224, 248
	c := newCanvas(t, source)
	if c.move(more, 20).down(more, 20).up().wantSelected("a"); !c.last.Menu || c.chart.Clicked() {
		t.Errorf("the button of a card: %+v", c.last)
	}
	if c.click(copies, 58).wantSelected("a/c1"); c.last.Action != command.Duplicate {
		t.Errorf("duplicate: %q", c.last.Action)
	}
	if c.click(400+trash, 58).wantSelected("r/one"); c.last.Action != command.Delete {
		t.Errorf("delete: %q", c.last.Action)
	}
	if c.click(100, 58).wantSelected("a/c1"); c.last.Action != command.None || !c.chart.Clicked() {
		t.Errorf("a row: %q", c.last.Action)
	}
	c.move(100, 58)
	if card, row := c.chart.Shown().Spots(); card != c.scene.Card("a") || row != 0 {
		t.Errorf("the spots are at %v, %d", card, row)
	}
	c.move(100, 600)
	c.ed.Select(editor.Selection{Nodes: []string{"r"}, Rule: "two"})
	if card, row := c.chart.Shown().Spots(); card != c.scene.Card("r") || row != 1 {
		t.Errorf("without a pointer, the spots are at %v, %d", card, row)
	}

	c.touch = true
	if c.click(copies, 58).wantSelected("a/c1"); c.last.Action != command.None {
		t.Errorf("a finger presses a button that is not shown: %q", c.last.Action)
	}
	if c.click(copies, 58); c.last.Action != command.Duplicate {
		t.Errorf("a finger on a shown button: %q", c.last.Action)
	}
	c.touch = false
	c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: .5})
	if c.click(copies, 58).wantSelected("a/c1"); c.last.Action != command.None {
		t.Errorf("far out: %q", c.last.Action)
	}

	r := newCanvas(t, source, readOnly)
	if r.click(copies, 58).wantSelected("a/c1"); r.last.Action != command.None {
		t.Errorf("in a form that may not be changed: %q", r.last.Action)
	}
	if r.click(more, 20); !r.last.Menu {
		t.Error("a form that may not be changed has no menus")
	}
}

func TestAnchor(t *testing.T) {
	c := newCanvas(t, source)
	for _, tt := range []struct {
		sel  editor.Selection
		want graph.Vec
	}{
		{editor.SelectNodes("r"), graph.Vec{X: 440, Y: 40}},
		{editor.Selection{Nodes: []string{"r"}, Rule: "two"}, graph.Vec{X: 440, Y: 100}},
		{editor.Selection{Edge: &editor.EdgeRef{From: "a", Port: "next"}}, graph.Vec{X: 340, Y: 20}},
		{editor.Selection{}, graph.Vec{}},
	} {
		if c.ed.Select(tt.sel); c.chart.Anchor() != tt.want {
			t.Errorf("%v: %v, want %v", tt.sel, c.chart.Anchor(), tt.want)
		}
	}
}
