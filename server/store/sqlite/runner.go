package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// conn is the common interface of a connection pool and a transaction.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// statement is a prepared statement on each of the two pools, which close it. It holds no snapshot: once its rows are
// closed, the next use reads everything committed before, including by other processes.
type statement struct{ read, write *sql.Stmt }

// runner runs statements on the pools of a DB or inside one transaction. Each interface of package store is implemented
// by a type that consists of a runner, so the same code runs outside a transaction and inside one.
type runner struct {
	read, write conn    // both are tx inside a transaction
	tx          *sql.Tx // nil on pools
	begin       func(context.Context) (tx *sql.Tx, end func(), err error)
	patience    time.Duration        // how long a write outside a transaction may take; normally writeTime
	prepared    map[string]statement // by their query text
	inside      map[string]*sql.Stmt // the statements of prepared that tx has used; a transaction belongs to one goroutine
	seen        *rows.Observed
}

// inTx runs f in the open transaction, or in a new one if none is open. No other writer comes between the reads and the writes of f. If f
// fails, a new transaction is rolled back and the error is returned unchanged.
func (d *runner) inTx(ctx context.Context, f func(tx *runner) error) (err error) {
	if d.tx != nil {
		return f(d)
	}
	ended := d.seen.Transaction(ctx)
	defer func() { ended(err) }()
	tx, end, err := d.begin(ctx)
	if err != nil {
		return translate(err, "begin")
	}
	defer end()
	defer tx.Rollback() //nolint:errcheck // after Commit it does nothing, before it the first error counts
	if err := f(&runner{read: tx, write: tx, tx: tx, prepared: d.prepared, seen: d.seen}); err != nil {
		return err
	}
	return translate(tx.Commit(), "commit")
}

// stmt returns the prepared statement of a query on one of the pools or in the transaction, or nil if the query is not prepared.
func (d *runner) stmt(ctx context.Context, query string, pool func(statement) *sql.Stmt) *sql.Stmt {
	if s := d.inside[query]; s != nil {
		return s
	}
	s, ok := d.prepared[query]
	if !ok {
		return nil
	}
	if d.tx == nil {
		return pool(s)
	}
	if d.inside == nil {
		d.inside = map[string]*sql.Stmt{}
	}
	d.inside[query] = d.tx.StmtContext(ctx, s.write)
	return d.inside[query]
}

// row reads one row.
func (d *runner) row(ctx context.Context, query string, args ...any) *sql.Row {
	if s := d.stmt(ctx, query, func(s statement) *sql.Stmt { return s.read }); s != nil {
		return s.QueryRowContext(ctx, args...)
	}
	return d.read.QueryRowContext(ctx, query, args...)
}

// one reads the only row of a query, or returns store.ErrNotFound.
func one[T any](ctx context.Context, d *runner, action string, scan func(rows.Scanner) (T, error), query string, args ...any) (T, error) {
	ended := d.seen.Statement(ctx, action)
	row, err := scan(d.row(ctx, query, args...))
	err = translate(err, action)
	ended(err)
	if err != nil {
		var none T
		return none, err
	}
	return row, nil
}

// each calls read with every row of a query.
func (d *runner) each(ctx context.Context, action string, read func(rows.Scanner) error, query string, args ...any) (err error) {
	ended := d.seen.Statement(ctx, action)
	defer func() { ended(err) }()
	found, err := d.read.QueryContext(ctx, query, args...)
	if err != nil {
		return translate(err, action)
	}
	defer found.Close() //nolint:errcheck // Err reports everything that went wrong
	for found.Next() {
		if err := read(found); err != nil {
			return translate(err, action)
		}
	}
	return translate(found.Err(), action)
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
	ended := d.seen.Statement(ctx, action)
	defer func() { ended(err) }()
	var res sql.Result
	if d.tx == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, d.patience, errWait)
		defer cancel()
	}
	if s := d.stmt(ctx, query, func(s statement) *sql.Stmt { return s.write }); s != nil {
		res, err = s.ExecContext(ctx, args...)
	} else {
		res, err = d.write.ExecContext(ctx, query, args...)
	}
	if err != nil {
		return 0, translate(waited(ctx, err), action)
	}
	n, err = res.RowsAffected()
	return n, translate(err, action)
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

// execEach runs a statement once for each list of parameters. It must be called in a transaction.
func (d *runner) execEach(ctx context.Context, action, query string, lists ...[]any) error {
	for _, args := range lists {
		if err := d.exec(ctx, action, query, args...); err != nil {
			return err
		}
	}
	return nil
}

// execAll runs statements with the same parameters in one transaction.
func (d *runner) execAll(ctx context.Context, action string, statements []string, args ...any) error {
	return d.inTx(ctx, func(tx *runner) error {
		for _, s := range statements {
			if err := tx.exec(ctx, action, s, args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// update reads a row, calls change with it, and runs the statement that keep returns for the old and the new row: its columns and
// parameters determine what may change. It returns the row as stored.
func update[T any](
	ctx context.Context, d *runner, action string, read func(tx *runner) (T, error), change func(*T) error,
	keep func(old T, next *T) (statement string, args []any),
) (T, error) {
	var next T
	err := d.inTx(ctx, func(tx *runner) error {
		old, err := read(tx)
		if err != nil {
			return err
		}
		// change gets its own lists and maps, so that writing into them cannot affect old.
		if next, err = read(tx); err != nil {
			return err
		}
		if err := change(&next); err != nil {
			return err
		}
		statement, args := keep(old, &next)
		return tx.must(ctx, action, statement, args...)
	})
	if err != nil {
		var none T
		return none, err
	}
	return next, nil
}
