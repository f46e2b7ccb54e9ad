package gesture_test

import (
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// hand records what a person does, as events. Points are of the form, in the
// view of newCanvas.
type hand struct {
	as     gesture.Event // pointer, device, button and keys of the events to come
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

// hold changes the modifiers held, and sends the key as a keyboard would.
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

// bring presses a control outside the canvas from which components are dragged.
func (h *hand) bring(kind string) *hand {
	h.at(-500, 100).add(gesture.Event{Type: gesture.Down})
	h.events[len(h.events)-1].Brought = gesture.BroughtBy(kind)
	return h
}

func (h *hand) rest() *hand { return h.add(gesture.Event{Type: gesture.Hold}) }

// wander leads a connection over everything that can be under it: a target, a refused
// target, its own card, the border of the canvas, empty canvas.
func (h *hand) wander(own graph.Vec) *hand {
	return h.to(600, 500).to(500, 20).to(-120, 15).to(900, 60).to(own.X, own.Y).to(1690, 500).tick().tick().to(600, 500).to(1250, 15)
}

// script is one gesture from its first event to its last.
type script struct {
	name   string
	chosen editor.Selection
	do     *hand
	shows  string // what see lists during the gesture
	undo   string // what the whole gesture does
	opts   []func(*editor.Config, *gesture.Options)
}

var (
	rowOfA = editor.Selection{Nodes: []string{"a"}, Component: "c1"}
	two    = editor.SelectNodes("r", "f")
)

// scripts are all variants of the gestures of the canvas. No gesture begins with a key
// alone: keys act at once.
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
			name:  "bring a component",
			do:    mouse().bring("TEXT").to(-400, 100).to(-298, 100).to(500, 20).to(1690, 500).tick().to(340, 500).to(100, 60).up(),
			shows: "carry ticking",
			undo:  "Add Text",
		},
		{name: "bring a step", do: mouse().bring("TEXT").to(-400, 100).to(340, 500).up(), shows: "carry", undo: "Add step with Text"},
		{name: "bring a component back", do: mouse().bring("TEXT").to(100, 60).to(-500, 100).up(), shows: "carry"},
		{name: "bring what is refused", do: mouse().bring("TEXT").to(-400, 100).to(500, 60).up(), shows: "carry"},
		{
			name:  "bring by touch",
			do:    touch().bring("TEXT").to(-490, 100).to(100, 60).up(),
			shows: "carry",
			undo:  "Add Text",
		},
		{
			name:  "carry within a step",
			do:    mouse().down(10, 60).to(12, 61).to(500, 60).to(1690, 500).tick().to(20, 200).to(20, 90).up(),
			shows: "carry ticking",
			undo:  "Reorder component",
		},
		{name: "carry to a step", do: mouse().down(10, 60).to(100, 240).up(), shows: "carry", undo: "Move component to another step"},
		{name: "carry to a new step", do: mouse().down(10, 60).to(340, 500).up(), shows: "carry", undo: "Move component to a new step"},
		{name: "carry back", do: mouse().down(10, 60).to(340, 500).to(100, 60).up(), shows: "carry"},
		{name: "carry a rule", do: mouse().down(410, 60).to(340, 500).to(500, 110).up(), shows: "carry", undo: "Reorder rule"},
		{name: "carry a rule away", do: mouse().down(410, 60).to(100, 60).up(), shows: "carry"},
		{
			name:  "carry by touch",
			do:    touch().down(100, 60).rest().to(100, 64).to(100, 240).up(),
			shows: "carry",
			undo:  "Move component to another step",
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
