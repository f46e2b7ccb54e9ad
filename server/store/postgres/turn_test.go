package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// connected returns a separate connection to a database, without limits of time.
func connected(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), with(t, url, "statement_timeout=0", "lock_timeout=0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// awaitWaiter returns when a statement in the database of c waits for a lock, or when done is closed first. kind is the event of the wait:
// advisory, or transactionid for that of a row.
func awaitWaiter(t *testing.T, c *pgx.Conn, kind string, done <-chan struct{}) (waits bool) {
	t.Helper()
	waittest.Until(t, "a statement waits for a lock", func() bool {
		err := c.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND wait_event = $1)`, kind).Scan(&waits)
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-done:
			return true
		default:
			return waits
		}
	})
	return waits
}

// While a transaction of one replica runs, everybody else who writes what it can read waits, and readers do not.
func TestTransactionIsTheOnlyWriter(t *testing.T) {
	url := postgrestest.URL(t)
	one, other, watch := postgrestest.OpenURL(t, url), postgrestest.OpenURL(t, url), connected(t, url)
	for _, c := range calls() {
		var made error
		done := make(chan struct{})
		err := one.InTx(t.Context(), func(store.Access) error {
			go func() {
				defer close(done)
				made = c.make(t.Context(), other)
			}()
			if waits := awaitWaiter(t, watch, "advisory", done); waits != c.turn {
				t.Errorf("%s waits for a transaction: %v, want %v", c.method, waits, c.turn)
			}
			return nil
		})
		<-done
		if err := errors.Join(err, made); err != nil {
			t.Fatalf("%s: %v", c.method, err)
		}
	}
}

// Many writers that wait for their turn leave connections for readers.
func TestWaitingWritersLeaveConnections(t *testing.T) {
	d := postgrestest.OpenURL(t, with(t, postgrestest.URL(t), "pool_max_conns=3"))
	if err := d.CreateRole(t.Context(), store.Role{ID: "r", Name: "R"}); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	err := d.InTx(t.Context(), func(store.Access) error {
		for i := range 8 {
			writers.Go(func() {
				_, err := d.UpdateRole(t.Context(), "r", func(r *store.Role) error { r.Description = fmt.Sprint(i); return nil })
				if err != nil {
					t.Errorf("UpdateRole = %v, want nil", err)
				}
			})
		}
		for range 200 {
			ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(10*time.Second))
			_, err := d.Role(ctx, "r")
			cancel()
			if err != nil {
				return fmt.Errorf("read beside waiting writers: %w", err)
			}
		}
		return nil
	})
	writers.Wait()
	if err != nil {
		t.Error(err)
	}
}

// A transaction that the server ends because of a deadlock runs again, with what is committed then.
func TestDeadlockRunsAgain(t *testing.T) {
	raw := postgrestest.URL(t)
	d, c, watch := postgrestest.OpenURL(t, with(t, raw, "deadlock_timeout=10ms")), connected(t, raw), connected(t, raw)
	ctx := t.Context()
	for _, id := range []string{"r", "q"} {
		if err := d.CreateRole(ctx, store.Role{ID: id, Name: id}); err != nil {
			t.Fatal(err)
		}
	}
	note := func(rows store.Access, id string) error {
		_, err := rows.UpdateRole(ctx, id, func(r *store.Role) error { r.Description += "x"; return nil })
		return err
	}
	_, err := c.Exec(ctx, `SET deadlock_timeout = '1h'; BEGIN; UPDATE roles SET description = description || 'y' WHERE id = 'q'`)
	if err != nil {
		t.Fatal(err)
	}
	theirs, calls := make(chan error, 1), 0
	err = d.InTx(ctx, func(rows store.Access) error {
		if err := note(rows, "r"); err != nil {
			return err
		}
		if calls++; calls == 1 {
			go func() {
				_, err := c.Exec(ctx, `UPDATE roles SET description = description || 'y' WHERE id = 'r'; COMMIT`)
				theirs <- err
			}()
			awaitWaiter(t, watch, "transactionid", nil)
		}
		// The error of a method need not be that of f.
		if err := note(rows, "q"); err != nil {
			return errors.New("something failed")
		}
		return nil
	})
	if err := errors.Join(err, <-theirs); err != nil || calls < 2 {
		t.Errorf("after %d calls: %v, want nil after a second one", calls, err)
	}
	for _, id := range []string{"r", "q"} {
		if r, err := d.Role(ctx, id); err != nil || len(r.Description) != 2 {
			t.Errorf("role %s has %q, %v, want a note of both", id, r.Description, err)
		}
	}
}

// A transaction whose context ends leaves nothing behind, neither rows nor the turn.
func TestCanceledTransaction(t *testing.T) {
	d := postgrestest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := d.InTx(ctx, func(rows store.Access) error {
		if err := rows.CreateRole(ctx, store.Role{ID: "r", Name: "R"}); err != nil {
			return err
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("InTx = %v, want context.Canceled", err)
	}
	if _, err := d.Role(t.Context(), "r"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Role = %v, want ErrNotFound", err)
	}
	if err := d.CreateRole(t.Context(), store.Role{ID: "r", Name: "R"}); err != nil {
		t.Errorf("CreateRole = %v, want nil", err)
	}
}
