package dpop

import "slices"

// span is a range of seconds, both ends included.
type span struct{ from, to int64 }

// spans are ranges of seconds in order, far apart. They are few, so they may contain seconds that were never added: those within near of
// others, and those between the earliest when there are too many. A single range from the first second to the last would contain a whole
// day after a clock was a day ahead for a moment.
type spans []span

const (
	near     = 600 // seconds: no proof lives as long
	maxSpans = 64
)

// contain reports whether a second is in one of the ranges. It is for every second that was added.
func (s spans) contain(second int64) bool {
	at, found := s.find(second, 0)
	return found && s[at].from <= second && second <= s[at].to
}

// find returns the first range within a distance of a second, or the place for a new one.
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

// with returns the ranges with one more second. s must not be used afterwards.
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

// join makes one range of the range at a place and the next.
func (s spans) join(at int) spans {
	s[at].to = max(s[at].to, s[at+1].to)
	return slices.Delete(s, at+1, at+2)
}
