package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

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
		t.Errorf("fingers twice as far apart: got %v", v)
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

// A finger that moves while no gesture runs is tracked, so that the view does not jump when another
// finger joins it.
func TestPinchAfterAMoveOfNoGesture(t *testing.T) {
	for name, stop := range map[string]func(*canvas){
		"escape": func(c *canvas) { c.key("Escape") },
		"undo":   func(c *canvas) { c.ed.Undo() },
	} {
		c := newCanvas(t, source).down(1250, 15).move(1250, 75).up()
		c.touch = true
		c.send(finger(gesture.Down, 1, 400, 215)).send(finger(gesture.Move, 1, 440, 215))
		stop(c)
		c.wantRest(name)
		c.send(finger(gesture.Move, 1, 840, 615)).send(finger(gesture.Down, 2, 1040, 615))
		under := c.chart.Viewport().ToForm(graph.Vec{X: 840, Y: 615})
		c.send(finger(gesture.Move, 1, 640, 615))
		if v := c.chart.Viewport(); v.Zoom != 2 || v.ToForm(graph.Vec{X: 640, Y: 615}).Sub(under).Len() > 1e-6 {
			t.Errorf("%s: fingers twice as far apart show %v", name, v)
		}
	}
}

// A finger whose lift was lost, for example to a dialog of the browser, does not count twice
// when it returns.
func TestFingerWhoseLiftWasLost(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 400, 215)).send(finger(gesture.Down, 1, 400, 215))
	if c.chart.Phase() == gesture.Pinching {
		t.Fatal("one finger pinches")
	}
	c.send(finger(gesture.Up, 1, 400, 215)).wantRest("lifted").wantSelected("a")
	c.send(finger(gesture.Down, 1, 400, 215)).
		send(finger(gesture.Move, 1, 440, 235)).
		send(finger(gesture.Up, 1, 440, 235)).
		wantPlace("a", 40, 20)
}

// Losing the focus forgets the fingers: their lifts may not be reported.
func TestBlurForgetsFingers(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 400, 215)).send(gesture.Event{Type: gesture.Blur})
	if c.send(finger(gesture.Down, 2, 400, 215)); c.chart.Phase() != gesture.Pressing {
		t.Errorf("the next finger: got phase %d", c.chart.Phase())
	}
}

// Every finger is tracked until it is lifted, outside the canvas too.
func TestFingersAreCaptured(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	for i := range 4 {
		if c.send(finger(gesture.Down, i, 200*float64(i), 600)); !c.last.Capture {
			t.Errorf("finger %d is not captured", i)
		}
	}
}

// Two fingers that move together pan; apart or towards each other they zoom about their middle.
func TestPinchPansAndZoomsOut(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 600, 600)).send(finger(gesture.Down, 2, 1000, 600))
	c.send(finger(gesture.Move, 1, 640, 630)).send(finger(gesture.Move, 2, 1040, 630))
	if v := c.chart.Viewport(); v.Panned(graph.Vec{X: -340, Y: -230}).ToForm(graph.Vec{}).Len() > 1e-6 || v.Zoom < .999999 ||
		v.Zoom > 1.000001 {
		t.Errorf("side by side: got %v", v)
	}
	middle := c.chart.Viewport().ToForm(graph.Vec{X: 840, Y: 630})
	c.send(finger(gesture.Move, 1, 740, 630)).send(finger(gesture.Move, 2, 940, 630))
	if v := c.chart.Viewport(); v.Zoom < .499999 || v.Zoom > .500001 || v.ToForm(graph.Vec{X: 840, Y: 630}).Sub(middle).Len() > 1e-6 {
		t.Errorf("together: got %v", v)
	}
}

// A pan follows each move of the pointer.
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
		t.Errorf("a third finger moves the view to %v: %+v", v, c.last)
	}
	c = two().send(finger(gesture.Move, 2, 604, 700))
	if v := c.chart.Viewport(); v.Zoom != 1 {
		t.Errorf("two fingers at one point zoom to %v", v)
	}
	// The remaining finger continues from where it is.
	for _, left := range []int{1, 2} {
		c = two().send(finger(gesture.Up, 3-left, 0, 0))
		at := map[int]float64{1: 600, 2: 800}[left]
		c.send(finger(gesture.Move, left, at+30, 740))
		if v := c.chart.Viewport(); v != (graph.Viewport{X: 330, Y: 240, Zoom: 1}) {
			t.Errorf("finger %d continues: got %v", left, v)
		}
	}
	c = newCanvas(t, source)
	c.send(finger(gesture.Down, 1, 600, 700)).
		send(gesture.Event{Type: gesture.Blur}).
		send(finger(gesture.Down, 4, 400, 215)).
		wantPhase(gesture.Pressing)
	c.send(finger(gesture.Up, 4, 400, 215)).wantSelected("a")
	c = newCanvas(t, source)
	if c.send(finger(gesture.Move, 1, 400, 215)); c.chart.Shown().Hover().Card != nil {
		t.Error("a finger points at a card without touching it")
	}
}

// A finger hits a card, and not one of its rows, where the rows are not shown.
func TestTapFarOut(t *testing.T) {
	for zoom, want := range map[float64]string{.45: "a/c1", .44: "a"} {
		c := newCanvas(t, source)
		c.chart.SetViewport(graph.Viewport{X: 300, Y: 200, Zoom: zoom})
		c.touch = true
		c.click(100, 60).wantSelected(want)
	}
}
