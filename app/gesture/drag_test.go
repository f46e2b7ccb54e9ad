package gesture_test

import (
	"fmt"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// What each move of a drag redraws, and what its end does.
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
			ids, _ := c.chart.Shown().Dragged()
			line, connecting := c.chart.Shown().Line()
			_, marquee := c.chart.Shown().Marquee()
			if ids != nil || line != (gesture.Line{}) || connecting || marquee || c.chart.Shown().InsertEdge() != nil || len(c.chart.Shown().Guides()) > 0 {
				t.Errorf("%s, %s: something is left: %v, %+v", what, name, ids, line)
			}
		}
	}
	c = newCanvas(t, source)
	c.down(100, 20).move(140, 20)
	if _, ok := c.chart.Shown().Marquee(); ok {
		t.Error("a drag has a marquee")
	}
	c = newCanvas(t, source)
	c.down(-40, 200).move(50, 50)
	if ids, _ := c.chart.Shown().Dragged(); ids != nil {
		t.Errorf("a marquee drags %v", ids)
	}
}

// Coordinates are whole numbers during a drag, as they are when it ends.
func TestFreeDragIsWhole(t *testing.T) {
	c := newCanvas(t, source)
	c.with(control).down(100, 20).move(133.4, 57.6)
	if _, by := c.chart.Shown().Dragged(); by != (graph.Vec{X: 33, Y: 38}) {
		t.Errorf("got %v", by)
	}
}

// None of several dragged cards leaves the bounds, whichever is in front.
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

// Two drags are two steps, however fast they follow each other.
func TestEachDragIsAStep(t *testing.T) {
	c := newCanvas(t, source)
	c.down(100, 20).move(140, 20).up().down(140, 20).move(180, 20).up().wantPlace("a", 80, 0)
	c.ed.Undo()
	c.wantPlace("a", 40, 0)
}

// Alt copies the dragged cards; the originals stay.
func TestDragACopy(t *testing.T) {
	c := newCanvas(t, source)
	n := len(c.ed.State().Form.Nodes)
	c.with(gesture.Mods{Alt: true}).down(100, 20).move(100, 420)
	if c.last.Cursor != gesture.CopyCursor {
		t.Errorf("cursor: got %s", c.last.Cursor)
	}
	c.up().wantPlace("a", 0, 0)
	nodes := c.ed.State().Form.Nodes
	if len(nodes) != n+1 || nodes[n].At != (model.Point{X: 0, Y: 400}) {
		t.Fatalf("got %d nodes, the last at %v", len(nodes), nodes[len(nodes)-1].At)
	}
	c.ed.Undo()
	if len(c.ed.State().Form.Nodes) != n {
		t.Error("one undo does not remove the copy")
	}
}

// The card is copied even when one of its rows is selected: the drag is of the card.
func TestDragACopyOfACardWithASelectedRow(t *testing.T) {
	c := newCanvas(t, source).click(100, 60).wantSelected("a/c1")
	n := len(c.ed.State().Form.Nodes)
	c.with(alt).down(100, 60).move(100, 460).up().wantUndo("Duplicate node").wantPlace("a", 0, 0)
	if nodes := c.ed.State().Form.Nodes; len(nodes) != n+1 || nodes[n].At != (model.Point{X: 0, Y: 400}) {
		t.Errorf("got %d nodes, want %d with the last one 400 below", len(nodes), n+1)
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
		if _, by := c.chart.Shown().Dragged(); by != (graph.Vec{X: 33, Y: 37}) {
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
		before, changes := c.ed.State(), 0
		c.ed.Observe(func() { changes++ })
		c.down(100, 20)
		for i := range 50 {
			c.move(100+float64(i*9), 20)
		}
		if got := c.ed.State(); got.Form != before.Form || changes > 0 {
			t.Errorf("the editor changed %d times during the drag", changes)
		}
	})
}
