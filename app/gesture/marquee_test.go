package gesture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

func TestMarqueeSelects(t *testing.T) {
	c := newCanvas(t, source)
	c.click(100, 20).with(shift).down(-40, 200).move(450, 50)
	if got := selected(c.chart.Shown().Selection()); got != "a,r" {
		t.Errorf("a card that was selected and is touched is selected once: got %q", got)
	}
	if c.move(450, 51); c.last.Redraw != gesture.RedrawMarquee {
		t.Errorf("the same cards are redrawn: %b", c.last.Redraw)
	}
	if c.move(450, 160); c.last.Redraw != gesture.RedrawMarquee|gesture.RedrawSelection {
		t.Errorf("other cards are not redrawn: %b", c.last.Redraw)
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
	if got := c.chart.Shown().Selection().Nodes; slices.Contains(got, "") || selected(c.chart.Shown().Selection()) != want {
		t.Errorf("got %q\nwant %q", selected(c.chart.Shown().Selection()), want)
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

func TestMarquee(t *testing.T) {
	c := newCanvas(t, source)
	c.down(-40, 160).move(450, 100)
	if got := selected(c.chart.Shown().Selection()); got != "a,r" {
		t.Errorf("preview: got %q", got)
	}
	if r, ok := c.chart.Shown().Marquee(); !ok || r != (graph.Rect{X: -40, Y: 100, W: 490, H: 60}) {
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
	if r, _ := c.chart.Shown().Marquee(); r != (graph.Rect{X: 300, Y: 500, W: 100, H: 400}) {
		t.Errorf("got %v", r)
	}
}
