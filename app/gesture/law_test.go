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
	"github.com/formgraph/formgraph/model/schema"
)

// see lists what a chart shows of a running gesture.
func see(ch *gesture.Chart, ed *editor.Editor) []string {
	var seen []string
	note := func(what string, is bool) {
		if is {
			seen = append(seen, what)
		}
	}
	ids, by := ch.Shown().Dragged()
	note("dragged", len(ids) > 0 || by != graph.Vec{})
	l, line := ch.Shown().Line()
	note("line", line || l != gesture.Line{})
	note("target", l.Target != nil && l.Reason == "")
	note("refused", l.Target != nil && l.Reason != "")
	note("back", l.Back)
	note("carry", ch.Shown().Carry() != nil)
	_, marquee := ch.Shown().Marquee()
	note("marquee", marquee)
	note("guides", len(ch.Shown().Guides()) > 0)
	note("splice", ch.Shown().InsertEdge() != nil)
	note("ticking", ch.Ticking())
	note("preview", !ch.Shown().Selection().Equal(ed.State().Selection))
	note("panning", ch.Phase() == gesture.Panning)
	note("pinching", ch.Phase() == gesture.Pinching)
	return seen
}

// untouched is what a cancelled gesture must leave as it was.
type untouched struct {
	form       *model.Form
	selection  string
	undo, redo string
	steps      int
}

func (c *canvas) untouched() untouched {
	s := c.ed.State()
	return untouched{s.Form, selected(s.Selection), c.ed.UndoLabel(), c.ed.RedoLabel(), len(c.ed.Steps())}
}

// wantRest checks that no gesture runs and none is shown.
func (c *canvas) wantRest(when string) *canvas {
	c.t.Helper()
	if seen := see(c.chart, c.ed); c.chart.Phase() != gesture.Idle || len(seen) > 0 {
		c.t.Errorf("%s: the chart is in phase %d and shows %q", when, c.chart.Phase(), seen)
	}
	return c
}

// means are the ways to cancel a gesture. down holds the Down events of the pressed
// pointers.
var means = []struct {
	name string
	do   func(c *canvas, down []gesture.Event) gesture.Redraw
}{
	{"escape", func(c *canvas, _ []gesture.Event) gesture.Redraw {
		eff := c.chart.Handle(gesture.Event{Type: gesture.KeyDown, Key: "Escape"})
		if !eff.Taken {
			c.t.Error("the browser gets Escape too")
		}
		return eff.Redraw
	}},
	{"pointercancel", func(c *canvas, down []gesture.Event) (drawn gesture.Redraw) {
		for _, e := range down {
			e.Type = gesture.Cancel
			drawn |= c.chart.Handle(e).Redraw
		}
		return drawn
	}},
	{"blur", func(c *canvas, _ []gesture.Event) gesture.Redraw {
		return c.chart.Handle(gesture.Event{Type: gesture.Blur}).Redraw
	}},
}

// drawnBy is what must be redrawn when something that was shown goes away.
var drawnBy = map[string]gesture.Redraw{
	"dragged": gesture.RedrawMoved, "line": gesture.RedrawLine, "marquee": gesture.RedrawMarquee,
	"guides": gesture.RedrawMoved, "splice": gesture.RedrawMoved, "preview": gesture.RedrawSelection,
	"carry": gesture.RedrawCarry | gesture.RedrawTarget,
}

// pressed returns the Down events of the pointers that are down after some events.
func pressed(events []gesture.Event) []gesture.Event {
	var down []gesture.Event
	for _, e := range events {
		switch e.Type {
		case gesture.Down:
			down = append(down, e)
		case gesture.Up, gesture.Cancel:
			down = slices.DeleteFunc(down, func(d gesture.Event) bool { return d.Pointer == e.Pointer })
		case gesture.Move, gesture.Leave, gesture.Blur, gesture.Wheel, gesture.KeyDown, gesture.KeyUp, gesture.Tick, gesture.Menu, gesture.Hold:
		}
	}
	return down
}

// begin makes the canvas of a script, with one step to undo and one to redo.
func (s script) begin(t *testing.T) *canvas {
	t.Helper()
	c := newCanvas(t, source, s.opts...)
	if !c.ed.ReadOnly() {
		for _, name := range []string{"y", "z"} {
			if err := c.ed.Run(editor.Set{Path: schema.Path{schema.Key("name")}, Value: name}); err != nil {
				t.Fatal(err)
			}
		}
		c.ed.Undo()
	}
	c.ed.Select(s.chosen)
	return c
}

