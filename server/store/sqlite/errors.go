package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	msqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/formgraph/formgraph/server/store"
)

// errWait is the cause of a context that is canceled because a write waited too long for its turn.
var errWait = errors.New("other writers took too long")

// waited returns errWait if ctx ended with that cause, and otherwise err unchanged.
func waited(ctx context.Context, err error) error {
	if context.Cause(ctx) == errWait { //nolint:errorlint // the cause is never wrapped
		return errWait
	}
	return err
}

// translate maps the engine's errors to those of package store; action names the attempted operation. A corrupt file has no such error:
// retrying does not help, and a backup must be restored. Errors that are already translated are only prefixed with the action.
func translate(err error, action string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("%s: %w", action, store.ErrNotFound)
	}
	if errors.Is(err, errWait) && !errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%s: %w: %w", action, store.ErrUnavailable, err)
	}
	e, ok := errors.AsType[*msqlite.Error](err)
	if !ok || errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%s: %w", action, err)
	}
	switch e.Code() {
	case sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE:
		return fmt.Errorf("%s: %w", action, store.ErrConflict)
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return fmt.Errorf("%s: %w", action, store.ErrNotFound)
	}
	if reason := trouble(e.Code()); reason != nil {
		return fmt.Errorf("%s: %w: %w", action, reason, err)
	}
	return fmt.Errorf("%s: %w", action, err)
}

// trouble returns the error of package store for a result code that means that the file or its disk cannot be used at present, or nil.
// https://www.sqlite.org/rescode.html
func trouble(code int) error {
	switch code & 0xff { // the primary result code of an extended one
	case sqlite3.SQLITE_FULL:
		return store.ErrFull
	case sqlite3.SQLITE_READONLY:
		return store.ErrReadOnly
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL:
		return store.ErrUnavailable
	}
	return nil
}
