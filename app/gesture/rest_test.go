package gesture_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// A hovered or selected edge has a button in its middle. A press on it asks for a node there. The pointer may leave the edge on
// its way to the button.
func TestEdgeHasAButton(t *testing.T) {
	c := newCanvas(t, source)
	want := func(from string) {
		t.Helper()
		e, at := c.chart.Shown().Plus()
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

// An edge has no button if the button would lie on a card.
func TestEdgeBehindACardHasNoButton(t *testing.T) {
	const form = `{"name":"f","nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0},"config":{"flow_id":"x","next_node":"z"}},
		{"id":"m","type":"FLOW","coordinates":{"x":400,"y":%d},"config":{"flow_id":"x"}},
		{"id":"z","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"x"}}]}`
	for y, want := range map[int]bool{0: false, 300: true} {
		c := newCanvas(t, fmt.Sprintf(form, y))
		c.move(340, 20)
		if e, at := c.chart.Shown().Plus(); (e != nil) != want {
			t.Errorf("with a card at %d: a button of %v at %v", y, e, at)
		}
	}
}

func TestHover(t *testing.T) {
	c := newCanvas(t, source)
	c.move(100, 20)
	if h := c.chart.Shown().Hover(); h.Card == nil || h.Card.ID != "a" || c.last.Redraw != gesture.RedrawHover ||
		c.last.Cursor != gesture.PointerCursor {
		t.Errorf("over a card: got %+v, %+v", h, c.last)
	}
	c.move(101, 20)
	if c.last.Redraw != 0 {
		t.Error("the same card is redrawn")
	}
	c.move(280, 20)
	if h := c.chart.Shown().Hover(); h.Out != 1 || c.last.Cursor != gesture.CrosshairCursor {
		t.Errorf("over a handle: got %+v, %s", h, c.last.Cursor)
	}
	c.send(gesture.Event{Type: gesture.Leave})
	if h := c.chart.Shown().Hover(); h.Card != nil || c.last.Redraw != gesture.RedrawHover {
		t.Errorf("outside: got %+v", h)
	}
}

// Releasing a key during a gesture keeps the cursor of the gesture. The cursor of the space bar ends when
// the canvas loses the focus.
func TestCursorAndSpace(t *testing.T) {
	c := newCanvas(t, source).key(" ").down(100, 20).move(140, 60)
	c.send(gesture.Event{Type: gesture.KeyUp, Key: " "})
	if c.last.Cursor != "" && c.last.Cursor != gesture.GrabbingCursor {
		t.Errorf("space released while panning: got %s", c.last.Cursor)
	}
	c.up()
	if c.last.Cursor == gesture.GrabCursor {
		t.Error("panning is over: got grab")
	}
	c = newCanvas(t, source).key(" ")
	if c.last.Cursor != gesture.GrabCursor {
		t.Errorf("space: got %s", c.last.Cursor)
	}
	if c.send(gesture.Event{Type: gesture.Blur}); c.last.Cursor != gesture.DefaultCursor {
		t.Errorf("space after the focus was lost: got %q", c.last.Cursor)
	}
}

func TestCursors(t *testing.T) {
	for name, tt := range map[string]struct {
		do   func(*canvas)
		opts []func(*editor.Config, *gesture.Options)
		want gesture.Cursor
	}{
		"canvas":          {func(c *canvas) { c.move(600, 700) }, nil, gesture.DefaultCursor},
		"edge":            {func(c *canvas) { c.move(340, 20) }, nil, gesture.PointerCursor},
		"handle":          {func(c *canvas) { c.move(280, 20) }, nil, gesture.CrosshairCursor},
		"handle, to read": {func(c *canvas) { c.move(280, 20) }, []func(*editor.Config, *gesture.Options){readOnly}, gesture.PointerCursor},
		"space":           {func(c *canvas) { c.key(" ").move(100, 20) }, nil, gesture.GrabCursor},
		"space pressed":   {func(c *canvas) { c.move(100, 20).key(" ") }, nil, gesture.GrabCursor},
		"space let go": {
			func(c *canvas) { c.move(100, 20).key(" ").send(gesture.Event{Type: gesture.KeyUp, Key: " "}) }, nil,
			gesture.PointerCursor,
		},
		"after a gesture":   {func(c *canvas) { c.down(100, 20).move(140, 20).up() }, nil, gesture.DefaultCursor},
		"drag":              {func(c *canvas) { c.down(100, 20).move(140, 20) }, nil, gesture.GrabbingCursor},
		"marquee":           {func(c *canvas) { c.down(-40, 200).move(50, 150) }, nil, gesture.DefaultCursor},
		"back at its place": {func(c *canvas) { c.down(700, 57).move(680, 86).move(680, 58) }, nil, gesture.CrosshairCursor},
	} {
		c := newCanvas(t, source, tt.opts...)
		if tt.do(c); c.last.Cursor != tt.want {
			t.Errorf("%s: got %q, want %q", name, c.last.Cursor, tt.want)
		}
	}
	c := newCanvas(t, source)
	if c.send(gesture.Event{Type: gesture.Leave}); c.last.Redraw != 0 {
		t.Error("the canvas is redrawn although nothing is hovered")
	}
	if c.move(100, 20); c.chart.Pointer() != c.at {
		t.Errorf("the pointer is at %v, want %v", c.chart.Pointer(), c.at)
	}
}
