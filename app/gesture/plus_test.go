package gesture_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// TestEdgeHasAButton: an edge that is pointed at or selected has one in its middle; a press on it asks for a node
// there, and the pointer may leave the edge on the way to it.
func TestEdgeHasAButton(t *testing.T) {
	c := newCanvas(t, source)
	want := func(from string) {
		t.Helper()
		e, at := c.chart.Plus()
		switch {
		case e == nil && from == "":
		case e == nil || from != e.Source().Key:
			t.Errorf("got %v, want that from %q", e, from)
		case at != c.chart.Viewport().ToScreen(e.Curve.At(.5)):
			t.Errorf("it is at %v", at)
		}
	}
	want("")
	c.move(340, 24)
	want("a")
	c.move(340, 31)
	want("a")
	c.move(340, 33)
	want("")
	c.move(340, 24).move(340, 31).down(340, 31).up()
	if d := c.last.Drop; d == nil ||
		*d != (gesture.Drop{From: editor.EdgeRef{From: "a", Port: "next"}, At: graph.Vec{X: 340, Y: 20}, Middle: true}) {
		t.Errorf("a press: got %+v", d)
	}
	c.wantSelected("a:next").move(700, 700)
	want("a") // it is selected
	c.move(500, 20)
	want("a")
	if c.click(310, 20); c.last.Drop != nil {
		t.Errorf("beside it: got %+v", c.last.Drop)
	}
	c.down(340, 20).move(500, 400)
	want("")
	if c.up(); c.last.Drop == nil || c.last.Drop.Middle {
		t.Errorf("a drag from it: got %+v", c.last.Drop)
	}
	c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: .3})
	want("")

	c = newCanvas(t, source, readOnly)
	c.move(340, 24)
	want("")
}

// TestEdgeBehindACardHasNoButton: it would lie on the card.
func TestEdgeBehindACardHasNoButton(t *testing.T) {
	const form = `{"name":"f","nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"flow_id":"x","next_node":"z"}},
		{"id":"m","type":"FLOW","coordinates":{"x":400,"y":%d},"config":{"flow_id":"x"}},
		{"id":"z","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"x"}}]}`
	for y, want := range map[int]bool{0: false, 300: true} {
		c := newCanvas(t, fmt.Sprintf(form, y))
		c.move(340, 20)
		if e, at := c.chart.Plus(); (e != nil) != want {
			t.Errorf("with a card at %d: a button of %v at %v", y, e, at)
		}
	}
}

// TestSpliceMakesRoom: a card dropped on an edge covers no other afterwards.
func TestSpliceMakesRoom(t *testing.T) {
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
