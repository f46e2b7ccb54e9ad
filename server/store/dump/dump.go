// Package dump copies all rows of a store, whatever its engine: to another store, or to a file and back. Tables lists what is copied. An
// engine offers its rows as a Snapshot and takes rows as a Sink; the package itself knows no SQL.
//
// A new table or column belongs in Tables, or moves and backups would lose it: a test fails until it is there.
package dump

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// ErrNotEmpty is returned when the store to write to has rows.
var ErrNotEmpty = errors.New("the database to write to is not empty")

// ErrDiffers is returned when the rows that were written are not those that were read.
var ErrDiffers = errors.New("the copy differs from the original")

// Row is a row of a Table: a value for each of its columns, of the type that its Kind says.
type Row []any

// Source yields the rows of all tables, in the order of Tables. It calls begin before the rows of each table. last is the highest number
// that a Counted table has given to a row so far, which may be deleted. Each returns the errors of begin and row unchanged.
type Source interface {
	Each(ctx context.Context, begin func(t Table, last int64) error, row func(t Table, r Row) error) error
}

// Snapshot is a view of a store that does not change while it is read.
type Snapshot interface {
	// Last returns the highest number that a Counted table has given to a row.
	Last(ctx context.Context, t Table) (int64, error)
	// Rows calls row with each row of a table.
	Rows(ctx context.Context, t Table, row func(Row) error) error
}

// Sink takes rows in one transaction, which its engine commits at the end. A Sink is a Snapshot of what it has taken.
type Sink interface {
	Snapshot
	// Insert writes rows.
	Insert(ctx context.Context, t Table, rows []Row) error
	// SetLast makes a Counted table give only higher numbers from now on.
	SetLast(ctx context.Context, t Table, last int64) error
	// Fit replaces values that the engine cannot store by those that it stores instead, and reports whether there were any.
	Fit(t Table, r Row) bool
}

// Digest is a summary of the rows of a table. It does not depend on their order.
type Digest struct {
	Rows int64             `cbor:"rows"`
	Sum  [sha256.Size]byte `cbor:"sum"`
}

// add adds a row.
func (d *Digest) add(r Row) error {
	b, err := cbor.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode row: %w", err)
	}
	sum := sha256.Sum256(b)
	for i := range d.Sum {
		d.Sum[i] ^= sum[i] // no row occurs twice
	}
	d.Rows++
	return nil
}

// Digests are the digests of tables by name.
type Digests map[string]Digest

// Rows returns the number of rows of all tables.
func (ds Digests) Rows() (n int64) {
	for _, d := range ds {
		n += d.Rows
	}
	return n
}

// Compare returns an error that wraps ErrDiffers and names a table whose digest is another, or nil.
func (ds Digests) Compare(others Digests) error {
	for _, t := range Tables() {
		a, b := ds[t.Name], others[t.Name]
		if a != b {
			return fmt.Errorf("%w: table %s has %d rows and should have %d, or the content of a row is another", ErrDiffers, t.Name, b.Rows, a.Rows)
		}
	}
	return nil
}

// of is a Snapshot as a Source.
type of struct{ s Snapshot }

// Of returns all rows of a snapshot.
func Of(s Snapshot) Source { return of{s} }

func (o of) Each(ctx context.Context, begin func(Table, int64) error, row func(Table, Row) error) error {
	for _, t := range Tables() {
		var last int64
		var err error
		if t.Counted {
			if last, err = o.s.Last(ctx, t); err != nil {
				return err
			}
		}
		if err := begin(t, last); err != nil {
			return err
		}
		if err := o.s.Rows(ctx, t, func(r Row) error { return row(t, r) }); err != nil {
			return err
		}
	}
	return nil
}

// Bounds of the rows that a Sink takes at once.
const (
	batchRows  = 1000
	batchBytes = 8 << 20
)

// Progress is called periodically with the table that is being copied and the number of its rows so far.
type Progress func(table string, rows int64)

// Result is what Copy did.
type Result struct {
	Rows     Digests
	Replaced int64 // rows with values that the engine cannot store: see Sink.Fit
}

// Copy writes all rows of a source to a sink and compares what the sink then has with what it was given. After an error the caller must
// roll the sink back. progress may be nil.
func Copy(ctx context.Context, from Source, to Sink, progress Progress) (Result, error) {
	if err := empty(ctx, to); err != nil {
		return Result{}, err
	}
	c := &copying{to: to, progress: progress, done: Result{Rows: Digests{}}}
	err := from.Each(ctx,
		func(t Table, last int64) error { return c.begin(ctx, t, last) },
		func(t Table, r Row) error { return c.row(ctx, t, r) })
	if err == nil {
		err = c.flush(ctx)
	}
	if err != nil {
		return Result{}, err
	}
	stored, err := Sum(ctx, Of(to), nil)
	if err != nil {
		return Result{}, fmt.Errorf("read the copy: %w", err)
	}
	if err := c.done.Rows.Compare(stored); err != nil {
		return Result{}, err
	}
	return c.done, nil
}

// Sum reads all rows of a source and returns their digests. fit, if not nil, is applied to each row before.
func Sum(ctx context.Context, from Source, fit func(Table, Row) bool) (Digests, error) {
	ds := Digests{}
	err := from.Each(ctx, func(Table, int64) error { return nil }, func(t Table, r Row) error {
		if fit != nil {
			fit(t, r)
		}
		d := ds[t.Name]
		err := d.add(r)
		ds[t.Name] = d
		return err
	})
	return ds, err
}

// empty returns an error that wraps ErrNotEmpty if a table has a row.
func empty(ctx context.Context, s Snapshot) error {
	stop := errors.New("a row")
	for _, t := range Tables() {
		switch err := s.Rows(ctx, t, func(Row) error { return stop }); {
		case errors.Is(err, stop):
			return fmt.Errorf("%w: table %s has rows", ErrNotEmpty, t.Name)
		case err != nil:
			return err
		}
	}
	return nil
}

// copying is the state of Copy.
type copying struct {
	to       Sink
	progress Progress
	done     Result
	table    Table
	batch    []Row
	size     int
}

func (c *copying) begin(ctx context.Context, t Table, last int64) error {
	if err := c.flush(ctx); err != nil {
		return err
	}
	c.table = t
	if !t.Counted {
		return nil
	}
	return c.to.SetLast(ctx, t, last)
}

func (c *copying) row(ctx context.Context, t Table, r Row) error {
	if c.to.Fit(t, r) {
		c.done.Replaced++
	}
	d := c.done.Rows[t.Name]
	if err := d.add(r); err != nil {
		return err
	}
	c.done.Rows[t.Name] = d
	c.batch = append(c.batch, r)
	for _, v := range r {
		switch v := v.(type) {
		case string:
			c.size += len(v)
		case []byte:
			c.size += len(v)
		}
	}
	if len(c.batch) < batchRows && c.size < batchBytes {
		return nil
	}
	return c.flush(ctx)
}

// flush writes the rows that wait.
func (c *copying) flush(ctx context.Context) error {
	if len(c.batch) == 0 {
		return nil
	}
	if err := c.to.Insert(ctx, c.table, c.batch); err != nil {
		return fmt.Errorf("write table %s: %w", c.table.Name, err)
	}
	c.batch, c.size = nil, 0
	if c.progress != nil {
		c.progress(c.table.Name, c.done.Rows[c.table.Name].Rows)
	}
	return nil
}
