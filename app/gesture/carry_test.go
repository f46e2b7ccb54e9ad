package gesture_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// parts returns the ids of the components or rules of a node, and "new" for those whose id is not in source.
func (c *canvas) parts(node string) string {
	n, _ := c.ed.State().Form.Node(node)
	var ids []string
	for i := range n.Parts() {
		id := ""
		if p := n.Component(i); p != nil {
			id = p.ID
		} else {
			id = n.Rule(i).ID
		}
		if !strings.Contains(source, `"`+id+`"`) {
			id = "new"
		}
		ids = append(ids, id)
	}
	return strings.Join(ids, " ")
}

func (c *canvas) bring(kind string) *canvas {
	return c.send(gesture.Event{Type: gesture.Down, At: graph.Vec{X: -200, Y: 300}, Brought: gesture.BroughtBy(kind)})
}

// A component from the palette goes between the rows at the pointer, and its label is edited next.
func TestBroughtComponentGoesToItsPlace(t *testing.T) {
	for _, tt := range []struct {
		name string
		x, y float64
		want string
	}{
		{"on the head", 100, 20, "new c1 c2"},
		{"on the upper half of a row", 100, 57, "new c1 c2"},
		{"on the lower half of a row", 100, 60, "c1 new c2"},
		{"below the rows", 100, 101, "c1 c2 new"},
	} {
		c := newCanvas(t, source)
		if c.bring("TEXT"); c.last.Capture || c.last.Taken {
			t.Errorf("%s: the press of the control is taken: %+v", tt.name, c.last)
		}
		if c.move(-400, 100); !c.last.Capture || c.chart.Phase() != gesture.Carrying {
			t.Errorf("%s: the drag does not capture the pointer: %+v", tt.name, c.last)
		}
		if c.move(tt.x, tt.y).up(); c.parts("a") != tt.want || c.last.Action != command.EditLabel {
			t.Errorf("%s: got %s, %+v; want %s", tt.name, c.parts("a"), c.last, tt.want)
		}
		if c.ed.Undo(); c.ed.UndoLabel() != "" {
			t.Errorf("%s: it took more than one step", tt.name)
		}
	}
}

// A press that does not move is left to the control, and so is one in a form that cannot be changed.
func TestPressThatBringsNothing(t *testing.T) {
	c := newCanvas(t, source)
	if c.bring("TEXT").send(gesture.Event{Type: gesture.Up, At: graph.Vec{X: -199, Y: 300}}).wantUndo(""); c.chart.Clicked() {
		t.Error("it counts as a click on the canvas")
	}
	c.wantRest("after a press")
	r := newCanvas(t, source, readOnly)
	if r.bring("TEXT").move(100, 60); r.chart.Phase() != gesture.Idle {
		t.Error("a component is dragged to a form that cannot be changed")
	}
}

// On empty canvas a component gets a step of its own. There, fields come before the button, and there is no second button.
func TestBroughtComponentGetsAStep(t *testing.T) {
	for kind, want := range map[string]int{"TEXT": 2, "NEXT_BUTTON": 1} {
		c := newCanvas(t, source)
		c.bring(kind).move(-400, 100).move(600, 400).up()
		f := c.ed.State().Form
		n := f.Nodes[len(f.Nodes)-1]
		if len(f.Nodes) != 5 || n.Parts() != want || n.Component(n.Parts()-1).Kind.Type != "NEXT_BUTTON" || n.At != (model.Point{X: 560, Y: 380}) {
			t.Errorf("%s: got %d nodes, the last with %d components at %v", kind, len(f.Nodes), n.Parts(), n.At)
		}
		if c.ed.Undo(); c.ed.UndoLabel() != "" {
			t.Errorf("%s: it took more than one step", kind)
		}
	}
}

// Only steps take components, and a rule stays in its router. The reason is shown at the pointer.
func TestRefusedCarry(t *testing.T) {
	for name, do := range map[string]func(*canvas){
		"a router takes no component": func(c *canvas) { c.bring("TEXT").move(-400, 100).move(500, 60) },
		"a start takes no component":  func(c *canvas) { c.down(10, 60).move(-120, 15) },
		"a step takes no rule":        func(c *canvas) { c.down(410, 60).move(100, 60) },
	} {
		c := newCanvas(t, source)
		do(c)
		if g := c.chart.Shown().Carry(); g.Reason == "" || c.last.Cursor != gesture.NotAllowedCursor {
			t.Errorf("%s: it is not refused: %+v", name, g)
		}
		if c.up().wantUndo(""); c.last.Err == nil {
			t.Errorf("%s: the release is not refused", name)
		}
	}
}

// A row is dragged by its grip: within its card, to another step, to a step of its own.
func TestRowIsCarried(t *testing.T) {
	for name, tt := range map[string]struct {
		do                  func(*canvas)
		a, loose, r, chosen string
	}{
		"down":             {func(c *canvas) { c.down(10, 60).move(100, 100) }, "c2 c1", "", "one two", "a/c1"},
		"up":               {func(c *canvas) { c.down(10, 90).move(100, 10) }, "c2 c1", "", "one two", "a/c2"},
		"to its place":     {func(c *canvas) { c.down(10, 60).move(100, 66) }, "c1 c2", "", "one two", "a/c1"},
		"to another step":  {func(c *canvas) { c.down(10, 60).move(100, 240) }, "c2", "c1", "one two", "loose/c1"},
		"a rule down":      {func(c *canvas) { c.down(410, 60).move(500, 113) }, "c1 c2", "", "two one", "r/one"},
		"a rule up":        {func(c *canvas) { c.down(410, 88).move(500, 50) }, "c1 c2", "", "two one", "r/two"},
		"not by its label": {func(c *canvas) { c.down(60, 60).move(100, 100) }, "c1 c2", "", "one two", "a"},
	} {
		c := newCanvas(t, source)
		tt.do(c)
		if c.up(); c.parts("a") != tt.a || c.parts("loose") != tt.loose || c.parts("r") != tt.r {
			t.Errorf("%s: got %q, %q, %q", name, c.parts("a"), c.parts("loose"), c.parts("r"))
		}
		c.wantSelected(tt.chosen)
		if c.last.Carried == (tt.chosen == "a") {
			t.Errorf("%s: announced: %v", name, c.last.Carried)
		}
	}
	c := newCanvas(t, source)
	c.down(10, 60).move(600, 400).up()
	f := c.ed.State().Form
	if n := f.Nodes[len(f.Nodes)-1]; len(f.Nodes) != 5 || n.Parts() != 2 || n.Component(0).ID != "c1" || c.parts("a") != "c2" {
		t.Errorf("a row on empty canvas: %d nodes, %s", len(f.Nodes), c.parts("a"))
	}
	c.wantUndo("Move component to a new step")
}

// The view does not move while the pointer comes from the palette across the border, but does later.
func TestCarryMovesTheViewOnceInside(t *testing.T) {
	c := newCanvas(t, source)
	c.bring("TEXT").move(-400, 100).move(-290, 100)
	if c.chart.Ticking() {
		t.Error("the view moves when the pointer arrives")
	}
	if c.move(100, 300).move(-290, 100); !c.chart.Ticking() {
		t.Error("the view does not move at the border")
	}
	if c.move(-400, 100); c.chart.Ticking() {
		t.Error("the view moves while the pointer is outside")
	}
}
