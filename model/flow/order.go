package flow

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Order returns the indexes of the nodes, ordered so that each node comes after
// its predecessors unless a cycle prevents it, and the first of two branches comes
// first. Nodes that cannot be reached come last, in the form's order. reached is
// the number of nodes that can be reached.
func Order(f *model.Form) (order []int, reached int) {
	byID := make(map[string]int, len(f.Nodes))
	for i, n := range slices.Backward(f.Nodes) {
		byID[n.ID] = i // pointers refer to the first node with an id
	}
	seen := make([]bool, len(f.Nodes))
	// Depth first: a node is recorded after all nodes behind it, and the result is
	// then reversed. The last branch is visited first, so that it ends up last. The
	// stack is our own, because deep recursion crashes the page in a browser.
	type visit struct {
		node int
		outs []model.Out
	}
	var stack []visit
	push := func(to model.Pointer) {
		if i, ok := byID[string(to)]; ok && !seen[i] {
			seen[i] = true
			stack = append(stack, visit{i, f.Outs(i)})
		}
	}
	push(f.Start.Next)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if n := len(top.outs); n > 0 {
			to := top.outs[n-1].To
			top.outs = top.outs[:n-1]
			push(to)
			continue
		}
		order = append(order, top.node)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(order)
	reached = len(order)
	for i := range f.Nodes {
		if !seen[i] {
			order = append(order, i)
		}
	}
	return order, reached
}
