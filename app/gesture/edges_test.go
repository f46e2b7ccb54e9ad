package gesture_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// An edge held by its beginning moves to another way out; nothing else takes it.
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

// A loose card that is dropped on an edge goes between its ends, in one step.
func TestSplice(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 240).move(340, 20) // loose is drawn at 0,220
	if e := c.chart.InsertEdge(); e == nil || e.Source().ID != "a" || e.Port != model.NextPort {
		t.Fatalf("over the edge: got %v", e)
	}
	c.up().wantLeads("a", "next", "loose").wantLeads("loose", "next", "r")
	c.ed.Undo()
	c.wantLeads("a", "next", "r").wantLeads("loose", "next", "")
	if c.ed.UndoLabel() != "" {
		t.Errorf("it took more than one step: %s", c.ed.UndoLabel())
	}
	for name, do := range map[string]func(*canvas){
		"a card that is connected": func(c *canvas) { c.down(900, 30).move(340, 20) },
		"with Alt":                 func(c *canvas) { c.with(gesture.Mods{Alt: true}).down(100, 240).move(340, 20) },
		"away again":               func(c *canvas) { c.down(100, 240).move(340, 20).move(340, 500) },
	} {
		c := newCanvas(t, source)
		if do(c); c.chart.InsertEdge() != nil {
			t.Errorf("%s: got an edge", name)
		}
		if c.key("Escape"); c.chart.InsertEdge() != nil || c.ed.UndoLabel() != "" {
			t.Errorf("%s: Escape leaves something", name)
		}
	}
}

// Alt copies what is dragged; the original stays.
func TestDragACopy(t *testing.T) {
	c := newCanvas(t, source)
	n := len(c.ed.State().Form.Nodes)
	c.with(gesture.Mods{Alt: true}).down(100, 20).move(100, 420)
	if c.last.Cursor != gesture.CopyCursor {
		t.Errorf("cursor: got %s", c.last.Cursor)
	}
	c.up().wantPlace("a", 0, 0)
	nodes := c.ed.State().Form.Nodes
	if len(nodes) != n+1 || nodes[n].At != (model.Point{X: 0, Y: 400}) {
		t.Fatalf("got %d nodes, the last at %v", len(nodes), nodes[len(nodes)-1].At)
	}
	c.ed.Undo()
	if len(c.ed.State().Form.Nodes) != n {
		t.Error("one undo does not take the copy back")
	}
}

// The card is copied also when one of its rows is selected: it is the card that is
// dragged.
func TestDragACopyOfACardWithASelectedRow(t *testing.T) {
	c := newCanvas(t, source).click(100, 60).wantSelected("a/c1")
	n := len(c.ed.State().Form.Nodes)
	c.with(alt).down(100, 60).move(100, 460).up().wantUndo("Duplicate node").wantPlace("a", 0, 0)
	if nodes := c.ed.State().Form.Nodes; len(nodes) != n+1 || nodes[n].At != (model.Point{X: 0, Y: 400}) {
		t.Errorf("got %d nodes, want %d with the last one 400 below", len(nodes), n+1)
	}
}

// A release counts where it is, whether or not a move came before it.
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

// A card off the grid catches another by its left side or its handles, and shows
// why; Control lets go.
func TestGuides(t *testing.T) {
	const off = `{"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0}},{"id":"b","type":"FLOW","coordinates":{"x":407,"y":309}}]}`
	c := newCanvas(t, off)
	c.down(100, 20).move(505, 120)
	if got := c.chart.Guides(); len(got) == 0 ||
		!slices.ContainsFunc(got, func(g graph.GuideLine) bool { return g.From.X == 407 && g.To.X == 407 }) {
		t.Errorf("the left side: got %v", got)
	}
	c.up().wantPlace("a", 407, 100)
	if len(c.chart.Guides()) != 0 {
		t.Error("the lines stay after the drag")
	}
	c = newCanvas(t, off)
	c.down(100, 20).move(105, 331).up().wantPlace("a", 0, 309)
	c = newCanvas(t, off)
	c.with(control).down(100, 20).move(505, 331).up().wantPlace("a", 405, 311)
	c = newCanvas(t, off)
	c.down(100, 20).move(305, 120).up().wantPlace("a", 200, 100)
}
