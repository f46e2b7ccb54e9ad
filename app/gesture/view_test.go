package gesture_test

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// sendAt sends an event of a type at a place of the screen.
func (c *canvas) sendAt(typ gesture.Type, x, y float64) *canvas {
	c.at = graph.Vec{X: x, Y: y}
	return c.send(gesture.Event{Type: typ, At: c.at})
}

func TestBorder(t *testing.T) {
	for name, tt := range map[string]struct {
		do    func(*canvas)
		ticks bool
	}{
		"a drag":    {func(c *canvas) { c.down(100, 20).move(140, 20) }, true},
		"a line":    {func(c *canvas) { c.down(680, 86).move(740, 86) }, true},
		"a marquee": {func(c *canvas) { c.down(-40, 200).move(50, 150) }, true},
		"a pan":     {func(c *canvas) { c.key(" ").down(0, 0).move(50, 50) }, false},
		"a press":   {func(c *canvas) { c.down(-299, 20) }, false},
		"nothing":   {func(*canvas) {}, false},
	} {
		c := newCanvas(t, source)
		tt.do(c)
		if name != "a press" {
			c.sendAt(gesture.Move, 1, 300)
		}
		was := c.chart.Viewport()
		if c.send(gesture.Event{Type: gesture.Tick, Dt: 16 * time.Millisecond}); c.chart.Ticking() != tt.ticks ||
			(c.chart.Viewport() != was) != tt.ticks {
			t.Errorf("%s: ticking %v, moved %v", name, c.chart.Ticking(), c.chart.Viewport() != was)
		}
	}
}

// How the view moves at each border: towards what is hidden, faster the nearer the
// border is, and no faster beyond it.
func TestBorderSpeed(t *testing.T) {
	speed := func(x, y float64) graph.Vec {
		c := newCanvas(t, source)
		c.down(100, 20).move(140, 20).sendAt(gesture.Move, x, y)
		was := c.chart.Viewport()
		c.send(gesture.Event{Type: gesture.Tick, Dt: 10 * time.Millisecond})
		v := c.chart.Viewport()
		return graph.Vec{X: v.X - was.X, Y: v.Y - was.Y}
	}
	for _, tt := range []struct {
		x, y float64
		want graph.Vec
	}{
		{0, 500, graph.Vec{X: 9}},
		{2000, 500, graph.Vec{X: -9}},
		{1000, 0, graph.Vec{Y: 9}},
		{1000, 1000, graph.Vec{Y: -9}},
		{20, 500, graph.Vec{X: 2.25}},
		{1980, 500, graph.Vec{X: -2.25}},
		{40, 500, graph.Vec{}},
		{1960, 500, graph.Vec{}},
		{-500, 500, graph.Vec{X: 9}},
		{2500, 1500, graph.Vec{X: -9, Y: -9}},
	} {
		if got := speed(tt.x, tt.y); got.Sub(tt.want).Len() > 1e-9 {
			t.Errorf("at %v, %v: got %v, want %v", tt.x, tt.y, got, tt.want)
		}
	}
	c := newCanvas(t, source)
	c.chart.Resize(graph.Vec{X: 79, Y: 1000})
	c.down(100, 20).move(140, 20).sendAt(gesture.Move, 1, 500)
	if c.chart.Ticking() {
		t.Error("a canvas that is all border moves")
	}
}

// What is dragged stays below the pointer while the view moves under it.
func TestViewMovesBelowAGesture(t *testing.T) {
	for name, view := range map[string]func(*canvas){
		"tick":  func(c *canvas) { c.send(gesture.Event{Type: gesture.Tick, Dt: 100 * time.Millisecond}) },
		"wheel": func(c *canvas) { c.send(gesture.Event{Type: gesture.Wheel, At: c.at, Wheel: graph.Vec{X: -300}}) },
	} {
		c := newCanvas(t, source)
		c.down(100, 20).move(140, 20).sendAt(gesture.Move, 0, 300)
		_, was := c.chart.Dragged()
		view(c)
		if _, by := c.chart.Dragged(); by.X > was.X-60 || c.last.Redraw != gesture.RedrawMoved|gesture.RedrawViewport {
			t.Errorf("%s: dragged by %v, before by %v, redraw %b", name, by, was, c.last.Redraw)
		}
		c = newCanvas(t, source)
		c.down(680, 86).move(740, 500).sendAt(gesture.Move, 0, 500)
		view(c)
		if l, _ := c.chart.Line(); l.End != c.chart.Viewport().ToForm(c.at) || c.last.Redraw != gesture.RedrawLine|gesture.RedrawViewport {
			t.Errorf("%s: the line ends at %v", name, l.End)
		}
	}
}

