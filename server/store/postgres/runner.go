package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// conn is the common interface of a connection pool and a transaction.
type conn interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// runner runs statements on the pool of a DB or inside one transaction. Each interface of package store is implemented by a type that
// consists of a runner, so the same code runs outside a transaction and inside one.
type runner struct {
	on      conn
	turns   *turns
	guarded bool     // a statement that writes outside a transaction takes the turn
	tx      *outcome // nil on the pool
	seen    *rows.Observed
}

// outcome is what a transaction has learned.
type outcome struct{ again bool } // the server has ended it, and it may succeed if it is run again

// attempts is how often a transaction is run before its failure is final, and pause is the upper bound of the first wait between two. The
// turns keep transactions that wait for each other apart, so that a second attempt is rare and a third is a sign of trouble.
const (
	attempts = 5
	pause    = 10 * time.Millisecond
)

// statementTime bounds how long a caller waits for one statement, with its connection: a server ends statements by itself (settings.go),
// but one whose network is cut off says nothing.
const statementTime = 15 * time.Second

// rollbackTime bounds a rollback, whose caller's context may have ended.
const rollbackTime = 5 * time.Second

// inTx runs f in the open transaction, or in a new one with a turn if none is open. If f fails, a new transaction is rolled back and the
// error is returned unchanged. If the server ends the transaction because of a deadlock, f is called again.
func (d *runner) inTx(ctx context.Context, t turn, f func(tx *runner) error) error {
	if d.tx != nil {
		return f(d)
	}
	ended := d.seen.Transaction(ctx)
	err := retry(ctx, func() (again bool, err error) { return d.attempt(ctx, t, f) })
	ended(err)
	return err
}

// retry calls f until it says that there is no need to, or has failed too often.
func retry(ctx context.Context, f func() (again bool, err error)) error {
	for n := range attempts {
		again, err := f()
		if !again || n == attempts-1 {
			return err
		}
		// The wait is random, so that those that were in each other's way do not meet again.
		wait := time.NewTimer(rand.N(pause << n)) //nolint:gosec // no secret
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return err
		}
	}
	return nil // not reached
}

// attempt runs f once in a new transaction, and reports whether it may succeed if it is run again.
func (d *runner) attempt(ctx context.Context, t turn, f func(tx *runner) error) (again bool, err error) {
	tx, leave, err := d.turns.take(ctx, t)
	if err != nil {
		return false, translate(err, "begin")
	}
	defer leave()
	defer func() { // after Commit it does nothing
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
		defer cancel()
		_ = tx.Rollback(ctx) // the first error counts, and the pool drops a connection that is not at rest
	}()
	run := &runner{on: tx, turns: d.turns, tx: &outcome{}, seen: d.seen}
	if err := f(run); err != nil {
		return run.tx.again, err
	}
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	if err := run.fail(tx.Commit(ctx), "commit"); err != nil {
		return run.tx.again, err
	}
	return false, nil
}

// fail translates the error of a statement, and remembers if the transaction may be run again.
func (d *runner) fail(err error, action string) error {
	err = translate(err, action)
	if f, ok := errors.AsType[*fault](err); ok && d.tx != nil && f.again() {
		d.tx.again = true
	}
	return err
}

// one reads the only row of a query, or returns store.ErrNotFound.
func one[T any](ctx context.Context, d *runner, action string, scan func(rows.Scanner) (T, error), query string, args ...any) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	ended := d.seen.Statement(ctx, action)
	row, err := scan(d.on.QueryRow(ctx, query, storable(args)...))
	err = d.fail(err, action)
	ended(err)
	if err != nil {
		var none T
		return none, err
	}
	return row, nil
}

