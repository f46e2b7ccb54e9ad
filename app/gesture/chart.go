package gesture

import (
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// Phase is the state of a Chart.
type Phase uint8

// The phases.
const (
	Idle Phase = iota
	Pressing
	Dragging
	Connecting
	Panning
	Selecting // a marquee is drawn
	Pinching
	Carrying // a component or rule is dragged
)

// Options are preferences of the user.
type Options struct {
	WheelZooms bool // a wheel without keys zooms, and with Control held pans
}

// gesture is a state of the chart other than idle, with its own data.
type gesture interface {
	phase() Phase
	// follow updates the gesture to the position of the pointer. It also runs when the view or the modifiers change, since the form then
	// moves below a still pointer.
	follow() Effect
	// release completes the gesture at the position of the pointer. The chart is already idle then, so an observer of the editor sees it at
	// rest.
	release(eff *Effect)
	// shows returns the parts of the screen that the gesture draws. They are redrawn when the gesture begins and ends.
	shows() Redraw
}

// Chart is the state chart of one canvas. It is not safe for concurrent use.
type Chart struct {
	canvas  canvas
	rest    rest
	keys    keys
	running gesture // nil while the chart is idle
	fingers fingers
	clicked bool // the last press was a click
	rev     int  // of the scene when the gesture last looked at it
}

// New returns the chart of a canvas that draws scene and edits with ed.
func New(ed *editor.Editor, scene *graph.Scene, opts Options) *Chart {
	c := &Chart{canvas: canvas{ed: ed, scene: scene, opts: opts, view: graph.Viewport{Zoom: 1}}, rev: scene.Rev()}
	c.rest = rest{canvas: &c.canvas, hover: nothing}
	c.keys = keys{canvas: &c.canvas, came: map[string]string{}}
	return c
}

// SetOptions changes the preferences.
func (c *Chart) SetOptions(o Options) { c.canvas.opts = o }

// Viewport returns the visible part of the form.
func (c *Chart) Viewport() graph.Viewport { return c.canvas.view }

// SetViewport shows another part of the form.
func (c *Chart) SetViewport(v graph.Viewport) { c.canvas.view = v }

// Resize sets the size of the canvas in screen pixels.
func (c *Chart) Resize(size graph.Vec) { c.canvas.size = size }

// Size returns the size last passed to Resize.
func (c *Chart) Size() graph.Vec { return c.canvas.size }

// Phase returns the state of the chart.
func (c *Chart) Phase() Phase {
	if c.running == nil {
		return Idle
	}
	return c.running.phase()
}

// Pointer returns the last position of the pointer, on the screen.
func (c *Chart) Pointer() graph.Vec { return c.canvas.at }

// Anchor returns the place in the form beside which a menu about the selection opens.
func (c *Chart) Anchor() graph.Vec {
	sel := c.canvas.ed.State().Selection
	if sel.Edge != nil {
		if e := c.canvas.scene.Edge(sel.Edge.From, sel.Edge.Port); e != nil {
			return e.Curve.At(.5)
		}
	}
	if len(sel.Nodes) == 0 {
		return graph.Vec{}
	}
	card := c.canvas.scene.Card(sel.Nodes[len(sel.Nodes)-1])
	if card == nil {
		return graph.Vec{}
	}
	at := card.Rect.Origin().Add(graph.Vec{X: graph.HeaderHeight, Y: graph.HeaderHeight})
	if p, ok := sel.Place(c.canvas.ed.State().Form); ok && p.Part() >= 0 {
		if i := card.RowOf(p.Part()); i >= 0 {
			at.Y = card.Rect.Y + card.Rows[i].Top + card.Rows[i].Height
		}
	}
	return at
}

// Changed must be called after every change of the scene. A gesture whose subject may no longer exist, for example after undo, ends without
// changing anything.
func (c *Chart) Changed() Effect {
	if c.rev == c.canvas.scene.Rev() {
		return Effect{}
	}
	c.rev, c.rest.hover = c.canvas.scene.Rev(), nothing
	if p := c.Phase(); p == Panning || p == Pinching {
		return Effect{}
	}
	return c.end()
}

// Handle processes one event and returns its effects.
func (c *Chart) Handle(e Event) Effect {
	switch e.Type {
	case Down:
		return c.down(e)
	case Move:
		return c.move(e)
	case Up, Cancel:
		return c.up(e)
	case Leave:
		return Effect{Redraw: c.rest.leave()}
	case Blur:
		c.rest.space, c.fingers = false, nil
		eff := c.end()
		eff.Cursor = c.rest.cursor() // space is no longer held
		return eff
	case Wheel:
		return c.wheel(e)
	case KeyDown:
		return c.keyDown(e)
	case KeyUp:
		return c.keyUp(e)
	case Tick:
		return c.tick(e)
	case Menu:
		return c.menu(e)
	case Hold:
		if e.Pointer != c.canvas.id || c.canvas.device != Touch || c.Phase() != Pressing {
			return Effect{}
		}
		e.At = c.canvas.from
		return c.menu(e)
	}
	return Effect{}
}

// bring begins a press on a control outside the canvas. Until the pointer has moved far enough, the control has it.
func (c *Chart) bring(e Event) Effect {
	if c.running == nil && e.Button == MainButton && !c.canvas.ed.ReadOnly() {
		c.canvas.press(e)
		c.running = &press{canvas: &c.canvas, hit: nothing, brought: e.Brought}
	}
	return Effect{}
}

func (c *Chart) down(e Event) Effect {
	if e.Brought != (Brought{}) {
		return c.bring(e)
	}
	if e.Device == Touch && c.fingers.put(e) && len(c.fingers) == 2 {
		eff := c.end()
		c.running = &pinch{canvas: &c.canvas, fingers: &c.fingers}
		eff.Capture, eff.Taken = true, true
		return eff
	}
	if c.running != nil {
		// A finger that takes part in no gesture is also tracked until it is lifted. Otherwise it would pinch with the next finger.
		return Effect{Taken: true, Capture: e.Device == Touch}
	}
	c.canvas.press(e)
	switch {
	case e.Button == MiddleButton, e.Button == MainButton && c.rest.space:
		c.running = &pan{canvas: &c.canvas, last: e.At}
		return Effect{Capture: true, Taken: true, Cursor: GrabbingCursor}
	case e.Button != MainButton:
		return Effect{}
	}
	hit, plus := c.rest.hitAt(e.At)
	if e.Device == Touch && hit.Out < 0 && c.canvas.view.Zoom < graph.NameZoom {
		hit.Row = -1
	}
	c.running = &press{canvas: &c.canvas, hit: hit, plus: plus}
	return Effect{Capture: true, Redraw: c.rest.leave(), Hold: e.Device == Touch}
}

// menu selects what is at a point, unless it is selected, and asks for its menu. A press that has not become a drag ends there. A finger that
// rests on a component or rule lifts it instead, and asks for the menu if it lets go without moving.
func (c *Chart) menu(e Event) Effect {
	if g, ok := c.running.(*press); ok && c.canvas.device == Touch && g.part() {
		lift := g.carry()
		lift.held = true
		c.running = lift
		eff := lift.follow()
		eff.Redraw |= lift.shows()
		eff.Taken = true
		return eff
	}
	if p := c.Phase(); p != Idle && p != Pressing {
		return Effect{}
	}
	eff := c.end()
	hit, _ := c.rest.hitAt(e.At)
	c.canvas.at = e.At
	(&press{canvas: &c.canvas, hit: hit}).chooseForMenu()
	eff.Menu, eff.Taken = true, true
	eff.Redraw |= RedrawSelection
	return eff
}

func (c *Chart) move(e Event) Effect {
	if g, ok := c.running.(*pinch); ok {
		return g.move(e)
	}
	// This includes a finger that no gesture follows: another may join it to pinch.
	c.fingers.move(e)
	if c.running == nil {
		return c.rest.move(e)
	}
	if e.Pointer != c.canvas.id {
		return Effect{}
	}
	c.canvas.moveTo(e)
	p, ok := c.running.(*press)
	if !ok {
		return c.running.follow()
	}
	if !c.canvas.beyondThreshold() {
		return Effect{}
	}
	c.running = p.begin()
	eff := c.running.follow()
	eff.Redraw |= c.running.shows()
	eff.Capture = p.brought != (Brought{})
	return eff
}

// up handles a pointer that was released, or that the browser took away, in which case the gesture is cancelled.
func (c *Chart) up(e Event) Effect {
	c.fingers.lift(e.Pointer)
	if g, ok := c.running.(*pinch); ok {
		return c.unpinch(g)
	}
	if c.running == nil || e.Pointer != c.canvas.id {
		return Effect{}
	}
	g := c.running
	eff := c.end()
	if e.Type == Up {
		c.canvas.moveTo(e)
		p, ok := g.(*press)
		c.clicked = ok && p.brought == (Brought{}) && (p.hit.Spot == graph.NoSpot || p.hit.Spot == graph.GripSpot) && p.hit.Out < 0 && p.plus == nil
		g.release(&eff)
	}
	return eff
}

// unpinch continues after a finger was lifted: the remaining one pans.
func (c *Chart) unpinch(g *pinch) Effect {
	switch len(c.fingers) {
	case 0:
		return c.end()
	case 1:
		c.running = g.pan()
	}
	return Effect{}
}

// Doubled handles the second click of a double click: it edits the label or the name of what the first one selected. On empty canvas it asks
// for a new node at that place, which continues the main path.
func (c *Chart) Doubled() Effect {
	s := c.canvas.ed.State()
	switch {
	case !c.clicked || c.canvas.ed.ReadOnly():
		return Effect{}
	case s.Selection.Only() != "":
		return Effect{Action: command.EditLabel}
	case s.Selection.Empty():
		return Effect{Drop: &Drop{From: editor.WayToAdd(s), At: c.canvas.here()}}
	}
	return Effect{}
}

// end returns to Idle without changing anything and redraws everything that a gesture may have shown. The view stays where it is: it is not
// part of the form, and a jump would only confuse.
func (c *Chart) end() Effect {
	if c.running == nil {
		return Effect{}
	}
	eff := Effect{Redraw: c.running.shows(), Cursor: c.rest.cursor()}
	c.running = nil
	return eff
}
