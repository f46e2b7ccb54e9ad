package store

import (
	"context"
	"time"
)

// ProofMargin is how long a proof is kept after its end. The clocks of replicas differ: a replica whose clock is ahead must not forget a
// proof that another still accepts.
const ProofMargin = time.Minute

// Proofs records the proofs of possession that have been used. RFC 9449, section 11.1.
type Proofs interface {
	// UseProof records the use of a proof and reports whether it was the first. Nobody accepts the proof after end. Each call may delete a
	// few rows whose end plus ProofMargin has passed, so expired rows do not accumulate. It is safe for concurrent use, including by
	// several processes: of two uses at once, one is first. After an error the result is unknown, and the proof must not be accepted.
	UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error)
}
