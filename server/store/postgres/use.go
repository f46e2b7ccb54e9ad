package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/store"
)

// Each connection of a DB holds lockOfUse, shared, as long as it lives. A command that moves or restores a database holds it
// exclusively: no connection has the lock then, and none can get it. The server of the database releases the lock with the
// connection, however that ends.

// useDatabase takes the lock of a new connection.
func useDatabase(ctx context.Context, conn *pgx.Conn) error {
	return lockUse(ctx, conn, `SELECT pg_try_advisory_lock_shared($1)`, "it is being moved or restored")
}

// useAlone takes the lock for a connection that excludes all others.
func useAlone(ctx context.Context, conn *pgx.Conn) error {
	return lockUse(ctx, conn, `SELECT pg_try_advisory_lock($1)`, "stop every server and command that uses it")
}

// useWait is how long a connection waits for the lock: the server releases that of a process a moment after the process has ended.
const useWait = time.Second

func lockUse(ctx context.Context, conn *pgx.Conn, query, otherwise string) error {
	again := time.NewTicker(poll)
	defer again.Stop()
	for end := time.Now().Add(useWait); ; {
		var ours bool
		switch err := conn.QueryRow(ctx, query, lockOfUse).Scan(&ours); {
		case err != nil:
			return translate(err, "lock the database")
		case ours:
			return nil
		case time.Now().After(end):
			return fmt.Errorf("%w: %s", store.ErrInUse, otherwise)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("lock the database: %w", ctx.Err())
		}
	}
}
