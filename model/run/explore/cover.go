package explore

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// step is a move from a state.
type step struct {
	from int // index of the state
	move move
}

// edge returns the edge that a move takes, and false if it takes none.
func (s *search) edge(from int, m move) (scenario.Edge, bool) {
	if m.way < 0 || s.states[m.to].at == nowhere {
		return scenario.Edge{}, false
	}
	at := &s.w.places[s.states[from].at]
	return scenario.Edge{From: at.node.ID, Port: at.ways[m.way].port}, true
}

// takeable returns the edges that a run can take, in the order in which they were found.
func (s *search) takeable() map[scenario.Edge]bool {
	edges := map[scenario.Edge]bool{}
	if s.states[first].at != nowhere {
		edges[scenario.Edge{From: model.StartID, Port: model.NextPort}] = true
	}
	for i, of := range s.states {
		for _, m := range of.out {
			if e, ok := s.edge(i, m); ok {
				edges[e] = true
			}
		}
	}
	return edges
}

// maxWalk bounds the length of a journey.
const maxWalk = 5_000

// walk returns a journey that takes edges that are wanted: from each place on to the nearest of them, and at last to the ending if it can
// be reached. It returns false if no wanted edge can be taken.
func (s *search) walk(wanted map[scenario.Edge]bool) ([]step, bool) {
	var journey []step
	at, useful := first, false
	left := map[scenario.Edge]bool{}
	for e := range wanted {
		left[e] = true
	}
	for len(left) > 0 && len(journey) < maxWalk {
		path := s.nearest(at, func(from int, m move) bool {
			e, ok := s.edge(from, m)
			return ok && left[e]
		})
		if path == nil {
			break
		}
		useful = true
		for _, of := range path {
			if e, ok := s.edge(of.from, of.move); ok {
				delete(left, e)
			}
		}
		journey = append(journey, path...)
		at = path[len(path)-1].move.to
	}
	if s.states[at].at != ending {
		journey = append(journey, s.nearest(at, func(_ int, m move) bool { return s.states[m.to].at == ending })...)
	}
	return journey, useful
}

// nearest returns a shortest sequence of moves from a state to one that is wanted, nil if there is none.
func (s *search) nearest(from int, wanted func(from int, m move) bool) []step {
	before := map[int]step{from: {from: -1}}
	queue := []int{from}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, m := range s.states[i].out {
			if wanted(i, m) {
				return trace(before, i, m)
			}
			if _, seen := before[m.to]; !seen {
				before[m.to] = step{i, m}
				queue = append(queue, m.to)
			}
		}
	}
	return nil
}

func trace(before map[int]step, at int, last move) []step {
	n := 1
	for i := at; before[i].from >= 0; i = before[i].from {
		n++
	}
	path := make([]step, n)
	path[n-1] = step{at, last}
	for i := at; before[i].from >= 0; i = before[i].from {
		n--
		path[n-1] = before[i]
	}
	return path
}
