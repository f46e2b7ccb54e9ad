package graph

import (
	"math"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Thumbnail is a picture of a form in which only the places and the types of its nodes can be told. Its paths are those of SVG.
type Thumbnail struct {
	Nodes map[string]string // by the type of the nodes in lower case, "start" and "ending" for the ends, "other" for unknown types
	Edges string
}

// Thumbnail returns the scene in a box of a width and a height, in its middle.
func (s *Scene) Thumbnail(width, height float64) Thumbnail {
	t := Thumbnail{Nodes: map[string]string{}}
	nodes, edges := map[string]*strings.Builder{}, strings.Builder{}
	all := s.Bounds()
	if all.W <= 0 || all.H <= 0 {
		return t
	}
	const margin = 3
	// A form with few nodes is not blown up.
	scale := min((width-2*margin)/all.W, (height-2*margin)/all.H, 0.1)
	left, top := (width-all.W*scale)/2, (height-all.H*scale)/2
	at := func(v Vec) string {
		return short(left+(v.X-all.X)*scale) + " " + short(top+(v.Y-all.Y)*scale)
	}
	for _, c := range s.Cards() {
		w, h := max(2, c.Rect.W*scale), max(2, c.Rect.H*scale)
		kind := thumbnailKind(c)
		if nodes[kind] == nil {
			nodes[kind] = &strings.Builder{}
		}
		_, _ = nodes[kind].WriteString("M" + at(c.Rect.Origin()) + "h" + short(w) + "v" + short(h) + "h" + short(-w) + "z")
	}
	for kind, path := range nodes {
		t.Nodes[kind] = path.String()
	}
	s.Edges(func(e *Edge) {
		if e.Target() == nil {
			return
		}
		for i, v := range e.Curve.corners(nil) {
			_, _ = edges.WriteString([...]string{"M", "L"}[min(i, 1)] + at(v))
		}
	})
	t.Edges = edges.String()
	return t
}

func thumbnailKind(c *Card) string {
	switch {
	case c.ID == model.StartID:
		return "start"
	case c.ID == model.EndingID:
		return "ending"
	case c.node == nil || model.NodeKindOf(c.node.Type) == nil:
		return "other"
	}
	return model.NodeKindOf(c.node.Type).Icon
}

// short returns a number with one digit behind the point.
func short(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
