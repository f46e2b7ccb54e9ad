package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/formgraph/formgraph/server/store"
)

// access implements store.Access, on the pools of a DB or inside of one transaction.
type access struct{ *runner }

// inTx runs f in the transaction that is open, or else in a new one: no other writer comes between its
// reads and its writes. An error of f rolls back a new one and is returned as it is.
func (d *access) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	return d.runner.inTx(ctx, func(tx *runner) error { return f(tx.tx) })
}

// update reads a row, calls change with it, and runs the statement that keep returns for the row before and after: its
// statement and parameters name what may change. It returns the row as it is kept.
func update[T any](
	ctx context.Context, d *access, action string, read func(*sql.Tx) (T, error), change func(*T) error,
	keep func(old T, next *T) (statement string, args []any),
) (T, error) {
	var next T
	err := d.inTx(ctx, func(tx *sql.Tx) error {
		old, err := read(tx)
		if err != nil {
			return err
		}
		// change gets lists and maps of its own, so that writing into them cannot reach old.
		if next, err = read(tx); err != nil {
			return err
		}
		if err := change(&next); err != nil {
			return err
		}
		statement, args := keep(old, &next)
		res, err := tx.ExecContext(ctx, statement, args...)
		if err != nil {
			return translate(err, action)
		}
		return affected(res, action, store.ErrNotFound)
	})
	if err != nil {
		var none T
		return none, err
	}
	return next, nil
}

// exec runs one statement for each list of parameters, in a transaction.
func exec(ctx context.Context, tx *sql.Tx, action, statement string, lists ...[]any) error {
	for _, args := range lists {
		if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
			return translate(err, action)
		}
	}
	return nil
}

// affected returns none, wrapped, when a statement touched no row.
func affected(res sql.Result, action string, none error) error {
	n, err := res.RowsAffected()
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	if n == 0 {
		return fmt.Errorf("%s: %w", action, none)
	}
	return nil
}
