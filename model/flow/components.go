package flow

import "slices"

// Components numbers the strongly connected components of a graph of n vertices with Tarjan's algorithm, in time linear in the graph. ways returns
// the vertices to which those of a vertex lead; others than 0 to n-1 are left out. of is the number of the component of each vertex.
func Components(n int, ways func(v int) []int) (of []int, count int) {
	of = slices.Repeat([]int{-1}, n)
	order := make([]int, n) // in which nodes were visited, from 1
	low := make([]int, n)
	type call struct{ v, way int } // recursion would be as deep as a chain is long
	var calls []call
	var open []int // visited nodes whose component is not known yet
	met := 0
	for root := range n {
		if order[root] > 0 {
			continue
		}
		calls = append(calls, call{v: root})
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.v
			if c.way == 0 {
				met++
				order[v], low[v] = met, met
				open = append(open, v)
			}
			ways := ways(v)
			deeper := false
			for c.way < len(ways) && !deeper {
				w := ways[c.way]
				c.way++
				switch {
				case w < 0 || w >= n:
				case order[w] == 0:
					deeper = true
					calls = append(calls, call{v: w})
				case of[w] < 0:
					low[v] = min(low[v], order[w])
				}
			}
			if deeper {
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].v
				low[up] = min(low[up], low[v])
			}
			if low[v] < order[v] {
				continue
			}
			for done := false; !done; {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				of[w] = count
				done = w == v
			}
			count++
		}
	}
	return of, count
}
