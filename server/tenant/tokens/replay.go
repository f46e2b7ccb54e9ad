package tokens

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxSeen bounds how many proofs of one span are remembered: some ten megabytes of the worst case,
// and above what the rate limits of thirty busy clients let through.
const maxSeen = 1 << 17

// replays remembers the proofs that were used, in two spans of proofLife: a proof lives shorter than
// the span in which it is found again. Its zero value is ready and safe for concurrent use. It lives
// in memory, so each replica takes a proof once: RFC 9449, section 11.1 allows it, and a row a request
// in the database was not worth it. A thief has the same seconds that the window of iat gives.
type replays struct {
	mu        sync.Mutex
	start     time.Time
	now, past map[[sha256.Size]byte]struct{}
	limit     int // 0 means maxSeen; smaller in tests
}

// use tells whether the proof jti of a key is used for the first time. When too many are remembered
// it returns ErrBusy and remembers nothing: a proof that cannot be remembered must not be accepted.
func (s *replays) use(key, jti string, now time.Time) error {
	// The thumbprint has a fixed length, so no two pairs make the same text.
	id := sha256.Sum256([]byte(key + jti))
	s.mu.Lock()
	defer s.mu.Unlock()
	// A clock that went back only makes a span longer.
	if s.now == nil || now.Sub(s.start) >= proofLife {
		s.past, s.now, s.start = s.now, map[[sha256.Size]byte]struct{}{}, now
	}
	_, inNow := s.now[id]
	_, inPast := s.past[id]
	if inNow || inPast {
		return ErrProof
	}
	limit := s.limit
	if limit == 0 {
		limit = maxSeen
	}
	if len(s.now) >= limit {
		return ErrBusy
	}
	s.now[id] = struct{}{}
	return nil
}
