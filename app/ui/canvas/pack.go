package canvas

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/graph"
)

// When zoomed far out, the function formgraphDraw in web/static/canvas.js draws
// the graph on a 2D canvas. It reads packed numbers: 32-bit little-endian
// floats, as every WebAssembly machine has them:
//
//	a card: x, y, width, height, flags
//	an edge: flags, then six points, of which a stub uses two
//	a gap in an edge, after all edges: like a stub
const (
	cardFloats = 5
	edgeFloats = 13
)

// Flags of a packed card. The three lowest bits are its kind.
const (
	packedSelected = 8
	packedBad      = 16
	packedTalk     = 32 // there are open comments about the node
	packedWarned   = 64
)

// Flags of a packed edge. The two lowest bits are its shape.
const (
	packedDashed   = 4
	packedDangling = 8 // or taken by no scenario while the coverage is shown
	packedHot      = 16
	packedBack     = 32
	packedGap      = 64 // not an edge
)

// mostGapped is the maximum number of edges with which a packed scene has gaps: to find those of more edges would take too long.
const mostGapped = 3000

// Size of the minimap in pixels, as in the style sheet, the space around the
// form in it, and the largest scale: a small form is not enlarged further.
const (
	miniWidth   = 180
	miniHeight  = 108
	miniPadding = 8
	maxMiniZoom = 0.12
)

// packedKind maps kinds to their colours in the palette.
func packedKind(k graph.Kind) int {
	switch k {
	case graph.StepKind:
		return 0
	case graph.FlowKind:
		return 1
	case graph.RouterKind:
		return 2
	case graph.StartKind:
		return 3
	case graph.EndingKind:
		return 4
	}
	return 5
}

// packed is a scene in the format that formgraphDraw reads.
type packed struct {
	cards, edges []byte
	cardList     []*graph.Card // in the order of cards
	edgeList     []*graph.Edge
	cardAt       map[*graph.Card]int // indexes in the lists; nil until something moves, because most packed scenes are only drawn
	edgeAt       map[*graph.Edge]int
}

// packScene packs a scene.
func packScene(s *graph.Scene, p picked, troubles map[string]trouble) *packed {
	out := &packed{cardList: s.Cards()}
	out.cards = make([]byte, 0, 4*cardFloats*len(out.cardList))
	for _, c := range out.cardList {
		out.cards = appendPackedCard(out.cards, c, p.has(c.Key), p.marks.warned(c, troubles[c.Key]), p.marks.comments(c).count > 0)
	}
	s.Edges(func(e *graph.Edge) { out.edgeList = append(out.edgeList, e) })
	out.edges = make([]byte, 0, 4*edgeFloats*len(out.edgeList))
	for _, e := range out.edgeList {
		out.edges = appendPackedEdge(out.edges, e, e.Curve, p.hot(e, graph.Hit{}), p.marks.times(e) == 0)
	}
	if len(out.edgeList) <= mostGapped {
		for _, e := range out.edgeList {
			out.edges = appendPackedGaps(out.edges, e)
		}
	}
	return out
}

// titlesOf returns the titles of cards, each on a line.
func titlesOf(cards []*graph.Card) string {
	var b strings.Builder
	for i, c := range cards {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(caption.Line(c.Title))
	}
	return b.String()
}

// find creates cardAt and edgeAt.
func (p *packed) find() {
	if p.cardAt != nil {
		return
	}
	p.cardAt, p.edgeAt = make(map[*graph.Card]int, len(p.cardList)), make(map[*graph.Edge]int, len(p.edgeList))
	for i, c := range p.cardList {
		p.cardAt[c] = i
	}
	for i, e := range p.edgeList {
		p.edgeAt[e] = i
	}
}

func appendPackedEdge(b []byte, e *graph.Edge, c graph.Curve, hot, untaken bool) []byte {
	flags := int(c.Shape)
	if e.Dashed() {
		flags |= packedDashed
	}
	if e.Dangling() || untaken {
		flags |= packedDangling
	}
	if hot {
		flags |= packedHot
	}
	if e.Back() {
		flags |= packedBack
	}
	b = appendFloats(b, float64(flags))
	for _, p := range c.P {
		b = appendFloats(b, p.X, p.Y)
	}
	return b
}

