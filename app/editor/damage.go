package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Damage counts what a change breaks in the rest of a form. The zero value is none.
type Damage struct {
	Unreachable int // nodes that no journey reaches any longer
	DeadEnds    int // ways on which a journey now ends in nothing
	References  int // templates that read a field that is gone
}

// Damage returns what a command would break now. A refused command breaks nothing.
func (e *Editor) Damage(c Command) (d Damage) {
	next, err := c.Do(e.state)
	if err != nil {
		return d
	}
	was, now := e.state.Form, next.Form
	reached, left := reachable(was), reachable(now)
	for _, key := range now.Keys() {
		if reached[key] && !left[key] {
			d.Unreachable++
		}
	}
	d.DeadEnds = max(0, deadEnds(now)-deadEnds(was))
	gone := components(was)
	for id := range components(now) {
		delete(gone, id)
	}
	if len(gone) > 0 {
		for _, r := range flow.References(now) {
			if gone[r.ID] {
				d.References++
			}
		}
	}
	return d
}

// components returns the ids of a form's components.
func components(f *model.Form) map[string]bool {
	ids := map[string]bool{}
	for _, n := range f.Nodes {
		for i := range n.Parts() {
			if c := n.Component(i); c != nil {
				ids[c.ID] = true
			}
		}
	}
	return ids
}

// reachable returns the keys of the nodes that a journey can reach.
func reachable(f *model.Form) map[string]bool {
	ways, keys := flow.Ways(f), f.Keys()
	start := len(ways) - 1
	seen, reached := make([]bool, len(ways)), map[string]bool{}
	for queue := []int{start}; len(queue) > 0; {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if v < 0 || seen[v] {
			continue
		}
		if seen[v] = true; v < len(keys) {
			reached[keys[v]] = true
		}
		queue = append(queue, ways[v]...)
	}
	return reached
}

// deadEnds counts the ways on which a journey ends in nothing.
func deadEnds(f *model.Form) (n int) {
	for _, w := range flow.Prove(f) {
		if w.Problem.Code == schema.CodeDeadEnd {
			n++
		}
	}
	return n
}
