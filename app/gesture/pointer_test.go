package gesture_test

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var (
	shift   = gesture.Mods{Shift: true}
	control = gesture.Mods{Control: true}
)

func TestClickSelects(t *testing.T) {
	tests := []struct {
		name string
		do   func(*canvas)
		want string
	}{
		{"a card", func(c *canvas) { c.click(100, 20) }, "a"},
		{"a component", func(c *canvas) { c.click(100, 60) }, "a/c1"},
		{"a rule", func(c *canvas) { c.click(500, 60) }, "r/one"},
		{"the fallback", func(c *canvas) { c.click(500, 115) }, "r"},
		{"a handle selects its row", func(c *canvas) { c.click(680, 58) }, "r/one"},
		{"the start", func(c *canvas) { c.click(-120, 15) }, "$start"},
		{"an edge", func(c *canvas) { c.click(340, 22) }, "a:next"},
		{"another card", func(c *canvas) { c.click(100, 20).click(500, 20) }, "r"},
		{"empty canvas", func(c *canvas) { c.click(100, 20).click(600, 700) }, ""},
		{"shift adds", func(c *canvas) { c.click(100, 20).with(shift).click(500, 20) }, "a,r"},
		{"control adds", func(c *canvas) { c.click(100, 20).with(control).click(500, 20) }, "a,r"},
		{"shift takes out", func(c *canvas) { c.click(100, 20).with(shift).click(500, 20).click(100, 20) }, "r"},
		{"shift on empty keeps", func(c *canvas) { c.click(100, 20).with(shift).click(600, 700) }, "a"},
		{"one of several", func(c *canvas) { c.click(100, 20).with(shift).click(500, 20).with(gesture.Mods{}).click(100, 20) }, "a"},
		{"a shaky click", func(c *canvas) { c.down(100, 20).move(102, 22).up() }, "a"},
		{"by touch", func(c *canvas) { c.touch = true; c.down(100, 20).move(104, 23).up() }, "a"},
		{"a tap on empty", func(c *canvas) { c.click(100, 20); c.touch = true; c.click(600, 700) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, source)
			tt.do(c)
			c.wantSelected(tt.want).wantUndo("")
		})
	}
}

func TestDrag(t *testing.T) {
	t.Run("one node snaps", func(t *testing.T) {
		c := newCanvas(t, source)
		c.down(100, 20).move(133, 57).up().wantPlace("a", 40, 40).wantSelected("a").wantUndo("Move node")
		c.ed.Undo()
		c.wantPlace("a", 0, 0)
	})
	t.Run("a node off the grid comes onto it", func(t *testing.T) {
		c := newCanvas(t, source)
		c.down(900, 20).move(915, 22).up().wantPlace("f", 820, 0)
	})
	t.Run("control is free", func(t *testing.T) {
		c := newCanvas(t, source)
		c.with(control).down(100, 20).move(133.4, 57.6).up().wantPlace("a", 33, 38)
	})
	t.Run("control pressed on the way", func(t *testing.T) {
		c := newCanvas(t, source)
		c.down(100, 20).move(133, 57).with(control).key("Control")
		if _, by := c.chart.Dragged(); by != (graph.Vec{X: 33, Y: 37}) {
			t.Errorf("got %v", by)
		}
	})
	t.Run("several keep their distances", func(t *testing.T) {
		c := newCanvas(t, source)
		c.click(500, 20).with(shift).click(900, 20).with(gesture.Mods{})
		c.down(500, 20).
			move(531, 20).
			up().
			wantPlace("r", 440, 0).
			wantPlace("f", 843, 7).
			wantPlace("a", 0, 0).
			wantUndo("Move 2 nodes").
			wantSelected("r,f")
		c.ed.Undo()
		c.wantPlace("r", 400, 0).wantPlace("f", 803, 7)
	})
	t.Run("an unselected node alone", func(t *testing.T) {
		c := newCanvas(t, source)
		c.click(500, 20).down(100, 20).move(140, 20).up().wantPlace("a", 40, 0).wantPlace("r", 400, 0).wantSelected("a")
	})
	t.Run("shift adds to what is dragged", func(t *testing.T) {
		c := newCanvas(t, source)
		c.click(500, 20).with(shift).down(100, 20).move(140, 20).up().wantPlace("a", 40, 0).wantPlace("r", 440, 0).wantSelected("r,a")
	})
	t.Run("start and ending", func(t *testing.T) {
		c := newCanvas(t, source)
		c.down(-120, 15).move(-120, 55).up().wantPlace("$start", -160, 40)
		c.down(1250, 15).move(1250, 55).up().wantPlace("$ending", 1200, 40)
	})
	t.Run("a node without coordinates from where it is drawn", func(t *testing.T) {
		c := newCanvas(t, source)
		at := c.scene.Card("loose").Rect
		c.down(at.X+100, at.Y+20).move(at.X+140, at.Y+40).up().wantPlace("loose", int(at.X)+40, int(at.Y)+20)
		if got := c.scene.Card("loose").Rect.Origin(); got != at.Origin().Add(graph.Vec{X: 40, Y: 20}) {
			t.Errorf("drawn at %v after it was at %v", got, at)
		}
	})
	t.Run("back to its place is not a step", func(t *testing.T) {
		newCanvas(t, source).down(100, 20).move(300, 300).move(101, 21).up().wantUndo("").wantPlace("a", 0, 0)
	})
	t.Run("scales with the zoom", func(t *testing.T) {
		c := newCanvas(t, source)
		c.chart.SetViewport(graph.Viewport{X: 500, Y: 500, Zoom: .25})
		c.down(100, 20).move(500, 420).up().wantPlace("a", 400, 400)
	})
	t.Run("not past the bounds, and together", func(t *testing.T) {
		c := newCanvas(t, `{"name":"x","nodes":[{"id":"a","coordinates":{"x":999900,"y":0}},{"id":"b","coordinates":{"x":999500,"y":0}}]}`)
		c.chart.SetViewport(graph.Viewport{X: -999000, Y: 200, Zoom: 1})
		c.ed.Select(editor.SelectNodes("a", "b"))
		c.down(999600, 20).move(1000600, 20).up().wantPlace("a", 999999, 0).wantPlace("b", 999599, 0)
	})
	t.Run("nothing is written on the way", func(t *testing.T) {
		c := newCanvas(t, source)
		before, told := c.ed.State(), 0
		c.ed.Observe(func() { told++ })
		c.down(100, 20)
		for i := range 50 {
			c.move(100+float64(i*9), 20)
		}
		if got := c.ed.State(); got.Form != before.Form || told > 0 {
			t.Errorf("the editor changed %d times during the drag", told)
		}
	})
}

