package postgrestest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
)

// readAll reads every row of every table, by which damaged ones are found.
const readAll = `DO $$ DECLARE t text; BEGIN
	FOR t IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
	LOOP EXECUTE format('SELECT count(x::text) FROM %I x', t); END LOOP;
END $$`

// verify compares tables with their pages and indexes with their tables, by the extension amcheck.
const verify = `CREATE EXTENSION IF NOT EXISTS amcheck;
DO $$ DECLARE t record; fault text; BEGIN
	FOR t IN SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
		SELECT msg INTO fault FROM verify_heapam(t.oid) LIMIT 1;
		IF FOUND THEN RAISE EXCEPTION 'table %: %', t.relname, fault; END IF;
	END LOOP;
	PERFORM bt_index_check(i.indexrelid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		JOIN pg_am a ON a.oid = c.relam AND a.amname = 'btree' WHERE c.relnamespace = 'public'::regnamespace;
END $$`

// Check fails the test if the database at url is damaged. Where the server has the extension amcheck, it also compares the indexes with the
// tables.
func Check(tb testing.TB, url string) {
	tb.Helper()
	if err := check(tb.Context(), url); err != nil {
		tb.Errorf("the database is damaged: %v", err)
	}
}

func check(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to the test server: %w", err)
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost
	if _, err := conn.Exec(ctx, readAll); err != nil {
		return err
	}
	var has bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'amcheck')`).Scan(&has); err != nil || !has {
		return err
	}
	_, err = conn.Exec(ctx, verify)
	return err
}
