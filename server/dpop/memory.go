package dpop

import (
	"context"
	"crypto/sha256"
	"math"
	"sync"
	"time"
)

// maxSeen bounds how many proofs are remembered: about fifteen megabytes in the worst case.
const maxSeen = 1 << 17

// Memory remembers proofs in this process, so each replica accepts a proof once. RFC 9449, section 11.1 allows that, and it gives a thief
// no more time than the window of iat does.
//
// When it is full, it forgets the proofs that end first, and from then on refuses every proof that ends at the same time. So it never
// accepts a proof twice, and a client that fills it only shortens the time within which the proofs of others must arrive. It is safe for
// concurrent use.
type Memory struct {
	// Limit is how many proofs are remembered; 0 means 131,072.
	Limit int

	mu    sync.Mutex
	used  map[[sha256.Size]byte]struct{}
	ends  map[int64][][sha256.Size]byte // the proofs of used by the second of their end
	gone  spans                         // the ends of the proofs that were forgotten
	swept int64                         // the second at which ended proofs were last forgotten
}

// Use implements Seen. It returns ErrBusy for a proof that ends as early as a forgotten one.
func (s *Memory) Use(_ context.Context, id [sha256.Size]byte, now, end time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used == nil {
		s.used, s.ends = map[[sha256.Size]byte]struct{}{}, map[int64][][sha256.Size]byte{}
	}
	s.sweep(now.Unix())
	// Another proof with the same ID is refused too, even if it ends at another time.
	if _, used := s.used[id]; used {
		return replayed
	}
	second := end.Unix()
	limit := s.Limit
	if limit == 0 {
		limit = maxSeen
	}
	if len(s.used) >= limit {
		if first := s.first(); first < second {
			s.forget(first)
		} else {
			return ErrBusy
		}
	}
	if s.gone.contain(second) {
		return ErrBusy
	}
	s.used[id] = struct{}{}
	s.ends[second] = append(s.ends[second], id)
	return nil
}

// sweep forgets the proofs that have ended, at most once a second.
func (s *Memory) sweep(now int64) {
	if s.swept == now {
		return
	}
	s.swept = now
	for second := range s.ends {
		if second < now {
			s.forget(second)
		}
	}
}

// first returns the earliest end of the remembered proofs.
func (s *Memory) first() int64 {
	first := int64(math.MaxInt64)
	for second := range s.ends {
		first = min(first, second)
	}
	return first
}

// forget removes the proofs that end at a given second. Proofs that end at that second are refused from now on, even if the clock is set
// back.
func (s *Memory) forget(second int64) {
	for _, id := range s.ends[second] {
		delete(s.used, id)
	}
	delete(s.ends, second)
	s.gone = s.gone.with(second)
}
