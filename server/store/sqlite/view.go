package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/internal/migrating"
)

// View is an open database file that is neither migrated nor changed. It is safe for concurrent use.
type View struct {
	pool  *sql.DB
	alone *sql.Conn // in a transaction that excludes other writers; nil if there is none
}

// OpenView opens the file at path, which must exist; others may use it meanwhile. It does not compare versions: see Version.
func OpenView(ctx context.Context, path string) (*View, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	u.RawQuery = fmt.Sprintf("mode=rw&_pragma=query_only(1)&_pragma=busy_timeout(%d)", busyTimeout.Milliseconds())
	pool, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), pool.Close())
	}
	return &View{pool: pool}, nil
}

// Close closes the file.
func (v *View) Close() error {
	var err error
	if v.alone != nil {
		err = v.alone.Close() // the connection is closed with the pool, which ends its transaction
	}
	return errors.Join(err, v.pool.Close())
}

// Alone keeps other processes from writing until Close. Those that try fail after some seconds.
func (v *View) Alone(ctx context.Context) error {
	conn, err := v.pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("lock the database: %w", err)
	}
	if _, err := conn.ExecContext(ctx, `PRAGMA query_only(0); BEGIN IMMEDIATE`); err != nil {
		return errors.Join(fmt.Errorf("lock the database: %w", err), conn.Close())
	}
	v.alone = conn
	return nil
}

// Engine returns the name and version of SQLite.
func (v *View) Engine(ctx context.Context) (string, error) {
	var version string
	if err := v.pool.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&version); err != nil {
		return "", fmt.Errorf("read the SQLite version: %w", err)
	}
	return "SQLite " + version, nil
}

// Version returns an error that wraps store.ErrNewer, store.ErrOlder or store.ErrNoTables if the tables are not those of this program.
func (v *View) Version(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	var version int64
	err = v.pool.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&version)
	if err == nil && version > 0 {
		err = v.pool.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&version)
	}
	if err != nil {
		return fmt.Errorf("read version of the tables: %w", err)
	}
	return migrating.Compare(files, version)
}

// Snapshot calls read with the rows of one moment. Others may write meanwhile.
func (v *View) Snapshot(ctx context.Context, read func(dump.Snapshot) error) error {
	if err := v.Version(ctx); err != nil {
		return err
	}
	tx, err := v.pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	return read(copied{tx})
}

// Load calls write with a Sink, and commits what it has taken if write succeeds.
func (d *DB) Load(ctx context.Context, write func(dump.Sink) error) error {
	return d.inTx(ctx, func(tx *runner) error { return write(copied{tx.tx}) })
}

// copied is a transaction as a dump.Sink.
type copied struct{ tx *sql.Tx }

// Last implements dump.Snapshot.
func (c copied) Last(ctx context.Context, t dump.Table) (last int64, err error) {
	err = c.tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = ?`, t.Name).Scan(&last)
	return last, translate(err, "read numbers of "+t.Name)
}

// Rows implements dump.Snapshot.
func (c copied) Rows(ctx context.Context, t dump.Table, row func(dump.Row) error) error {
	names, order := strings.Join(t.Names(), ", "), strings.Join(t.Key, ", ")
	query := `SELECT ` + names + ` FROM ` + t.Name + ` ORDER BY ` + order //nolint:gosec // names of the program
	found, err := c.tx.QueryContext(ctx, query)
	if err != nil {
		return translate(err, "read table "+t.Name)
	}
	defer found.Close() //nolint:errcheck // Err reports everything that went wrong
	for found.Next() {
		r, err := t.Scan(found)
		if err != nil {
			return err
		}
		if err := row(r); err != nil {
			return err
		}
	}
	return translate(found.Err(), "read table "+t.Name)
}

// Insert implements dump.Sink. Triggers write what is derived from the rows.
func (c copied) Insert(ctx context.Context, t dump.Table, rows []dump.Row) error {
	marks := strings.TrimPrefix(strings.Repeat(", ?", len(t.Columns)), ", ")
	names := strings.Join(t.Names(), ", ")
	statement := `INSERT INTO ` + t.Name + ` (` + names + `) VALUES (` + marks + `)` //nolint:gosec // names of the program
	into, err := c.tx.PrepareContext(ctx, statement)
	if err != nil {
		return translate(err, "write rows")
	}
	defer into.Close() //nolint:errcheck // nothing is lost
	for _, r := range rows {
		if _, err := into.ExecContext(ctx, r...); err != nil {
			return translate(err, "write a row")
		}
	}
	return nil
}

// SetLast implements dump.Sink.
func (c copied) SetLast(ctx context.Context, t dump.Table, last int64) error {
	for _, statement := range []string{
		`DELETE FROM sqlite_sequence WHERE name = ?1`, `INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)`,
	} {
		if _, err := c.tx.ExecContext(ctx, statement, t.Name, last); err != nil {
			return translate(err, "write numbers of "+t.Name)
		}
	}
	return nil
}

// Fit implements dump.Sink: SQLite stores all values.
func (c copied) Fit(dump.Table, dump.Row) bool { return false }
