package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// proofs implements store.Proofs. The server writes the commits of several connections to the disk as one, so uses need no batches.
type proofs struct{ *runner }

// UseProof implements store.Proofs. Each new row deletes up to two ended ones, so ended rows never accumulate and no request waits for
// many deletions.
func (d proofs) UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error) {
	n, err := d.count(ctx, "use proof", `WITH ended AS (DELETE FROM proofs WHERE id IN
			(SELECT id FROM proofs WHERE ends < $3 AND id <> $1 ORDER BY ends LIMIT 2 FOR UPDATE SKIP LOCKED))
		INSERT INTO proofs (id, ends) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
		id, rows.Millis(end), rows.Millis(now.Add(-store.ProofMargin)))
	return n == 1, err
}
