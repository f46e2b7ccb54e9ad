package canvas

import "github.com/formgraph/formgraph/app/graph"

// journey is what a run visited, in a form suited to drawing.
type journey struct {
	nodes   map[string]bool // ids
	edges   map[string]bool // as in data-edge
	current string          // the id of the node at which the run is, "" for none
}

func journeyOf(visited, edges []string, current string) *journey {
	if len(visited) == 0 && len(edges) == 0 && current == "" {
		return nil
	}
	j := &journey{nodes: make(map[string]bool, len(visited)), edges: make(map[string]bool, len(edges)), current: current}
	for _, id := range visited {
		j.nodes[id] = true
	}
	for _, name := range edges {
		j.edges[name] = true
	}
	return j
}

// trace is how a node or an edge belongs to the journey.
type trace uint8

// The traces.
const (
	untouched trace = iota
	visited
	current
)

func (j *journey) node(c *graph.Card) trace {
	switch {
	case j == nil:
		return untouched
	case j.current == c.ID:
		return current
	case j.nodes[c.ID]:
		return visited
	}
	return untouched
}

func (j *journey) edge(e *graph.Edge) bool {
	return j != nil && j.edges[e.Source().ID+":"+string(e.Port)]
}