// each calls read with every row of a query.
func (d *runner) each(ctx context.Context, action string, read func(rows.Scanner) error, query string, args ...any) (err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	ended := d.seen.Statement(ctx, action)
	defer func() { ended(err) }()
	found, err := d.on.Query(ctx, query, storable(args)...)
	if err != nil {
		return d.fail(err, action)
	}
	defer found.Close()
	for found.Next() {
		if err := read(found); err != nil {
			return d.fail(err, action)
		}
	}
	return d.fail(found.Err(), action)
}

// all reads every row of a query.
func all[T any](ctx context.Context, d *runner, action string, scan func(rows.Scanner) (T, error), query string, args ...any) ([]T, error) {
	var out []T
	err := d.each(ctx, action, func(r rows.Scanner) error {
		row, err := scan(r)
		out = append(out, row)
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// count runs a statement and returns the number of rows it changed.
func (d *runner) count(ctx context.Context, action, query string, args ...any) (n int64, err error) {
	if d.tx == nil && d.guarded {
		err = d.inTx(ctx, alone, func(tx *runner) error {
			n, err = tx.count(ctx, action, query, args...)
			return err
		})
		return n, err
	}
	run := func() (again bool, err error) {
		ctx, cancel := context.WithTimeout(ctx, statementTime)
		defer cancel()
		ended := d.seen.Statement(ctx, action)
		tag, err := d.on.Exec(ctx, query, storable(args)...)
		n, err = tag.RowsAffected(), d.fail(err, action)
		ended(err)
		f, ok := errors.AsType[*fault](err)
		return ok && f.again(), err
	}
	if d.tx != nil { // the transaction as a whole is run again
		_, err = run()
		return n, err
	}
	return n, retry(ctx, run)
}

// exec runs a statement.
func (d *runner) exec(ctx context.Context, action, query string, args ...any) error {
	_, err := d.count(ctx, action, query, args...)
	return err
}

// must runs a statement that must change a row, and returns store.ErrNotFound if it changes none.
func (d *runner) must(ctx context.Context, action, query string, args ...any) error {
	n, err := d.count(ctx, action, query, args...)
	if err == nil && n == 0 {
		err = translate(store.ErrNotFound, action)
	}
	return err
}

// mustEither runs two statements with the same parameters, and returns store.ErrNotFound if neither changes a row. It must be called in a
// transaction.
func (d *runner) mustEither(ctx context.Context, action, first, second string, args ...any) error {
	n, err := d.count(ctx, action, first, args...)
	switch {
	case err != nil:
		return err
	case n > 0:
		return d.exec(ctx, action, second, args...)
	default:
		return d.must(ctx, action, second, args...)
	}
}

// found tells two reasons apart why a conditional statement has changed no row: it returns store.ErrConflict if query finds a row, and
// store.ErrNotFound if it does not.
func (d *runner) found(ctx context.Context, action, query string, args ...any) error {
	_, err := one(ctx, d, action, rows.Value[int], query, args...)
	if err == nil {
		err = translate(store.ErrConflict, action)
	}
	return err
}

// update reads the row that query finds, calls change with it, and runs the statement that keep returns for the old and the new row: its
// columns and parameters determine what may change. It returns the row as stored.
func update[T any](
	ctx context.Context, d *runner, action string, scan func(rows.Scanner) (T, error), query, id string, change func(*T) error,
	keep func(old T, next *T) (statement string, args []any),
) (T, error) {
	var next T
	err := d.inTx(ctx, alone, func(tx *runner) error {
		// The row is read twice: change gets its own lists and maps, so that writing into them cannot affect old.
		twice := func(r rows.Scanner) (old T, err error) {
			if old, err = scan(r); err == nil {
				next, err = scan(r)
			}
			return old, err
		}
		found, err := all(ctx, tx, action, twice, query, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%s: %w", action, store.ErrNotFound)
		}
		if err := change(&next); err != nil {
			return err
		}
		statement, args := keep(found[0], &next)
		return tx.must(ctx, action, statement, args...)
	})
	if err != nil {
		var none T
		return none, err
	}
	return next, nil
}
