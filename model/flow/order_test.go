package flow_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
)

// In any form, each node comes once, reachable nodes come first, and without a
// cycle no node comes before its predecessors.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		n := 1 + rng.IntN(12)
		circles := round%2 == 0
		var nodes []string
		edges := map[int][]int{}
		for i := range n {
			var rules []string
			for j := range rng.IntN(4) {
				to := rng.IntN(n)
				if !circles {
					to = i + 1 + rng.IntN(n)
				}
				if to < n {
					edges[i] = append(edges[i], to)
				}
				rules = append(rules, fmt.Sprintf(`{"id":"r%d_%d","next_node":"n%d"}`, i, j, to))
			}
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"ROUTER","config":{"rules":[%s],"fallback":"$ending"}}`, i,
				strings.Join(rules, ",")))
		}
		f := formtest.Parse(t, `{"name":"F","start":{"next_node":"n0"},"nodes":[`+strings.Join(nodes, ",")+`]}`)
		order, reached := flow.Order(f)
		sorted := slices.Sorted(slices.Values(order))
		for i, v := range sorted {
			if i != v || len(sorted) != n {
				t.Fatalf("round %d: the order is %v of %d nodes", round, order, n)
			}
		}
		can := map[int]bool{}
		for todo := []int{0}; len(todo) > 0; {
			i := todo[0]
			todo = todo[1:]
			if !can[i] {
				can[i] = true
				todo = append(todo, edges[i]...)
			}
		}
		for i, v := range order {
			if (i < reached) != can[v] {
				t.Fatalf("round %d: %d of %v, %d reached: node %d reached is %v", round, i, order, reached, v, can[v])
			}
			for _, to := range edges[v] {
				if !circles && i < reached && slices.Index(order, to) < i {
					t.Fatalf("round %d: %d comes before its predecessor %d: %v", round, to, v, order)
				}
			}
		}
	}
}