func TestMarquee(t *testing.T) {
	c := newCanvas(t, source)
	c.down(-40, 160).move(450, 100)
	if got := selected(c.chart.Selection()); got != "a,r" {
		t.Errorf("preview: got %q", got)
	}
	if r, ok := c.chart.Marquee(); !ok || r != (graph.Rect{X: -40, Y: 100, W: 490, H: 60}) {
		t.Errorf("marquee: got %v, %v", r, ok)
	}
	c.wantSelected("").move(100, 100).up().wantSelected("a").wantUndo("")
	c.with(shift).down(750, 160).move(900, 60).up().wantSelected("a,f")
	c.with(gesture.Mods{}).down(740, 300).move(760, 310).up().wantSelected("")
}

func TestMarqueeKeepsItsStartWhenTheViewMoves(t *testing.T) {
	c := newCanvas(t, source)
	c.down(300, 500).move(400, 600)
	c.send(gesture.Event{Type: gesture.Wheel, At: c.at, Wheel: graph.Vec{Y: 300}})
	if r, _ := c.chart.Marquee(); r != (graph.Rect{X: 300, Y: 500, W: 100, H: 400}) {
		t.Errorf("got %v", r)
	}
}

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

// A connection that ends on empty canvas, new or not, is an offer to make a node there. Nothing changes before one
// is chosen.
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

// TestReplacedConnectionIsAnnounced: a way out that led to a node and now leads to another is reported with the form as
// it was, whichever end was dragged, and one undo brings it back. Nothing else is reported.
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
				t.Error("one undo does not take it back")
			}
		})
	}
}

