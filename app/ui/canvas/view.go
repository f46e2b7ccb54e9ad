package canvas

import (
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Options are what the page around the canvas takes part in. Each may be nil.
type Options struct {
	// OnCommand is called for a key or a press that asks for a command.
	OnCommand func(id command.ID)
	// OnViewport is called when the view has come to rest at another place or zoom.
	OnViewport func()
	// OnRefused is told why a gesture could not be done.
	OnRefused func(err error)
	// OnDrop is told of a connection that ended on empty canvas: where it began, and
	// where it ended, in the form and in the host.
	OnDrop func(d gesture.Drop, at graph.Vec)
	// OnReplaced is told of a connection that a gesture took away.
	OnReplaced func(r gesture.Replaced)
	// View is what is shown first; the zero Viewport shows the beginning of the form.
	View graph.Viewport
	// WheelZooms is the preference that a wheel without keys zooms.
	WheelZooms bool
}

// View is the canvas as the page around it uses it. Island is the one that draws; native tests have their own.
type View interface {
	// Close removes everything that the canvas made and listened to.
	Close()

	// FitView shows the whole form.
	FitView()
	// FitReadable shows the whole form where it can be read then, else its beginning.
	FitReadable()
	// FitSelection shows what is selected, the whole form when nothing is.
	FitSelection()
	// ZoomIn and ZoomOut zoom about the middle by a step, ZoomReset to 100 %.
	ZoomIn()
	ZoomOut()
	ZoomReset()
	// ZoomTo brings a node into view, large enough to read.
	ZoomTo(id string)
	// Reveal brings a node into view by the shortest way and keeps the zoom.
	Reveal(id string)
	// RevealSelection brings what is selected into view.
	RevealSelection()
	// Viewport returns what part of the form is shown.
	Viewport() graph.Viewport
	// Lost reports whether nothing of the form is in view.
	Lost() bool

	// Scene returns the form as it is drawn. The caller must not change it, nor keep it over an edit.
	Scene() *graph.Scene
	// Places computes places from the form as it is drawn.
	Places(of func(*graph.Scene) map[string]model.Point) map[string]model.Point
	// PlaceOf returns where a node is drawn, and false when there is no such node.
	PlaceOf(id string) (model.Point, bool)
	// FreePlace returns the place nearest to p where a new card covers no other.
	FreePlace(p model.Point) model.Point
	// Center returns the place that a new card has in the middle of the view.
	Center() model.Point
	// PointerAt returns the place under the pointer, and false when the pointer is not over the canvas.
	PointerAt() (model.Point, bool)

	// Animate has the cards glide to the places that the next command gives them.
	Animate()
	// SetFlows gives the names of the tenant's flows by their ids.
	SetFlows(names map[string]string)
	// SetWheelZooms changes the preference of Options.
	SetWheelZooms(zooms bool)
}
