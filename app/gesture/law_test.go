package gesture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var alt = gesture.Mods{Alt: true}

// hand writes down what a person does, as events. Places are of the form, as the
// view of newCanvas shows it.
type hand struct {
	as     gesture.Event // pointer, device, button and keys of the events that come
	events []gesture.Event
}

func (h *hand) add(e gesture.Event) *hand {
	e.Pointer, e.Device, e.Button, e.Mods, e.At = h.as.Pointer, h.as.Device, h.as.Button, h.as.Mods, h.as.At
	h.events = append(h.events, e)
	return h
}

func (h *hand) at(x, y float64) *hand {
	h.as.At = firstView.ToScreen(graph.Vec{X: x, Y: y})
	return h
}

func (h *hand) down(x, y float64) *hand { return h.at(x, y).add(gesture.Event{Type: gesture.Down}) }
func (h *hand) to(x, y float64) *hand   { return h.at(x, y).add(gesture.Event{Type: gesture.Move}) }
func (h *hand) up() *hand               { return h.add(gesture.Event{Type: gesture.Up}) }
func (h *hand) key(k string) *hand      { return h.add(gesture.Event{Type: gesture.KeyDown, Key: k}) }

func (h *hand) tick() *hand {
	return h.add(gesture.Event{Type: gesture.Tick, Dt: 16 * time.Millisecond})
}

func (h *hand) wheel(y float64) *hand {
	return h.add(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{Y: y}})
}

// hold changes the keys held, and tells it as a keyboard would.
func (h *hand) hold(m gesture.Mods, k string) *hand {
	h.as.Mods = m
	return h.key(k)
}

// finger continues with another finger.
func (h *hand) finger(id int) *hand {
	h.as.Pointer, h.as.Device = id, gesture.Touch
	return h
}

func mouse(m ...gesture.Mods) *hand {
	h := &hand{as: gesture.Event{Pointer: 1}}
	for _, m := range m {
		h.as.Mods = m
	}
	return h
}

func middle() *hand { return &hand{as: gesture.Event{Pointer: 1, Button: gesture.MiddleButton}} }
func touch() *hand  { return (&hand{}).finger(11) }

// wander leads a connection over everything that can be under it: a target, one that
// is refused, its own card, the border of the canvas, empty canvas.
func (h *hand) wander(own graph.Vec) *hand {
	return h.to(600, 500).to(500, 20).to(-120, 15).to(900, 60).to(own.X, own.Y).to(1690, 500).tick().tick().to(600, 500).to(1250, 15)
}

// script is one gesture from its first event to its last.
type script struct {
	name   string
	chosen editor.Selection
	do     *hand
	shows  string // what can be seen on the way, of see
	undo   string // what the whole gesture does
	opts   []func(*editor.Config, *gesture.Options)
}

var (
	rowOfA = editor.Selection{Nodes: []string{"a"}, Component: "c1"}
	two    = editor.SelectNodes("r", "f")
)

