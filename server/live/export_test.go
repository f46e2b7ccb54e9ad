package live

import "context"

// The bounds that tests look at.
const (
	KeptBytes      = keptBytes
	CompactBytes   = compactBytes
	CompactEvery   = compactEvery
	MaxCachedBytes = maxCachedBytes
)

// Cached returns how many shared forms the process keeps, and how many bytes the Rooms and the forms themselves say that they have.
func (s *Rooms) Cached() (forms, bytes, counted int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.cached.Len() > 0 {
		_, c, _ := s.cached.Oldest()
		forms, counted = forms+1, counted+c.size+c.bytes
		if forms == 1 {
			bytes = s.bytes
		}
		s.forget()
	}
	return forms, bytes, counted
}

// Beat does what Run does from time to time.
func (s *People) Beat(ctx context.Context) { s.beat(ctx) }

// AbsentAfter is after which silence of a process its pages are gone.
const AbsentAfter = absentAfter
