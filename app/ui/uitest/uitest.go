// Package uitest runs pages and their parts in tests that need no browser.
package uitest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

// Run calls f with a page's context. Functions that f dispatches do not run.
func Run(tb testing.TB, f func(ctx app.Context)) {
	tb.Helper()
	ran := false
	e := app.NewTestEngine()
	if err := e.Load(&component{ready: func(ctx app.Context) { ran = true; f(ctx) }}); err != nil {
		tb.Fatal(err)
	}
	e.ConsumeNext()
	if !ran {
		tb.Fatal("go-app did not call the component")
	}
}

type component struct {
	app.Compo
	ready func(app.Context)
}

// OnPreRender is the method that go-app calls outside a browser.
func (c *component) OnPreRender(ctx app.Context) { c.ready(ctx) }

func (c *component) Render() app.UI { return app.Div() }

// Workspace returns a workspace with a form that the person may change, and its canvas. New ids are the
// same in each run.
func Workspace(tb testing.TB, form string) (*workspace.Workspace, *Canvas) {
	tb.Helper()
	w := workspace.New("ap_test", nil)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the ids of a test are the same in each run
	w.Editor = editor.New(formtest.Parse(tb, form), editor.Config{Rand: random.IntN, Now: clock()})
	c := &Canvas{editor: w.Editor}
	w.Canvas = c
	ignore := func(app.Context) {}
	w.Redraw, w.Sync = ignore, ignore
	w.Perform = func(app.Context, command.ID, string) {}
	return w, c
}

// Canvas is a canvas that draws nothing and records calls.
type Canvas struct {
	// Calls lists the called methods that changed the view, with the node if there is one.
	Calls []string
	// Gesture is what Busy reports.
	Gesture bool
	// Awaiting is what Awaits reports.
	Awaiting bool
	// Field is the last field that EditText received.
	Field *canvas.Field
	// Mouse is where the mouse is; nil if it is elsewhere.
	Mouse *model.Point
	// Pointers are the mice of people that are shown.
	Pointers []canvas.Pointer

	editor *editor.Editor
}

func (c *Canvas) note(call string) { c.Calls = append(c.Calls, call) }

// The methods of canvas.View.

func (c *Canvas) Close()                           { c.note("Close") }
func (c *Canvas) FitView()                         { c.note("FitView") }
func (c *Canvas) FitReadable()                     { c.note("FitReadable") }
func (c *Canvas) FitSelection()                    { c.note("FitSelection") }
func (c *Canvas) ZoomIn()                          { c.note("ZoomIn") }
func (c *Canvas) ZoomOut()                         { c.note("ZoomOut") }
func (c *Canvas) ZoomReset()                       { c.note("ZoomReset") }
func (c *Canvas) ZoomTo(id string)                 { c.note("ZoomTo " + id) }
func (c *Canvas) Reveal(id string)                 { c.note("Reveal " + id) }
func (c *Canvas) FitPath(ids []string)             { c.note("FitPath " + strings.Join(ids, " ")) }
func (c *Canvas) Hold()                            { c.note("Hold") }
func (c *Canvas) Release()                         { c.note("Release") }
func (c *Canvas) RevealSelection()                 { c.note("RevealSelection") }
func (c *Canvas) Uncover()                         { c.note("Uncover") }
func (c *Canvas) Viewport() graph.Viewport         { return graph.Viewport{Zoom: 1} }
func (c *Canvas) Lost() bool                       { return false }
func (c *Canvas) Scene() *graph.Scene              { return graph.New(c.editor.State().Form) }
func (c *Canvas) Busy() bool                       { return c.Gesture }
func (c *Canvas) Awaits(fromRight float64) bool    { return c.Awaiting }
func (c *Canvas) Anchor() graph.Vec                { return graph.Vec{} }
func (c *Canvas) PointIn(at graph.Vec) model.Point { return at.Point() }
func (c *Canvas) EditText(f canvas.Field)          { c.Field = &f }
func (c *Canvas) Animate()                         { c.note("Animate") }

func (c *Canvas) WriteNote(n note.Note) { c.note("WriteNote " + n.ID) }

func (c *Canvas) ShowNotes(list note.List, editable bool) {
	for _, n := range list {
		c.note(fmt.Sprint("ShowNotes ", n.Text, " at ", n.At, " ", editable))
	}
}

func (c *Canvas) SetFlows(names map[string]string) { c.note("SetFlows") }

func (c *Canvas) Mark(m canvas.Marks) {
	marks := slices.Concat(m.Visited, m.Edges, []string{m.Current})
	if m.Taken != nil {
		marks = append(marks, fmt.Sprint(m.Taken))
	}
	for _, id := range slices.Sorted(maps.Keys(m.People)) {
		marks = append(marks, m.People[id].Names+" at "+id)
	}
	if len(m.Forks) > 0 {
		marks = append(marks, fmt.Sprint("forks ", m.Forks))
	}
	c.note("Mark " + strings.Join(marks, " "))
}

func (c *Canvas) SetWheelZooms(zooms bool) { c.note("SetWheelZooms") }

func (c *Canvas) Places(of func(*graph.Scene) map[string]model.Point) map[string]model.Point {
	return of(c.Scene())
}

func (c *Canvas) PlaceOf(id string) (model.Point, bool) {
	card := c.Scene().Card(id)
	if card == nil {
		return model.Point{}, false
	}
	return card.Rect.Origin().Point(), true
}

func (c *Canvas) ShowPointers(list []canvas.Pointer) { c.Pointers = list }
func (c *Canvas) PointerAt() (at model.Point, over bool) {
	if c.Mouse == nil {
		return model.Point{}, false
	}
	return *c.Mouse, true
}
