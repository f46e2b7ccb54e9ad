package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

func TestConnect(t *testing.T) {
	tests := []struct {
		name string
		do   func(*canvas)
		from string
		port model.Port
		want string
		undo string
	}{
		{"a new edge", func(c *canvas) { c.down(680, 86).move(900, 60).up() }, "r", "rule:two", "f", "Connect"},
		{"anywhere on a card", func(c *canvas) { c.down(1083, 27).move(270, 90).up() }, "f", "next", "a", "Connect"},
		{"near the input", func(c *canvas) { c.down(680, 86).move(785, 25).up() }, "r", "rule:two", "f", "Connect"},
		{"to the ending", func(c *canvas) { c.down(1083, 27).move(1250, 15).up() }, "f", "next", "$ending", "Connect"},
		{"from the start", func(c *canvas) { c.down(-64, 16).move(500, 20).up() }, "$start", "next", "r", "Connect"},
		{"a button", func(c *canvas) { c.down(280, 86).move(500, 20).up() }, "a", "jump:c2", "r", "Connect"},
		{"another target", func(c *canvas) { c.down(280, 20).move(900, 20).up() }, "a", "next", "f", "Connect"},
		{"the same target", func(c *canvas) { c.down(280, 20).move(900, 20).move(500, 20).up() }, "a", "next", "r", ""},
		{"away into empty canvas", func(c *canvas) { c.down(280, 20).move(340, 500).up() }, "a", "next", "r", ""},
		{"new into empty canvas", func(c *canvas) { c.down(680, 86).move(740, 500).up() }, "r", "rule:two", "", ""},
		{"back on its own card", func(c *canvas) { c.down(280, 20).move(340, 500).move(100, 20).up() }, "a", "next", "r", ""},
		{"to the start", func(c *canvas) { c.down(280, 20).move(-120, 15).up() }, "a", "next", "r", ""},
		{"an edge by its end", func(c *canvas) { c.down(385, 20).move(900, 20).up() }, "a", "next", "f", "Connect"},
		{"an edge by its end, back", func(c *canvas) { c.down(385, 20).move(900, 20).move(500, 20).up() }, "a", "next", "r", ""},
		{"an edge by its middle", func(c *canvas) { c.down(340, 20).move(900, 20).up() }, "a", "next", "r", ""},
		{"a selected edge by its middle", func(c *canvas) { c.click(340, 20).down(340, 20).move(900, 20).up() }, "a", "next", "f", "Connect"},
		{"an edge by its end, let go", func(c *canvas) { c.down(385, 20).move(340, 500).up() }, "a", "next", "r", ""},
		{"a shaky click", func(c *canvas) { c.down(280, 20).move(282, 20).up() }, "a", "next", "r", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, source)
			tt.do(c)
			c.wantLeads(tt.from, tt.port, tt.want).wantUndo(tt.undo)
			if refused := tt.name == "to the start"; (c.last.Err != nil) != refused {
				t.Errorf("error: got %v", c.last.Err)
			}
			if c.chart.Phase() != gesture.Idle {
				t.Errorf("phase: got %d", c.chart.Phase())
			}
		})
	}
}

// A connection that ends on empty canvas, new or not, offers to add a node there. Nothing changes until a node is
// chosen.
func TestDrop(t *testing.T) {
	var c *canvas
	for name, tt := range map[string]struct {
		do   func()
		from editor.EdgeRef
	}{
		"a new connection":            {func() { c.down(680, 86).move(740, 500).up() }, editor.EdgeRef{From: "r", Port: "rule:two"}},
		"a connection that was there": {func() { c.down(280, 20).move(740, 500).up() }, editor.EdgeRef{From: "a", Port: "next"}},
		"an edge by its end":          {func() { c.down(385, 20).move(740, 500).up() }, editor.EdgeRef{From: "a", Port: "next"}},
		"a rule that leads on":        {func() { c.down(680, 57).move(740, 500).up() }, editor.EdgeRef{From: "r", Port: "rule:one"}},
	} {
		c = newCanvas(t, source)
		before := c.ed.State().Form
		tt.do()
		if d := c.last.Drop; d == nil || *d != (gesture.Drop{From: tt.from, At: graph.Vec{X: 740, Y: 500}}) {
			t.Errorf("%s: got %+v", name, d)
		}
		if c.ed.State().Form != before {
			t.Errorf("%s: the form changed", name)
		}
	}
	for name, do := range map[string]func(){
		"an edge by its beginning": func() { c.down(700, 57).move(740, 500).up() },
		"its own card":             func() { c.down(680, 86).move(740, 500).move(500, 20).up() },
		"another card":             func() { c.down(680, 86).move(900, 60).up() },
		"a gesture that was cancelled": func() {
			c.down(680, 86).move(740, 500).key("Escape").up()
		},
	} {
		c = newCanvas(t, source)
		if do(); c.last.Drop != nil {
			t.Errorf("%s: got %+v", name, c.last.Drop)
		}
	}
}

