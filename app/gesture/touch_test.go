package gesture_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// A finger that keeps moving while no gesture runs is known by where it is when another
// joins it: else the view would jump.
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
			t.Errorf("%s: fingers twice as far show %v", name, v)
		}
	}
}

// A finger whose lift was lost, as when a dialog of the browser took it, is not two
// when it comes again.
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

// What is known of fingers is dropped with the focus: their lifts may not be reported.
func TestBlurForgetsFingers(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 400, 215)).send(gesture.Event{Type: gesture.Blur})
	if c.send(finger(gesture.Down, 2, 400, 215)); c.chart.Phase() != gesture.Pressing {
		t.Errorf("the next finger: got phase %d", c.chart.Phase())
	}
}

// Every finger is followed until it is lifted, also outside the canvas.
func TestFingersAreCaptured(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	for i := range 4 {
		if c.send(finger(gesture.Down, i, 200*float64(i), 600)); !c.last.Capture {
			t.Errorf("finger %d is not captured", i)
		}
	}
}

// Two fingers that move as one pan; about their middle they zoom both ways.
func TestPinchPansAndZoomsOut(t *testing.T) {
	c := newCanvas(t, source)
	c.touch = true
	c.send(finger(gesture.Down, 1, 600, 600)).send(finger(gesture.Down, 2, 1000, 600))
	c.send(finger(gesture.Move, 1, 640, 630)).send(finger(gesture.Move, 2, 1040, 630))
	if v := c.chart.Viewport(); v.Panned(graph.Vec{X: -340, Y: -230}).ToForm(graph.Vec{}).Len() > 1e-6 || v.Zoom < .999999 ||
		v.Zoom > 1.000001 {
		t.Errorf("as one: got %v", v)
	}
	middle := c.chart.Viewport().ToForm(graph.Vec{X: 840, Y: 630})
	c.send(finger(gesture.Move, 1, 740, 630)).send(finger(gesture.Move, 2, 940, 630))
	if v := c.chart.Viewport(); v.Zoom < .499999 || v.Zoom > .500001 || v.ToForm(graph.Vec{X: 840, Y: 630}).Sub(middle).Len() > 1e-6 {
		t.Errorf("together: got %v", v)
	}
}

func TestTouchThreshold(t *testing.T) {
	for by, want := range map[float64]gesture.Phase{5.9: gesture.Pressing, 6: gesture.Dragging} {
		c := newCanvas(t, source)
		if c.send(finger(gesture.Down, 1, 400, 215)).send(finger(gesture.Move, 1, 400+by, 215)); c.chart.Phase() != want {
			t.Errorf("by %v: got phase %d, want %d", by, c.chart.Phase(), want)
		}
	}
}

// The shape of the pointer stays that of the gesture when a key is let go, and is
// none of the space bar's when the focus went away with it.
func TestCursorAndSpace(t *testing.T) {
	c := newCanvas(t, source).key(" ").down(100, 20).move(140, 60)
	c.send(gesture.Event{Type: gesture.KeyUp, Key: " "})
	if c.last.Cursor != "" && c.last.Cursor != gesture.GrabbingCursor {
		t.Errorf("space let go while panning: got %s", c.last.Cursor)
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
		t.Errorf("space gone with the focus: got %q", c.last.Cursor)
	}
}