// appendPackedGaps packs the gaps of an edge.
func appendPackedGaps(b []byte, e *graph.Edge) []byte {
	for _, g := range e.Gaps() {
		b = appendFloats(b, packedGap)
		from, to := e.Curve.Gap(g)
		b = appendFloats(b, from.X, from.Y)
		for range edgeFloats/2 - 1 {
			b = appendFloats(b, to.X, to.Y)
		}
	}
	return b
}

// packCards packs only the cards.
func packCards(s *graph.Scene, troubles map[string]trouble) []byte {
	b := make([]byte, 0, 4*cardFloats*len(s.Cards()))
	for _, c := range s.Cards() {
		b = appendPackedCard(b, c, false, trouble{count: troubles[c.Key].count}, false)
	}
	return b
}

func appendPackedCard(b []byte, c *graph.Card, selected bool, t trouble, talk bool) []byte {
	flags := packedKind(c.Kind)
	if selected {
		flags |= packedSelected
	}
	if t.count > 0 {
		flags |= packedBad
	}
	if t.warnings > 0 {
		flags |= packedWarned
	}
	if talk {
		flags |= packedTalk
	}
	return appendFloats(b, c.Rect.X, c.Rect.Y, c.Rect.W, c.Rect.H, float64(flags))
}

// fitSmall returns the viewport that shows bounds on the minimap, whatever
// their size.
func fitSmall(bounds graph.Rect) graph.Viewport {
	zoom := min((miniWidth-2*miniPadding)/bounds.W, (miniHeight-2*miniPadding)/bounds.H, maxMiniZoom)
	c := bounds.Center()
	return graph.Viewport{X: miniWidth/2 - c.X*zoom, Y: miniHeight/2 - c.Y*zoom, Zoom: zoom}
}

// miniFrame returns the frame on a minimap around the visible part of a form, cut at the border of the map, and whether there is one: a view
// that shows the whole form needs none, nor does one that shows nothing of the map.
func miniFrame(view graph.Viewport, visible, bounds graph.Rect) (graph.Rect, bool) {
	if contains(visible, bounds) {
		return graph.Rect{}, false
	}
	a, b := view.ToScreen(visible.Origin()), view.ToScreen(graph.Vec{X: visible.Right(), Y: visible.Bottom()})
	a, b = graph.Vec{X: max(0, a.X), Y: max(0, a.Y)}, graph.Vec{X: min(miniWidth, b.X), Y: min(miniHeight, b.Y)}
	return graph.Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}, b.X > a.X && b.Y > a.Y
}

// mapless is the maximum number of cards with which a graph that fits into the view needs no minimap: the two ends and twelve nodes.
const mapless = 14

// needsMinimap reports whether a graph is larger than the view, or has so many cards that a minimap helps.
func needsMinimap(cards int, bounds, visible graph.Rect) bool {
	return cards > mapless || bounds.W > visible.W || bounds.H > visible.H
}

func contains(r, in graph.Rect) bool {
	return r.Contains(in.Origin()) && r.Contains(graph.Vec{X: in.Right(), Y: in.Bottom()})
}

// moveCard overwrites the position of a card.
func (p *packed) moveCard(c *graph.Card, by graph.Vec) {
	p.find()
	if i, ok := p.cardAt[c]; ok {
		appendFloats(p.cards[:4*cardFloats*i], c.Rect.X+by.X, c.Rect.Y+by.Y)
	}
}

// moveEdge overwrites the path of an edge. It drops all gaps, because those of the edge are no longer where it crosses others.
func (p *packed) moveEdge(e *graph.Edge, c graph.Curve) {
	p.find()
	if i, ok := p.edgeAt[e]; ok {
		p.edges = p.edges[:4*edgeFloats*len(p.edgeList)]
		appendPackedEdge(p.edges[:4*edgeFloats*i], e, c, true, false)
	}
}

// appendFloats overwrites the spare capacity after b if it suffices: moves
// change the packed numbers in place.
func appendFloats(b []byte, fs ...float64) []byte {
	for _, f := range fs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	}
	return b
}
