package canvas

import (
	"math"
	"slices"
	"syscall/js"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// nameLayer is the 2D canvas above the cards that draws their names, at a constant size on the screen, where their texts are too small to
// read: below graph.NameZoom.
type nameLayer struct {
	el, ctx js.Value
	shown   bool
	rev     int // revision of the scene of order
	order   []*graph.Card
	signs   map[*graph.Card]sign
	marks   *marks // of signs
	form    *model.Form
	warned  bool
	picked  []name
	full    []*graph.Card // the cards named in full: the selected one, and the one under the pointer
	names   []name        // picked, and the full ones
	moved   bool          // the packed positions are those of a drag
	zoom    float64       // zoom for which the names were picked
	region  graph.Rect    // region for which the names were picked
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

// repick is the factor by which the zoom may change before names are picked again; until then they keep their
// positions.
const repick = 1.12

// draw draws the names of the scene of s, or hides the layer if the cards can be read.
func (l *nameLayer) draw(s *Island, changed bool) {
	v := s.chart.Viewport()
	show := v.Zoom < graph.NameZoom
	if show != l.shown {
		l.shown = show
		l.el.Set("hidden", !show)
	}
	rest := s.restTimer.IsUndefined() && v.Zoom != l.zoom
	if !show && l.rev >= 0 && l.rev != s.scene.Rev() {
		*l = newNameLayer(l.el) // the layer may stay hidden, and would keep the form
	}
	if !show || !changed && !rest && v == l.drawn {
		return
	}
	l.drawn = v
	sight := v.Visible(s.chart.Size())
	rev := s.scene.Rev()
	if rev != l.rev {
		l.rev, l.order = rev, nameOrder(s.scene.Cards())
		l.zoom = 0
	}
	if s.picked.marks != l.marks || s.form != l.form || s.warned != l.warned {
		l.marks, l.form, l.warned, l.zoom = s.picked.marks, s.form, s.warned, 0
	}
	full := s.full()
	if f := v.Zoom / l.zoom; rest || l.zoom == 0 || f > repick || f < 1/repick || !contains(l.region, sight) {
		l.pick(s, v.Zoom, sight)
		l.show(s, full)
	} else if !slices.Equal(full, l.full) {
		l.show(s, full)
	}
	if dragged := s.dragged != nil; dragged || l.moved {
		l.moved = dragged
		_, by := s.chart.Shown().Dragged()
		l.pack(s.dragged, by)
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

// full returns the cards whose names are shown in full.
func (s *Island) full() (cards []*graph.Card) {
	if c := s.chart.Shown().Hover().Card; c != nil {
		cards = append(cards, c)
	}
	if c := s.scene.Card(s.picked.selection.Only()); c != nil {
		cards = append(cards, c)
	}
	return cards
}

// mostStill is how many cards a form has at most that is named all at once, so that its names do not depend on the part in view.
const mostStill = maxNames / 2

// pick picks the names for a region somewhat larger than the view, so that they are available when the view pans.
func (l *nameLayer) pick(s *Island, zoom float64, sight graph.Rect) {
	l.zoom, l.region = zoom, sight.Grown(sight.W/4)
	if len(l.order) <= mostStill {
		l.region = l.region.Union(s.scene.Bounds())
	}
	l.signs = signsOf(l.order, s.troubles, s.picked.marks)
	l.picked = pickNames(s.scene, l.order, l.signs, l.region, zoom)
}

// signsOf returns the signs of the cards that have one. The troubles are by the keys of cards.
func signsOf(cards []*graph.Card, troubles map[string]trouble, m *marks) map[*graph.Card]sign {
	signs := map[*graph.Card]sign{}
	for _, c := range cards {
		if sign := signOf(c, troubles[c.Key], m); sign.any() {
			signs[c] = sign
		}
	}
	return signs
}

// show hands the names over to JavaScript.
func (l *nameLayer) show(s *Island, full []*graph.Card) {
	l.full = full
	l.names = withFull(s.scene, full, l.signs, l.zoom, l.picked)
	texts := make([]any, len(l.names))
	for i, n := range l.names {
		texts[i] = n.text
	}
	l.texts = js.ValueOf(texts)
	l.pack(nil, graph.Vec{})
}

// pack gives the places of the names to JavaScript; those of dragged cards are moved by a distance in the form.
func (l *nameLayer) pack(dragged map[*graph.Card]bool, by graph.Vec) {
	b := l.numbers[:0]
	for _, n := range l.names {
		plate := 0.0
		if n.plate {
			plate = 1
		}
		at := n.at
		if dragged[n.card] {
			at = at.Add(by)
		}
		b = appendFloats(b, at.X, at.Y, n.by.X, n.by.Y, float64(n.align), plate)
	}
	l.numbers = b
	l.floats.set(b)
}