// Every gesture that is cancelled by each means after each of its events leaves the
// editor as it was and the chart at rest, whatever the pointer does until its release,
// and the next gesture works.
func TestCancelLaw(t *testing.T) {
	phases := map[gesture.Phase]int{}
	for _, s := range scripts() {
		t.Run(s.name, func(t *testing.T) {
			seen := map[string]bool{}
			cuts := 0
			for n := range s.do.events {
				for _, m := range means {
					c := s.begin(t)
					was := c.untouched()
					calls := 0
					c.ed.Observe(func() { calls++ })
					for _, e := range s.do.events[:n+1] {
						c.chart.Handle(e)
					}
					phases[c.chart.Phase()]++
					if c.chart.Phase() == gesture.Idle {
						break // the gesture has not begun, or has ended
					}
					cuts++
					when := fmt.Sprintf("%s after %d events", m.name, n+1)
					shown := see(c.chart, c.ed)
					drawn := m.do(c, pressed(s.do.events[:n+1]))
					for _, what := range shown {
						seen[what] = true
						if drawn&drawnBy[what] != drawnBy[what] {
							t.Errorf("%s: %s is not redrawn", when, what)
						}
					}
					c.wantRest(when)
					// The hand continues until its release, and is ignored.
					for _, e := range s.do.events[n+1:] {
						if e.Type == gesture.Down || e.Type == gesture.KeyDown {
							break
						}
						if eff := c.chart.Handle(e); eff.Drop != nil || eff.Err != nil {
							t.Errorf("%s: the release does %+v", when, eff)
						}
					}
					for _, e := range pressed(s.do.events) {
						t.Fatalf("the script never releases pointer %d", e.Pointer)
					}
					for _, e := range pressed(s.do.events[:n+1]) {
						e.Type = gesture.Up
						c.chart.Handle(e)
					}
					c.wantRest(when + ", released")
					if got := c.untouched(); got != was || calls > 0 {
						t.Errorf("%s: got %+v, want %+v; observers were called %d times", when, got, was, calls)
					}
					c.wantNext(when)
				}
			}
			for what := range strings.FieldsSeq(s.shows) {
				if !seen[what] {
					t.Errorf("the gesture never showed %s, only %v", what, seen)
				}
			}
			if cuts == 0 {
				t.Error("the gesture never began")
			}
			s.wantDone(t)
		})
	}
	for p := gesture.Idle; p <= gesture.Carrying; p++ {
		if phases[p] == 0 {
			t.Errorf("no gesture reached phase %d", p)
		}
	}
}

// wantDone checks that the whole gesture does what it should, in one step.
func (s script) wantDone(t *testing.T) {
	t.Helper()
	c := s.begin(t)
	was := c.untouched()
	for _, e := range s.do.events {
		c.chart.Handle(e)
	}
	c.wantRest("done")
	if s.undo == "" {
		s.undo = was.undo
	}
	c.wantUndo(s.undo)
	if c.ed.UndoLabel() != was.undo {
		c.ed.Undo()
		c.wantUndo(was.undo)
	}
	if c.ed.State().Form != was.form {
		t.Error("one undo does not restore the form")
	}
}

// wantNext checks that a card can be dragged, or when reading only, that the view can be panned.
func (c *canvas) wantNext(when string) {
	c.t.Helper()
	c.chart.SetViewport(firstView)
	c.chart.Handle(gesture.Event{Type: gesture.KeyUp, Key: " "})
	for _, e := range mouse().down(1250, 15).to(1250, 75).up().events {
		c.chart.Handle(e)
	}
	switch {
	case c.ed.ReadOnly():
		if c.chart.Viewport().Y != firstView.Y+60 {
			c.t.Errorf("%s: the next drag does not pan", when)
		}
	case c.place(model.EndingID) != model.Point{X: 1200, Y: 60} || c.ed.UndoLabel() != "Move ending":
		c.t.Errorf("%s: the next drag moved the ending to %v, by %q", when, c.place(model.EndingID), c.ed.UndoLabel())
	}
	c.wantRest(when + ", after the next drag")
}