// scripts are the gestures of the canvas, each way of each of them. No gesture is
// begun by a key alone: keys do what they do at once.
func scripts() []script {
	inA, inR, inF := graph.Vec{X: 100, Y: 20}, graph.Vec{X: 500, Y: 20}, graph.Vec{X: 900, Y: 40}
	return []script{
		{name: "click", do: mouse().down(100, 20).to(102, 21).up()},
		{name: "click on an edge", do: mouse().down(340, 22).up()},
		{name: "pan by the middle button", do: middle().down(100, 20).to(101, 20).to(150, 60).tick().to(1695, 60).tick().up(), shows: "panning"},
		{name: "pan by space", do: mouse().key(" ").down(100, 20).to(140, 60).to(180, 60).wheel(30).up(), shows: "panning"},
		{name: "pan by touch", do: touch().down(600, 600).to(603, 600).to(640, 640).to(700, 640).up(), shows: "panning"},
		{
			name:  "pan what is read only",
			do:    mouse().down(100, 20).to(140, 60).to(180, 60).up(),
			shows: "panning",
			opts:  []func(*editor.Config, *gesture.Options){readOnly},
		},
		{
			name:  "marquee",
			do:    mouse().down(-40, 160).to(-38, 160).to(450, 100).to(1000, 60).to(1695, 60).tick().tick().to(-290, -190).tick().to(600, 300).up(),
			shows: "marquee preview ticking",
		},
		{name: "marquee of nothing", chosen: two, do: mouse().down(-40, 460).to(40, 500).up(), shows: "marquee preview"},
		{
			name:   "marquee with shift",
			chosen: two,
			do:     mouse(shift).down(-40, 160).to(100, 100).to(450, 100).wheel(-40).up(),
			shows:  "marquee preview",
		},
		{name: "marquee with control", chosen: two, do: mouse(control).down(-40, 160).to(100, 100).up(), shows: "marquee preview"},
		{
			name: "drag",
			do: mouse().down(100, 20).
				to(102, 20).
				to(130, 60).
				to(905, 420).
				to(900, 60).
				to(1695, 400).
				tick().
				tick().
				to(400, 790).
				tick().
				to(300, 430).
				up(),
			shows: "dragged guides ticking preview",
			undo:  "Move node",
		},
		{
			name:   "drag of a card with a selected row",
			chosen: rowOfA,
			do:     mouse().down(100, 60).to(140, 100).to(100, 420).up(),
			shows:  "dragged",
			undo:   "Move node",
		},
		{
			name:   "drag of several",
			chosen: two,
			do:     mouse().down(500, 20).to(531, 20).to(531, 420).to(-290, 420).tick().up(),
			shows:  "dragged ticking",
			undo:   "Move 2 nodes",
		},
		{
			name:   "drag with shift",
			chosen: two,
			do:     mouse(shift).down(100, 20).to(140, 20).to(140, 420).up(),
			shows:  "dragged preview",
			undo:   "Move 3 nodes",
		},
		{name: "drag of the start", do: mouse().down(-120, 15).to(-120, 55).to(-120, 95).up(), shows: "dragged preview", undo: "Move start"},
		{
			name:  "drag of what has no coordinates",
			do:    mouse().down(100, 240).to(140, 260).to(140, 440).up(),
			shows: "dragged preview",
			undo:  "Move node",
		},
		{
			name:  "drag with the wheel",
			do:    mouse().down(100, 20).to(140, 20).wheel(60).to(140, 60).hold(control, "Control").wheel(-60).up(),
			shows: "dragged preview",
			undo:  "Move node",
		},
		{
			name:  "drag and keys",
			do:    mouse().down(100, 20).key("Delete").to(140, 20).key(" ").key("c").key("ArrowLeft").key("a").up(),
			shows: "dragged preview",
			undo:  "Move node",
		},
		{name: "free drag", do: mouse(control).down(100, 20).to(133, 57).to(134, 57).up(), shows: "dragged preview", undo: "Move node"},
		{
			name:  "free on the way",
			do:    mouse().down(100, 20).to(133, 57).hold(control, "Control").to(134, 57).hold(gesture.Mods{}, "a").up(),
			shows: "dragged preview",
			undo:  "Move node",
		},
		{name: "copy", do: mouse(alt).down(100, 20).to(100, 220).to(100, 420).up(), shows: "dragged preview", undo: "Duplicate node"},
		{
			name:   "copy of several",
			chosen: two,
			do:     mouse(alt).down(500, 20).to(500, 220).to(500, 420).up(),
			shows:  "dragged",
			undo:   "Duplicate 2 nodes",
		},
		{
			name:  "copy on the way",
			do:    mouse().down(100, 20).to(100, 220).hold(alt, "Alt").to(100, 420).up(),
			shows: "dragged preview",
			undo:  "Duplicate node",
		},
		{name: "touch drag", do: touch().down(100, 20).to(104, 20).to(140, 60).to(140, 420).up(), shows: "dragged preview", undo: "Move node"},
		{
			name:  "splice",
			do:    mouse().down(100, 240).to(200, 300).to(340, 20).to(340, 400).to(342, 22).up(),
			shows: "dragged splice preview",
			undo:  "Insert on edge",
		},
		{
			name:  "connect the start",
			do:    mouse().down(-64, 16).to(-60, 20).wander(graph.Vec{X: -120, Y: 15}).to(500, 20).up(),
			shows: "line target ticking",
			undo:  "Connect",
		},
		{
			name:  "connect a step",
			do:    mouse().down(280, 20).to(282, 22).wander(inA).to(900, 60).up(),
			shows: "line target refused ticking",
			undo:  "Connect",
		},
		{
			name:  "connect a button",
			do:    mouse().down(280, 86).to(282, 90).wander(inA).to(500, 20).up(),
			shows: "line target refused ticking",
			undo:  "Connect",
		},
		{name: "connect a rule", do: mouse().down(680, 86).wander(inR).to(900, 60).up(), shows: "line target refused ticking", undo: "Connect"},
		{
			name:  "connect a fallback",
			do:    mouse().down(680, 114).wander(inR).to(900, 60).up(),
			shows: "line target refused ticking",
			undo:  "Connect",
		},
		{name: "connect a flow", do: mouse().down(1083, 27).wander(inF).to(100, 60).up(), shows: "line target refused ticking", undo: "Connect"},
		{
			name:  "connect by touch",
			do:    touch().down(1083, 27).wander(inF).to(100, 60).up(),
			shows: "line target refused ticking",
			undo:  "Connect",
		},
		{name: "drop of a connection on canvas", do: mouse().down(280, 20).wander(inA).to(340, 500).up(), shows: "line target refused"},
		{name: "drop on canvas", do: mouse().down(680, 86).wander(inR).to(740, 500).up(), shows: "line target refused"},
		{name: "refused", do: mouse().down(680, 86).wander(inR).to(-120, 15).up(), shows: "line target refused"},
		{
			name:  "reconnect the end",
			do:    mouse().down(385, 20).wander(inA).to(900, 60).up(),
			shows: "line target refused ticking",
			undo:  "Connect",
		},
		{
			name:   "reconnect a selected edge",
			chosen: editor.Selection{Edge: &editor.EdgeRef{From: "a", Port: model.NextPort}},
			do:     mouse().down(340, 20).wander(inA).to(900, 60).up(),
			shows:  "line target refused ticking",
			undo:   "Connect",
		},
		{
			name:  "reconnect the beginning",
			do:    mouse().down(700, 57).wander(inR).to(500, 86).up(),
			shows: "line target refused back ticking",
			undo:  "Reconnect",
		},
		{
			name: "pinch",
			do: touch().down(600, 600).
				finger(12).
				down(800, 600).
				to(900, 600).
				finger(11).
				to(500, 600).
				finger(12).
				up().
				finger(11).
				to(480, 620).
				up(),
			shows: "pinching panning",
		},
		{
			name:  "pinch out of a drag",
			do:    touch().down(100, 20).to(140, 60).finger(12).down(800, 600).to(900, 640).up().finger(11).to(480, 620).up(),
			shows: "pinching panning dragged",
		},
		{
			name:  "pinch out of a connection",
			do:    touch().down(680, 86).to(740, 300).finger(12).down(800, 600).to(900, 640).finger(11).up().finger(12).up(),
			shows: "pinching panning line",
		},
		{
			name: "three fingers",
			do: touch().down(600, 600).
				finger(12).
				down(800, 600).
				finger(13).
				down(700, 300).
				to(710, 300).
				finger(12).
				to(900, 600).
				up().
				finger(13).
				to(720, 330).
				up().
				finger(11).
				up(),
			shows: "pinching panning",
		},
	}
}

