package canvas

import (
	"slices"
	"syscall/js"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// picture is the cards and edges that are in view.
type picture struct {
	*stage
	paths, cards, labels js.Value
	at                   js.Value // stands for the row with the keyboard focus
	far                  farLayer
	afar                 bool // the form is drawn by the far layer
	nodes                map[*graph.Card]*nodeElement
	edges                map[*graph.Edge]*edgeElement
	round                int        // number of the last cull; marks elements in view
	culled               graph.Rect // region whose elements are in the DOM
	picked               picked
	dragged              map[*graph.Card]bool
	sketched             bool              // too many edges move to run around cards
	flows                map[string]string // names of flows by id
	hints
	buf []byte // memory that each cull reuses
}

// hints are what a picture shows beside the form itself.
type hints struct {
	form      *model.Form // the form of troubles
	asked     int         // editor.Editor.Asked then
	troubles  map[string]trouble
	warned    bool                 // troubles has the warnings
	doubts    schema.Problems      // those that only the page knows
	labelled  []*graph.Edge        // edges with a label, from the last sync
	labelText string               // markup in labels
	titled    string               // the title in the tooltip
	stream    map[*graph.Edge]bool // edges of streamOf's journeys at the scene's streamRev
	streamOf  streamed
	streamRev int
}

// nodeElement is a card in the DOM, with the values last written to it.
type nodeElement struct {
	el, style js.Value
	look      look
	selected  bool
	trace     trace
	visitors  Visitors
	at, by    graph.Vec // its position, and the distance by which it is dragged
	height    float64
	order     int
	state     string // class in addition to cv-card
	warnings  int
	round     int
}

// edgeElement is an edge in the DOM, with the values last written to it.
type edgeElement struct {
	el     js.Value
	curve  graph.Curve
	gaps   []graph.Vec
	class  string
	target string
	// visited is whether a run visited the edge, and times the number of scenarios that take it.
	visited bool
	times   int
	round   int
}

// Limits of the DOM. With more than maxNodes cards the far layer draws them if
// the zoom is below graph.NameZoom; with more than crowd cards it draws them
// at any zoom. With more than maxEdges edges the DOM contains only those of
// cards in view.
const (
	maxNodes   = 150
	crowd      = 600
	maxEdges   = 600
	cullMargin = 200 // margin around the view, in pixels
)

// cull updates the set of elements to match the view, and reports whether it had
// to. changed reports that the scene is a different one.
func (s *picture) cull(changed bool) bool {
	v := s.chart.Viewport()
	sight := v.Visible(s.chart.Size())
	if !changed && !s.afar && s.dragged == nil && contains(s.culled, sight) {
		return false
	}
	region := sight.Grown(cullMargin / v.Zoom)
	cards := s.findCards(region)
	if len(cards) > maxNodes {
		region = sight
		cards = s.findCards(region)
	}
	afar := len(cards) > maxNodes && v.Zoom < graph.NameZoom || len(cards) > crowd
	s.culled = region
	var edges []*graph.Edge
	if afar {
		cards = nil
	} else {
		edges = s.findEdges(region, cards)
	}
	// The active card always stays in the DOM for screen readers, wherever the
	// view goes.
	if c := s.scene.Card(s.picked.active()); c != nil {
		cards = append(cards, c)
	}
	if afar != s.afar {
		s.afar = afar
		s.far.show(afar)
		s.cards.Get("classList").Call("toggle", "cv-afar", afar)
	}
	s.round++
	s.addNodes(cards)
	s.addEdges(edges)
	for c, n := range s.nodes {
		if n.round != s.round {
			n.el.Call("remove")
			delete(s.nodes, c)
		}
	}
	for e, p := range s.edges {
		if p.round != s.round {
			p.el.Call("remove")
			delete(s.edges, e)
		}
	}
	return true
}

// findCards returns the cards that are drawn in a region. Dragged cards are at the
// pointer's position.
func (s *picture) findCards(region graph.Rect) []*graph.Card {
	cards := s.scene.CardsIn(region, nil)
	if s.dragged == nil {
		return cards
	}
	cards = slices.DeleteFunc(cards, func(c *graph.Card) bool { return s.dragged[c] })
	_, by := s.chart.Shown().Dragged()
	for _, c := range s.scene.CardsIn(region.Moved(by.Scale(-1)), nil) {
		if s.dragged[c] {
			cards = append(cards, c)
		}
	}
	return cards
}

// findEdges returns the edges that are drawn in a region with cards.
func (s *picture) findEdges(region graph.Rect, cards []*graph.Card) []*graph.Edge {
	edges := s.scene.EdgesIn(region, nil)
	if len(edges) > maxEdges {
		edges = nil
		for _, c := range cards {
			edges = appendEdges(edges, c)
		}
	}
	if s.dragged != nil {
		for _, c := range cards {
			if s.dragged[c] {
				edges = appendEdges(edges, c)
			}
		}
	}
	return edges
}

func appendEdges(list []*graph.Edge, c *graph.Card) []*graph.Edge {
	for _, e := range c.Edges() {
		if e != nil {
			list = append(list, e)
		}
	}
	return append(list, c.Ins()...)
}

// addNodes marks the cards in view and adds missing elements, all with a single
// piece of HTML.
func (s *picture) addNodes(cards []*graph.Card) {
	b := s.buf[:0]
	var fresh []*nodeElement
	for _, c := range cards {
		if n := s.nodes[c]; n != nil {
			n.round = s.round
			continue
		}
		n := &nodeElement{
			look: s.lookOf(c), selected: s.picked.has(c.Key), at: c.Rect.Origin(), height: c.Rect.H,
			order: c.Order(), round: s.round,
		}
		s.nodes[c] = n
		fresh = append(fresh, n)
		b = appendCard(b, c, n.look, n.selected)
	}
	s.buf = b
	if len(fresh) == 0 {
		return
	}
	addHTML(s.cards, string(b))
	el := s.cards.Get("lastElementChild")
	for _, n := range slices.Backward(fresh) {
		n.el, n.style = el, el.Get("style")
		el = el.Get("previousElementSibling")
	}
}

func (s *picture) addEdges(edges []*graph.Edge) {
	b := s.buf[:0]
	var fresh []*edgeElement
	for _, e := range edges {
		if p := s.edges[e]; p != nil {
			p.round = s.round
			continue
		}
		glow := s.glow(e)
		p := &edgeElement{curve: s.inSight(e, e.Curve), gaps: e.Gaps(), class: edgeClass(e, glow), target: string(e.To), times: uncounted}
		p.round = s.round
		s.edges[e] = p
		fresh = append(fresh, p)
		b = appendEdge(b, e, p.curve, p.gaps, glow)
	}
	s.buf = b
	if len(fresh) == 0 {
		return
	}
	addHTML(s.paths, string(b))
	el := s.paths.Get("lastElementChild")
	for _, p := range slices.Backward(fresh) {
		p.el = el
		el = el.Get("previousElementSibling")
	}
}
