package canvas

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// picked is a selection in a form suited to drawing, which queries it many
// times for every card.
type picked struct {
	selection editor.Selection
	keys      map[string]bool
	marks     *marks // nil for none
}

func pick(s editor.Selection) picked {
	p := picked{selection: s, keys: make(map[string]bool, len(s.Nodes))}
	for _, id := range s.Nodes {
		p.keys[id] = true
	}
	return p
}

// same reports whether p is drawn as q is.
func (p picked) same(q picked) bool { return p.selection.Equal(q.selection) && p.marks == q.marks }

// has reports whether the node of a key is selected.
func (p picked) has(key string) bool { return p.keys[key] }

// active is the node with the keyboard focus, "" for none.
func (p picked) active() string {
	if n := len(p.selection.Nodes); n > 0 {
		return p.selection.Nodes[n-1]
	}
	return ""
}

// row returns the selected row of a card, or -1. For a folded component or rule it is the row that stands for the folded ones.
func (p picked) row(c *graph.Card) int {
	s := p.selection
	if s.Component == "" && s.Rule == "" || s.Only() != c.Key {
		return -1
	}
	for i, r := range c.Rows {
		if r.Kind == graph.ComponentRow && r.ID == s.Component || r.Kind == graph.RuleRow && r.ID == s.Rule {
			return i
		}
		if r.Kind == graph.MoreRow {
			return i
		}
	}
	return -1
}

// parts returns the ids of the components of a card that are selected together, each between two spaces, which no id contains.
func (p picked) parts(c *graph.Card) string {
	if len(p.selection.Parts) == 0 || p.selection.Only() != c.Key {
		return ""
	}
	return " " + strings.Join(p.selection.Parts, " ") + " "
}

// foldedPart names the selected component or rule of a card if it is folded. Otherwise it returns "".
func foldedPart(f *model.Form, s editor.Selection, c *graph.Card, row int) string {
	if row < 0 || c.Rows[row].Kind != graph.MoreRow {
		return ""
	}
	n, _ := f.Node(c.Key)
	if n == nil {
		return ""
	}
	switch config := n.Config.(type) {
	case *model.Step:
		for _, part := range config.Components {
			if part.ID == s.Component {
				return caption.Component(part)
			}
		}
	case *model.Router:
		for i, r := range config.Rules {
			if r.ID == s.Rule {
				return caption.Rule(f.Fields(), r, i)
			}
		}
	case *model.Flow: // has no parts
	}
	return ""
}

// hot reports whether an edge is part of a run, or connected to a
// selected node or the node under the pointer.
func (p picked) hot(e *graph.Edge, hover graph.Hit) bool {
	if p.marks.edge(e) {
		return true
	}
	if hover.Edge == e || hover.Card != nil && (e.Source() == hover.Card || e.Target() == hover.Card) {
		return true
	}
	if ref := p.selection.Edge; ref != nil && ref.From == e.Source().Key && ref.Port == e.Port {
		return true
	}
	return p.has(e.Source().Key) || e.Target() != nil && p.has(e.Target().Key)
}

// streamed is the cards and edges through which all journeys are lit.
type streamed struct {
	cards []*graph.Card
	edges []*graph.Edge
}

func (s streamed) same(t streamed) bool {
	return slices.Equal(s.cards, t.cards) && slices.Equal(s.edges, t.edges)
}

// streamed returns what is under the pointer, or else the selected node or edge. Several nodes have too many journeys for any to stand out.
func (p picked) streamed(s *graph.Scene, hover graph.Hit) (of streamed) {
	switch ref := p.selection.Edge; {
	case hover.Card != nil:
		of.cards = append(of.cards, hover.Card)
	case hover.Edge != nil:
		of.edges = append(of.edges, hover.Edge)
	case ref != nil:
		if e := s.Edge(ref.From, ref.Port); e != nil {
			of.edges = append(of.edges, e)
		}
	case len(p.selection.Nodes) == 1:
		if c := s.Card(p.selection.Nodes[0]); c != nil {
			of.cards = append(of.cards, c)
		}
	}
	return of
}
