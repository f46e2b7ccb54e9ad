package canvas

import (
	"slices"
	"syscall/js"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Island draws the form of an editor into a host element, and turns gestures into edits. It runs on the
// browser's only thread, between the page's own events. Its parts share the stage; each owns what it draws or moves.
type Island struct {
	*stage
	*camera
	*ground
	*picture
	*overlay
	*input
	*textField
	notes     *noteLayer
	mini      minimap
	window    graph.Vec // size of the window
	lastFrame float64
	known     schema.Problems // of the form, at its last change
}

// stage is what the parts of an island share: the form, its drawing, the gestures, and the element for all of it.
type stage struct {
	opts    Options
	ed      *editor.Editor
	scene   *graph.Scene
	chart   *gesture.Chart
	host    js.Value
	origin  graph.Vec // of the host in the window
	world   js.Value  // moves and scales with the view
	stops   []func()
	frame   js.Func
	pending js.Value // the requested frame
	dirty   dirt
	closed  bool
	gone    *graph.Scene // of the nodes that are only in the form compared with; nil for none
}

// camera chooses the visible part of the form.
type camera struct {
	*stage
	fitted bool           // the view was chosen once the size was known
	begun  graph.Viewport // the view with which the form opened, or zero
	motion motion
	sights sights
	path   []string // what FitPath keeps in view

	pressed   float64   // when a pointer was pressed last, by the frames' clock; 0 after takePress
	pressedAt graph.Vec // and where
	turns     int       // how often glideAfterPress was called
}

// dirt is the set of parts that the next frame has to draw.
type dirt uint8

const (
	dirtyView dirt = 1 << iota
	dirtyScene
	dirtyState // selection, dragged nodes and the node under the pointer
	dirtyOver  // line, marquee and their texts
)

// fitPadding is the space around a form that fits the view, in pixels.
const fitPadding = 40

// Open draws the form of ed into the element with the given id; see New. It returns nil if the element does not
// exist.
func Open(id string, ed *editor.Editor, opts Options) View {
	host := js.Global().Get("document").Call("getElementById", id)
	if !host.Truthy() {
		return nil
	}
	return New(host, ed, opts)
}

// New draws the form of ed into host, an empty element with a size, and keeps the drawing up to date until
// Close.
func New(host js.Value, ed *editor.Editor, opts Options) *Island {
	pause.Now()
	st := &stage{opts: opts, ed: ed, scene: graph.New(ed.State().Form), host: host}
	pause.Now()
	s := &Island{stage: st, camera: &camera{stage: st}, picture: &picture{
		stage: st, nodes: map[*graph.Card]*nodeElement{}, edges: map[*graph.Edge]*edgeElement{},
	}}
	s.ground = &ground{stage: st, picture: s.picture}
	s.overlay = &overlay{stage: st}
	s.input = &input{camera: s.camera}
	s.textField = &textField{stage: st}
	s.notes = &noteLayer{stage: st, field: js.Undefined()}
	s.chart = gesture.New(ed, s.scene, gesture.Options{WheelZooms: opts.WheelZooms})
	if opts.View != (graph.Viewport{}) {
		s.chart.SetViewport(opts.View)
		s.fitted = true
	}
	s.build()
	s.frame = js.FuncOf(func(_ js.Value, args []js.Value) any {
		pause.Do(func() {
			s.pending = js.Undefined()
			if !s.closed {
				s.flush(args[0].Float())
			}
		})
		return nil
	})
	s.rest = js.FuncOf(func(js.Value, []js.Value) any {
		pause.Do(func() {
			if !s.closed {
				s.rested()
			}
		})
		return nil
	})
	s.stops = append(s.stops, s.frame.Release, s.rest.Release, ed.Observe(s.changed))
	s.listen()
	s.resize()
	s.dirty = dirtyView | dirtyScene
	s.flush(now())
	pause.Now()
	s.thicken()
	s.enlarge()
	host.Get("dataset").Set("ready", "true")
	return s
}

// Close removes all elements and listeners that New created. The host is empty afterwards.
func (s *Island) Close() {
	if s.closed {
		return
	}
	s.closed = true
	js.Global().Call("clearTimeout", s.restTimer)
	js.Global().Call("cancelAnimationFrame", s.pending)
	for _, stop := range slices.Backward(s.stops) {
		stop()
	}
	s.host.Call("replaceChildren")
	for _, name := range []string{"data-ready", "data-zoom", "aria-activedescendant"} {
		s.host.Call("removeAttribute", name)
	}
}

// build creates the layers. The elements are in drawing order.
func (s *Island) build() {
	h := s.host
	for name, value := range map[string]string{
		"tabindex": "0", "role": "application", "aria-label": "Form graph", "aria-roledescription": "graph editor",
	} {
		h.Call("setAttribute", name, value)
	}
	h.Get("classList").Call("add", "cv-host")
	setHTML(h, `<div class="cv-grid"></div>`+
		`<canvas class="cv-far" hidden></canvas>`+
		`<div class="cv-world"><svg class="cv-edges" aria-hidden="true"><marker id="cv-head" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="5" markerHeight="5"><path d="M0 0L6 3L0 6"/></marker><g></g></svg>`+
		`<div class="cv-notes" role="group" aria-label="Notes"></div><div class="cv-ghosts" aria-hidden="true"></div>`+
		`<div class="cv-cards" role="listbox" aria-multiselectable="true" aria-label="Nodes"></div>`+
		`<div class="cv-at" role="listbox" aria-label="Components and rules" hidden><div role="option" aria-selected="true"></div></div>`+
		`<svg class="cv-edges cv-top" aria-hidden="true"><path class="cv-line" d=""></path>`+
		`<g class="cv-guides"></g></svg><div class="cv-labels" aria-hidden="true"></div><i class="cv-place" hidden></i>`+spots+
		`<input class="cv-field" type="text" autocomplete="off" hidden><div class="cv-pointers" aria-hidden="true"></div></div>`+
		`<i class="cv-plus" aria-hidden="true" title="Insert a node here (N)" hidden><i class="ci ci-plus"></i></i>`+
		`<div class="cv-glass"></div><div class="cv-cover" hidden></div><div class="cv-marquee" hidden></div>`+
		`<div class="cv-reason" role="status" hidden></div><div class="cv-ghost" popover="manual" aria-hidden="true"></div>`+
		`<div class="cv-mini" data-testid="minimap" aria-hidden="true"><canvas></canvas><i></i></div>`)
	find := func(selector string) js.Value { return h.Call("querySelector", selector) }
	s.grid, s.world, s.cards = find(".cv-grid"), find(".cv-world"), find(".cv-cards")
	s.at = find(".cv-at")
	s.paths, s.line, s.labels = find(".cv-edges g"), find(".cv-line"), find(".cv-labels")
	s.guides, s.ghosts = find(".cv-guides"), find(".cv-ghosts")
	s.marquee, s.reason, s.cover = find(".cv-marquee"), find(".cv-reason"), find(".cv-cover")
	s.plus = find(".cv-plus")
	s.spots = spotLayer{el: find(".cv-spots"), row: find(".cv-row-spots"), index: -1}
	s.spots.el.Call("remove")
	s.field = find(".cv-field")
	s.notes.el = find(".cv-notes")
	s.carry = carryLayer{of: s.stage, ghost: find(".cv-ghost"), line: find(".cv-place")}
	s.pointers = pointerLayer{el: find(".cv-pointers")}
	s.far = newFarLayer(find(".cv-far"))
	s.mini = newMinimap(find(".cv-mini"))
}

// changed is called by the editor after each change.
func (s *Island) changed() {
	if s.closed {
		return
	}
	rev, selection, problems := s.scene.Rev(), s.picked.selection, s.known
	s.known = s.ed.Found().Problems()
	s.scene.Update(s.ed.State().Form)
	pause.Now()
	_ = s.ed.Found().Warnings() // which a frame needs, and a frame cannot pause
	pause.Now()
	s.followField() // the card may have moved
	s.apply(s.chart.Changed())
	// Most edits by others change nothing that the canvas shows, and a frame costs as much as the rest of the work for an edit.
	if s.scene.Rev() != rev || !s.ed.State().Selection.Equal(selection) || !slices.EqualFunc(problems, s.known, alike) {
		s.redraw(dirtyScene | dirtyState)
	}
}

// SetFlows sets the names of the tenant's flows by id; FLOW nodes show them.
func (s *Island) SetFlows(names map[string]string) {
	s.flows, s.form = names, nil // their problems and warnings are found again
	s.redraw(dirtyScene | dirtyState)
}

// Mark marks nodes and edges in place of those marked before.
func (s *Island) Mark(m Marks) {
	s.picked.marks = marksOf(m)
	if !slices.EqualFunc(m.Doubts, s.doubts, alike) {
		s.doubts, s.form = m.Doubts, nil
	}
	if m.Compared != s.compared {
		s.compared = m.Compared
		var html string
		s.gone, html = m.Compared.ghosts()
		setHTML(s.ghosts, html)
	}
	s.redraw(dirtyScene | dirtyState)
}

// redraw schedules parts to be drawn in the next frame.
func (s *stage) redraw(d dirt) {
	s.dirty |= d
	if s.pending.IsUndefined() && !s.closed {
		s.pending = js.Global().Call("requestAnimationFrame", s.frame)
	}
}

// Viewport returns the visible part of the form.
func (s *camera) Viewport() graph.Viewport { return s.chart.Viewport() }

// SetViewport shows a part of the form at once.
func (s *camera) SetViewport(v graph.Viewport) {
	s.motion = motion{}
	s.chart.SetViewport(v)
	s.fitted = true
	s.redraw(dirtyView)
}

// ZoomIn zooms in by one step about the middle of the canvas.
func (s *camera) ZoomIn() { s.zoomBy(zoomStep) }

// ZoomOut zooms out by one step about the middle of the canvas.
func (s *camera) ZoomOut() { s.zoomBy(1 / zoomStep) }

// ZoomReset shows the form at 100 %.
func (s *camera) ZoomReset() { s.zoomBy(1 / s.goal().Zoom) }

// zoomStep is the factor of the buttons and keys.
const zoomStep = 1.25

func (s *camera) zoomBy(factor float64) {
	s.glide(s.goal().ZoomAt(s.chart.Size().Scale(.5), factor))
}

// FitReadable shows the whole form if its cards then show more than their names, or else its beginning.
func (s *camera) FitReadable() { s.glide(s.readable()) }

// readable returns the view of FitReadable.
func (s *camera) readable() graph.Viewport {
	start, next := s.scene.Card(model.StartID), graph.Rect{}
	if e := start.Edges()[0]; e != nil && e.Target() != nil {
		next = e.Target().Rect
	}
	return s.paneFor(s.scene.Bounds()).FitReadable(s.scene.Bounds(), start.Rect, next, s.scene.Cards(), s.padding())
}

// FitView shows the whole form, with what only the form compared with has.
func (s *Island) FitView() { s.fit(withGhosts(s.scene.Bounds(), s.gone)) }

// fit shows a part of the form clear of what floats over the canvas.
func (s *Island) fit(r graph.Rect) {
	var cards []graph.Rect
	for _, c := range s.scene.CardsIn(r, nil) {
		cards = append(cards, c.Rect)
	}
	p := s.paneFor(r)
	s.glide(p.FitBeside(r, p.Inside(s.padding()), cards))
}

// FitSelection shows the selection, or the whole form if nothing is selected.
func (s *Island) FitSelection() {
	r := s.selected()
	if r.Empty() {
		r = s.scene.Bounds()
	}
	s.fit(r)
}

// selected returns the rectangle around the selected nodes.
func (s *camera) selected() (r graph.Rect) {
	for _, id := range s.ed.State().Selection.Nodes {
		if c := s.scene.Card(id); c != nil {
			r = r.Union(c.Rect)
		}
	}
	return r
}

// padding is smaller on a small canvas.
func (s *camera) padding() float64 {
	size := s.chart.Size()
	return min(fitPadding, size.X/10, size.Y/10)
}

// Lost reports whether no part of the form is in view.
func (s *camera) Lost() bool {
	return len(s.scene.CardsIn(s.chart.Viewport().Visible(s.chart.Size()), nil)) == 0
}

// SetWheelZooms sets the preference of the same name in Options.
func (s *Island) SetWheelZooms(b bool) { s.chart.SetOptions(gesture.Options{WheelZooms: b}) }

// ZoomTo brings a node into view, large enough to read, or one that only the form compared with has, then in front of the cards that cover it.
// An unknown id is ignored.
func (s *camera) ZoomTo(id string) {
	c := s.scene.Card(id)
	if s.gone != nil {
		front := ""
		if c == nil {
			c, front = s.gone.Card(id), id
		}
		list := s.world.Call("querySelectorAll", ".cv-ghosts > .cv-card")
		for i := range list.Length() {
			data := list.Index(i).Get("dataset")
			data.Set("front", data.Get("node").Equal(js.ValueOf(front)))
		}
	}
	if c == nil {
		return
	}
	const least, readable = 0.5, 0.75
	if v := s.goal(); v.Zoom < least {
		s.glide(graph.Fit(graph.Rect{X: c.Rect.Center().X, Y: c.Rect.Center().Y}, s.pane().Free(), readable))
		return
	}
	s.reveal(c.Rect)
}

// Reveal brings a node into view by the shortest movement, at the current zoom.
func (s *camera) Reveal(id string) {
	if c := s.scene.Card(id); c != nil {
		s.reveal(c.Rect)
	}
}

// FitPath brings nodes into view, large enough to tell apart, and keeps them there until Release.
func (s *camera) FitPath(ids []string) {
	s.path = ids
	var current, around graph.Rect
	for i, id := range ids {
		if c := s.scene.Card(id); c != nil {
			around = around.Union(c.Rect)
			if i == 0 {
				current = c.Rect
			}
		}
	}
	if !around.Empty() {
		s.glide(fitPath(s.goal(), current, around, s.pane().Inside(s.padding())))
	}
}

// Hold remembers the view.
func (s *Island) Hold() {
	s.resize()
	s.sights.hold(sight{s.goal(), s.origin, s.chart.Size()})
}

// Release restores the view that Hold remembered, once the canvas has the place that it had.
func (s *Island) Release() {
	s.path = nil
	if v, now := s.sights.release(s.origin, s.chart.Size()); now {
		s.SetViewport(v)
	}
}

// reveal brings a part of the form into view by the shortest movement.
func (s *camera) reveal(r graph.Rect) { s.glide(s.goal().Reveal(r, s.pane().Inside(revealMargin))) }

// pane returns the canvas and what floats over it now.
func (s *camera) pane() graph.Pane {
	mini := s.host.Call("querySelector", ".cv-mini")
	at := func(property string) float64 { return mini.Get(property).Float() } // all 0 while it is hidden
	p := graph.Pane{Size: s.chart.Size(), Map: graph.Rect{X: at("offsetLeft"), Y: at("offsetTop"), W: at("offsetWidth"), H: at("offsetHeight")}}
	if s.opts.Covered != nil {
		p.Tabs, p.Sheet = s.opts.Covered()
	}
	return p
}

// paneFor returns what pane will return once a part of the form fills the view.
func (s *camera) paneFor(part graph.Rect) graph.Pane {
	p := s.pane()
	if !needsMinimap(len(s.scene.Cards()), s.scene.Bounds(), part) {
		p.Map = graph.Rect{}
	}
	return p
}

// Anchor returns the point of the window at which a menu about the selection opens: below the selected row, in the middle of the selected
// edge, below the header of a card, or in the middle of the view.
func (s *Island) Anchor() graph.Vec {
	s.resize()
	size := s.chart.Size()
	at := s.chart.Viewport().ToScreen(s.chart.Anchor())
	if s.ed.State().Selection.Empty() {
		at = size.Scale(.5)
	}
	return graph.Vec{X: max(0, min(size.X, at.X)), Y: max(0, min(size.Y, at.Y))}.Add(s.origin)
}

// PointIn returns the place in the form of a point of the window.
func (s *Island) PointIn(at graph.Vec) model.Point {
	return s.chart.Viewport().ToForm(at.Sub(s.origin)).Point()
}

// Scene returns the scene as it is drawn. The caller must not modify it, nor keep it across an edit.
func (s *stage) Scene() *graph.Scene { return s.scene }

// Busy reports whether a gesture is under way.
func (s *stage) Busy() bool { return s.chart.Phase() != gesture.Idle }

// PlaceOf returns the position at which a node is drawn, whether or not the form has coordinates for it, and
// false if the node does not exist.
func (s *Island) PlaceOf(id string) (model.Point, bool) {
	c := s.scene.Card(id)
	if c == nil {
		return model.Point{}, false
	}
	return c.Rect.Origin().Point(), true
}
