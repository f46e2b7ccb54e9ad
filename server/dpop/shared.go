package dpop

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"
)

// sharedTime bounds how long a request waits until its proof is stored. A store that takes longer is down.
const sharedTime = 5 * time.Second

// Rows stores used proofs for all replicas. The engines of package store implement it.
type Rows interface {
	// UseProof records the use of a proof and reports whether it was the first; the proof is not accepted after end. Of two concurrent
	// uses, in any processes, one is first. After an error the result is unknown.
	UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error)
}

// Shared remembers proofs in a store, so that all replicas together accept each once. A Memory of this process in front of the store
// detects a replay at the same replica without a write. Shared is safe for concurrent use as long as its fields do not change.
type Shared struct {
	Memory

	Rows Rows
	// Name is the name of the server that accepts the proofs. It keeps apart the proofs of two servers over one store, to which a client
	// may have given the same ID.
	Name string
}

// Use implements Seen. It returns ErrBusy if the memory is full or the store fails: the proof then counts as used, and its client must make
// another.
func (s *Shared) Use(ctx context.Context, id [sha256.Size]byte, now, end time.Time) error {
	if err := s.Memory.Use(ctx, id, now, end); err != nil {
		return err
	}
	// A stored proof stays stored even if its client leaves.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sharedTime)
	defer cancel()
	// The ID has a fixed length, so no two pairs make the same text.
	row := sha256.Sum256(append(id[:], s.Name...))
	first, err := s.Rows.UseProof(ctx, row[:], now, end)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case !first:
		return replayed
	}
	return nil
}