// When a connection replaces another, the gesture reports the form as it was, whichever end was dragged, and one undo restores it.
// Nothing else is reported.
func TestReplacedConnectionIsAnnounced(t *testing.T) {
	const dangling = `{"name":"f","nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"flow_id":"x","next_node":"gone"}},
		{"id":"b","type":"FLOW","coordinates":{"x":400,"y":0},"config":{"flow_id":"x"}}]}`
	for _, tt := range []struct {
		name, form string
		do         func(*canvas)
		way        editor.EdgeRef
		led        model.Pointer // "" when nothing is reported
	}{
		{"an output that is connected", source, func(c *canvas) { c.down(280, 20).move(900, 20).up() }, editor.EdgeRef{
			From: "a",
			Port: "next",
		}, "r"},
		{"an edge by its end", source, func(c *canvas) { c.down(385, 20).move(900, 20).up() }, editor.EdgeRef{From: "a", Port: "next"}, "r"},
		{"an edge by its beginning onto an output that is connected", source, func(c *canvas) {
			c.down(700, 57).move(100, 20).move(280,
				20).up()
		}, editor.EdgeRef{From: "a", Port: "next"}, "r"},
		{"an edge by its beginning onto a free output", source, func(c *canvas) { c.down(700, 57).move(680, 86).up() }, editor.EdgeRef{}, ""},
		{"the same target", source, func(c *canvas) { c.down(280, 20).move(900, 20).move(500, 20).up() }, editor.EdgeRef{}, ""},
		{"an output that leads nowhere", source, func(c *canvas) { c.down(680, 86).move(900, 60).up() }, editor.EdgeRef{}, ""},
		{
			"an output that leads to a node that does not exist", dangling, func(c *canvas) { c.down(280, 20).move(500, 20).up() },
			editor.EdgeRef{},
			"",
		},
		{"refused", source, func(c *canvas) { c.down(280, 20).move(-120, 15).up() }, editor.EdgeRef{}, ""},
		{"empty canvas", source, func(c *canvas) { c.down(280, 20).move(340, 500).up() }, editor.EdgeRef{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, tt.form)
			before := c.ed.State().Form
			tt.do(c)
			got := c.last.Replaced
			if tt.led == "" {
				if got != nil {
					t.Errorf("got %v, want nothing", got.Way)
				}
				return
			}
			if got == nil || got.Way != tt.way || got.Was != before {
				t.Fatalf("got %+v, want %v of the form before", got, tt.way)
			}
			if out, _ := got.Was.OutOf(got.Way.From, got.Way.Port); out.To != tt.led {
				t.Errorf("it led to %q, want %q", out.To, tt.led)
			}
			if c.ed.Undo(); c.ed.State().Form != before {
				t.Error("one undo does not restore it")
			}
		})
	}
}

func TestConnectPreviewsTheRelease(t *testing.T) {
	c := newCanvas(t, source)
	c.down(680, 86).move(900, 60)
	l, ok := c.chart.Shown().Line()
	if !ok || l.Target.ID != "f" || l.Reason != "" || c.last.Cursor != gesture.CopyCursor || l.End != (graph.Vec{X: 803, Y: 27}) {
		t.Errorf("over a target: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(-120, 15)
	if l, _ = c.chart.Shown().Line(); l.Reason == "" || c.last.Cursor != gesture.NotAllowedCursor {
		t.Errorf("over the start: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(700, 600)
	if l, _ = c.chart.Shown().Line(); l.Target != nil || l.Reason != "" || c.last.Cursor != gesture.CrosshairCursor {
		t.Errorf("over empty canvas: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(-120, 15).up()
	if c.last.Err == nil {
		t.Error("a refused drop: got no error")
	}
	c = newCanvas(t, `{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0}},{"type":"STEP","coordinates":{"x":400,"y":0}}]}`)
	c.down(280, 20).move(500, 20)
	if l, _ = c.chart.Shown().Line(); l.Reason == "" {
		t.Error("a target without an id: got no reason")
	}
	c.up().wantLeads("a", "next", "")
}
