package graph

// Stream returns the edges of every journey through a card: all that lead to it, directly or not, and all that follow it. Time is linear in
// the edges.
func (s *Scene) Stream(c *Card) map[*Edge]bool {
	stream := map[*Edge]bool{}
	for _, back := range []bool{true, false} {
		seen, queue := map[*Card]bool{c: true}, []*Card{c}
		for len(queue) > 0 {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			edges := at.edges
			if back {
				edges = at.ins
			}
			for _, e := range edges {
				if e == nil {
					continue
				}
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
		}
	}
	return stream
}
