package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// An edge held by its beginning can be moved to another way out, and only there.
func TestReconnectTheBeginning(t *testing.T) {
	tests := []struct {
		name string
		do   func(*canvas)
		from string
		port model.Port
		want string
		undo string
	}{
		{"to a handle", func(c *canvas) { c.down(700, 57).move(680, 86).up() }, "r", "rule:two", "f", "Reconnect"},
		{"to a row", func(c *canvas) { c.down(700, 57).move(500, 86).up() }, "r", "rule:two", "f", "Reconnect"},
		{"to a card with one way out", func(c *canvas) { c.down(700, 57).move(100, 240).up() }, "loose", "next", "f", "Reconnect"},
		{"back where it was", func(c *canvas) { c.down(700, 57).move(680, 86).move(680, 58).up() }, "r", "rule:one", "f", ""},
		{"into empty canvas", func(c *canvas) { c.down(700, 57).move(600, 500).up() }, "r", "rule:one", "f", ""},
		{"to itself", func(c *canvas) { c.down(700, 57).move(900, 60).up() }, "r", "rule:one", "f", ""},
		{"to the ending", func(c *canvas) { c.down(700, 57).move(1250, 15).up() }, "r", "rule:one", "f", ""},
		{"given up", func(c *canvas) { c.down(700, 57).move(680, 86).key("Escape").up() }, "r", "rule:one", "f", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, source)
			tt.do(c)
			c.wantLeads(tt.from, tt.port, tt.want)
			if tt.undo == "" {
				c.wantUndo("")
			} else if c.leads("r", "rule:one") != "" || c.ed.UndoLabel() == "" {
				t.Errorf("the old beginning still leads to %q", c.leads("r", "rule:one"))
			}
			if refused := tt.name == "to the ending" || tt.name == "to itself"; (c.last.Err != nil) != refused {
				t.Errorf("error: got %v", c.last.Err)
			}
		})
	}
}

// ways has nodes whose ways out are free, used, and both: p, 0,0; q, a router,
// 400,300; t 1000,0; u 400,600; v, a step with a button, 400,800.
const ways = `{"start":{"coordinates":{"x":-600,"y":0}},"ending":{"coordinates":{"x":2000,"y":0}},"nodes":[
{"id":"p","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"next_node":"t"}},
{"id":"q","type":"ROUTER","coordinates":{"x":400,"y":300},"config":{"rules":[{"id":"one","condition":1,"next_node":"u"},
{"id":"two","condition":2},{"id":"three","condition":3,"next_node":"u"}]}},
{"id":"t","type":"FLOW","coordinates":{"x":1000,"y":0}},
{"id":"u","type":"FLOW","coordinates":{"x":400,"y":600},"config":{"next_node":"$ending"}},
{"id":"v","type":"STEP","coordinates":{"x":400,"y":800},"config":{"components":[
{"id":"j","type":"JUMP_BUTTON","config":{"next_node":"u"}}],"next_node":"$ending"}}]}`

// An edge held by its beginning and dropped on a card begins at the way out of the row
// under the pointer, else at the first free one, else at the only one.
func TestWayOutOfACard(t *testing.T) {
	for _, tt := range []struct {
		name string
		to   graph.Vec
		from string // "" when it stays
		port model.Port
	}{
		{"a free row", graph.Vec{X: 500, Y: 386}, "q", "rule:two"},
		{"a row that is taken", graph.Vec{X: 500, Y: 414}, "q", "rule:three"},
		{"the head", graph.Vec{X: 500, Y: 320}, "q", "rule:two"},
		{"a handle", graph.Vec{X: 680, Y: 358}, "q", "rule:one"},
		{"the only one", graph.Vec{X: 500, Y: 620}, "u", "next"},
		{"one of several that are taken", graph.Vec{X: 500, Y: 820}, "", ""},
		{"a row of those", graph.Vec{X: 500, Y: 860}, "v", "jump:j"},
		{"the start", graph.Vec{X: -560, Y: 16}, model.StartID, "next"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, ways)
			c.down(300, 20).move(tt.to.X, tt.to.Y)
			l, ok := c.chart.Shown().Line()
			if !ok || !l.Back {
				t.Fatalf("the beginning is not held: %+v", l)
			}
			if tt.from == "" {
				if l.Reason == "" || l.Port != "" || c.last.Cursor != gesture.NotAllowedCursor || l.End != tt.to {
					t.Errorf("over it: got %+v, cursor %s", l, c.last.Cursor)
				}
				if c.up(); c.last.Err == nil || c.last.Err.Error() != l.Reason {
					t.Errorf("released: got %v, want %s", c.last.Err, l.Reason)
				}
				c.wantLeads("p", "next", "t").wantUndo("")
				return
			}
			var end graph.Vec
			for i, o := range l.Target.Outs {
				if o.Port == tt.port {
					end = l.Target.OutAt(i)
				}
			}
			if l.Target.ID != tt.from || l.Port != tt.port || l.Reason != "" || l.End != end || c.last.Cursor != gesture.CopyCursor {
				t.Errorf("over it: got %+v, cursor %s; want the end %v", l, c.last.Cursor, end)
			}
			c.up().wantLeads("p", "next", "").wantLeads(tt.from, tt.port, "t").wantUndo("Reconnect")
		})
	}
}

