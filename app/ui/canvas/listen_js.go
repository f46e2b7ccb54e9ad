package canvas

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/pause"
)

// input turns the browser's events into those of the chart, and carries out their effects.
type input struct {
	*camera
	cover js.Value // has the shape of the pointer during a gesture
	grab  bool     // Space is held
	// bringing is whether a control is pressed from which a component may be dragged.
	bringing bool
}

// listen passes the browser's events to the chart.
func (s *Island) listen() {
	pointer := func(t gesture.Type) func(js.Value) {
		return func(e js.Value) { s.onPointer(t, e) }
	}
	s.on(s.host, "pointerdown", func(e js.Value) {
		s.resize() // a panel may have come or gone just now; what is pressed is what was there before
		s.onPointer(gesture.Down, e)
	})
	s.on(s.host, "pointermove", pointer(gesture.Move))
	s.on(s.host, "pointerup", pointer(gesture.Up))
	s.on(s.host, "pointercancel", pointer(gesture.Cancel))
	s.on(s.host, "lostpointercapture", pointer(gesture.Cancel))
	s.on(s.host, "pointerleave", func(js.Value) {
		s.apply(s.chart.Handle(gesture.Event{Type: gesture.Leave}))
		s.pointed()
	})
	s.on(s.host, "pointerenter", func(js.Value) { s.resize() })
	s.on(s.host, "wheel", s.onWheel)
	s.on(s.host, "keydown", func(e js.Value) { s.onKey(gesture.KeyDown, e) })
	s.on(s.host, "keyup", func(e js.Value) { s.onKey(gesture.KeyUp, e) })
	// There may be no dblclick event: the first press replaces the row under the pointer.
	s.on(s.host, "mouseup", func(e js.Value) {
		if e.Get("detail").Int() == 2 {
			s.apply(s.chart.Doubled())
		}
	})
	s.on(s.host, "contextmenu", s.onContextMenu)
	s.listenBring()
	s.listenField()
	s.notes.listen(func() float64 { return s.chart.Viewport().Zoom })
	blur := func(js.Value) { s.apply(s.chart.Handle(gesture.Event{Type: gesture.Blur})) }
	s.on(s.host, "blur", func(e js.Value) {
		if !s.bringing { // a pressed control takes the focus
			blur(e)
		}
	})
	s.on(js.Global(), "blur", blur)
	// A new theme changes the colours of the 2D layers.
	s.on(js.Global().Call("matchMedia", "(prefers-color-scheme: dark)"), "change", func(js.Value) { s.recolour() })
	s.observe("MutationObserver", js.Global().Get("document").Get("documentElement"), s.recolour,
		map[string]any{"attributes": true, "attributeFilter": []any{"data-theme"}})
	s.observe("ResizeObserver", s.host, s.resize)
	s.listenMinimap()
}

// rescue keeps the page alive when one of our handlers panics, and ends the gesture in
// progress.
func (s *stage) rescue() {
	if broken := recover(); broken != nil {
		js.Global().Get("console").Call("error", fmt.Sprint("formgraph: ", broken, "\n", string(debug.Stack())))
		if s.opts.OnRefused != nil {
			s.opts.OnRefused(errBroken)
		}
	}
}

// errBroken is the message after a gesture that ended because of a defect of ours.
var errBroken = errors.New("something went wrong on the canvas: save your work, then reload the page")

// near is kit.Near.
func near(e js.Value, selector string) js.Value {
	return js.Global().Call("formgraphNear", e, selector)
}

func (s *stage) on(target js.Value, event string, f func(js.Value)) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		pause.Event(func() {
			defer s.rescue()
			f(args[0])
		})
		return nil
	})
	target.Call("addEventListener", event, fn, map[string]any{"passive": false})
	s.stops = append(s.stops, func() {
		target.Call("removeEventListener", event, fn)
		fn.Release()
	})
}

func (s *stage) observe(kind string, target js.Value, f func(), opts ...any) {
	fn := js.FuncOf(func(js.Value, []js.Value) any {
		pause.Do(func() {
			if !s.closed {
				f()
			}
		})
		return nil
	})
	o := js.Global().Get(kind).New(fn)
	o.Call("observe", append([]any{target}, opts...)...)
	s.stops = append(s.stops, func() {
		o.Call("disconnect")
		fn.Release()
	})
}

