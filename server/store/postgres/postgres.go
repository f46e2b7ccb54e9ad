// Package postgres stores everything in a PostgreSQL database, which several processes may share. It does not know the meaning of the rows;
// its guarantees are those of package store.
//
// Transactions are READ COMMITTED: each statement reads what is committed when it starts. Three rules replace SQLite's single writer:
//
//   - Whatever store.Access can read has one writer at a time in all processes. The writer holds an advisory lock, which it takes before
//     its first statement reads anything (turn.go). Serializable transactions would do only if every statement of every method were one,
//     single statements and sign-ins included, and would call functions of callers again whenever two writers meet.
//   - A row that stores a new login shares that lock, so that nobody resets a password between the check of its basis and its commit.
//   - All other changes are one statement, or lock the row that they read first.
package postgres

import "embed"

//go:embed migrations/*.sql
var migrations embed.FS
