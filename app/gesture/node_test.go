package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// A kind of node is dropped on an edge, on empty canvas or on a card. It is connected, named next, and one undo step.
func TestBroughtNodeIsConnected(t *testing.T) {
	for _, drop := range []string{"edge", "canvas", "card"} {
		c := newCanvas(t, source)
		e := c.scene.Edge("a", model.NextPort)
		out, _ := c.ed.State().Form.OutOf("a", model.NextPort)
		at := map[string]graph.Vec{"edge": e.Curve.At(.5), "canvas": {X: 600, Y: 500}, "card": {X: 100, Y: 60}}[drop]
		c.click(100, 10) // a
		c.bring("STEP").move(-400, 100).move(at.X, at.Y)
		if shown := c.chart.Shown().InsertEdge(); (shown == e) != (drop != "canvas") {
			t.Errorf("%s: the edge that is shown is %v", drop, shown)
		}
		c.up()
		f := c.ed.State().Form
		id := c.ed.State().Selection.Only()
		in, _ := f.OutOf("a", model.NextPort)
		on, ok := f.OutOf(id, model.NextPort)
		if string(in.To) != id || !ok || on.To != out.To || c.last.Action != command.EditLabel || !c.last.Carried {
			t.Errorf("%s: a leads to %s, the new %s to %s, %+v", drop, in.To, id, on.To, c.last)
		}
		if c.ed.Undo(); c.ed.UndoLabel() != "" {
			t.Errorf("%s: it took more than one step", drop)
		}
	}
	// The control lies over the canvas: a hand that shakes presses it.
	c := newCanvas(t, source)
	c.send(gesture.Event{Type: gesture.Down, At: graph.Vec{X: 500, Y: 600}, Brought: gesture.BroughtBy("FLOW")})
	for _, typ := range []gesture.Type{gesture.Move, gesture.Up} {
		c.send(gesture.Event{Type: typ, At: graph.Vec{X: 510, Y: 600}})
	}
	if c.wantUndo(""); c.last.Action != command.AddFlow {
		t.Errorf("a press of an unsteady hand: %+v", c.last)
	}
}

// A double click on empty canvas asks for a node there that continues the main path; on a card it edits the name.
func TestDoubleClick(t *testing.T) {
	c := newCanvas(t, source)
	c.click(600, 500)
	if d := c.chart.Doubled().Drop; d == nil || d.At != (graph.Vec{X: 600, Y: 500}) || d.Middle || d.From.From == "" {
		t.Errorf("on empty canvas: %+v", d)
	}
	c.click(100, 10)
	if eff := c.chart.Doubled(); eff.Drop != nil || eff.Action != command.EditLabel {
		t.Errorf("on a card: %+v", eff)
	}
	r := newCanvas(t, source, readOnly)
	r.click(600, 500)
	if eff := r.chart.Doubled(); eff.Drop != nil {
		t.Errorf("for a reader: %+v", eff)
	}
}