// resize reads the size and the position of the host. The host may move without being resized, and the browser reports a new size with the next
// frame, so both are read again before each gesture.
func (s *Island) resize() {
	size := graph.Vec{X: s.host.Get("clientWidth").Float(), Y: s.host.Get("clientHeight").Float()}
	origin, window := s.origin, s.window
	r := s.host.Call("getBoundingClientRect")
	s.origin = graph.Vec{X: r.Get("left").Float(), Y: r.Get("top").Float()}
	s.window = graph.Vec{X: js.Global().Get("innerWidth").Float(), Y: js.Global().Get("innerHeight").Float()}
	was := s.chart.Size()
	if size == was {
		return
	}
	s.chart.Resize(size)
	switch {
	case !s.fitted && size.X > 0 && size.Y > 0:
		s.fitted = true
		s.begin()
	case s.fitted && s.goal() == s.begun && s.origin.X == origin.X && s.origin.Y != origin.Y && window == s.window:
		// A banner appeared above the form that was just opened, or has gone. The form stays in its place on the canvas.
	case s.fitted && was != graph.Vec{} && s.chart.Phase() == gesture.Idle:
		// When the window is resized, the middle stays in the middle. When a panel
		// opens, the content stays in place, unless the panel would cover it.
		if window != s.window {
			s.sights.forget()
			s.SetViewport(s.goal().Panned(size.Sub(was).Scale(.5)))
			break
		}
		by := s.origin.Sub(origin)
		before := sight{s.goal(), origin, was}
		kept := s.sights.follow(before, s.origin, size, keepInView(before.view, by, was, size, s.scene.Bounds(), s.selected(),
			s.pane().Inside(revealMargin)))
		s.SetViewport(before.view.Panned(by.Scale(-1)))
		s.glideAfterPress(kept)
	}
	if len(s.path) > 0 && window == s.window {
		s.FitPath(s.path) // a panel that opened, such as the journey, must not cover where the run is
	}
	s.far.resize(size)
	s.redraw(dirtyView | dirtyScene)
}

// Uncover moves what is selected, or else what is in view, out from under a panel that covers the bottom of the canvas.
func (s *Island) Uncover() {
	s.resize() // the browser reports a new size later
	s.glide(s.pane().Uncover(s.goal(), s.selected(), s.scene.Cards(), revealMargin))
}

// begin shows the form as it opens.
func (s *camera) begin() {
	s.begun = s.readable()
	s.chart.SetViewport(s.begun)
}

func (s *input) onPointer(t gesture.Type, e js.Value) {
	if t == gesture.Down {
		if near(e, ".cv-mini").Truthy() {
			return
		}
		s.motion = motion{}
		s.pressed, s.pressedAt = now(), s.place(e)
	}
	ev := s.pointerEvent(t, e)
	eff := s.chart.Handle(ev)
	if eff.Capture {
		// A pointer that no longer exists cannot be captured; its events still arrive
		// while it is over the host.
		try(func() { s.host.Call("setPointerCapture", ev.Pointer) })
	}
	if eff.Taken {
		e.Call("preventDefault")
	}
	if eff.Hold {
		s.hold(ev.Pointer)
	}
	s.apply(eff)
	if t == gesture.Move {
		s.pointed()
	}
}

func (s *stage) pointed() {
	if s.opts.OnPoint != nil {
		s.opts.OnPoint()
	}
}

func (s *stage) pointerEvent(t gesture.Type, e js.Value) gesture.Event {
	button := gesture.Button(e.Get("button").Int()) //nolint:gosec // the DOM numbers buttons from -1 to 5
	ev := gesture.Event{
		Type: t, Pointer: e.Get("pointerId").Int(), At: s.place(e), Mods: mods(e), Button: button,
	}
	if e.Get("pointerType").String() == "touch" {
		ev.Device = gesture.Touch
	}
	return ev
}

// onContextMenu opens the menu at the pointer. Keys also fire this event, with no button; their own events open the menu.
func (s *input) onContextMenu(e js.Value) {
	e.Call("preventDefault")
	if e.Get("button").Int() != int(gesture.MainButton) || e.Get("pointerType").String() == "touch" {
		s.apply(s.chart.Handle(gesture.Event{Type: gesture.Menu, At: s.place(e)}))
	}
}

// hold reports that a finger has rested on the canvas.
func (s *input) hold(pointer int) {
	var fn js.Func
	fn = js.FuncOf(func(js.Value, []js.Value) any {
		fn.Release()
		pause.Do(func() {
			defer s.rescue()
			if !s.closed {
				s.apply(s.chart.Handle(gesture.Event{Type: gesture.Hold, Pointer: pointer}))
			}
		})
		return nil
	})
	js.Global().Call("setTimeout", fn, gesture.HoldTime.Milliseconds())
}

