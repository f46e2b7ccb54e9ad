package explore

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// edge returns the edge that a move takes, and false if it takes none.
func (s *search) edge(m move) (scenario.Edge, bool) {
	if m.way < 0 || s.states[m.to].at == nowhere {
		return scenario.Edge{}, false
	}
	at := &s.w.places[m.at]
	return scenario.Edge{From: at.node.ID, Port: at.ways[m.way].port}, true
}

// takeable returns the edges that a run can take, in the order in which they were found.
func (s *search) takeable() map[scenario.Edge]bool {
	edges := map[scenario.Edge]bool{}
	if s.states[first].at != nowhere {
		edges[scenario.Edge{From: model.StartID, Port: model.NextPort}] = true
	}
	for _, of := range s.states {
		for _, m := range of.out {
			if e, ok := s.edge(m); ok {
				edges[e] = true
			}
		}
	}
	return edges
}

// maxWalk bounds the length of a journey.
const maxWalk = 5_000

// walk returns a journey that takes wanted edges: it goes on to the nearest of them until that would lead it back to a node where it has been, and
// then to the ending if that can be reached. Several short journeys are easier to read than one that goes round and round. It returns false if no
// wanted edge can be taken.
func (s *search) walk(wanted map[scenario.Edge]bool) ([]move, bool) {
	var journey []move
	at, useful := first, false
	visited := map[int]bool{}
	left := map[scenario.Edge]bool{}
	for e := range wanted {
		left[e] = true
	}
	for len(left) > 0 && len(journey) < maxWalk {
		path := s.nearest(at, func(of *place, way int) bool { return left[scenario.Edge{From: of.node.ID, Port: of.ways[way].port}] })
		if path == nil {
			break
		}
		if useful && slices.ContainsFunc(path, func(m move) bool { return visited[s.states[m.to].at] }) {
			break
		}
		useful = true
		for _, m := range path {
			if e, ok := s.edge(m); ok {
				delete(left, e)
			}
			visited[m.at] = true
		}
		journey = append(journey, path...)
		at = path[len(path)-1].to
	}
	if s.states[at].at != ending {
		journey = append(journey, s.nearest(at, finishing)...)
	}
	return journey, useful
}

// finishing reports whether a way leads to the ending.
func finishing(of *place, way int) bool { return of.ways[way].to == ending }

// arrival is how a state is reached on the way to another.
type arrival struct {
	from   int // index of the state
	by     move
	length int
}

// nearest returns a shortest sequence of moves from a state to one along a way that is wanted, nil if there is none. It is the algorithm
// A*: the distance that is left is at least the one between the places, so hardly any states beside the way are looked at.
func (s *search) nearest(from int, wanted func(of *place, way int) bool) []move {
	left := s.w.distances(wanted)
	before := map[int]arrival{from: {from: -1}}
	closed := map[int]bool{}
	var queue [][]int // the states by the least length of a path through them
	push := func(i, length int) {
		at := s.states[i].at
		if at < 0 || left[at] < 0 {
			return
		}
		for len(queue) <= length+left[at] {
			queue = append(queue, nil)
		}
		queue[length+left[at]] = append(queue[length+left[at]], i)
	}
	push(from, 0)
	for of := 0; of < len(queue); of++ {
		for len(queue[of]) > 0 {
			i := queue[of][len(queue[of])-1]
			queue[of] = queue[of][:len(queue[of])-1]
			if closed[i] {
				continue
			}
			closed[i] = true
			if len(s.states) <= 2*s.limit {
				s.expand(i)
			}
			for _, m := range s.states[i].out {
				if m.way >= 0 && s.states[m.to].at != nowhere && wanted(&s.w.places[m.at], m.way) {
					return path(before, i, m)
				}
			}
			length := before[i].length + 1
			for _, m := range slices.Backward(s.states[i].out) { // the last one is looked at first
				if old, seen := before[m.to]; !seen || length < old.length {
					before[m.to] = arrival{i, m, length}
					push(m.to, length)
				}
			}
		}
	}
	return nil
}

// path returns the moves to a state, and one more.
func path(before map[int]arrival, i int, last move) []move {
	moves := []move{last}
	for ; before[i].from >= 0; i = before[i].from {
		moves = append(moves, before[i].by)
	}
	slices.Reverse(moves)
	return moves
}

// distances returns, for each place, how many ways are at least between it and a way that is wanted, -1 if that cannot be reached.
func (w *world) distances(wanted func(of *place, way int) bool) []int {
	far := make([]int, len(w.places))
	var queue []int
	for i := range w.places {
		far[i] = -1
		for j, way := range w.places[i].ways {
			if far[i] < 0 && way.to != nowhere && wanted(&w.places[i], j) {
				far[i] = 0
				queue = append(queue, i)
			}
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, j := range w.into[i] {
			if far[j] < 0 {
				far[j] = far[i] + 1
				queue = append(queue, j)
			}
		}
	}
	return far
}
