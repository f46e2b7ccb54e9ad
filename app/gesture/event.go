package gesture

import (
	"time"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Type distinguishes events.
type Type uint8

// The types of events.
const (
	Down Type = iota
	Move
	Up
	Cancel // the browser took the pointer away
	Leave  // the pointer left the canvas while nothing was pressed
	Blur   // the canvas or the window lost focus
	Wheel
	KeyDown
	KeyUp
	Tick // a frame that lasted Event.Dt; wanted while Chart.Ticking
	Menu // a menu is requested at a point, as with the right button
	Hold // HoldTime has passed since a Down that asked for it
)

// HoldTime is how long a finger rests on the canvas to open a menu.
const HoldTime = 500 * time.Millisecond

// Device is the kind of a pointer.
type Device uint8

// The devices. A pen is treated as a mouse: it is as precise.
const (
	Mouse Device = iota
	Touch
)

// Button is the button of a Down or Up event, with the numbers of the DOM.
type Button int8

// The buttons with a meaning here.
const (
	MainButton   Button = 0
	MiddleButton Button = 1
)

// Mods are the modifier keys held. Control is also the command key.
type Mods struct{ Shift, Control, Alt bool }

// command returns the modifiers in the type of the table of commands.
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

// WheelMode is the unit of a wheel's distance, with the numbers of the DOM.
type WheelMode uint8

// The units of a wheel.
const (
	Pixels WheelMode = iota
	Lines
	Pages
)

// Event is one input. Positions are screen pixels from the upper left corner of the canvas.
type Event struct {
	Type    Type
	Pointer int // distinguishes fingers
	Device  Device
	Button  Button
	At      graph.Vec
	Mods    Mods
	Wheel   graph.Vec
	Unit    WheelMode
	Key     string // as the DOM names it: "a", "Escape", " "
	Dt      time.Duration
	Brought // of a Down on a control outside the canvas
}

// Brought is what is dragged from a control outside the canvas: components of a kind, or nodes of a type. It is zero for nothing.
type Brought struct {
	Kind *model.Kind
	Node model.NodeType
}

// BroughtBy returns what a control brings that adds components or nodes of a type.
func BroughtBy(typ string) Brought {
	if t := model.NodeType(typ); model.NodeKindOf(t) != nil {
		return Brought{Node: t}
	}
	return Brought{Kind: model.KindOf(typ)}
}

// Redraw is the set of parts of the screen that an event changed.
type Redraw uint16

// The parts of the screen.
const (
	RedrawViewport  Redraw = 1 << iota
	RedrawMoved            // Chart.Dragged
	RedrawLine             // Chart.Line
	RedrawMarquee          // Chart.Marquee
	RedrawSelection        // Chart.Selection, including the preview
	RedrawHover            // Chart.Hover
	RedrawCarry            // Chart.Carry, except its target
	RedrawTarget           // the target of Chart.Carry
)

// Cursor is the shape of the pointer, with the names of CSS.
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

// Effect is what the caller must do after an event. The zero Effect is nothing.
type Effect struct {
	Redraw  Redraw
	Action  command.ID // requested by a key or a press; the page around the canvas runs it
	Cursor  Cursor
	Taken   bool   // the browser must not also handle the event
	Capture bool   // all further events of this pointer should come here
	Reveal  string // key of a card to scroll into view
	Err     error  // why the command at the end of the gesture was refused
	Drop    *Drop  // a new node is requested
	Hold    bool   // a Hold event of this pointer is wanted after HoldTime
	Menu    bool   // the menu of the selection is requested at the point of the event

	Replaced *Replaced // a connection replaced another
	Chose    bool      // a click selected something, or nothing
	Carried  bool      // what is now selected was brought to a place: it should be announced
}

// Replaced is a connection that a gesture replaced without being asked to: its way out now leads to another node. It should be announced,
// since its former target may no longer be reachable.
type Replaced struct {
	Was *model.Form    // before the gesture
	Way editor.EdgeRef // of Was; model.Form.OutOf returns its target
}

// Drop requests a new node on a way out: a connection, new or not, was dropped where there is no card, or the button in the middle of an
// edge was pressed. Existing connections stay until a node is chosen.
type Drop struct {
	From   editor.EdgeRef
	At     graph.Vec // in the form
	Middle bool      // the edge's button was pressed: the node goes where there is room between the ends
}
