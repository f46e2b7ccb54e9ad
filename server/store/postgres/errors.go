package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/formgraph/formgraph/server/store"
)

// Conditions of the server. https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	foreignKeyViolation  = "23503"
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	readOnly             = "25006" // a standby after a switch
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014" // after statement_timeout; a context that ends closes the connection
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
	diskFull             = "53100"
)

// Classes of conditions: the first two characters.
const (
	connectionException   = "08"
	dataException         = "22"
	integrityViolation    = "23"
	insufficientResources = "53" // too many connections
)

// fault is an error of the server without the values of parameters and rows that its message may quote. It does not wrap the error of the
// driver, which contains them.
type fault struct{ code, text string }

func (f *fault) Error() string { return f.text }

func newFault(e *pgconn.PgError) *fault {
	if !strings.HasPrefix(e.Code, dataException) && !strings.HasPrefix(e.Code, integrityViolation) {
		return &fault{e.Code, e.Error()}
	}
	place := strings.Join(strings.Fields(e.TableName+" "+e.ColumnName+" "+e.ConstraintName), " ")
	if place != "" {
		place = " for " + place
	}
	return &fault{e.Code, "the database refused a value" + place + " (SQLSTATE " + e.Code + ")"}
}

// again reports whether the server has ended a transaction that may succeed if it is run again.
func (f *fault) again() bool { return f.code == serializationFailure || f.code == deadlockDetected }

// trouble returns the error of package store for a server that cannot perform such an operation at present, or nil.
func (f *fault) trouble() error {
	switch f.code {
	case diskFull:
		return store.ErrFull
	case readOnly:
		return store.ErrReadOnly
	case lockNotAvailable, queryCanceled, adminShutdown, crashShutdown, cannotConnectNow:
		return store.ErrUnavailable
	}
	if strings.HasPrefix(f.code, connectionException) || strings.HasPrefix(f.code, insufficientResources) {
		return store.ErrUnavailable
	}
	return nil
}

// unreachable is the error of an attempt to connect, on one line and with each reason once. It contains no password.
type unreachable struct{ err *pgconn.ConnectError }

func (u unreachable) Unwrap() error { return u.err }

func (u unreachable) Error() string {
	var reasons []string
	for line := range strings.Lines(u.err.Error()) {
		if line = strings.TrimSpace(line); !slices.Contains(reasons, line) {
			reasons = append(reasons, line)
		}
	}
	return strings.Join(reasons, " ")
}

// translate maps the driver's errors to those of package store; action names the attempted operation. Errors that are translated already
// only get the action.
func translate(err error, action string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pgx.ErrNoRows):
		return fmt.Errorf("%s: %w", action, store.ErrNotFound)
	}
	if e, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return fmt.Errorf("%s: %w: %w", action, store.ErrUnavailable, unreachable{e})
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		f := newFault(e)
		switch f.code {
		case uniqueViolation:
			return fmt.Errorf("%s: %w", action, store.ErrConflict)
		case foreignKeyViolation:
			return fmt.Errorf("%s: %w", action, store.ErrNotFound)
		}
		if reason := f.trouble(); reason != nil {
			return fmt.Errorf("%s: %w: %w", action, reason, f)
		}
		return fmt.Errorf("%s: %w", action, f)
	}
	if broken(err) && !errors.Is(err, store.ErrUnavailable) {
		return fmt.Errorf("%s: %w: %w", action, store.ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", action, err)
}

// broken reports whether an error is that of a connection, or of a wait for one or for an answer that took too long.
func broken(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}
