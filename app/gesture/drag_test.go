package gesture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

func (c *canvas) wantPhase(want gesture.Phase) *canvas {
	c.t.Helper()
	if got := c.chart.Phase(); got != want {
		c.t.Errorf("phase: got %d, want %d", got, want)
	}
	return c
}

// A press becomes a drag at the threshold, not behind it.
func TestThreshold(t *testing.T) {
	for device, px := range map[gesture.Device]float64{gesture.Mouse: 4, gesture.Touch: 6} {
		c := newCanvas(t, source)
		c.touch = device == gesture.Touch
		c.down(100, 20).move(100+px-.5, 20).wantPhase(gesture.Pressing).move(100+px, 20).wantPhase(gesture.Dragging)
	}
}

// What a press asks of the browser: all events of the pointer, and what was shown
// below it is shown no longer.
func TestPressAsks(t *testing.T) {
	c := newCanvas(t, source)
	c.move(100, 20).down(100, 20)
	if !c.last.Capture || c.last.Redraw != gesture.RedrawHover || c.chart.Hover().Card != nil {
		t.Errorf("a press on a card: got %+v, hover %+v", c.last, c.chart.Hover())
	}
	c = newCanvas(t, source)
	c.send(gesture.Event{Type: gesture.Down, Button: gesture.MiddleButton})
	if !c.last.Capture || !c.last.Taken || c.last.Cursor != gesture.GrabbingCursor {
		t.Errorf("the middle button: got %+v", c.last)
	}
}

// One pointer has the gesture; what others do meanwhile changes nothing.
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
		if _, by := c.chart.Dragged(); by != (graph.Vec{X: 40}) || c.last.Taken != (e.Type == gesture.Down) || c.last.Capture {
			t.Errorf("%+v: dragged by %v, got %+v", e, by, c.last)
		}
		c.wantPhase(gesture.Dragging).move(180, 20).up().wantPlace("a", 80, 0).wantSelected("a")
	}
}

// What each move and the end of a drag have drawn again.
func TestDragRedraws(t *testing.T) {
	const moved, selection = gesture.RedrawMoved, gesture.RedrawSelection
	c := newCanvas(t, source)
	for i, want := range []gesture.Redraw{moved | selection, moved} {
		if c.down(100, 20).move(140+float64(i), 20); c.last.Redraw != want || c.last.Cursor != gesture.GrabbingCursor {
			t.Errorf("move %d: got %+v", i, c.last)
		}
	}
	for name, stop := range map[string]func(*canvas){"up": func(c *canvas) { c.up() }, "escape": func(c *canvas) { c.key("Escape") }} {
		for what, x := range map[string]struct {
			do   func(*canvas)
			want gesture.Redraw
		}{
			"drag":    {func(c *canvas) { c.down(100, 20).move(140, 20) }, moved | selection},
			"connect": {func(c *canvas) { c.down(680, 86).move(740, 500) }, gesture.RedrawLine},
			"marquee": {func(c *canvas) { c.down(-40, 200).move(50, 50) }, gesture.RedrawMarquee | selection},
			"pan":     {func(c *canvas) { c.key(" ").down(0, 0).move(50, 50) }, 0},
		} {
			c := newCanvas(t, source)
			x.do(c)
			if stop(c); c.last.Redraw != x.want {
				t.Errorf("%s, %s: got %b, want %b", what, name, c.last.Redraw, x.want)
			}
			ids, _ := c.chart.Dragged()
			line, connecting := c.chart.Line()
			_, marquee := c.chart.Marquee()
			if ids != nil || line != (gesture.Line{}) || connecting || marquee || c.chart.InsertEdge() != nil || len(c.chart.Guides()) > 0 {
				t.Errorf("%s, %s: something stays: %v, %+v", what, name, ids, line)
			}
		}
	}
	c = newCanvas(t, source)
	c.down(100, 20).move(140, 20)
	if _, ok := c.chart.Marquee(); ok {
		t.Error("a drag has a marquee")
	}
	c = newCanvas(t, source)
	c.down(-40, 200).move(50, 50)
	if ids, _ := c.chart.Dragged(); ids != nil {
		t.Errorf("a marquee drags %v", ids)
	}
}

// Places are whole while a drag is under way, as they are when it ends.
func TestFreeDragIsWhole(t *testing.T) {
	c := newCanvas(t, source)
	c.with(control).down(100, 20).move(133.4, 57.6)
	if _, by := c.chart.Dragged(); by != (graph.Vec{X: 33, Y: 38}) {
		t.Errorf("got %v", by)
	}
}

