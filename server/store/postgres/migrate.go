package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store/internal/migrating"
)

// oldestServer is the oldest version of PostgreSQL that is supported, as server_version_num.
const oldestServer = 140000

// poll is how often a process asks whether another has finished its migrations. It does not wait in the database: CREATE INDEX
// CONCURRENTLY waits for every statement that began before it, even for one that waits for the migrations to end.
const poll = 50 * time.Millisecond

// migrate brings the tables up to date. goose needs a connection of database/sql, which is used for nothing else.
func migrate(ctx context.Context, config *pgx.ConnConfig) (err error) {
	config = config.Copy()
	config.Tracer = nil
	unlimited(config)
	db := stdlib.OpenDB(*config)
	defer db.Close() //nolint:errcheck // what was written is committed
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // as above; this releases the lock
	if err := checkServer(ctx, conn); err != nil {
		return err
	}
	if err := lockMigrations(ctx, conn); err != nil {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrating.Up(ctx, goose.DialectPostgres, db, files)
}

// unlimited lets statements and transactions take as long as they take.
func unlimited(config *pgx.ConnConfig) {
	for _, name := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"} {
		config.RuntimeParams[name] = "0"
	}
}

// checkServer returns an error if the store cannot work on a server.
func checkServer(ctx context.Context, conn *sql.Conn) error {
	var version int
	var encoding string
	if err := conn.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding')`).
		Scan(&version, &encoding); err != nil {
		return err
	}
	if version < oldestServer {
		return fmt.Errorf("the server is PostgreSQL %d: use %d or newer", version/10000, oldestServer/10000)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the encoding of the database is %s: create it with ENCODING 'UTF8' TEMPLATE template0", encoding)
	}
	return nil
}

// lockMigrations waits until no other process migrates the database. The lock ends with the connection.
func lockMigrations(ctx context.Context, conn *sql.Conn) error {
	again := time.NewTicker(poll)
	defer again.Stop()
	for {
		var ours bool
		if err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, lockOfMigrations).Scan(&ours); err != nil || ours {
			return err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for another process to migrate the database: %w", ctx.Err())
		}
	}
}
