package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/formgraph/formgraph/server/store"
)

// conn is what a pool of connections and a transaction have in common.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// access implements store.Access, on the pools of a DB or inside of one transaction.
type access struct {
	read, write conn // the transaction, inside of one
	begin       func(context.Context) (*sql.Tx, error)
	tx          *sql.Tx // nil on pools
	kept        *prepared
}

// InTx implements store.Administration.
func (d *DB) InTx(ctx context.Context, f func(store.Access) error) error {
	return d.inTx(ctx, func(tx *sql.Tx) error { return f(&access{read: tx, write: tx, tx: tx, kept: d.kept}) })
}

// inTx runs f in the transaction that is open, or else in a new one: no other writer comes between its
// reads and its writes. An error of f rolls back a new one and is returned as it is.
func (d *access) inTx(ctx context.Context, f func(*sql.Tx) error) error {
	if d.tx != nil {
		return f(d.tx)
	}
	tx, err := d.begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing, before it the first error counts
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// one reads one row.
func (d *access) one(ctx context.Context, s statement, args ...any) *sql.Row {
	if d.tx != nil {
		return d.tx.StmtContext(ctx, s.tx).QueryRowContext(ctx, args...)
	}
	return s.read.QueryRowContext(ctx, args...)
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
