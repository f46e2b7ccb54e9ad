package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/store"
)

// maxSkew is how far the clocks of this machine and of the database may be apart. Replicas use that of the database, but certificates and
// remote tenants are judged by that of the machine.
const maxSkew = 10 * time.Second

// Examinations returns what can be examined of the database itself and its server. now returns the time of this machine.
func (v *View) Examinations(now func() time.Time) []store.Examination {
	return []store.Examination{
		{Name: "server", Fine: "the server accepts writes and keeps them when it crashes", Run: v.server},
		{Name: "integrity", Fine: "all indexes and constraints are valid", Run: v.integrity},
		{Name: "connections", Fine: "the server has free connections", Run: v.connections},
		{Name: "clock", Fine: "the clocks of this machine and of the database agree", Run: func(ctx context.Context) ([]store.Finding, error) {
			return v.skew(ctx, now)
		}},
	}
}

// server judges the state and the settings of the server.
func (v *View) server(ctx context.Context) (out []store.Finding, err error) {
	var recovery bool
	var fsync, pages string
	if err := v.conn.QueryRow(ctx, `SELECT pg_is_in_recovery(), current_setting('fsync'), current_setting('full_page_writes')`).
		Scan(&recovery, &fsync, &pages); err != nil {
		return nil, translate(err, "examine the server")
	}
	switch {
	case recovery:
		out = append(out, store.Finding{
			Severe: true, Detail: "the server is a standby, which accepts no writes",
			Remedy: "Name the primary server with --database, or promote this one.",
		})
	case v.readOnly:
		out = append(out, store.Finding{
			Severe: true, Detail: "transactions are read-only (default_transaction_read_only)",
			Remedy: "Turn that setting off for the server, the database and the user.",
		})
	}
	if fsync != "on" || pages != "on" {
		out = append(out, store.Finding{
			Detail: "a crash of the server's machine can destroy the database (fsync = " + fsync + ", full_page_writes = " + pages + ")",
			Remedy: "Turn both settings on.",
		})
	}
	return out, nil
}

// integrity looks for indexes and constraints that do not hold.
func (v *View) integrity(ctx context.Context) (out []store.Finding, err error) {
	indexes, err := v.texts(ctx, `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE c.relnamespace = current_schema()::regnamespace AND NOT (i.indisvalid AND i.indisready) ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	if len(indexes) > 0 {
		out = append(out, store.Finding{
			Severe: true, Detail: "indexes are invalid: " + strings.Join(indexes, ", "), Remedy: "Run REINDEX INDEX for each of them.",
		})
	}
	constraints, err := v.texts(ctx, `SELECT conrelid::regclass || '.' || conname FROM pg_constraint
		WHERE connamespace = current_schema()::regnamespace AND NOT convalidated ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	if len(constraints) > 0 {
		out = append(out, store.Finding{
			Severe: true, Detail: "constraints are not validated: " + strings.Join(constraints, ", "),
			Remedy: "Run ALTER TABLE ... VALIDATE CONSTRAINT for each of them, and correct the rows that it names.",
		})
	}
	return out, nil
}

// connections judges how many more connections the server accepts.
func (v *View) connections(ctx context.Context) ([]store.Finding, error) {
	var most, used int
	if err := v.conn.QueryRow(ctx, `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
		(SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend')`).Scan(&most, &used); err != nil {
		return nil, translate(err, "count connections")
	}
	return freeConnections(most, used), nil
}

// freeConnections judges the connections in use, this one among them, of those that the server accepts.
func freeConnections(most, used int) []store.Finding {
	if free := most - used; free < minConns {
		return []store.Finding{{
			Detail: fmt.Sprintf("the server has %d free connections of %d, and a replica needs %d", max(free, 0), most, minConns),
			Remedy: "Raise max_connections, end other clients, or lower pool_max_conns in --database.",
		}}
	}
	return nil
}

// skew compares the clocks.
func (v *View) skew(ctx context.Context, now func() time.Time) ([]store.Finding, error) {
	var theirs time.Time
	before := now()
	if err := v.conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&theirs); err != nil {
		return nil, translate(err, "read the clock of the database")
	}
	after := now()
	apart := before.Add(after.Sub(before) / 2).Sub(theirs).Round(time.Second)
	if apart.Abs() <= maxSkew {
		return nil, nil
	}
	way := "ahead of"
	if apart < 0 {
		way = "behind"
	}
	return []store.Finding{{
		Detail: fmt.Sprintf("the clock of this machine is %s %s that of the database", apart.Abs(), way), Remedy: "Set both clocks by NTP.",
	}}, nil
}

// texts returns the rows of a query of one column.
func (v *View) texts(ctx context.Context, query string) ([]string, error) {
	found, err := v.conn.Query(ctx, query)
	if err != nil {
		return nil, translate(err, "examine the database")
	}
	out, err := pgx.CollectRows(found, pgx.RowTo[string])
	return out, translate(err, "examine the database")
}