// Dropping an edge back where it was changes nothing and shows no reason.
func TestLineBackAtItsPlace(t *testing.T) {
	c := newCanvas(t, ways)
	c.down(300, 20).move(500, 320).move(100, 20)
	if l, _ := c.chart.Shown().Line(); l.Target != nil || l.Reason != "" || c.last.Cursor != gesture.CrosshairCursor {
		t.Errorf("got %+v, cursor %s", l, c.last.Cursor)
	}
	if c.up(); c.last.Err != nil || c.last.Drop != nil {
		t.Errorf("got %+v", c.last)
	}
	c.wantUndo("")
}

// A line to a card that refuses it ends at the pointer, not at the input.
func TestLineToARefusal(t *testing.T) {
	c := newCanvas(
		t,
		`{"ending":{"coordinates":{"x":2000,"y":0}},"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0}},
{"type":"STEP","coordinates":{"x":400,"y":0}}]}`,
	)
	c.down(280, 20).move(500, 30)
	if l, _ := c.chart.Shown().Line(); l.Reason != "give the node an id first" || l.End != (graph.Vec{X: 500, Y: 30}) {
		t.Errorf("got %+v", l)
	}
	if c.up(); c.last.Err == nil || c.last.Err.Error() != "give the node an id first" {
		t.Errorf("got %v", c.last.Err)
	}
}

// Which edges a press grasps, and where.
func TestGrasp(t *testing.T) {
	const broken = `{"start":{"coordinates":{"x":-600,"y":0}},"ending":{"coordinates":{"x":2000,"y":0}},"nodes":[
		{"type":"FLOW","coordinates":{"x":0,"y":0},"config":{"next_node":"b"}},{"id":"b","type":"FLOW","coordinates":{"x":600,"y":0}},
		{"id":"g","type":"FLOW","coordinates":{"x":0,"y":300},"config":{"next_node":"gone"}}]}`
	edge := func(from string, port model.Port) editor.Selection {
		return editor.Selection{Edge: &editor.EdgeRef{From: from, Port: port}}
	}
	for _, tt := range []struct {
		name, form string
		sel        editor.Selection
		zoom       float64
		at         graph.Vec
		want       gesture.Phase
	}{
		{"within the radius of the end", ways, editor.Selection{}, 1, graph.Vec{X: 970, Y: 20}, gesture.Connecting},
		{"outside it", ways, editor.Selection{}, 1, graph.Vec{X: 966, Y: 20}, gesture.Selecting},
		{"further at half zoom", ways, editor.Selection{}, .5, graph.Vec{X: 940, Y: 20}, gesture.Connecting},
		{"nearer at double zoom", ways, editor.Selection{}, 2, graph.Vec{X: 980, Y: 20}, gesture.Selecting},
		{"selected", ways, edge("p", "next"), 1, graph.Vec{X: 640, Y: 20}, gesture.Connecting},
		{"another of the node is selected", source, edge("r", "fallback"), 1, graph.Vec{X: 741, Y: 43}, gesture.Selecting},
		{"of a node without an id", broken, editor.Selection{}, 1, graph.Vec{X: 580, Y: 20}, gesture.Connecting},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, tt.form)
			c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: tt.zoom})
			c.ed.Select(tt.sel)
			if c.down(tt.at.X, tt.at.Y).move(tt.at.X, tt.at.Y+40/tt.zoom); tt.want == gesture.Selecting && c.chart.Shown().Hover().Edge != nil {
				t.Error("the edge is hovered during a marquee")
			}
			c.wantPhase(tt.want)
		})
	}
	// An edge that leads to no node has only one end.
	c := newCanvas(t, broken)
	c.down(300, 320).move(700, 20)
	if l, ok := c.chart.Shown().Line(); !ok || l.Back || l.Edge == nil {
		t.Fatalf("an edge to no node: got %+v, %v", l, ok)
	}
	c.up().wantLeads("g", "next", "b")

	c = newCanvas(t, source, readOnly)
	c.down(385, 20).move(900, 20).wantPhase(gesture.Panning).up().wantLeads("a", "next", "r")
}
