package postgres

import (
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/semaphore"
)

// Keys of the advisory locks. They are constants of the database: versions of the program that run side by side must agree on them.
const (
	lockOfAccess     = 0x666f726d01 // "form" and a number
	lockOfMigrations = 0x666f726d02
	lockOfUse        = 0x666f726d03 // see use.go
)

// A turn is the right to write what store.Access can read.
type turn int

const (
	// free needs no turn: a transaction that writes other tables.
	free turn = iota
	// beside is a turn that any number of transactions have at once, each of which relies only on what those that are alone write.
	beside
	// alone is a turn that excludes all others.
	alone
)

// begin returns the statements that begin a transaction with the turn. They are one message to the server. The lock is a statement of its
// own, so that the next statement reads what the previous holder of the turn has committed.
func (t turn) begin() string {
	switch t {
	case beside:
		return fmt.Sprintf("BEGIN; SELECT pg_advisory_xact_lock_shared(%d)", lockOfAccess)
	case alone:
		return fmt.Sprintf("BEGIN; SELECT pg_advisory_xact_lock(%d)", lockOfAccess)
	case free:
	}
	return "BEGIN"
}

// turns begins transactions with a turn. The transactions of this process first queue in Go, in order and with their contexts: if they
// waited in the database, each would hold a connection that readers need.
type turns struct {
	pool  *pgxpool.Pool
	queue *semaphore.Weighted
}

func newTurns(pool *pgxpool.Pool) *turns {
	return &turns{pool, semaphore.NewWeighted(math.MaxInt32)}
}

// take begins a transaction with a turn. The caller calls leave after the end of the transaction.
func (ts *turns) take(ctx context.Context, t turn) (tx pgx.Tx, leave func(), err error) {
	if leave, err = ts.wait(ctx, t); err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, statementTime)
	defer cancel()
	tx, err = ts.pool.BeginTx(ctx, pgx.TxOptions{BeginQuery: t.begin()})
	if err != nil {
		leave()
		return nil, nil, err
	}
	return tx, leave, nil
}

// wait returns when no transaction of this process is in the way of the turn.
func (ts *turns) wait(ctx context.Context, t turn) (leave func(), err error) {
	weight := int64(1)
	switch t {
	case free:
		return func() {}, nil
	case alone:
		weight = math.MaxInt32
	case beside:
	}
	if err := ts.queue.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() { ts.queue.Release(weight) }, nil
}