func TestConnectTellsBeforeTheRelease(t *testing.T) {
	c := newCanvas(t, source)
	c.down(680, 86).move(900, 60)
	l, ok := c.chart.Line()
	if !ok || l.Target.ID != "f" || l.Reason != "" || c.last.Cursor != gesture.CopyCursor || l.End != (graph.Vec{X: 803, Y: 27}) {
		t.Errorf("over a target: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(-120, 15)
	if l, _ = c.chart.Line(); l.Reason == "" || c.last.Cursor != gesture.NotAllowedCursor {
		t.Errorf("over the start: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(700, 600)
	if l, _ = c.chart.Line(); l.Target != nil || l.Reason != "" || c.last.Cursor != gesture.CrosshairCursor {
		t.Errorf("over empty canvas: got %+v, cursor %s", l, c.last.Cursor)
	}
	c.move(-120, 15).up()
	if c.last.Err == nil {
		t.Error("a refused drop: got no error")
	}
	c = newCanvas(t, `{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0}},{"type":"STEP","coordinates":{"x":400,"y":0}}]}`)
	c.down(280, 20).move(500, 20)
	if l, _ = c.chart.Line(); l.Reason == "" {
		t.Error("a target without an id: got no reason")
	}
	c.up().wantLeads("a", "next", "")
}

func TestPan(t *testing.T) {
	moved := graph.Viewport{X: 340, Y: 230, Zoom: 1}
	drag := func(c *canvas, b gesture.Button) {
		c.send(gesture.Event{Type: gesture.Down, At: graph.Vec{X: 400, Y: 215}, Button: b})
		c.send(gesture.Event{Type: gesture.Move, At: graph.Vec{X: 440, Y: 245}})
		c.send(gesture.Event{Type: gesture.Up, At: graph.Vec{X: 440, Y: 245}, Button: b})
	}
	tests := []struct {
		name string
		do   func(*canvas)
		want graph.Viewport
	}{
		{"middle button over a card", func(c *canvas) { drag(c, gesture.MiddleButton) }, moved},
		{"space held", func(c *canvas) { drag(c.key(" "), gesture.MainButton) }, moved},
		{"one finger", func(c *canvas) { c.touch = true; c.down(600, 700).move(640, 730).up() }, moved},
		{"wheel", func(c *canvas) { c.send(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{X: -40, Y: -30}}) }, moved},
		{"wheel by lines", func(c *canvas) {
			c.send(gesture.Event{Type: gesture.Wheel, Unit: gesture.Lines, Wheel: graph.Vec{X: -2, Y: -1.5}})
		}, moved},
		{
			"shift turns the wheel",
			func(c *canvas) { c.with(shift).send(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{Y: -40}}) },
			graph.Viewport{X: 340, Y: 200, Zoom: 1},
		},
		{
			"shift turned by the system",
			func(c *canvas) { c.with(shift).send(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{X: -40}}) },
			graph.Viewport{X: 340, Y: 200, Zoom: 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, source)
			tt.do(c)
			if got := c.chart.Viewport(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			c.wantSelected("").wantUndo("").wantPlace("a", 0, 0)
		})
	}
	t.Run("space let go", func(t *testing.T) {
		c := newCanvas(t, source).key(" ").send(gesture.Event{Type: gesture.KeyUp, Key: " "})
		c.down(100, 20).move(140, 20).up().wantPlace("a", 40, 0)
	})
	t.Run("space forgotten with the focus", func(t *testing.T) {
		c := newCanvas(t, source).key(" ").send(gesture.Event{Type: gesture.Blur})
		c.down(100, 20).move(140, 20).up().wantPlace("a", 40, 0)
	})
	t.Run("right button", func(t *testing.T) {
		c := newCanvas(t, source)
		drag(c, 2)
		if got := c.chart.Viewport(); got.X != 300 || c.chart.Phase() != gesture.Idle {
			t.Errorf("got %v", got)
		}
	})
}

func TestWheelZooms(t *testing.T) {
	at := graph.Vec{X: 700, Y: 400}
	zoom := func(c *canvas, y float64) float64 {
		before := c.chart.Viewport().ToForm(at)
		c.send(gesture.Event{Type: gesture.Wheel, At: at, Wheel: graph.Vec{Y: y}})
		if got := c.chart.Viewport().ToForm(at); got.Sub(before).Len() > 1e-6 {
			t.Errorf("the place under the pointer went from %v to %v", before, got)
		}
		return c.chart.Viewport().Zoom
	}
	c := newCanvas(t, source).with(control)
	if z := zoom(c, -100); z < 1.1 || z > 1.25 {
		t.Errorf("a notch: got %v", z)
	}
	if z := zoom(newCanvas(t, source).with(control), -3); z < 1.01 || z > 1.05 {
		t.Errorf("a pinch: got %v", z)
	}
	for range 100 {
		zoom(c, 1000)
	}
	if z := zoom(c, 1000); z != graph.MinZoom {
		t.Errorf("the least: got %v", z)
	}
	if z := zoom(newCanvas(t, source, wheelZooms), -100); z <= 1 {
		t.Errorf("preferred: got %v", z)
	}
	c = newCanvas(t, source, wheelZooms).with(control)
	c.send(gesture.Event{Type: gesture.Wheel, At: at, Wheel: graph.Vec{Y: -100}})
	if v := c.chart.Viewport(); v.Zoom != 1 || v.Y != 300 {
		t.Errorf("preferred, with control: got %v", v)
	}
}

func finger(typ gesture.Type, id int, x, y float64) gesture.Event {
	return gesture.Event{Type: typ, Pointer: id, Device: gesture.Touch, At: graph.Vec{X: x, Y: y}}
}

func TestPinch(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 400, 215)).send(finger(gesture.Move, 1, 460, 215))
	if c.chart.Phase() != gesture.Dragging {
		t.Fatalf("one finger on a card: got phase %d", c.chart.Phase())
	}
	c.send(finger(gesture.Down, 2, 660, 215))
	before := c.chart.Viewport().ToForm(graph.Vec{X: 460, Y: 215})
	c.send(finger(gesture.Move, 2, 860, 215))
	if v := c.chart.Viewport(); v.Zoom != 2 || v.ToForm(graph.Vec{X: 460, Y: 215}).Sub(before).Len() > 1e-6 {
		t.Errorf("fingers twice as far: got %v", v)
	}
	c.send(finger(gesture.Up, 2, 860, 215)).send(finger(gesture.Move, 1, 470, 225))
	if v := c.chart.Viewport(); v.Zoom != 2 || c.chart.Phase() != gesture.Panning {
		t.Errorf("one finger left: got %v", v)
	}
	c.send(finger(gesture.Up, 1, 470, 225))
	if c.chart.Phase() != gesture.Idle {
		t.Errorf("no finger left: got phase %d", c.chart.Phase())
	}
	c.wantPlace("a", 0, 0).wantUndo("").wantSelected("")
}

