package canvas

import (
	"math"
	"strings"
	"syscall/js"

	"github.com/formgraph/formgraph/app/graph"
)

// farLayer is the 2D canvas that draws the form when more cards are in view than
// the DOM should contain.
type farLayer struct {
	el, ctx js.Value
	dpr     float64
	pack    *packed
	rev     int // revision of the packed scene
	picked  picked
	cards   floats
	edges   floats
	titles  js.Value // of the cards; see titlesOf
	titled  int      // revision of the scene that has the titles
	palette js.Value
	moved   bool // the packed positions are those of a drag
	drawn   graph.Viewport
}

// floats is a Float32Array in JavaScript with a view of its bytes.
type floats struct{ bytes, array js.Value }

// set copies packed numbers. It creates a new array only if their number has
// changed.
func (f *floats) set(b []byte) {
	if !f.bytes.Truthy() || f.bytes.Length() != len(b) {
		f.bytes = js.Global().Get("Uint8Array").New(len(b))
		f.array = js.Global().Get("Float32Array").New(f.bytes.Get("buffer"))
	}
	js.CopyBytesToJS(f.bytes, b)
}

func newFarLayer(el js.Value) farLayer {
	return farLayer{titled: -1, el: el, ctx: el.Call("getContext", "2d", map[string]any{"alpha": true})}
}

func pixelRatio() float64 {
	return max(1, min(2, js.Global().Get("devicePixelRatio").Float()))
}

func (f *farLayer) resize(size graph.Vec) {
	f.dpr = pixelRatio()
	f.el.Set("width", math.Ceil(size.X*f.dpr))
	f.el.Set("height", math.Ceil(size.Y*f.dpr))
	f.drawn = graph.Viewport{}
}

func (f *farLayer) show(on bool) {
	f.el.Set("hidden", !on)
	f.drawn = graph.Viewport{}
}

// draw draws the scene of s; changed reports that something other than the view
// has changed.
func (f *farLayer) draw(s *Island, changed bool) {
	v := s.chart.Viewport()
	if !changed && v == f.drawn {
		return
	}
	f.drawn = v
	if f.pack == nil || f.rev != s.scene.Rev() || !f.picked.same(s.picked) || f.moved && s.dragged == nil {
		f.pack, f.rev, f.picked, f.moved = packScene(s.scene, s.picked, s.troubles), s.scene.Rev(), s.picked, false
		f.cards.set(f.pack.cards)
		f.edges.set(f.pack.edges)
	}
	if s.dragged != nil {
		f.moved = true
		_, by := s.chart.Shown().Dragged()
		for c := range s.dragged {
			f.pack.moveCard(c, by)
			for _, e := range appendEdges(nil, c) {
				f.pack.moveEdge(e, s.movedCurve(e, by))
			}
		}
		f.cards.set(f.pack.cards)
		f.edges.set(f.pack.edges)
	}
	if !f.palette.Truthy() {
		f.palette = readPalette(s.host)
	}
	size := s.chart.Size()
	paint(f.ctx, f.cards, f.edges, f.palette, v, size, f.dpr)
	if v.Zoom < tinyZoom {
		return
	}
	if rev := s.scene.Rev(); rev != f.titled {
		f.titles, f.titled = js.ValueOf(titlesOf(f.pack.cardList)), rev
	}
	if draw := js.Global().Get("formgraphTitles"); draw.Truthy() {
		draw.Invoke(f.ctx, f.titles, f.cards.array, f.palette, v.X, v.Y, v.Zoom, size.X, size.Y, f.dpr)
	}
}

// paint calls formgraphDraw. Without canvas.js the far layer is not shown and the
// minimap is empty; the call would end the program.
func paint(ctx js.Value, cards, edges floats, colours js.Value, v graph.Viewport, size graph.Vec, dpr float64) {
	if draw := js.Global().Get("formgraphDraw"); draw.Truthy() {
		draw.Invoke(ctx, cards.array, edges.array, colours, v.X, v.Y, v.Zoom, size.X, size.Y, dpr)
	}
}

// palette lists the custom properties that formgraphDraw paints with: the fills of
// the kinds first, in the order of packedKind, then the fills of their plates.
var palette = []string{
	"far-step", "far-flow", "far-router", "far-start", "far-ending", "far-other",
	"step-soft", "flow-soft", "router-soft", "start-soft", "ending-soft", "panel",
	"line-2", "edge", "accent", "bad", "warn", "ink",
}

// readPalette reads the colours of the theme.
func readPalette(host js.Value) js.Value {
	style := js.Global().Call("getComputedStyle", host)
	colours := make([]any, len(palette))
	for i, name := range palette {
		colours[i] = strings.TrimSpace(style.Call("getPropertyValue", "--"+name).String())
	}
	return js.ValueOf(colours)
}

// recolour redraws the 2D layers in the colours of a new theme.
func (s *Island) recolour() {
	s.far.palette, s.mini.palette = js.Undefined(), js.Undefined()
	s.far.drawn, s.mini.rev = graph.Viewport{}, -1
	s.redraw(dirtyScene)
}