// see names everything that a chart shows of a running gesture.
func see(ch *gesture.Chart, ed *editor.Editor) []string {
	var seen []string
	note := func(what string, is bool) {
		if is {
			seen = append(seen, what)
		}
	}
	ids, by := ch.Dragged()
	note("dragged", len(ids) > 0 || by != graph.Vec{})
	l, line := ch.Line()
	note("line", line || l != gesture.Line{})
	note("target", l.Target != nil && l.Reason == "")
	note("refused", l.Target != nil && l.Reason != "")
	note("back", l.Back)
	_, marquee := ch.Marquee()
	note("marquee", marquee)
	note("guides", len(ch.Guides()) > 0)
	note("splice", ch.InsertEdge() != nil)
	note("ticking", ch.Ticking())
	note("preview", !ch.Selection().Equal(ed.State().Selection))
	note("panning", ch.Phase() == gesture.Panning)
	note("pinching", ch.Phase() == gesture.Pinching)
	return seen
}

// untouched is what a gesture that was cancelled must leave as it was.
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

// wantRest checks that no gesture runs and nothing of one is shown.
func (c *canvas) wantRest(when string) *canvas {
	c.t.Helper()
	if seen := see(c.chart, c.ed); c.chart.Phase() != gesture.Idle || len(seen) > 0 {
		c.t.Errorf("%s: the chart is in phase %d and shows %q", when, c.chart.Phase(), seen)
	}
	return c
}

