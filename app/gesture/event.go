package gesture

import (
	"time"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Type tells events apart.
type Type uint8

// The types of events.
const (
	Down Type = iota
	Move
	Up
	Cancel // the browser took the pointer away
	Leave  // the pointer left the canvas while nothing was pressed
	Blur   // the canvas or the window lost the focus
	Wheel
	KeyDown
	KeyUp
	Tick // a frame of Event.Dt, wanted while Chart.Ticking
)

// Device is what points.
type Device uint8

// The devices. A pen is taken for a mouse: it is as exact.
const (
	Mouse Device = iota
	Touch
)

// Button is the button that a Down or Up is about, by the numbers of the DOM.
type Button int8

// The buttons that mean something here.
const (
	MainButton   Button = 0
	MiddleButton Button = 1
)

// Mods are the modifier keys held. Control is also the command key.
type Mods struct{ Shift, Control, Alt bool }

// command returns the modifiers as the table of commands has them.
func (m Mods) command() (out command.Mods) {
	if m.Shift {
		out |= command.Shift
	}
	if m.Control {
		out |= command.Control
	}
	if m.Alt {
		out |= command.Alt
	}
	return out
}

// WheelMode is the unit of a wheel's distance, by the numbers of the DOM.
type WheelMode uint8

// The units of a wheel.
const (
	Pixels WheelMode = iota
	Lines
	Pages
)

// Event is one input. Places are screen pixels from the canvas's left upper
// corner.
type Event struct {
	Type    Type
	Pointer int // tells fingers apart
	Device  Device
	Button  Button
	At      graph.Vec
	Mods    Mods
	Wheel   graph.Vec
	Unit    WheelMode
	Key     string // as the DOM names it: "a", "Escape", " "
	Dt      time.Duration
}

// Redraw is what an event changed on the screen.
type Redraw uint16

// The parts of the screen.
const (
	RedrawViewport  Redraw = 1 << iota
	RedrawMoved            // Chart.Dragged
	RedrawLine             // Chart.Line
	RedrawMarquee          // Chart.Marquee
	RedrawSelection        // Chart.Selection, the preview included
	RedrawHover            // Chart.Hover
)

// Cursor is the shape of the pointer, by the names of CSS.
type Cursor string

// The shapes.
const (
	DefaultCursor    Cursor = "default"
	PointerCursor    Cursor = "pointer"
	GrabCursor       Cursor = "grab"
	GrabbingCursor   Cursor = "grabbing"
	CrosshairCursor  Cursor = "crosshair"
	CopyCursor       Cursor = "copy"
	NotAllowedCursor Cursor = "not-allowed"
)

// Effect is what there is to do after an event. The zero Effect is nothing.
type Effect struct {
	Redraw  Redraw
	Action  command.ID // asked for by a key or a press; the page around the canvas does it
	Cursor  Cursor
	Taken   bool   // the browser must not act on the event too
	Capture bool   // all events of this pointer should come here from now on
	Reveal  string // key of a card to bring into sight
	Err     error  // why the command at the end of the gesture was refused
	Drop    *Drop  // a new node is asked for

	Replaced *Replaced // a connection took the place of another
}

// Replaced is a connection that a gesture took away without being asked to: its way out leads to another node now.
// It should be announced, since the node that it led to may be reached no more.
type Replaced struct {
	Was *model.Form    // before the gesture
	Way editor.EdgeRef // of Was; model.Form.OutOf returns where it led
}

// Drop asks for a new node on a way out: a connection, new or not, was let go where no card is, or the button in
// the middle of an edge was pressed. What is connected stays so until a node is chosen.
type Drop struct {
	From   editor.EdgeRef
	At     graph.Vec // in the form
	Middle bool      // the edge's button was pressed: the node goes where there is room between the ends
}
