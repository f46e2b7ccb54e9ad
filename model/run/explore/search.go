package explore

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// state is where a run can be, with what its variables can be. Every combination of the candidates in the sets is possible. The set of
// a variable that is not read later is 0.
type state struct {
	at    int // index of the node, ending or nowhere
	sets  []set
	chain []int // the routers since the run last waited, if they can lead back to each other
	out   []move
	done  bool // whether out is complete
}

// move leads from one state to another.
type move struct {
	to int // index of the state
	step
}

// step is what happens at a node.
type step struct {
	at   int // index of the node
	way  int // index in place.ways, -1 for others
	kind moveKind
	box  box // what the variables can be that the step sets or the router reads
}

type moveKind uint8

const (
	leave  moveKind = iota // along a way
	resend                 // the flow of a resend button runs
	back                   // a previous button: only to find out what cannot be
	judge                  // what a router of the other form reads
)

// search finds the states that a run can be in.
type search struct {
	w       *world
	states  []*state
	index   map[string]int
	backs   bool // whether previous buttons lead to any step, which is more than what is possible
	limit   int  // of states
	limited bool // whether something was left out
	// pending are the states that are not expanded, by their place, and active the places that have some, in the order of their turns. If
	// there are too many states, something is known about every place nevertheless.
	pending [][]int
	active  []int
	// untaken are the ways out of the places that no move takes, and left is how many there are.
	untaken [][]bool
	left    int
	// key and scratch are memory that is used again.
	key     []byte
	scratch []set
}

// first is the index of the state before the first node.
const first = 0

func newSearch(w *world, limit int, backs bool) *search {
	s := &search{w: w, index: map[string]int{}, limit: limit, backs: backs}
	s.pending, s.untaken = make([][]int, len(w.places)), make([][]bool, len(w.places))
	for i := range w.places {
		s.untaken[i] = make([]bool, len(w.places[i].ways))
		for j, way := range w.places[i].ways {
			if w.reached[i] && way.to != nowhere {
				s.untaken[i][j] = true
				s.left++
			}
		}
	}
	s.add(w.start, w.vars.initial(), nil)
	return s
}

// initial returns what the variables can be at the start.
func (vs *variables) initial() []set {
	sets := make([]set, len(vs.list))
	for i, v := range vs.list {
		sets[i] = v.all()
		if v.namespace == fields && v.hidden == nil {
			sets[i] &^= v.defined()
		}
	}
	return sets
}

// add returns the index of a state. The caller may change the sets later.
func (s *search) add(at int, sets []set, chain []int) int {
	var live []bool
	if at >= 0 {
		live = s.w.places[at].live
	}
	key := strconv.AppendInt(s.key[:0], int64(at), 10)
	for v, on := range live {
		if on {
			key = binary.LittleEndian.AppendUint64(key, uint64(sets[v]))
		}
	}
	for _, r := range chain {
		key = append(strconv.AppendInt(append(key, ','), int64(r), 10), ';')
	}
	s.key = key
	if i, ok := s.index[string(key)]; ok {
		return i
	}
	i := len(s.states)
	s.index[string(key)] = i
	own := make([]set, len(sets))
	for v, on := range live {
		if on {
			own[v] = sets[v]
		}
	}
	s.states = append(s.states, &state{at: at, sets: own, chain: chain})
	if at >= 0 {
		if len(s.pending[at]) == 0 {
			s.active = append(s.active, at)
		}
		s.pending[at] = append(s.pending[at], i)
	}
	return i
}

// run finds all states, or as many as the limit allows. After more were added, it continues. It returns false if it was stopped.
func (s *search) run(stop func() bool) bool { return s.runUntil(func() bool { return false }, stop) }

// runUntil is run until enough is known, which is asked before each state.
func (s *search) runUntil(enough, stop func() bool) bool {
	for n := 0; len(s.active) > 0; n++ {
		if n%64 == 0 && stop() {
			return false
		}
		if len(s.states) > s.limit || enough() {
			s.limited = true
			return true
		}
		at := s.active[0]
		s.active = s.active[1:]
		i := s.pending[at][0]
		if s.pending[at] = s.pending[at][1:]; len(s.pending[at]) > 0 {
			s.active = append(s.active, at)
		}
		s.expand(i)
	}
	return true
}

// expand finds the moves out of a state.
func (s *search) expand(i int) {
	of := s.states[i]
	if of.at < 0 || of.done {
		return
	}
	of.done = true
	at := &s.w.places[of.at]
	switch {
	case at.router != nil:
		s.route(of, at)
	case at.flow:
		s.move(of, step{at: of.at}, s.returned(of.sets), nil)
	default:
		s.ask(of, at)
	}
}

// within is box.within in memory that the next call uses again.
func (s *search) within(b box, sets []set) []set {
	s.scratch = b.into(append(s.scratch[:0], sets...))
	return s.scratch
}

// move adds a move along a way.
func (s *search) move(of *state, by step, sets []set, chain []int) {
	of.out = append(of.out, move{s.add(s.w.places[of.at].ways[by.way].to, sets, chain), by})
	if s.untaken[of.at][by.way] {
		s.untaken[of.at][by.way] = false
		s.left--
	}
}

// returned returns the sets after a flow, which may set any variable or leave it as it was.
func (s *search) returned(sets []set) []set {
	sets = slices.Clone(sets)
	for i, v := range s.w.vars.list {
		if v.namespace == vars {
			sets[i] |= v.defined()
		}
	}
	return sets
}

func (s *search) ask(of *state, at *place) {
	for i, way := range at.ways {
		if b := s.w.answers(at, way.checked); !slices.Contains(b.sets, 0) {
			s.move(of, step{at: of.at, way: i, box: b}, s.within(b, of.sets), nil)
		}
	}
	if at.resend != nil {
		if sets := s.returned(of.sets); !slices.Equal(sets, of.sets) {
			of.out = append(of.out, move{s.add(of.at, sets, nil), step{at: of.at, way: -1, kind: resend}})
		}
	}
	if at.back != nil && s.backs {
		b := s.w.answers(at, false)
		for j := range s.w.places {
			if s.w.reached[j] && len(s.w.places[j].ways) > 0 && !s.w.places[j].flow && s.w.places[j].router == nil {
				of.out = append(of.out, move{s.add(j, s.within(b, of.sets), nil), step{at: of.at, way: -1, kind: back, box: b}})
			}
		}
	}
}

// answers returns what the fields of a step can be when it is left.
func (w *world) answers(at *place, checked bool) box {
	b := box{vars: at.asks, sets: make([]set, len(at.asks))}
	for i, v := range at.asks {
		b.sets[i] = w.vars.list[v].all()
		if checked {
			b.sets[i] = w.vars.list[v].accepted(w.side)
		}
	}
	return b
}

func (s *search) route(of *state, at *place) {
	boxes, whole := at.router.split(at.router.of(of.sets))
	if !whole {
		s.limited = true
	}
	chain := of.chain
	if at.circles {
		chain = append(slices.Clone(chain), of.at)
	}
	for i, way := range at.ways {
		for _, b := range boxes[i] {
			since := chain
			if b.asks {
				since = nil
			}
			if slices.Contains(since, way.to) {
				continue // the run stops instead
			}
			if way.to < 0 || s.w.places[way.to].router == nil {
				since = nil
			}
			s.move(of, step{at: of.at, way: i, box: b}, s.within(b, of.sets), since)
		}
	}
}
