package gesture_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/sizetest"
)

// walker sends random events of a mouse and three fingers to a canvas, as a browser
// might: only the mouse moves or is released without being down.
type walker struct {
	*canvas
	r    *rand.Rand
	held map[int]bool
	by   []int // the pointers in use
	log  []string

	worked int // how many drags works made
	offer  *gesture.Drop
}

func newWalker(t *testing.T, seed uint64) *walker {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	c := newCanvas(t, source, func(c *editor.Config, _ *gesture.Options) { c.Rand = r.IntN })
	return &walker{canvas: c, r: r, held: map[int]bool{}, by: []int{1}}
}

// somewhere returns a point on the screen, often one where something is.
func (w *walker) somewhere() graph.Vec {
	cards := w.scene.Cards()
	c := cards[w.r.IntN(len(cards))]
	at := graph.Vec{X: w.r.Float64()*2100 - 50, Y: w.r.Float64()*1100 - 50}
	view := w.chart.Viewport()
	switch w.r.IntN(6) {
	case 0:
		at = view.ToScreen(c.Rect.Origin().Add(graph.Vec{X: w.r.Float64() * c.Rect.W, Y: w.r.Float64() * c.Rect.H}))
	case 1:
		if len(c.Outs) > 0 {
			at = view.ToScreen(c.OutAt(w.r.IntN(len(c.Outs))))
		}
	case 2:
		if in := c.Ins(); len(in) > 0 {
			at = view.ToScreen(in[w.r.IntN(len(in))].Curve.At(w.r.Float64()))
		}
	case 3:
		at = w.at.Add(graph.Vec{X: w.r.Float64()*10 - 5, Y: w.r.Float64()*10 - 5})
	}
	return at
}

func (w *walker) event() gesture.Event {
	e := gesture.Event{
		Pointer: w.by[w.r.IntN(len(w.by))], At: w.somewhere(),
		Mods: gesture.Mods{Shift: w.r.IntN(5) == 0, Control: w.r.IntN(5) == 0, Alt: w.r.IntN(9) == 0},
	}
	if e.Pointer > 1 {
		e.Device = gesture.Touch
	}
	switch n := w.r.IntN(100); {
	case n < 25:
		e.Type = gesture.Down
		if w.r.IntN(8) == 0 {
			e.Button = gesture.MiddleButton
		}
		if w.held[e.Pointer] {
			e.Type, e.Button = gesture.Move, 0
		}
	case n < 65:
		e.Type = gesture.Move
	case n < 80:
		e.Type = gesture.Up
	case n < 83:
		e.Type = gesture.Cancel
	case n < 86:
		e.Type, e.Wheel = gesture.Wheel, graph.Vec{X: w.r.Float64()*200 - 100, Y: w.r.Float64()*200 - 100}
	case n < 91:
		e.Type, e.Dt = gesture.Tick, time.Duration(w.r.IntN(200))*time.Millisecond
	case n < 96:
		e.Type = []gesture.Type{gesture.KeyDown, gesture.KeyUp}[w.r.IntN(2)]
		e.Key = []string{" ", "a", "Alt", "Shift", "Control", "ArrowRight", "ArrowUp", "Delete", "Escape"}[w.r.IntN(9)]
	case n < 98:
		e.Type = gesture.Leave
	default:
		e.Type = gesture.Blur
	}
	if e.Device == gesture.Touch && !w.held[e.Pointer] && (e.Type == gesture.Move || e.Type == gesture.Up || e.Type == gesture.Cancel) {
		e.Type = gesture.Down
	}
	return e
}

// step sends one event and checks what holds for each.
func (w *walker) step() gesture.Event {
	w.t.Helper()
	e := w.event()
	phase, was := w.chart.Phase(), w.untouched()
	eff := w.chart.Handle(e)
	w.offer = eff.Drop
	w.log = append(w.log, fmt.Sprintf("phase %d: %+v", phase, e))
	switch e.Type {
	case gesture.Down:
		w.held[e.Pointer] = true
		w.at = e.At
	case gesture.Up, gesture.Cancel:
		delete(w.held, e.Pointer)
	case gesture.Move, gesture.Leave, gesture.Blur, gesture.Wheel, gesture.KeyDown, gesture.KeyUp, gesture.Tick, gesture.Menu, gesture.Hold:
	}
	now := w.untouched()
	ends := e.Type == gesture.Up || e.Type == gesture.KeyDown && phase == gesture.Idle
	switch {
	case !ends && now != was:
		w.fail("the editor went from %+v to %+v", was, now)
	case now.form != was.form && now.undo == "" || now.steps > was.steps+1:
		w.fail("more than one step was done: %+v, %+v", was, now)
	case eff.Redraw&gesture.RedrawMoved == 0 && phase == gesture.Dragging && w.chart.Phase() != gesture.Dragging:
		w.fail("a drag that ended is still drawn")
	}
	if w.chart.Phase() == gesture.Idle {
		if seen := see(w.chart, w.ed); len(seen) > 0 {
			w.fail("at rest it shows %q", seen)
		}
	}
	return e
}