func TestWheelPans(t *testing.T) {
	for name, tt := range map[string]struct {
		mods gesture.Mods
		e    gesture.Event
		want graph.Viewport
	}{
		"pages": {gesture.Mods{}, gesture.Event{Unit: gesture.Pages, Wheel: graph.Vec{X: .5, Y: -1}}, graph.Viewport{
			X: 100,
			Y: 600, Zoom: 1,
		}},
		"lines": {gesture.Mods{}, gesture.Event{Unit: gesture.Lines, Wheel: graph.Vec{Y: 3}}, graph.Viewport{
			X: 300, Y: 140,
			Zoom: 1,
		}},
		"control and shift": {gesture.Mods{Control: true, Shift: true}, gesture.Event{Wheel: graph.Vec{Y: 40}}, graph.Viewport{
			X: 260, Y: 200,
			Zoom: 1,
		}},
		"shift on both": {shift, gesture.Event{Wheel: graph.Vec{X: 10, Y: 40}}, graph.Viewport{X: 290, Y: 160, Zoom: 1}},
	} {
		c := newCanvas(t, source).with(tt.mods)
		tt.e.Type = gesture.Wheel
		c.send(tt.e)
		if got := c.chart.Viewport(); got != tt.want || !c.last.Taken || c.last.Redraw != gesture.RedrawViewport {
			t.Errorf("%s: got %v, %+v", name, got, c.last)
		}
	}
	c := newCanvas(t, source)
	c.chart.SetOptions(gesture.Options{WheelZooms: true})
	if c.send(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{Y: -10}}); c.chart.Viewport().Zoom <= 1 {
		t.Errorf("as the user prefers: got %v", c.chart.Viewport())
	}
}

// A pan follows the pointer move by move.
func TestPanFollows(t *testing.T) {
	c := newCanvas(t, source)
	c.key(" ").sendAt(gesture.Down, 400, 215).sendAt(gesture.Move, 440, 245).sendAt(gesture.Move, 450, 250)
	if v := c.chart.Viewport(); v != (graph.Viewport{X: 350, Y: 235, Zoom: 1}) || c.last.Cursor != gesture.GrabbingCursor {
		t.Errorf("got %v, %+v", v, c.last)
	}
}

func TestFingers(t *testing.T) {
	two := func() *canvas {
		c := newCanvas(t, source)
		return c.send(finger(gesture.Down, 1, 600, 700)).send(finger(gesture.Down, 2, 800, 700))
	}
	c := two().send(finger(gesture.Move, 1, 610, 720)).send(finger(gesture.Move, 2, 810, 720))
	if v := c.chart.Viewport(); v.X < 309 || v.X > 311 || v.Y < 219 || v.Y > 221 || v.Zoom < .99 || v.Zoom > 1.01 {
		t.Errorf("together they pan: got %v", v)
	}
	c = two().send(finger(gesture.Down, 3, 700, 300)).send(finger(gesture.Move, 3, 100, 900))
	if v := c.chart.Viewport(); v != (graph.Viewport{X: 300, Y: 200, Zoom: 1}) || c.last != (gesture.Effect{}) {
		t.Errorf("a third one moves the view to %v: %+v", v, c.last)
	}
	c = two().send(finger(gesture.Move, 2, 604, 700))
	if v := c.chart.Viewport(); v.Zoom != 1 {
		t.Errorf("one on the other zooms to %v", v)
	}
	// The remaining finger continues from where it is.
	for _, left := range []int{1, 2} {
		c = two().send(finger(gesture.Up, 3-left, 0, 0))
		at := map[int]float64{1: 600, 2: 800}[left]
		c.send(finger(gesture.Move, left, at+30, 740))
		if v := c.chart.Viewport(); v != (graph.Viewport{X: 330, Y: 240, Zoom: 1}) {
			t.Errorf("finger %d goes on: got %v", left, v)
		}
	}
	c = newCanvas(t, source)
	c.send(finger(gesture.Down, 1, 600, 700)).
		send(gesture.Event{Type: gesture.Blur}).
		send(finger(gesture.Down, 4, 400, 215)).
		wantPhase(gesture.Pressing)
	c.send(finger(gesture.Up, 4, 400, 215)).wantSelected("a")
	c = newCanvas(t, source)
	if c.send(finger(gesture.Move, 1, 400, 215)); c.chart.Hover().Card != nil {
		t.Error("a finger points at a card without touching it")
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
		t.Error("nothing is pointed at, and drawn again")
	}
	if c.move(100, 20); c.chart.Pointer() != c.at {
		t.Errorf("the pointer is at %v, want %v", c.chart.Pointer(), c.at)
	}
}

// What becomes of a gesture and of what is pointed at when the form changes.
func TestChangesMeanwhile(t *testing.T) {
	edit := func(c *canvas) {
		t.Helper()
		if err := c.ed.Run(editor.MoveNodes{IDs: []string{"f"}, By: model.Point{X: 20}}); err != nil {
			t.Fatal(err)
		}
	}
	c := newCanvas(t, source)
	if c.move(100, 20); c.chart.Hover().Card == nil {
		t.Fatal("nothing is pointed at")
	}
	if edit(c); c.chart.Hover().Card != nil {
		t.Error("a card of another form is pointed at")
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