// TestCancel cancels every gesture at every phase by every means: the state must
// be the one from before, by identity.
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
				if c.chart.Phase() != gesture.Idle || !c.chart.Selection().Equal(before.Selection) || c.chart.Ticking() {
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
	// What only concerns the panels does not.
	c = newCanvas(t, source)
	c.down(100, 20).move(200, 20)
	c.ed.Select(editor.SelectNodes("r"))
	c.up().wantPlace("a", 100, 0)
}

func TestAutoPan(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 20).move(1600, 20)
	if c.chart.Ticking() {
		t.Fatal("ticks away from the border")
	}
	c.move(1695, 20)
	if !c.chart.Ticking() {
		t.Fatal("no ticks at the border")
	}
	was := c.chart.Viewport()
	for range 10 {
		c.send(gesture.Event{Type: gesture.Tick, Dt: 16 * time.Millisecond})
	}
	v := c.chart.Viewport()
	if v.X >= was.X || v.Y != was.Y || c.last.Redraw&gesture.RedrawViewport == 0 {
		t.Errorf("the view went from %v to %v", was, v)
	}
	c.up()
	at := v.ToForm(c.at).Sub(graph.Vec{X: 100, Y: 20})
	if got := c.place("a"); got.X < int(at.X)-10 || got.X > int(at.X)+10 {
		t.Errorf("dropped at %v, the pointer was at %v", got, at)
	}
	c.send(gesture.Event{Type: gesture.Tick, Dt: time.Second})
	if got := c.chart.Viewport(); got != v {
		t.Errorf("a tick after the end moved the view to %v", got)
	}
	// A page that slept must not jump.
	c.down(at.X+110, 20).move(v.ToForm(graph.Vec{X: 2000, Y: 500}).X, 20)
	was = c.chart.Viewport()
	c.send(gesture.Event{Type: gesture.Tick, Dt: time.Hour})
	if got := was.X - c.chart.Viewport().X; got <= 0 || got > 100 {
		t.Errorf("after an hour the view moved by %v", got)
	}
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

func TestHover(t *testing.T) {
	c := newCanvas(t, source)
	c.move(100, 20)
	if h := c.chart.Hover(); h.Card == nil || h.Card.ID != "a" || c.last.Redraw != gesture.RedrawHover ||
		c.last.Cursor != gesture.PointerCursor {
		t.Errorf("over a card: got %+v, %+v", h, c.last)
	}
	c.move(101, 20)
	if c.last.Redraw != 0 {
		t.Error("the same card is drawn again")
	}
	c.move(280, 20)
	if h := c.chart.Hover(); h.Out != 1 || c.last.Cursor != gesture.CrosshairCursor {
		t.Errorf("over a handle: got %+v, %s", h, c.last.Cursor)
	}
	c.send(gesture.Event{Type: gesture.Leave})
	if h := c.chart.Hover(); h.Card != nil || c.last.Redraw != gesture.RedrawHover {
		t.Errorf("outside: got %+v", h)
	}
}

// TestBrokenIDsAreEditedApart: a node is dragged, selected and led from by itself, whatever its id; only a
// pointer needs an id of its own.
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
			t.Errorf("a drop of what leads on from %q: got %+v", from.key, d)
		}
	}
	for _, id := range []graph.Vec{{X: 100, Y: 20}, {X: 1000, Y: 220}} {
		before := c.ed.State().Form
		if c.down(680, 20).move(id.X, id.Y).up(); c.ed.State().Form != before || c.last.Err == nil {
			t.Errorf("a connection to %v: got %v", id, c.last.Err)
		}
	}
}