// try runs a call to the browser that may throw for reasons beyond our control.
func try(f func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(js.Error); !ok {
				panic(r)
			}
		}
	}()
	f()
}

func (s *stage) place(e js.Value) graph.Vec {
	return graph.Vec{X: e.Get("clientX").Float(), Y: e.Get("clientY").Float()}.Sub(s.origin)
}

func mods(e js.Value) gesture.Mods {
	return gesture.Mods{
		Shift:   e.Get("shiftKey").Bool(),
		Control: e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool(),
		Alt:     e.Get("altKey").Bool(),
	}
}

func (s *input) onWheel(e js.Value) {
	e.Call("preventDefault")
	s.motion = motion{}
	s.apply(s.chart.Handle(gesture.Event{
		Type: gesture.Wheel, At: s.place(e), Mods: mods(e),
		Wheel: graph.Vec{X: e.Get("deltaX").Float(), Y: e.Get("deltaY").Float()},
		Unit:  gesture.WheelMode(e.Get("deltaMode").Int()), //nolint:gosec // the DOM numbers units from 0 to 2
	}))
}

func (s *input) onKey(t gesture.Type, e js.Value) {
	ev := gesture.Event{Type: t, Key: e.Get("key").String(), Mods: mods(e)}
	if ev.Mods.Shift {
		// The digit on the key whose shifted character the layout produces.
		switch e.Get("code").String() {
		case "Digit1":
			ev.Key = "1"
		case "Digit2":
			ev.Key = "2"
		}
	}
	eff := s.chart.Handle(ev)
	if eff.Taken {
		e.Call("preventDefault")
	}
	s.apply(eff)
}

// apply carries out the effect of an event.
func (s *input) apply(eff gesture.Effect) {
	var d dirt
	if eff.Redraw&gesture.RedrawViewport != 0 {
		d |= dirtyView
	}
	if eff.Redraw&(gesture.RedrawSelection|gesture.RedrawHover|gesture.RedrawMoved|gesture.RedrawLine|gesture.RedrawTarget) != 0 {
		d |= dirtyState
	}
	if eff.Redraw&(gesture.RedrawLine|gesture.RedrawMarquee|gesture.RedrawViewport|gesture.RedrawMoved|gesture.RedrawCarry) != 0 {
		d |= dirtyOver
	}
	if eff.Cursor != "" {
		s.setCursor(eff.Cursor)
	}
	if d != 0 || s.chart.Ticking() {
		s.redraw(d)
	}
	if eff.Reveal != "" {
		if c := s.scene.Card(eff.Reveal); c != nil {
			s.reveal(pick(s.ed.State().Selection).place(c))
		}
	}
	if eff.Err != nil && s.opts.OnRefused != nil {
		s.opts.OnRefused(eff.Err)
	}
	if eff.Replaced != nil && s.opts.OnReplaced != nil {
		s.opts.OnReplaced(*eff.Replaced)
	}
	if eff.Chose && s.opts.OnChose != nil {
		s.opts.OnChose()
	}
	if eff.Carried && s.opts.OnCarried != nil {
		s.opts.OnCarried()
	}
	if eff.Drop != nil && s.opts.OnDrop != nil {
		s.opts.OnDrop(*eff.Drop, s.chart.Viewport().ToScreen(eff.Drop.At))
	}
	if eff.Menu && s.opts.OnMenu != nil {
		s.opts.OnMenu(s.chart.Pointer().Add(s.origin))
	}
	s.act(eff.Action)
}

func (s *stage) act(id command.ID) {
	if id != command.None && s.opts.OnCommand != nil {
		s.opts.OnCommand(id)
	}
}

// tick moves the view during a gesture near the border.
func (s *input) tick(dt time.Duration) {
	if s.chart.Ticking() {
		s.apply(s.chart.Handle(gesture.Event{Type: gesture.Tick, Dt: dt}))
	}
}

// setCursor sets the shape of the pointer. During a gesture a cover without children
// has it: cards would inherit it from the host, so all of them would be restyled. At
// rest the style sheet sets the shape for the element under the pointer.
func (s *input) setCursor(c gesture.Cursor) {
	if p := s.chart.Phase(); p != gesture.Idle && p != gesture.Pressing {
		s.cover.Get("style").Set("cursor", string(c))
		s.cover.Set("hidden", false)
		return
	}
	s.cover.Set("hidden", true)
	if grab := c == gesture.GrabCursor; grab != s.grab {
		s.grab = grab
		s.host.Get("classList").Call("toggle", "cv-grab", grab)
	}
}
