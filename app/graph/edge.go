package graph

import (
	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
)

// Edge leads from a way out of a card to another card, or to no card if the form has no node with that id. A Scene owns its edges. A way
// out keeps its *Edge as long as it has a target.
type Edge struct {
	Port  model.Port
	To    model.Pointer
	Curve Curve // the path of the edge when nothing is dragged

	plan   plan
	seen   []Rect               // the regions on whose cards and edges the plan depends, and those of the path
	parts  []int32              // their numbers
	met    uint32               // number of the last search that found the edge
	gaps   []Vec                // where it gives way to others
	known  bool                 // gaps is right
	was    Curve                // before the edit, for an edge in edges.redrawn
	drawn  bool                 // it is there
	lane   [linesOfEdge]float64 // where its lines are
	source *Card
	target *Card // nil when dangling
	out    int   // in source.Outs
	slot   int32 // in Scene.edges
}

// Source returns the card where the edge begins.
func (e *Edge) Source() *Card { return e.source }

// Target returns the card where the edge ends, nil if the form has no node with that id.
func (e *Edge) Target() *Card { return e.target }

// Dangling reports whether the edge leads to a node that does not exist.
func (e *Edge) Dangling() bool { return e.target == nil }

// Label describes, in at most n characters, the rule of a router whose edge this is. It is "" for an edge that does not begin at a router.
func (e *Edge) Label(n int) string {
	if e.source.Kind != RouterKind || len(e.source.Rows) == 0 {
		return ""
	}
	row := e.source.Outs[e.out].Row
	if row < 0 {
		return ""
	}
	r := e.source.Rows[row]
	if router, ok := e.source.config.(*model.Router); ok && r.Kind == MoreRow {
		r = Row{rule: router.Rules[e.out], fields: e.source.fields} // the row stands for several rules
	}
	return caption.Fit(r.Said(), n)
}

// Dashed reports whether the edge is a router's fallback.
func (e *Edge) Dashed() bool { return e.Port == model.FallbackPort }

// Moved returns the curve of the edge while its two cards are dragged by these distances.
func (e *Edge) Moved(source, target Vec) Curve {
	if source == target && source != (Vec{}) {
		c := e.Curve
		for i := range c.Len() {
			c.P[i] = c.P[i].Add(source)
		}
		return c
	}
	p, _, _ := e.path(source, target, false)
	return p.Curve
}

// path returns the plan of the edge while its two cards are dragged by these distances, and the regions on whose cards and edges it depends.
// If directly is set, it reports whether there is a direct one.
func (e *Edge) path(source, target Vec, directly bool) (plan, []Rect, bool) {
	if e.target == nil {
		c := stub(e.source.OutAt(e.out).Add(source))
		return plan{Curve: c}, nil, true
	}
	w := e.source.wayTo(e.out, source, e.target, target)
	w.self = e
	p, ok := w.direct()
	if !ok && !directly {
		p = w.detour()
	}
	return p, w.seen, ok
}

// CurveTo returns the curve of an edge from the i-th way out of a card to another card.
func (c *Card) CurveTo(i int, target *Card) Curve {
	w := c.wayTo(i, Vec{}, target, Vec{})
	w.self = c.edges[i]
	p, ok := w.direct()
	if !ok {
		p = w.detour()
	}
	return p.Curve
}

// wayTo returns the way of an edge between two cards that are moved. It is valid until the next call.
func (c *Card) wayTo(i int, by Vec, target *Card, targetBy Vec) *way {
	w := &c.all.edges.way
	*w = way{
		cards: c.all.cardAt, edges: &c.all.edges, source: c.slot, target: target.slot, from: c.Rect.Moved(by), to: target.Rect.Moved(targetBy),
		a: c.OutAt(i).Add(by), b: target.InAt().Add(targetBy), seen: w.seen[:0], found: w.found[:0],
	}
	return w
}
