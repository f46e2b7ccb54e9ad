package rules

import "github.com/formgraph/formgraph/model/flow"

const (
	// maxSteps bounds a search: how often it tries a class of values for a part.
	maxSteps = 4_000
	// maxTotal bounds all searches for a router together.
	maxTotal = 40_000
)

// want is what the verdict on a rule must be.
type want struct {
	rule int
	span
}

// What is wanted: that a rule applies, that it can decide, that it leaves the decision to later rules, and that it fails.
var (
	applies = span{yes, yes}
	decides = span{unsure, yes} // or the run has to ask
	passes  = span{no, unsure}
	fails   = span{no, no}
)

// search looks for values with which rules have some verdicts.
type search struct {
	of     *router
	wants  []want
	known  bool // whether only known values count
	accept func(chosen []int) bool
	chosen []int // the class of each part, -1 for none
	steps  int
}

// result is that of a search.
type result int

const (
	none result = iota
	found
	gaveUp
)

// find looks for values with which rules have some verdicts. If accept is not nil, only known values count, which it must accept.
func (r *router) find(accept func(chosen []int) bool, wants ...want) result {
	s := search{of: r, wants: wants, known: accept != nil, accept: accept, chosen: make([]int, len(r.parts)), steps: min(maxSteps, r.left)}
	for i := range s.chosen {
		s.chosen[i] = -1
	}
	if !r.work.spend(len(r.parts)) {
		return gaveUp
	}
	before := s.steps
	got := s.next()
	r.left -= before - s.steps
	return got
}

func (s *search) next() result {
	branch := -1
	for _, w := range s.wants {
		if s.of.work.over() {
			return gaveUp
		}
		e := s.of.rules[w.rule]
		can := s.can(e)
		if can.high < w.low || can.low > w.high {
			return none
		}
		if branch < 0 && (can.low < w.low || can.high > w.high) {
			branch = s.open(e)
		}
	}
	if branch < 0 {
		if s.accept != nil && !s.accept(s.chosen) {
			return none
		}
		return found
	}
	defer func() { s.chosen[branch] = -1 }()
	for i, c := range s.of.parts[branch].classes {
		if s.known && !c.known {
			continue
		}
		if s.steps--; s.steps < 0 {
			return gaveUp
		}
		s.chosen[branch] = i
		if got := s.next(); got != none {
			return got
		}
	}
	return none
}

// can returns what the verdict on a condition can be with the chosen values.
func (s *search) can(e *expr) span {
	s.of.work.spend(1)
	if e.operator == "" {
		a := s.of.atoms[e.atom]
		can := a.can
		if a.part >= 0 && s.chosen[a.part] >= 0 {
			v := s.of.parts[a.part].classes[s.chosen[a.part]].verdicts[a.slot]
			can = span{v, v}
		}
		if e.negated {
			return can.negated()
		}
		return can
	}
	all := s.can(e.of[0])
	for _, of := range e.of[1:] {
		c := s.can(of)
		if e.operator == flow.And {
			all.low, all.high = min(all.low, c.low), min(all.high, c.high)
		} else {
			all.low, all.high = max(all.low, c.low), max(all.high, c.high)
		}
	}
	return all
}

// open returns a part without chosen values on which the verdict depends. There is one as long as the verdict can be several.
func (s *search) open(e *expr) int {
	if e.operator == "" {
		a := s.of.atoms[e.atom]
		if a.part >= 0 && s.chosen[a.part] < 0 && a.can.low < a.can.high {
			return a.part
		}
		return -1
	}
	for _, of := range e.of {
		if can := s.can(of); can.low < can.high {
			if part := s.open(of); part >= 0 {
				return part
			}
		}
	}
	return -1
}
