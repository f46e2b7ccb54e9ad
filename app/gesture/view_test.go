package gesture_test

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

func TestWheelZooms(t *testing.T) {
	at := graph.Vec{X: 700, Y: 400}
	zoom := func(c *canvas, y float64) float64 {
		before := c.chart.Viewport().ToForm(at)
		c.send(gesture.Event{Type: gesture.Wheel, At: at, Wheel: graph.Vec{Y: y}})
		if got := c.chart.Viewport().ToForm(at); got.Sub(before).Len() > 1e-6 {
			t.Errorf("the point under the pointer went from %v to %v", before, got)
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

// At each border the view moves towards what is hidden, faster the nearer the
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
		t.Error("a canvas too small for borders moves")
	}
}

// What is dragged stays under the pointer while the view moves.
func TestViewMovesBelowAGesture(t *testing.T) {
	for name, view := range map[string]func(*canvas){
		"tick":  func(c *canvas) { c.send(gesture.Event{Type: gesture.Tick, Dt: 100 * time.Millisecond}) },
		"wheel": func(c *canvas) { c.send(gesture.Event{Type: gesture.Wheel, At: c.at, Wheel: graph.Vec{X: -300}}) },
	} {
		c := newCanvas(t, source)
		c.down(100, 20).move(140, 20).sendAt(gesture.Move, 0, 300)
		_, was := c.chart.Shown().Dragged()
		view(c)
		if _, by := c.chart.Shown().Dragged(); by.X > was.X-60 || c.last.Redraw != gesture.RedrawMoved|gesture.RedrawViewport {
			t.Errorf("%s: dragged by %v, before by %v, redraw %b", name, by, was, c.last.Redraw)
		}
		c = newCanvas(t, source)
		c.down(680, 86).move(740, 500).sendAt(gesture.Move, 0, 500)
		view(c)
		if l, _ := c.chart.Shown().Line(); l.End != c.chart.Viewport().ToForm(c.at) || c.last.Redraw != gesture.RedrawLine|gesture.RedrawViewport {
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
