package sqlite

import (
	"context"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// The statements of UseProof. Each new row deletes up to two ended ones, so ended rows never accumulate and no request waits for many
// deletions.
const (
	forgetProofs = `DELETE FROM proofs WHERE id IN (SELECT id FROM proofs WHERE ends < ? LIMIT ?)`
	insertProof  = `INSERT INTO proofs (id, ends) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`
)

// proofTime bounds one commit of a batch: a caller that waits for it must get an answer.
const proofTime = 5 * time.Second

// proofs implements store.Proofs. It batches uses of proofs: a commit waits for the disk, some hundred times longer than inserting a row
// takes, so the uses that arrive during a commit share the next one.
type proofs struct {
	*runner

	mu      sync.Mutex
	waiting []*proofUse
	// turn is held by the caller that commits. A caller that acquires it may find that another has already committed its use.
	turn sync.Mutex
}

// proofUse is one use; done, first and err belong to the goroutine that holds turn.
type proofUse struct {
	id       []byte
	now, end time.Time
	done     bool
	first    bool
	err      error
}

func (d *proofs) UseProof(ctx context.Context, id []byte, now, end time.Time) (first bool, err error) {
	u := &proofUse{id: id, now: now, end: end}
	d.mu.Lock()
	d.waiting = append(d.waiting, u)
	d.mu.Unlock()
	d.turn.Lock()
	defer d.turn.Unlock()
	if !u.done {
		d.mu.Lock()
		batch := d.waiting
		d.waiting = nil
		d.mu.Unlock()
		// The batch contains uses of others, which must not end when this client leaves.
		shared, cancel := context.WithTimeout(context.WithoutCancel(ctx), proofTime)
		defer cancel()
		err := d.commit(shared, batch)
		for _, u := range batch {
			u.done, u.first, u.err = true, u.first && err == nil, err
		}
	}
	return u.first, u.err
}

// commit records uses in one transaction; if two are of the same proof, the earlier one in the batch is first.
func (d *proofs) commit(ctx context.Context, batch []*proofUse) error {
	return d.inTx(ctx, func(tx *runner) error {
		ended := rows.Millis(batch[0].now.Add(-store.ProofMargin))
		if err := tx.exec(ctx, "forget proofs", forgetProofs, ended, 2*len(batch)); err != nil {
			return err
		}
		for _, u := range batch {
			n, err := tx.count(ctx, "use proof", insertProof, u.id, rows.Millis(u.end))
			if err != nil {
				return err
			}
			u.first = n == 1
		}
		return nil
	})
}
