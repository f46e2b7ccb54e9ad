package gesture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// A press becomes a drag at the threshold, not beyond it.
func TestThreshold(t *testing.T) {
	for device, px := range map[gesture.Device]float64{gesture.Mouse: 4, gesture.Touch: 6} {
		c := newCanvas(t, source)
		c.touch = device == gesture.Touch
		c.down(100, 20).move(100+px-.5, 20).wantPhase(gesture.Pressing).move(100+px, 20).wantPhase(gesture.Dragging)
	}
}

// A press captures the pointer and ends the hover.
func TestPressCaptures(t *testing.T) {
	c := newCanvas(t, source)
	c.move(100, 20).down(100, 20)
	if !c.last.Capture || c.last.Redraw != gesture.RedrawHover || c.chart.Shown().Hover().Card != nil {
		t.Errorf("a press on a card: got %+v, hover %+v", c.last, c.chart.Shown().Hover())
	}
	c = newCanvas(t, source)
	c.send(gesture.Event{Type: gesture.Down, Button: gesture.MiddleButton})
	if !c.last.Capture || !c.last.Taken || c.last.Cursor != gesture.GrabbingCursor {
		t.Errorf("the middle button: got %+v", c.last)
	}
}

// A click reports that it chose, whether a card or nothing; a drag does not.
func TestClickChooses(t *testing.T) {
	c := newCanvas(t, source)
	for _, at := range []graph.Vec{{X: 100, Y: 20}, {X: 100, Y: -200}} {
		if c.down(at.X, at.Y).up(); !c.last.Chose {
			t.Errorf("a click at %v: got %+v", at, c.last)
		}
	}
	if c.down(100, 20).move(140, 60).up(); c.last.Chose {
		t.Errorf("a drag: got %+v", c.last)
	}
}

// A press on the row for the folded rows selects the card and asks to show them.
func TestFoldedRowShowsAllRows(t *testing.T) {
	var components []string
	for i := range graph.FoldAfter + 4 {
		components = append(components, fmt.Sprintf(`{"id":"c%d","category":"FIELD","type":"TEXT"}`, i))
	}
	c := newCanvas(
		t,
		`{"name":"x","nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[`+strings.Join(components, ",")+`]}}]}`,
	)
	row := func(i int) float64 { return graph.HeaderHeight + graph.ListPadding + (float64(i)+.5)*graph.RowHeight }
	c.click(100, row(graph.FoldAfter)).wantSelected("a").wantUndo("")
	if c.last.Action != command.Parts {
		t.Errorf("the folded row asks for %q", c.last.Action)
	}
	if c.click(100, row(0)).wantSelected("a/c0"); c.last.Action != command.None {
		t.Errorf("a component asks for %q", c.last.Action)
	}
	if c.with(shift).click(100, row(graph.FoldAfter)); c.last.Action != command.None {
		t.Errorf("with Shift the folded row asks for %q", c.last.Action)
	}
}

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

// A click with Shift or Control on another component of the step selects both together.
func TestClickChoosesSeveral(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*canvas)
		want []string
		sel  string
	}{
		{"from a component", func(c *canvas) { c.click(100, 60).with(shift).click(100, 88) }, []string{"c1", "c2"}, "a"},
		{"taken away", func(c *canvas) { c.click(100, 60).with(shift).click(100, 88).click(100, 60) }, []string{"c2"}, "a"},
		{"their menu", func(c *canvas) { c.click(100, 60).with(shift).click(100, 88).with(gesture.Mods{}).menu(100, 60) }, []string{"c1", "c2"}, "a"},
		{"with Control, from the step", func(c *canvas) { c.click(100, 20).with(control).click(100, 88) }, []string{"c2"}, "a"},
		{"the same one", func(c *canvas) { c.click(100, 60).with(shift).click(100, 60) }, nil, ""},
		{"of another step", func(c *canvas) { c.click(500, 20).with(shift).click(100, 60) }, nil, "r,a"},
		{"the head", func(c *canvas) { c.click(100, 60).with(shift).click(100, 20) }, nil, ""},
		{"a rule", func(c *canvas) { c.click(500, 20).with(shift).click(500, 60) }, nil, ""},
	} {
		c := newCanvas(t, source)
		if tt.do(c); !slices.Equal(c.ed.State().Selection.Parts, tt.want) {
			t.Errorf("%s: selects %q, want %q", tt.name, c.ed.State().Selection.Parts, tt.want)
		}
		c.wantSelected(tt.sel)
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
