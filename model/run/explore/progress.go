package explore

// meter reports the share of some work that is done, from 0 to 1. nil reports nothing.
type meter func(share float64)

func (m meter) show(share float64) {
	if m != nil {
		m(min(max(share, 0), 1))
	}
}

// halves returns the meters of two parts of the work, one after the other.
func (m meter) halves() (before, after meter) {
	return func(share float64) { m.show(share / 2) }, func(share float64) { m.show(0.5 + share/2) }
}

// share returns how much of the search is done: it ends when every way is taken, or when there are too many states.
func (s *search) share() float64 {
	ways := 0
	for i := range s.untaken {
		ways += len(s.untaken[i])
	}
	return max(1-float64(s.left)/float64(max(ways, 1)), float64(len(s.states))/float64(s.limit))
}
