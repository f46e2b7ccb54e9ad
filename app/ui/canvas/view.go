package canvas

import (
	"time"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/model"
)

// Options connect the canvas to the page around it. Each may be nil.
type Options struct {
	// OnCommand is called for a key or press that requests a command.
	OnCommand func(id command.ID)
	// OnViewport is called when the view has come to rest at a new place or zoom.
	OnViewport func()
	// OnRefused receives the reason why a gesture was refused.
	OnRefused func(err error)
	// OnDrop receives a connection that ended on empty canvas: its start, and its end in the form and in the
	// host.
	OnDrop func(d gesture.Drop, at graph.Vec)
	// OnMenu is called when the menu of the selection is requested at a point of the window.
	OnMenu func(at graph.Vec)
	// OnBring is called when a component is dragged from a control outside the canvas.
	OnBring func()
	// OnReplaced receives a connection that a gesture removed.
	OnReplaced func(r gesture.Replaced)
	// OnChose is called when a click or tap has selected something, or nothing.
	OnChose func()
	// Covered returns the part of the canvas that the tabs cover, and how many pixels a panel covers at its bottom. What is brought into
	// view goes between them.
	Covered func() (tabs graph.Rect, sheet float64)
	// OnPoint is called when the mouse has moved over the canvas, or has left it.
	OnPoint func()
	// OnNote is called when the person has added, changed or deleted a note. It is called only if notes are editable.
	OnNote func(c note.Change)
	// OnCarried is called when a component or rule, which is now selected, was brought to a place.
	OnCarried func()
	// View is the initial view; the zero Viewport shows what FitReadable does.
	View graph.Viewport
	// WheelZooms makes the mouse wheel zoom without a modifier key.
	WheelZooms bool
}

// Field is a text that people edit on the canvas.
type Field struct {
	// Place returns where the text is in the form, and false if it is no longer shown. The field follows it when the form changes.
	Place func() (graph.Rect, bool)
	Name  string // accessible name
	Text  string
	// Done receives the text when the field closes, also because it has no place: next reports that the following field is wanted. It is not
	// called if the person cancels.
	Done func(text string, next bool)
}

// Pointer is the mouse of another person, at a place in the form.
type Pointer struct {
	Visitors
	At   model.Point
	Node string // that the person has selected, "" for none
}

// View is the canvas as seen by the page around it. Island implements it; native tests have their own
// implementation.
type View interface {
	// Close removes all elements and listeners of the canvas.
	Close()

	// FitView shows the whole form.
	FitView()
	// FitReadable shows the whole form if its cards then show more than their names, or else its beginning.
	FitReadable()
	// FitSelection shows the selection, or the whole form if nothing is selected.
	FitSelection()
	// ZoomIn and ZoomOut zoom by one step about the middle; ZoomReset zooms to 100 %.
	ZoomIn()
	ZoomOut()
	ZoomReset()
	// ZoomTo brings a node into view, large enough to read.
	ZoomTo(id string)
	// Reveal brings a node into view by the shortest movement, at the current zoom.
	Reveal(id string)
	// FitPath brings nodes into view, large enough to tell them apart. If there is no room for all, it shows the first. They stay in view when the
	// size of the canvas changes, until Release.
	FitPath(ids []string)
	// Hold remembers the view, and Release restores it exactly, once the canvas has the place that it had.
	Hold()
	Release()
	// RevealSelection brings the selection into view.
	RevealSelection()
	// Uncover brings what is selected, or else what was in view, out from under a panel that has covered the bottom of the canvas.
	Uncover()
	// Viewport returns the visible part of the form.
	Viewport() graph.Viewport
	// Lost reports whether no part of the form is in view.
	Lost() bool

	// Scene returns the scene as it is drawn. The caller must not modify it, nor keep it across an edit.
	Scene() *graph.Scene
	// Busy reports whether a gesture is under way.
	Busy() bool
	// Awaits reports whether a press less than fromRight pixels from the right side of the canvas may become a double click. It reports each press
	// once; the caller then waits for DoubleClick.
	Awaits(fromRight float64) bool
	// Places computes positions from the form as it is drawn.
	Places(of func(*graph.Scene) map[string]model.Point) map[string]model.Point
	// Anchor returns the point of the window at which a menu about the selection opens.
	Anchor() graph.Vec
	// PointIn returns the place in the form of a point of the window.
	PointIn(at graph.Vec) model.Point
	// EditText shows a field over a part of the form, with its text selected, until the person is done.
	EditText(f Field)
	// PlaceOf returns the position at which a node is drawn, and false if the node does not exist.
	PlaceOf(id string) (model.Point, bool)
	// PointerAt returns the position under the pointer, and false if the pointer is not over the canvas.
	PointerAt() (model.Point, bool)

	// Animate makes the cards glide to the positions that the next command gives them.
	Animate()
	// SetFlows sets the names of the tenant's flows by id.
	SetFlows(names map[string]string)
	// Mark marks nodes and edges in place of those marked before.
	Mark(m Marks)
	// ShowNotes shows notes in place of those shown before.
	ShowNotes(list note.List, editable bool)
	// WriteNote opens the text of a note, which need not be shown yet.
	WriteNote(n note.Note)
	// ShowPointers shows the mice of other people in place of those shown before.
	ShowPointers(list []Pointer)
	// SetWheelZooms sets the preference of the same name in Options.
	SetWheelZooms(zooms bool)
}

// DoubleClick is how long to wait for the second press of a double click before something else moves under the pointer.
const DoubleClick = 400 * time.Millisecond

// revealMargin is the minimum distance, in pixels, between the border of the canvas and a card that is brought into view.
const revealMargin = 48

// keepInView returns the view of a canvas after a panel beside it opened or closed, which moved the canvas by a distance in the window and
// changed its size. What is drawn stays in place, except if the canvas became narrower or lower. Then the whole form stays in view if it was,
// and shrinks for that as long as its cards show more than their names; else the selection stays in view if it was; else what was in the middle
// stays there between top and bottom. in is the part of the canvas, in pixels, for what has to stay in view.
func keepInView(v graph.Viewport, by, was, size graph.Vec, whole, selected, in graph.Rect) graph.Viewport {
	before := v.Visible(was)
	v = v.Panned(by.Scale(-1))
	if (size.X < was.X || size.Y < was.Y) && contains(before, whole) {
		if at := onCanvas(v, whole); at.W <= in.W && at.H <= in.H {
			return v.Reveal(whole, in)
		}
		if fit := graph.Fit(whole, in, v.Zoom); fit.Zoom >= graph.NameZoom || v.Zoom < graph.NameZoom {
			return fit
		}
	}
	seen := !selected.Empty() && selected.Overlaps(before)
	if after := v.Visible(size); seen && size.X < was.X && (selected.X < after.X || selected.Right() > after.Right()) {
		v.X = v.Reveal(selected, in).X
	}
	if size.Y >= was.Y {
		return v
	}
	if !seen {
		c := before.Center()
		selected = graph.Rect{X: c.X, Y: c.Y}
	}
	v.Y = v.Reveal(selected, in).Y
	return v
}

// onCanvas returns the place of a part of the form on the canvas.
func onCanvas(v graph.Viewport, r graph.Rect) graph.Rect {
	at := v.ToScreen(r.Origin())
	return graph.Rect{X: at.X, Y: at.Y, W: r.W * v.Zoom, H: r.H * v.Zoom}
}
