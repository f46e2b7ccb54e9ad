package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// While one pointer has the gesture, other pointers change nothing.
func TestOtherPointersWait(t *testing.T) {
	at := graph.Vec{X: 900, Y: 700}
	for _, e := range []gesture.Event{
		{Type: gesture.Down, At: at, Button: gesture.MiddleButton},
		{Type: gesture.Down, At: at, Pointer: 7},
		{Type: gesture.Move, At: at, Pointer: 7},
		{Type: gesture.Up, At: at, Pointer: 7},
		{Type: gesture.Cancel, At: at, Pointer: 7},
	} {
		c := newCanvas(t, source)
		c.down(100, 20).move(140, 20).send(e)
		if _, by := c.chart.Shown().Dragged(); by != (graph.Vec{X: 40}) || c.last.Taken != (e.Type == gesture.Down) || c.last.Capture {
			t.Errorf("%+v: dragged by %v, got %+v", e, by, c.last)
		}
		c.wantPhase(gesture.Dragging).move(180, 20).up().wantPlace("a", 80, 0).wantSelected("a")
	}
}

// A release counts where it happens, whether or not a move came before it.
func TestReleaseElsewhere(t *testing.T) {
	for name, tt := range map[string]struct {
		to   graph.Vec
		undo string
	}{
		"on an edge":        {graph.Vec{X: 340, Y: 20}, "Insert on edge"},
		"away from an edge": {graph.Vec{X: 340, Y: 500}, "Move node"},
	} {
		c := newCanvas(t, source)
		c.down(100, 240).move(340, 20).move(340, 400)
		if tt.undo == "Move node" {
			c.move(340, 20)
		}
		c.at = c.chart.Viewport().ToScreen(tt.to)
		c.up().wantUndo(tt.undo)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestCancel cancels every gesture in every phase by every means: the state must
// be identical to the one before.
func TestCancel(t *testing.T) {
	gestures := map[string][]func(*canvas){
		"drag":    {func(c *canvas) { c.down(100, 20) }, func(c *canvas) { c.move(130, 60) }, func(c *canvas) { c.move(600, 300) }},
		"several": {func(c *canvas) { c.with(shift).down(500, 20) }, func(c *canvas) { c.move(530, 60) }},
		"connect": {func(c *canvas) { c.down(680, 86) }, func(c *canvas) { c.move(700, 200) }, func(c *canvas) { c.move(900, 20) }},
		"reroute": {func(c *canvas) { c.down(280, 20) }, func(c *canvas) { c.move(300, 300) }, func(c *canvas) { c.move(900, 20) }},
		"marquee": {func(c *canvas) { c.down(-40, 200) }, func(c *canvas) { c.move(500, 50) }, func(c *canvas) { c.move(1000, 0) }},
		"pan":     {func(c *canvas) { c.key(" ").down(0, 0) }, func(c *canvas) { c.move(50, 50) }},
		"pinch": {
			func(c *canvas) { c.touch = true; c.down(100, 20) },
			func(c *canvas) { c.send(finger(gesture.Down, 2, 800, 500)) }, func(c *canvas) { c.send(finger(gesture.Move, 2, 900, 500)) },
		},
	}
	means := map[string]func(*canvas){
		"escape": func(c *canvas) { c.key("Escape") },
		"cancel": func(c *canvas) {
			c.send(gesture.Event{Type: gesture.Cancel, At: c.at})
			c.send(gesture.Event{Type: gesture.Cancel, At: c.at, Pointer: 2})
		},
		"blur": func(c *canvas) { c.send(gesture.Event{Type: gesture.Blur}) },
	}
	for name, steps := range gestures {
		for n := 1; n <= len(steps); n++ {
			for how, stop := range means {
				c := newCanvas(t, source)
				c.ed.Select(editor.Selection{Nodes: []string{"a"}, Component: "c1"})
				before := c.ed.State()
				for _, do := range steps[:n] {
					do(c)
				}
				if c.chart.Phase() == gesture.Idle {
					t.Fatalf("%s after %d events: no gesture runs", name, n)
				}
				stop(c)
				c.up()
				c.mods = gesture.Mods{}
				after := c.ed.State()
				if after.Form != before.Form || !after.Selection.Equal(before.Selection) || c.ed.UndoLabel() != "" {
					t.Errorf("%s after %d events, %s: got selection %q, undo %q", name, n, how, selected(after.Selection), c.ed.UndoLabel())
				}
				if c.chart.Phase() != gesture.Idle || !c.chart.Shown().Selection().Equal(before.Selection) || c.chart.Ticking() {
					t.Errorf("%s after %d events, %s: the chart is not at rest", name, n, how)
				}
			}
		}
	}
}

func TestChangeFromOutsideEndsTheGesture(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 20).move(200, 20)
	if err := c.ed.Run(editor.RemoveNodes{IDs: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if c.chart.Phase() != gesture.Idle {
		t.Errorf("phase: got %d", c.chart.Phase())
	}
	c.move(300, 20).up().wantUndo("Delete node")
	// A change that concerns only the panels does not.
	c = newCanvas(t, source)
	c.down(100, 20).move(200, 20)
	c.ed.Select(editor.SelectNodes("r"))
	c.up().wantPlace("a", 100, 0)
}

func TestReadOnly(t *testing.T) {
	c := newCanvas(t, source, readOnly)
	c.down(100, 20).move(200, 20).up().wantPlace("a", 0, 0).wantSelected("")
	if v := c.chart.Viewport(); v.X != 400 {
		t.Errorf("a drag pans: got %v", v)
	}
	c.down(680, 86).move(900, 60).up().wantLeads("r", "rule:two", "").click(100, 20).wantSelected("a")
	c.with(control).key("ArrowRight").wantPlace("a", 0, 0)
}

// A node can be dragged, selected and connected whatever its id. Only a node that others point to needs a unique id.
func TestBrokenIDsAreEditedApart(t *testing.T) {
	c := newCanvas(t, `{"nodes":[{"type":"STEP","coordinates":{"x":0,"y":0}},{"id":"b","type":"STEP","coordinates":{"x":400,"y":0}},
		{"id":"b","type":"STEP","coordinates":{"x":800,"y":0}},3]}`)
	c.click(100, 20).wantSelected("\x001").click(500, 20).wantSelected("b").click(900, 20).wantSelected("b\x002")
	c.down(900, 20).move(1000, 220).up().wantSelected("b\x002")
	if f := c.ed.State().Form; f.Nodes[1].At != (model.Point{X: 400}) || f.Nodes[2].At != (model.Point{X: 900, Y: 200}) {
		t.Errorf("got %s", schema.Encode(f.Tree()))
	}
	c.down(280, 20).move(500, 20).up().wantLeads("\x001", model.NextPort, "b")
	for _, from := range []struct {
		at  graph.Vec
		key string
	}{{graph.Vec{X: 280, Y: 20}, "\x001"}, {graph.Vec{X: 1180, Y: 220}, "b\x002"}} {
		c.down(from.at.X, from.at.Y).move(700, 600).up()
		if d := c.last.Drop; d == nil || d.From != (editor.EdgeRef{From: from.key, Port: model.NextPort}) {
			t.Errorf("a drop on the way out of %q: got %+v", from.key, d)
		}
	}
	for _, id := range []graph.Vec{{X: 100, Y: 20}, {X: 1000, Y: 220}} {
		before := c.ed.State().Form
		if c.down(680, 20).move(id.X, id.Y).up(); c.ed.State().Form != before || c.last.Err == nil {
			t.Errorf("a connection to %v: got %v", id, c.last.Err)
		}
	}
}

// What happens to a gesture and to the hover when the form changes.
func TestChangesMeanwhile(t *testing.T) {
	edit := func(c *canvas) {
		t.Helper()
		if err := c.ed.Run(editor.MoveNodes{IDs: []string{"f"}, By: model.Point{X: 20}}); err != nil {
			t.Fatal(err)
		}
	}
	c := newCanvas(t, source)
	if c.move(100, 20); c.chart.Shown().Hover().Card == nil {
		t.Fatal("nothing is hovered")
	}
	if edit(c); c.chart.Shown().Hover().Card != nil {
		t.Error("a card of another form is hovered")
	}
	c = newCanvas(t, source)
	c.key(" ").down(0, 0).move(50, 50)
	edit(c)
	c.wantPhase(gesture.Panning)
	c = newCanvas(t, source)
	c.send(finger(gesture.Down, 1, 600, 700)).send(finger(gesture.Down, 2, 800, 700))
	edit(c)
	c.wantPhase(gesture.Pinching)
	// An older change does not count.
	c = newCanvas(t, source)
	edit(c)
	c.down(100, 20).move(200, 20)
	c.ed.Select(editor.SelectNodes("r"))
	c.wantPhase(gesture.Dragging).up().wantPlace("a", 100, 0)
}
