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

// walk returns a journey that takes edges that are wanted: from each place on to the nearest of them, and at last to the ending if it can
// be reached. It returns false if no wanted edge can be taken.
func (s *search) walk(wanted map[scenario.Edge]bool) ([]move, bool) {
	var journey []move
	at, useful := first, false
	left := map[scenario.Edge]bool{}
	for e := range wanted {
		left[e] = true
	}
	for len(left) > 0 && len(journey) < maxWalk {
		path := s.nearest(at, func(m move) bool {
			e, ok := s.edge(m)
			return ok && left[e]
		})
		if path == nil {
			break
		}
		useful = true
		for _, m := range path {
			if e, ok := s.edge(m); ok {
				delete(left, e)
			}
		}
		journey = append(journey, path...)
		at = path[len(path)-1].to
	}
	if s.states[at].at != ending {
		journey = append(journey, s.nearest(at, s.ends)...)
	}
	return journey, useful
}

// ends reports whether a move leads to the ending.
func (s *search) ends(m move) bool { return s.states[m.to].at == ending }

// nearest returns a shortest sequence of moves from a state to one that is wanted, nil if there is none.
func (s *search) nearest(from int, wanted func(move) bool) []move {
	type arrival struct {
		from int // index of the state
		by   move
	}
	before := map[int]arrival{from: {from: -1}}
	queue := []int{from}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, m := range s.states[i].out {
			if wanted(m) {
				path := []move{m}
				for ; before[i].from >= 0; i = before[i].from {
					path = append(path, before[i].by)
				}
				slices.Reverse(path)
				return path
			}
			if _, seen := before[m.to]; !seen {
				before[m.to] = arrival{i, m}
				queue = append(queue, m.to)
			}
		}
	}
	return nil
}
