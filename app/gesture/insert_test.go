package gesture_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Which cards can be inserted on an edge, and on which of several edges.
func TestWhichCardsInsert(t *testing.T) {
	node := func(id, typ string, x, y int, more string) string {
		return fmt.Sprintf(`{"id":%q,"type":%q,"coordinates":{"x":%d,"y":%d}%s}`, id, typ, x, y, more)
	}
	// Two level edges, 20 apart, run from 280 to 800. Nothing leads to o, which leads
	// on, nor to g, whose edge leads to no node.
	form := `{"start":{"coordinates":{"x":-600,"y":0}},"ending":{"coordinates":{"x":800,"y":20}},"nodes":[` +
		node("a", "FLOW", 0, 0, `,"config":{"next_node":"b"}`) + "," + node("c", "FLOW", 0, 100, `,"config":{"next_node":"d"}`) + "," +
		node("b", "FLOW", 800, 0, ``) + "," + node("d", "FLOW", 800, 100, ``) + "," +
		node("one", "FLOW", 0, 400, ``) + "," + node("two", "FLOW", 400, 400, ``) + "," + node("odd", "LOOP", 800, 400, ``) + "," +
		node("g", "FLOW", 0, 600, `,"config":{"next_node":"gone"}`) + `]}`
	edge := func(c *canvas) string {
		if e := c.chart.Shown().InsertEdge(); e != nil {
			return e.Source().ID
		}
		return ""
	}
	for _, tt := range []struct {
		name string
		do   func(*canvas)
		want string
	}{
		{"on an edge", func(c *canvas) { c.down(100, 420).move(540, 20) }, "a"},
		{"within the reach", func(c *canvas) { c.down(100, 420).move(540, 33) }, "a"},
		{"at its end", func(c *canvas) { c.down(100, 420).move(540, 34.5) }, ""},
		{"further at half zoom", func(c *canvas) {
			c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: .5})
			c.down(100, 420).move(540, 45)
		}, "a"},
		{"the nearer, above", func(c *canvas) {
			c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: .25})
			c.down(100, 420).move(540, 65)
		}, "a"},
		{"the nearer, below", func(c *canvas) {
			c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: .25})
			c.down(100, 420).move(540, 75)
		}, "c"},
		{"several", func(c *canvas) { c.ed.Select(editor.SelectNodes("one", "two")); c.down(100, 420).move(540, 20) }, ""},
		{"a node of an unknown type", func(c *canvas) { c.down(900, 420).move(540, 20) }, ""},
		{"the start", func(c *canvas) { c.down(-560, 16).move(540, 20) }, ""},
		{"the ending", func(c *canvas) { c.down(840, 36).move(540, 20) }, ""},
		{"one that leads on", func(c *canvas) { c.down(100, 620).move(540, 20) }, ""},
		{"on an edge to no node", func(c *canvas) { c.down(100, 420).move(300, 620) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, form)
			tt.do(c)
			if got := edge(c); got != tt.want || c.chart.Phase() != gesture.Dragging {
				t.Errorf("got %q, phase %d", got, c.chart.Phase())
			}
			if c.key("Escape"); edge(c) != "" {
				t.Errorf("after Escape: got %q", edge(c))
			}
			c.wantUndo("")
		})
	}
	c := newCanvas(t, form)
	c.down(100, 420).
		move(540, 20).
		up().
		wantLeads("a", "next", "one").
		wantLeads("one", "next", "b").
		wantPlace("one", 440, 0).
		wantSelected("one")
	if got := edge(c); got != "" {
		t.Errorf("after the drop: got %q", got)
	}
}

// An unconnected card that is dropped on an edge is inserted there, in one step.
func TestInsertOnEdge(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 240).move(340, 20) // loose is drawn at 0,220
	if e := c.chart.Shown().InsertEdge(); e == nil || e.Source().ID != "a" || e.Port != model.NextPort {
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
		if do(c); c.chart.Shown().InsertEdge() != nil {
			t.Errorf("%s: got an edge", name)
		}
		if c.key("Escape"); c.chart.Shown().InsertEdge() != nil || c.ed.UndoLabel() != "" {
			t.Errorf("%s: something is left after Escape", name)
		}
	}
}

// A card dropped on an edge covers no other card afterwards.
func TestInsertMakesRoom(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 240).move(340, 20).up().wantLeads("a", "next", "loose").wantLeads("loose", "next", "r")
	c.wantPlace("a", 0, 0).wantPlace("loose", 320, 0).wantPlace("r", 680, 0).wantUndo("Insert on edge")
	for _, card := range c.scene.Cards() {
		if found := c.scene.CardsIn(card.Rect, nil); len(found) > 1 {
			t.Errorf("%s at %v covers another", card.ID, card.Rect)
		}
	}
	if c.ed.Undo(); c.ed.UndoLabel() != "" {
		t.Error("it took more than one step")
	}
	c.wantPlace("r", 400, 0)
}
