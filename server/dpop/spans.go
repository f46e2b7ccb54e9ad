package dpop

import "slices"

// span is an inclusive range of seconds.
type span struct{ from, to int64 }

// spans is a sorted list of ranges of seconds, more than near apart. To stay short, it may contain seconds that were never added: gaps of
// up to near seconds, and gaps between the earliest ranges if there are too many. A single range from the first second to the last would
// cover a whole day after a clock was briefly a day ahead.
type spans []span

const (
	near     = 600 // seconds; longer than the lifetime of any proof
	maxSpans = 64
)

// contain reports whether a second is in one of the ranges. It returns true for every second that was added.
func (s spans) contain(second int64) bool {
	at, found := s.find(second, 0)
	return found && s[at].from <= second && second <= s[at].to
}

// find returns the index of the first range within a distance of a second, or the index at which to insert a new one.
func (s spans) find(second, distance int64) (at int, found bool) {
	return slices.BinarySearchFunc(s, second, func(x span, second int64) int {
		switch {
		case x.to+distance < second:
			return -1
		case x.from-distance > second:
			return 1
		}
		return 0
	})
}

// with returns the ranges with a second added. s must not be used afterwards.
func (s spans) with(second int64) spans {
	at, found := s.find(second, near)
	if !found {
		s = slices.Insert(s, at, span{second, second})
	}
	s[at].from, s[at].to = min(s[at].from, second), max(s[at].to, second)
	if next := at + 1; next < len(s) && s[next].from-near <= s[at].to {
		s = s.join(at)
	}
	if len(s) > maxSpans {
		s = s.join(0)
	}
	return s
}

// join merges the range at an index with the next one.
func (s spans) join(at int) spans {
	s[at].to = max(s[at].to, s[at+1].to)
	return slices.Delete(s, at+1, at+2)
}
