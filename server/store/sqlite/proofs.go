package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// The statements of UseProof. Two rows go for each that comes, so those that ended never pile up and no
// request waits for many to be deleted.
const (
	forgetProofs = `DELETE FROM proofs WHERE id IN (SELECT id FROM proofs WHERE ends < ? LIMIT ?)`
	insertProof  = `INSERT INTO proofs (id, ends) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`
)

// proofTime bounds one commit of a batch: a caller that waits for it must get an answer.
const proofTime = 5 * time.Second

// proofQueue brings uses of proofs together: a commit waits for the disk, some hundred times longer than it
// takes to insert a row, so those that come while one waits share the next.
type proofQueue struct {
	mu      sync.Mutex
	waiting []*proofUse
	// turn is held by the caller that commits. A caller that gets it may find that another has committed its use.
	turn sync.Mutex
}

// proofUse is one use; done, first and err belong to the goroutine that has the turn.
type proofUse struct {
	id       []byte
	now, end time.Time
	done     bool
	first    bool
	err      error
}

// UseProof implements store.Proofs.
func (d *DB) UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error) {
	u, q := &proofUse{id: id, now: now, end: end}, &d.proofs
	q.mu.Lock()
	q.waiting = append(q.waiting, u)
	q.mu.Unlock()
	q.turn.Lock()
	defer q.turn.Unlock()
	if !u.done {
		q.mu.Lock()
		batch := q.waiting
		q.waiting = nil
		q.mu.Unlock()
		// Others' uses are in it, which do not end when this client leaves.
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTime)
		defer cancel()
		err := d.useProofs(shared, batch)
		for _, u := range batch {
			u.done, u.first, u.err = true, u.first && err == nil, err
		}
	}
	return u.first, u.err
}

// useProofs notes uses in one transaction; in its order one of two of the same proof is first.
func (d *DB) useProofs(ctx context.Context, batch []*proofUse) error {
	return d.inTx(ctx, func(tx *sql.Tx) error {
		ended := millis(batch[0].now.Add(-store.ProofMargin))
		if _, err := tx.StmtContext(ctx, d.kept.forgetProofs).ExecContext(ctx, ended, 2*len(batch)); err != nil {
			return translate(err, "forget proofs")
		}
		insert := tx.StmtContext(ctx, d.kept.insertProof)
		for _, u := range batch {
			res, err := insert.ExecContext(ctx, u.id, millis(u.end))
			if err != nil {
				return translate(err, "use proof")
			}
			n, err := res.RowsAffected()
			if err != nil {
				return translate(err, "use proof")
			}
			u.first = n == 1
		}
		return nil
	})
}
