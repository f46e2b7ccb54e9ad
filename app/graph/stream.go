package graph

import "slices"

// Stream returns the edges of every journey through one of some cards or edges: all that lead to it, directly or not, and all that follow it,
// with it. Time is linear in the edges of the scene.
func (s *Scene) Stream(cards []*Card, edges []*Edge) map[*Edge]bool {
	stream := map[*Edge]bool{}
	for _, back := range []bool{true, false} {
		seen, queue := map[*Card]bool{}, slices.Clone(cards)
		for _, c := range cards {
			seen[c] = true
		}
		meet := func(e *Edge) {
			stream[e] = true
			next := e.target
			if back {
				next = e.source
			}
			if next != nil && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		for _, e := range edges {
			meet(e)
		}
		for len(queue) > 0 {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			next := at.edges
			if back {
				next = at.ins
			}
			for _, e := range next {
				if e != nil {
					meet(e)
				}
			}
		}
	}
	return stream
}