// means are the ways to end a gesture with nothing done. down holds the pointers
// that are pressed.
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

// drawnBy is what must be drawn anew when what is seen goes away.
var drawnBy = map[string]gesture.Redraw{
	"dragged": gesture.RedrawMoved, "line": gesture.RedrawLine, "marquee": gesture.RedrawMarquee,
	"guides": gesture.RedrawMoved, "splice": gesture.RedrawMoved, "preview": gesture.RedrawSelection,
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
		case gesture.Move, gesture.Leave, gesture.Blur, gesture.Wheel, gesture.KeyDown, gesture.KeyUp, gesture.Tick:
		}
	}
	return down
}

// begin opens the canvas of a script, with a step to undo and one to redo.
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

// Every gesture, cut after each of its events and then cancelled by each means,
// leaves the editor as it was and the chart at rest, whatever the pointer still
// does until it is let go; and the next gesture works.
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
					told := 0
					c.ed.Observe(func() { told++ })
					for _, e := range s.do.events[:n+1] {
						c.chart.Handle(e)
					}
					phases[c.chart.Phase()]++
					if c.chart.Phase() == gesture.Idle {
						break // it has not begun, or it is over
					}
					cuts++
					when := fmt.Sprintf("%s after %d events", m.name, n+1)
					shown := see(c.chart, c.ed)
					drawn := m.do(c, pressed(s.do.events[:n+1]))
					for _, what := range shown {
						seen[what] = true
						if drawn&drawnBy[what] != drawnBy[what] {
							t.Errorf("%s: %s is not drawn anew", when, what)
						}
					}
					c.wantRest(when)
					// The hand continues until it lets go, and is ignored.
					for _, e := range s.do.events[n+1:] {
						if e.Type == gesture.Down || e.Type == gesture.KeyDown {
							break
						}
						if eff := c.chart.Handle(e); eff.Drop != nil || eff.Err != nil {
							t.Errorf("%s: the release does %+v", when, eff)
						}
					}
					for _, e := range pressed(s.do.events) {
						t.Fatalf("the script does not let go of %d", e.Pointer)
					}
					for _, e := range pressed(s.do.events[:n+1]) {
						e.Type = gesture.Up
						c.chart.Handle(e)
					}
					c.wantRest(when + ", let go")
					if got := c.untouched(); got != was || told > 0 {
						t.Errorf("%s: got %+v, want %+v; watchers were told %d times", when, got, was, told)
					}
					c.wantNext(when)
				}
			}
			for what := range strings.FieldsSeq(s.shows) {
				if !seen[what] {
					t.Errorf("the gesture never showed %s, but %v", what, seen)
				}
			}
			if cuts == 0 {
				t.Error("the gesture never began")
			}
			s.wantDone(t)
		})
	}
	for p := gesture.Idle; p <= gesture.Pinching; p++ {
		if phases[p] == 0 {
			t.Errorf("no gesture came to phase %d", p)
		}
	}
}

// wantDone checks that the whole gesture does what it is for, in one step.
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
		t.Error("one undo does not lead back")
	}
}

// wantNext checks that a card can be dragged, or the view of what is read only.
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
		c.t.Errorf("%s: the next drag brought the ending to %v, by %q", when, c.place(model.EndingID), c.ed.UndoLabel())
	}
	c.wantRest(when + ", after the next drag")
}
