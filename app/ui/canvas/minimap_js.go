package canvas

import (
	"bytes"
	"strconv"
	"syscall/js"

	"github.com/formgraph/formgraph/app/graph"
)

// miniRatio is the number of minimap pixels per CSS pixel: enough for any
// screen, because cards are small there.
const miniRatio = 2

// miniPause is how long the frame on the minimap stays unchanged while the view
// moves, in milliseconds: each change of its size causes a layout.
const miniPause = 120

// minimap shows the whole form at a small scale, and a frame around the visible
// part.
type minimap struct {
	el, canvas, ctx, frame js.Value
	rev                    int // revision of the drawn scene
	view                   graph.Viewport
	shown                  graph.Rect
	size                   graph.Vec // of the frame
	unframed               bool      // the frame is hidden
	idle                   bool      // the minimap is hidden
	drawn                  float64   // time of the last drawing of the frame, by the frames' clock
	packed                 []byte    // the cards as drawn last
	cards, none            floats
	palette                js.Value
	held                   bool // a pointer is down on it
}

func newMinimap(el js.Value) minimap {
	m := minimap{el: el, canvas: el.Get("firstElementChild"), frame: el.Get("lastElementChild"), rev: -1}
	m.ctx = m.canvas.Call("getContext", "2d")
	m.canvas.Set("width", miniWidth*miniRatio)
	m.canvas.Set("height", miniHeight*miniRatio)
	m.none.set(nil)
	return m
}

// draw draws the cards if the scene has changed, and the frame around the view.
// During a drag the cards stay as they were.
func (m *minimap) draw(s *Island, changed bool) {
	if (changed || m.rev < 0) && m.rev != s.scene.Rev() && s.dragged == nil {
		m.rev = s.scene.Rev()
		m.paint(s)
	}
	v := s.chart.Viewport().Visible(s.chart.Size())
	if s.dragged == nil {
		if idle := !needsMinimap(len(s.scene.Cards()), s.scene.Bounds(), v); idle != m.idle {
			m.idle = idle
			m.el.Set("hidden", idle)
		}
	}
	if v == m.shown || !s.restTimer.IsUndefined() && s.lastFrame-m.drawn < miniPause {
		return
	}
	m.shown, m.drawn = v, s.lastFrame
	r, ok := miniFrame(m.view, v, s.scene.Bounds())
	if ok == m.unframed {
		m.unframed = !ok
		m.frame.Set("hidden", !ok)
	}
	if !ok {
		return
	}
	style := m.frame.Get("style")
	style.Set("transform", string(appendTranslate(nil, r.X, r.Y)))
	if size := (graph.Vec{X: r.W, Y: r.H}); size.Sub(m.size).Len() > 0.01 {
		m.size = size
		style.Set("width", strconv.FormatFloat(size.X, 'f', 1, 64)+"px")
		style.Set("height", strconv.FormatFloat(size.Y, 'f', 1, 64)+"px")
	}
}

// paint draws the cards, unless they look the same as before: most edits change only texts, which the minimap does not show.
func (m *minimap) paint(s *Island) {
	view, cards := fitSmall(s.scene.Bounds()), packCards(s.scene, s.troubles)
	if m.palette.Truthy() && view == m.view && bytes.Equal(cards, m.packed) {
		return
	}
	if !m.palette.Truthy() {
		m.palette = readPalette(s.host)
	}
	m.view, m.packed = view, cards
	m.cards.set(cards)
	paint(m.ctx, m.cards, m.none, m.palette, view, graph.Vec{X: miniWidth, Y: miniHeight}, miniRatio)
	m.shown = graph.Rect{}
}

// listenMinimap moves the view to the place pressed on the minimap.
func (s *Island) listenMinimap() {
	el := s.mini.el
	s.on(el, "pointerdown", func(e js.Value) {
		e.Call("preventDefault")
		e.Call("stopPropagation")
		s.mini.held = true
		try(func() { el.Call("setPointerCapture", e.Get("pointerId")) })
		s.lookAt(e)
	})
	s.on(el, "pointermove", func(e js.Value) {
		e.Call("stopPropagation")
		if s.mini.held {
			s.lookAt(e)
		}
	})
	for _, end := range []string{"pointerup", "pointercancel", "lostpointercapture"} {
		s.on(el, end, func(e js.Value) {
			e.Call("stopPropagation")
			s.mini.held = false
		})
	}
}

func (s *Island) lookAt(e js.Value) {
	r := s.mini.el.Call("getBoundingClientRect")
	at := s.mini.view.ToForm(graph.Vec{
		X: e.Get("clientX").Float() - r.Get("left").Float() - 1, Y: e.Get("clientY").Float() - r.Get("top").Float() - 1,
	})
	v, size := s.chart.Viewport(), s.chart.Size()
	s.SetViewport(graph.Viewport{X: size.X/2 - at.X*v.Zoom, Y: size.Y/2 - at.Y*v.Zoom, Zoom: v.Zoom})
}
