package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/internal/migrating"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// View is a connection to a database that migrates nothing and changes no row. It serves one caller at a time.
type View struct {
	conn     *pgx.Conn
	readOnly bool // transactions are, by the settings of the server
}

// OpenView connects to the database at url. It does not compare versions: see Version. Others may use the database meanwhile.
func OpenView(ctx context.Context, url string) (*View, error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return nil, err
	}
	v := &View{conn: conn}
	err = conn.QueryRow(ctx, `SELECT current_setting('default_transaction_read_only')::bool`).Scan(&v.readOnly)
	if err == nil {
		_, err = conn.Exec(ctx, `SET default_transaction_read_only = on`)
	}
	if err != nil {
		return nil, errors.Join(translate(err, "open database"), v.Close())
	}
	return v, nil
}

// connect opens one connection without limits of time: copying takes as long as it takes.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := parse(url)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	unlimited(config.ConnConfig)
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, translate(err, fmt.Sprintf("open database %s at %s", config.ConnConfig.Database, config.ConnConfig.Host))
	}
	return conn, nil
}

// Close closes the connection.
func (v *View) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), rollbackTime)
	defer cancel()
	return v.conn.Close(ctx)
}

// Alone locks the database against all other users until Close. It returns store.ErrInUse if the database is in use.
func (v *View) Alone(ctx context.Context) error { return useAlone(ctx, v.conn) }

// Engine returns the name and version of the server, without the suffix that names its package.
func (v *View) Engine(ctx context.Context) (string, error) {
	var version string
	if err := v.conn.QueryRow(ctx, `SHOW server_version`).Scan(&version); err != nil {
		return "", translate(err, "read the server version")
	}
	version, _, _ = strings.Cut(version, " ")
	return "PostgreSQL " + version, nil
}

// Version returns an error that wraps store.ErrNewer, store.ErrOlder or store.ErrNoTables if the tables are not those of this program.
func (v *View) Version(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	var version int64
	err = v.conn.QueryRow(ctx, `SELECT count(to_regclass('goose_db_version'))`).Scan(&version)
	if err == nil && version > 0 {
		err = v.conn.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version`).Scan(&version)
	}
	if err != nil {
		return translate(err, "read version of the tables")
	}
	return migrating.Compare(files, version)
}

// Snapshot calls read with the rows of one moment. Others may write meanwhile.
func (v *View) Snapshot(ctx context.Context, read func(dump.Snapshot) error) error {
	if err := v.Version(ctx); err != nil {
		return err
	}
	tx, err := v.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return translate(err, "begin")
	}
	defer rollback(ctx, tx)
	return read(copied{tx})
}

func rollback(ctx context.Context, tx pgx.Tx) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTime)
	defer cancel()
	_ = tx.Rollback(ctx) // after Commit it does nothing, before it the first error counts
}

// Load calls write with a Sink for the database at url, and commits what it has taken if write succeeds. It creates the tables before. It
// returns store.ErrInUse if the database is in use. No other process can use it while Load runs.
func Load(ctx context.Context, url string, write func(dump.Sink) error) error {
	conn, err := connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // what was written is committed
	if err := useAlone(ctx, conn); err != nil {
		return err
	}
	if err := migrate(ctx, conn.Config()); err != nil {
		return translate(err, "create tables")
	}
	tx, err := conn.Begin(ctx)
	if err != nil {
		return translate(err, "begin")
	}
	defer rollback(ctx, tx)
	if err := write(copied{tx}); err != nil {
		return err
	}
	return translate(tx.Commit(ctx), "commit")
}

// copied is a transaction as a dump.Sink.
type copied struct{ tx pgx.Tx }

// Last implements dump.Snapshot.
func (c copied) Last(ctx context.Context, t dump.Table) (last int64, err error) {
	var sequence string
	if err := c.tx.QueryRow(ctx, `SELECT pg_get_serial_sequence($1, 'seq')`, t.Name).Scan(&sequence); err != nil {
		return 0, translate(err, "read numbers of "+t.Name)
	}
	err = c.tx.QueryRow(ctx, `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+sequence).Scan(&last)
	return last, translate(err, "read numbers of "+t.Name)
}

// Rows implements dump.Snapshot.
func (c copied) Rows(ctx context.Context, t dump.Table, row func(dump.Row) error) error {
	found, err := c.tx.Query(ctx, `SELECT `+strings.Join(t.Names(), ", ")+` FROM `+t.Name+` ORDER BY `+strings.Join(t.Key, ", "))
	if err != nil {
		return translate(err, "read table "+t.Name)
	}
	defer found.Close()
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

// Insert implements dump.Sink. It also writes the columns for searches.
func (c copied) Insert(ctx context.Context, t dump.Table, list []dump.Row) error {
	values := make([][]any, len(list))
	columns := t.Names()
	for i, r := range list {
		more, derived, err := derive(t, r)
		if err != nil {
			return err
		}
		columns = append(t.Names(), more...)
		values[i] = append(append([]any(nil), r...), derived...)
	}
	_, err := c.tx.CopyFrom(ctx, pgx.Identifier{t.Name}, columns, pgx.CopyFromRows(values))
	return translate(err, "write rows")
}

// SetLast implements dump.Sink.
func (c copied) SetLast(ctx context.Context, t dump.Table, last int64) error {
	_, err := c.tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence($1, 'seq'), greatest($2::bigint, 1), $2::bigint > 0)`, t.Name, last)
	return translate(err, "write numbers of "+t.Name)
}

// Fit implements dump.Sink: see storable. The characters may also be in the texts of a JSON value.
func (c copied) Fit(t dump.Table, r dump.Row) bool {
	changed := false
	for i, column := range t.Columns {
		s, ok := r[i].(string)
		if !ok {
			continue
		}
		fits := text(s)
		if strings.Contains(s, `\u0000`) {
			fits = textsOf(column.Kind, s)
		}
		if fits != s {
			r[i], changed = fits, true
		}
	}
	return changed
}

// textsOf returns a JSON value with texts that PostgreSQL can store.
func textsOf(kind dump.Kind, s string) string {
	var stored driver.Value
	var err error
	switch kind {
	case dump.List:
		var list rows.Words
		if err = list.Scan(s); err == nil {
			stored, err = rows.Words(texts(list)).Value()
		}
	case dump.Map:
		var m rows.Texts
		if err = m.Scan(s); err == nil {
			stored, err = textMap(m).Value()
		}
	default:
		return text(s)
	}
	if fits, ok := stored.(string); ok && err == nil {
		return fits
	}
	return text(s)
}