// Of several dragged cards none leaves the bounds, whichever is in front.
func TestDragBounds(t *testing.T) {
	const m = model.MaxCoordinate
	form := func(ax, ay, bx, by int) string {
		return fmt.Sprintf(`{"nodes":[{"id":"a","coordinates":{"x":%d,"y":%d}},{"id":"b","coordinates":{"x":%d,"y":%d}}]}`, ax, ay, bx, by)
	}
	for _, tt := range []struct {
		name           string
		ax, ay, bx, by int
		move           graph.Vec
		wantA, wantB   model.Point
	}{
		{"left, the first ahead", -m + 100, 0, -m + 500, 0, graph.Vec{X: -1000}, model.Point{X: -m}, model.Point{X: -m + 400}},
		{"left, the last ahead", -m + 500, 0, -m + 100, 0, graph.Vec{X: -1000}, model.Point{X: -m + 400}, model.Point{X: -m}},
		{"right, the first ahead", m - 100, 0, m - 500, 0, graph.Vec{X: 1000}, model.Point{X: m}, model.Point{X: m - 400}},
		{"above, the first ahead", 0, -m + 100, 0, -m + 500, graph.Vec{Y: -1000}, model.Point{Y: -m}, model.Point{Y: -m + 400}},
		{"above, the last ahead", 0, -m + 500, 0, -m + 100, graph.Vec{Y: -1000}, model.Point{Y: -m + 400}, model.Point{Y: -m}},
		{"below, the first ahead", 0, m - 100, 0, m - 500, graph.Vec{Y: 1000}, model.Point{Y: m}, model.Point{Y: m - 400}},
		{"below, the last ahead", 0, m - 500, 0, m - 100, graph.Vec{Y: 1000}, model.Point{Y: m - 400}, model.Point{Y: m}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, form(tt.ax, tt.ay, tt.bx, tt.by))
			c.chart.SetViewport(graph.Viewport{X: float64(-tt.ax) + 900, Y: float64(-tt.ay) + 500, Zoom: 1})
			c.ed.Select(editor.SelectNodes("a", "b"))
			x, y := float64(tt.ax)+50, float64(tt.ay)+20
			c.down(x, y).move(x+tt.move.X, y+tt.move.Y).up().wantPlace("a", tt.wantA.X, tt.wantA.Y).wantPlace("b", tt.wantB.X, tt.wantB.Y)
		})
	}
}

// Which cards go on an edge, and on which of several.
func TestSpliceOfWhat(t *testing.T) {
	node := func(id, typ string, x, y int, more string) string {
		return fmt.Sprintf(`{"id":%q,"type":%q,"coordinates":{"x":%d,"y":%d}%s}`, id, typ, x, y, more)
	}
	// Two edges that run level, 20 apart, from 280 to 800; o leads on and nothing
	// leads to it; to g nothing leads either, and its edge leads to no node.
	form := `{"start":{"coordinates":{"x":-600,"y":0}},"ending":{"coordinates":{"x":800,"y":20}},"nodes":[` +
		node("a", "FLOW", 0, 0, `,"config":{"next_node":"b"}`) + "," + node("c", "FLOW", 0, 100, `,"config":{"next_node":"d"}`) + "," +
		node("b", "FLOW", 800, 0, ``) + "," + node("d", "FLOW", 800, 100, ``) + "," +
		node("one", "FLOW", 0, 400, ``) + "," + node("two", "FLOW", 400, 400, ``) + "," + node("odd", "LOOP", 800, 400, ``) + "," +
		node("g", "FLOW", 0, 600, `,"config":{"next_node":"gone"}`) + `]}`
	edge := func(c *canvas) string {
		if e := c.chart.InsertEdge(); e != nil {
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

// Two drags are two steps, however fast they follow each other.
func TestEachDragIsAStep(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 20).move(140, 20).up().down(140, 20).move(180, 20).up().wantPlace("a", 80, 0)
	c.ed.Undo()
	c.wantPlace("a", 40, 0)
}

func TestMarqueeSelects(t *testing.T) {
	c := newCanvas(t, source)
	c.click(100, 20).with(shift).down(-40, 200).move(450, 50)
	if got := selected(c.chart.Selection()); got != "a,r" {
		t.Errorf("what is selected already and touched is there once: got %q", got)
	}
	if c.move(450, 51); c.last.Redraw != gesture.RedrawMarquee {
		t.Errorf("the same cards are drawn again: %b", c.last.Redraw)
	}
	if c.move(450, 160); c.last.Redraw != gesture.RedrawMarquee|gesture.RedrawSelection {
		t.Errorf("other cards are not: %b", c.last.Redraw)
	}
	c.up().wantSelected("a")
	c.with(control).down(750, 160).move(900, 60).up().wantSelected("a,f")
	c.with(control).click(600, 700).wantSelected("a,f")

	// In the order of the form, wherever they are, with or without an id.
	var nodes string
	want := "$start,$ending"
	for i := range 12 {
		x := i * 7 % 12 * 300
		nodes += fmt.Sprintf(`{"id":"n%d","type":"FLOW","coordinates":{"x":%d,"y":%d}},`, i, x, i%3*200)
		want += fmt.Sprintf(",n%d", i)
	}
	want += ",\x001"
	c = newCanvas(
		t,
		`{"start":{"coordinates":{"x":3700,"y":0}},"ending":{"coordinates":{"x":-200,"y":0}},
"nodes":[`+nodes+`{"type":"FLOW","coordinates":{"x":0,"y":-200}}]}`,
	)
	c.chart.SetViewport(graph.Viewport{X: 300, Y: 400, Zoom: .25})
	c.down(-500, -500).move(4000, 900)
	if got := c.chart.Selection().Nodes; slices.Contains(got, "") || selected(c.chart.Selection()) != want {
		t.Errorf("got %q\nwant %q", selected(c.chart.Selection()), want)
	}
	c = newCanvas(
		t,
		`{"nodes":[{"id":"b","type":"FLOW","coordinates":{"x":1600,"y":0}},
{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0}},`+strings.ReplaceAll(
			nodes,
			`"y":`,
			`"y":30`,
		)+`{"id":"z","type":"FLOW"}]}`,
	)
	c.down(250, 150).move(1650, 70).up().wantSelected("b,a")
}
