package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Meetings are the nodes of a form in the order in which people meet them.
type Meetings struct {
	// Order holds the indexes of the reachable nodes. A node comes after every node from which a way leads to it, except for ways that
	// lead back. Of several ways out of a node, the first is followed first.
	Order []int
	// Share holds, for each node of the form, the share of the journeys that meet it, from 0 for an unreachable node to 1. It assumes an
	// equal chance for each way out of a node. Ways that lead back or nowhere are not counted: people who go back take another way in
	// the end.
	Share []float64
}

// Meet returns the meetings of a form, in time linear in its ways.
func Meet(f *model.Form) Meetings {
	g := newGraph(f)
	order := g.ahead(g.start())
	place := make([]int, len(f.Nodes)+2)
	for i, v := range order {
		place[v] = i + 1
	}
	share := make([]float64, len(place))
	share[g.start()] = 1
	m := Meetings{Order: make([]int, 0, len(order))}
	for _, v := range order {
		if v < g.ending() {
			m.Order = append(m.Order, v)
		}
		ahead := 0
		for _, w := range g.ways(v) {
			if w >= 0 && place[w] > place[v] {
				ahead++
			}
		}
		for _, w := range g.ways(v) {
			if w >= 0 && place[w] > place[v] {
				share[w] += share[v] / float64(ahead)
			}
		}
	}
	for i := range share {
		share[i] = min(share[i], 1) // sums of fractions may be slightly more
	}
	m.Share = share[:len(f.Nodes)]
	return m
}

// ahead returns the vertices that can be reached from one, in reverse postorder of a depth-first search: only ways that lead back lead to
// an earlier vertex. It has its own call stack for the reason that components has one.
func (g *graph) ahead(from int) []int {
	type call struct{ v, left int }
	seen := make([]bool, len(g.form.Nodes)+2)
	calls := []call{{from, len(g.ways(from))}}
	seen[from] = true
	var order []int
	for len(calls) > 0 {
		c := &calls[len(calls)-1]
		if c.left == 0 {
			order = append(order, c.v)
			calls = calls[:len(calls)-1]
			continue
		}
		c.left-- // the last way first, since the order is reversed
		if w := g.ways(c.v)[c.left]; w >= 0 && !seen[w] {
			seen[w] = true
			calls = append(calls, call{w, len(g.ways(w))})
		}
	}
	slices.Reverse(order)
	return order
}
