package canvas

import (
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

// Marks are what the page marks on the nodes and edges. Nodes are named by their ids, edges as in data-edge. The zero value marks nothing.
type Marks struct {
	// A run visited these nodes and edges, and is at the current node.
	Visited, Edges []string
	Current        string
	// Taken counts the scenarios that take each edge; edges that it lacks are taken by none. nil hides the coverage.
	Taken map[string]int
	// Threads counts the open threads of comments about nodes, by their ids, and about components.
	Threads Threads
	// Compared is a comparison, nil for none.
	Compared *Compared
	// People are those who have selected a node, by its id; nil for nobody.
	People map[string]Visitors
	// Forks are the nodes, by their ids, with values that the person and others have changed at the same time.
	Forks map[string]bool
	// Doubts are the warnings that the page has besides those of the editor.
	Doubts schema.Problems
}

// Visitors are the names of people at a node, the color of the one who came last, and the component that this one has selected; "" for none.
type Visitors struct {
	Names string
	Hue   int
	Part  string
}

// marks are Marks in a form suited to drawing, which queries them for every card and edge.
type marks struct {
	nodes   map[string]bool
	edges   map[string]bool
	current string
	taken   map[string]int
	differ  map[string]*Difference
	people  map[string]Visitors
	forks   map[string]bool
	talk    Threads
}

// Threads are numbers of threads of comments, by the ids of the elements that they are about.
type Threads struct{ Nodes, Parts map[string]int }

// marksOf returns nil if nothing is marked.
func marksOf(of Marks) *marks {
	if len(of.Visited)+len(of.Edges)+len(of.Threads.Nodes)+len(of.Threads.Parts)+len(of.People)+len(of.Forks) == 0 && of.Current == "" && of.Taken == nil && of.Compared == nil {
		return nil
	}
	m := &marks{
		nodes: make(map[string]bool, len(of.Visited)), edges: make(map[string]bool, len(of.Edges)), current: of.Current, taken: of.Taken,
		talk: of.Threads, people: of.People, forks: of.Forks,
	}
	if of.Compared != nil {
		m.differ = of.Compared.Cards
	}
	for _, id := range of.Visited {
		m.nodes[id] = true
	}
	for _, name := range of.Edges {
		m.edges[name] = true
	}
	return m
}

// trace is how a node or an edge belongs to a run.
type trace uint8

// The traces.
const (
	untouched trace = iota
	visited
	current
)

func (m *marks) node(c *graph.Card) trace {
	switch {
	case m == nil:
		return untouched
	case m.current == c.ID:
		return current
	case m.nodes[c.ID]:
		return visited
	}
	return untouched
}

// difference returns what differs on a card, nil for nothing.
func (m *marks) difference(c *graph.Card) *Difference {
	if m == nil {
		return nil
	}
	return m.differ[c.Key]
}

// warned adds a warning to the trouble of a card if the person has to decide about something on it.
func (m *marks) warned(c *graph.Card, t trouble) trouble {
	if m != nil && m.forks[c.ID] {
		t.warnings++
	}
	return t
}

// visitors returns the people at a card, the zero Visitors for nobody.
func (m *marks) visitors(c *graph.Card) Visitors {
	if m == nil {
		return Visitors{}
	}
	return m.people[c.ID]
}

// talk is what a card shows of comments: the open threads about it, and about each of its rows. The zero value is none.
type talk struct {
	count int
	rows  [graph.FoldAfter + 2]uint8
}

// at returns the number of threads about a row.
func (t *talk) at(row int) int {
	if row < len(t.rows) {
		return int(t.rows[row])
	}
	return 0
}

// comments returns the open threads about a card.
func (m *marks) comments(c *graph.Card) (t talk) {
	if m == nil || len(m.talk.Nodes) == 0 {
		return t
	}
	t.count = m.talk.Nodes[c.ID]
	for i := range c.Rows {
		if r := &c.Rows[i]; i < len(t.rows) && r.Kind == graph.ComponentRow {
			t.rows[i] = uint8(min(m.talk.Parts[r.ID], 99)) //nolint:gosec // up to 99
		}
	}
	return t
}

// edge reports whether the run visited an edge.
func (m *marks) edge(e *graph.Edge) bool { return m != nil && m.edges[edgeName(e)] }

// uncounted is the number of scenarios of an edge while the coverage is hidden.
const uncounted = -1

// times returns how many scenarios take an edge.
func (m *marks) times(e *graph.Edge) int {
	if m == nil || m.taken == nil {
		return uncounted
	}
	return m.taken[edgeName(e)]
}

func edgeName(e *graph.Edge) string { return e.Source().ID + ":" + string(e.Port) }
