package dpop

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxSeen bounds how many proofs of one span are remembered: some ten megabytes of the worst case.
const maxSeen = 1 << 17

// Memory remembers proofs in this process, in two spans: a proof ends within the span after the one in
// which it was used. So each replica takes a proof once; RFC 9449, section 11.1 allows it, and a thief has
// the same seconds that the window of iat gives. It is safe for concurrent use.
type Memory struct {
	// Span is at least as long as any proof may be used after its first use: Past and Future of the
	// Checker together, and a second. 0 means that of the default window.
	Span time.Duration
	// Limit is how many are remembered in a span; 0 means 131,072.
	Limit int

	mu        sync.Mutex
	start     time.Time
	now, past map[[sha256.Size]byte]struct{}
}

// Use implements Seen. When too many are remembered it returns ErrBusy and remembers nothing.
func (s *Memory) Use(id [sha256.Size]byte, now, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	span := s.Span
	if span == 0 {
		span = DefaultPast + DefaultFuture + time.Second
	}
	// A clock that went back only makes a span longer.
	if s.now == nil || now.Sub(s.start) >= span {
		s.past, s.now, s.start = s.now, map[[sha256.Size]byte]struct{}{}, now
	}
	_, inNow := s.now[id]
	_, inPast := s.past[id]
	if inNow || inPast {
		return ErrProof
	}
	limit := s.Limit
	if limit == 0 {
		limit = maxSeen
	}
	if len(s.now) >= limit {
		return ErrBusy
	}
	s.now[id] = struct{}{}
	return nil
}
