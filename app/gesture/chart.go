package gesture

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
)

// Phase is the state that a Chart is in.
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
)

// How far a pointer moves, in screen pixels, before a press becomes a drag.
const (
	mouseThreshold = 4
	touchThreshold = 6
)

// Options are preferences of the user.
type Options struct {
	WheelZooms bool // a wheel without keys zooms, and pans with Control held
}

// Chart is the state chart of one canvas. It is not safe for concurrent use.
type Chart struct {
	ed    *editor.Editor
	scene *graph.Scene
	opts  Options
	view  graph.Viewport
	size  graph.Vec

	phase    Phase
	pointer  int       // that the gesture belongs to
	device   Device    // of that pointer
	from, at graph.Vec // where it was pressed and where it is, on the screen
	mods     Mods
	hit      graph.Hit // under the press
	hover    graph.Hit
	began    graph.Vec // the press in the form; a marquee keeps it while the view pans
	space    bool      // the space bar is held

	preview    *editor.Selection // shown instead of the editor's until the gesture ends
	selected   []string          // before the marquee; it adds to them with Shift
	by         graph.Vec         // how far the dragged cards are
	guides     *graph.Guides     // that catch them; nil until they are asked
	lines      []graph.GuideLine // where they are caught
	insertEdge *graph.Edge       // that a release now would put the dragged card on
	line       Line
	plus       *graph.Edge // whose button is pressed
	fingers    []finger
	came       map[string]string // from which card the arrow keys came to another
	rev        int               // of the scene that the gesture knows
}

type finger struct {
	id int
	at graph.Vec
}

// New returns the chart of a canvas that draws scene and edits with ed.
func New(ed *editor.Editor, scene *graph.Scene, opts Options) *Chart {
	return &Chart{ed: ed, scene: scene, opts: opts, view: graph.Viewport{Zoom: 1}, came: map[string]string{}, rev: scene.Rev()}
}

// SetOptions changes the preferences.
func (c *Chart) SetOptions(o Options) { c.opts = o }

// Viewport returns what part of the form is shown.
func (c *Chart) Viewport() graph.Viewport { return c.view }

// SetViewport shows another part of the form.
func (c *Chart) SetViewport(v graph.Viewport) { c.view = v }

// Resize tells the size of the canvas in screen pixels.
func (c *Chart) Resize(size graph.Vec) { c.size = size }

// Size returns the size that Resize was given.
func (c *Chart) Size() graph.Vec { return c.size }

// Phase returns the state the chart is in.
func (c *Chart) Phase() Phase { return c.phase }

// Pointer returns where the pointer was last, on the screen.
func (c *Chart) Pointer() graph.Vec { return c.at }

// Hover returns what the pointer is over while no gesture runs.
func (c *Chart) Hover() graph.Hit { return c.hover }

// Selection returns what to draw as selected: during a gesture what it would
// select.
func (c *Chart) Selection() editor.Selection {
	if c.preview != nil {
		return *c.preview
	}
	return c.ed.State().Selection
}

// Dragged returns the nodes that are dragged and how far in form units; nil when
// none are.
func (c *Chart) Dragged() ([]string, graph.Vec) {
	if c.phase != Dragging {
		return nil, graph.Vec{}
	}
	return c.Selection().Nodes, c.by
}

// Guides returns the lines along which the dragged cards are caught.
func (c *Chart) Guides() []graph.GuideLine { return c.lines }

// InsertEdge returns the edge between whose ends a release now would put the dragged
// card, or nil.
func (c *Chart) InsertEdge() *graph.Edge { return c.insertEdge }

// Marquee returns the selection rectangle in the form, and whether there is one.
func (c *Chart) Marquee() (graph.Rect, bool) {
	return graph.RectOf(c.began, c.view.ToForm(c.at)), c.phase == Selecting
}

// Changed must be called after every change of the scene. A gesture that the
// change has overtaken, by undo for example, ends with nothing changed.
func (c *Chart) Changed() Effect {
	if c.rev == c.scene.Rev() {
		return Effect{}
	}
	c.rev, c.hover = c.scene.Rev(), graph.Hit{Out: -1, Row: -1}
	if c.phase == Idle || c.phase == Panning || c.phase == Pinching {
		return Effect{}
	}
	return c.cancel()
}

// Handle takes one event and says what there is to do.
func (c *Chart) Handle(e Event) Effect {
	switch e.Type {
	case Down:
		return c.down(e)
	case Move:
		return c.move(e)
	case Up:
		return c.up(e)
	case Cancel:
		return c.lost(e)
	case Leave:
		return c.leave()
	case Blur:
		c.space, c.fingers = false, nil
		eff := c.cancel()
		eff.Cursor = c.idleCursor() // the space bar's is gone with it
		return eff
	case Wheel:
		return c.wheel(e)
	case KeyDown:
		return c.keyDown(e)
	case KeyUp:
		return c.keyUp(e)
	case Tick:
		return c.tick(e)
	}
	return Effect{}
}
