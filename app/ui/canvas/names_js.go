package canvas

import (
	"math"
	"syscall/js"

	"github.com/formgraph/formgraph/app/graph"
)

// Below namedZoom the text of a card is too small to read: the card then shows its name alone, as large on the screen as
// ever. Below tinyZoom a card is smaller than its name; names are then drawn over the cards, by the names layer, as
// they are wherever the far layer draws the cards.
const (
	namedZoom = 0.45
	tinyZoom  = 0.17
)

// nameLayer is the 2D canvas over the cards that names them where they are too small to do it themselves.
type nameLayer struct {
	el, ctx js.Value
	shown   bool
	rev     int // of the scene that order is of
	order   []*graph.Card
	names   []name
	zoom    float64    // that the names were picked for
	region  graph.Rect // and the part of the form
	texts   js.Value
	numbers []byte
	floats  floats
	drawn   graph.Viewport
	ink     string
	halo    string
}

func newNameLayer(el js.Value) nameLayer {
	return nameLayer{el: el, ctx: el.Call("getContext", "2d"), rev: -1}
}

func (l *nameLayer) resize(size graph.Vec) {
	l.el.Set("width", math.Ceil(size.X*pixelRatio()))
	l.el.Set("height", math.Ceil(size.Y*pixelRatio()))
	l.drawn = graph.Viewport{}
}

// repick is by which factor the zoom may change before names are picked anew: between, they keep their places.
const repick = 1.12

// draw draws the names of the scene of s, or hides the layer where the cards have their own.
func (l *nameLayer) draw(s *Island, changed bool) {
	v := s.chart.Viewport()
	show := v.Zoom < tinyZoom || s.afar && v.Zoom < namedZoom
	if show != l.shown {
		l.shown = show
		l.el.Set("hidden", !show)
	}
	if !show || !changed && v == l.drawn {
		return
	}
	l.drawn = v
	sight := v.Visible(s.chart.Size())
	rev := s.scene.Rev()
	if rev != l.rev {
		l.rev, l.order = rev, nameOrder(s.scene.Cards())
		l.zoom = 0
	}
	if f := v.Zoom / l.zoom; f > repick || f < 1/repick || !contains(l.region, sight) {
		l.pick(v.Zoom, sight)
	}
	if l.ink == "" {
		style := js.Global().Call("getComputedStyle", s.host)
		l.ink, l.halo = style.Call("getPropertyValue", "--ink").String(), style.Call("getPropertyValue", "--canvas").String()
	}
	if draw := js.Global().Get("formgraphNames"); draw.Truthy() {
		size := s.chart.Size()
		draw.Invoke(l.ctx, l.texts, l.floats.array, l.ink, l.halo, v.X, v.Y, v.Zoom, size.X, size.Y, pixelRatio())
	}
}

// pick chooses the names of a part of the form somewhat larger than what is in sight, so that a pan finds them there.
func (l *nameLayer) pick(zoom float64, sight graph.Rect) {
	l.zoom, l.region = zoom, sight.Grown(sight.W/4)
	l.names = pickNames(l.order, l.region, zoom, l.names[:0])
	texts := make([]any, len(l.names))
	b := l.numbers[:0]
	for i, n := range l.names {
		texts[i] = n.text
		centered := 0.0
		if n.centered {
			centered = 1
		}
		b = appendFloats(b, n.at.X, n.at.Y, n.by.X, n.by.Y, centered)
	}
	l.numbers, l.texts = b, js.ValueOf(texts)
	l.floats.set(b)
}
