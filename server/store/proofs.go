package store

import (
	"context"
	"time"
)

// ProofMargin is how long a proof is kept after its end. The clocks of replicas differ: one whose clock is ahead must not
// forget what another still accepts.
const ProofMargin = time.Minute

// Proofs remembers which proofs of possession were used. RFC 9449, section 11.1.
type Proofs interface {
	// UseProof records that a proof was used and reports whether that was the first time. Nobody accepts it after end. Each
	// call may delete a few rows whose end and ProofMargin have passed, so there are never more rows than are in use. It is
	// safe for concurrent use, also by several processes: of two at once one is first. After an error the result is unknown,
	// and the proof must not be accepted.
	UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error)
}