func (w *walker) fail(format string, args ...any) {
	w.t.Helper()
	for _, line := range w.log[max(0, len(w.log)-12):] {
		w.t.Log(line)
	}
	w.t.Fatalf(format, args...)
}

// escape checks that Escape leads to rest wherever the walk is, and that releasing
// everything then does nothing.
func (w *walker) escape() {
	w.t.Helper()
	running := w.chart.Phase() != gesture.Idle
	was := w.untouched()
	w.key("Escape").wantRest("after Escape")
	if running && w.untouched() != was {
		w.fail("Escape made %+v of %+v", w.untouched(), was)
	}
	was = w.untouched()
	for p := range w.held {
		e := gesture.Event{Pointer: p, At: w.at}
		if p > 1 {
			e.Device = gesture.Touch
		}
		for _, typ := range []gesture.Type{gesture.Move, gesture.Up} {
			e.Type = typ
			w.chart.Handle(e)
		}
		delete(w.held, p)
	}
	w.wantRest("after Escape, let go")
	if now := w.untouched(); now != was {
		w.fail("letting go made %+v of %+v", now, was)
	}
	w.send(gesture.Event{Type: gesture.KeyUp, Key: " "})
	w.by = [][]int{{1}, {1}, {11}, {11, 12}, {1, 11, 12, 13}}[w.r.IntN(5)]
}

// take sometimes chooses the node that was offered, as the page around the canvas does.
func (w *walker) take() {
	w.t.Helper()
	d := w.offer
	if d == nil || w.r.IntN(2) == 0 {
		return
	}
	spot := editor.SpotAt(d.At, d.From, w.scene)
	if d.Middle {
		spot = editor.SpotOn(d.From, w.scene)
	}
	if err := w.ed.Run(w.ed.Make().NodeIn(model.FlowNode, spot)); err != nil {
		w.fail("the offer %+v cannot be taken: %v", *d, err)
	}
	if out, ok := w.ed.State().Form.OutOf(d.From.From, d.From.Port); !ok || string(out.To) != w.ed.State().Selection.Only() {
		w.fail("the offer %+v was taken and leads to %q", *d, out.To)
	}
}

// works drags an uncovered card with a finger or the mouse.
func (w *walker) works() {
	w.t.Helper()
	for _, device := range []gesture.Device{gesture.Touch, gesture.Mouse} {
		w.chart.SetViewport(graph.Viewport{X: 900, Y: 500, Zoom: .5}.Panned(w.scene.Card(model.EndingID).Rect.Origin().Scale(-.5)))
		was := w.place(model.EndingID)
		c := w.scene.Card(model.EndingID)
		press := c.Rect.Origin().Add(graph.Vec{X: c.Rect.W / 2, Y: c.Rect.H / 2})
		w.ed.Select(editor.SelectNodes(model.EndingID)) // above all others
		if h := w.scene.Hit(press, .5, w.chart.Shown().Selection().Has); h.Card != c || h.Out >= 0 {
			return // a handle of another card lies there
		}
		w.worked++
		at := w.chart.Viewport().ToScreen(press)
		e := gesture.Event{Pointer: 1, Device: device, At: at, Mods: control}
		for _, typ := range []gesture.Type{gesture.Down, gesture.Move, gesture.Up} {
			if e.Type = typ; typ == gesture.Move {
				e.At = at.Add(graph.Vec{X: 20, Y: 30})
			}
			w.chart.Handle(e)
		}
		if got, want := w.place(model.EndingID), was.Add(model.Point{X: 40, Y: 60}); got != want {
			w.fail("device %d: a drag brings the ending to %v, want %v", device, got, want)
		}
	}
}

// Whatever happens, the editor does not change while a gesture runs, its end is at most one
// step, Escape leads to rest, and the next gesture works.
func TestRandomEvents(t *testing.T) {
	ended, worked, phases := 0, 0, map[gesture.Phase]int{}
	seeds := sizetest.Of(0, 40, 2000)
	for seed := range uint64(seeds) {
		w := newWalker(t, seed)
		for i := range 200 {
			before := w.ed.State().Form
			e := w.step()
			w.take()
			phases[w.chart.Phase()]++
			if e.Type == gesture.Up && w.ed.State().Form != before {
				ended++
			}
			if i%15 == 14 {
				w.escape()
			}
			if i%45 == 44 {
				w.works()
			}
		}
		worked += w.worked
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("the walk changed the form %d times and tried a drag %d times", ended, worked)
	if 2*ended < 3*seeds || worked < 3*seeds {
		t.Errorf("the walk changed the form only %d times and tried a drag only %d times", ended, worked)
	}
	for p := gesture.Idle; p <= gesture.Pinching; p++ {
		if phases[p] < seeds {
			t.Errorf("the walk was in phase %d only %d times", p, phases[p])
		}
	}
}
