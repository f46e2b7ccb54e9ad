// Package store defines what the server stores and what every storage engine must guarantee. It contains interfaces, rows and errors; the
// engines are packages below it and pass the suite in storetest. It knows nothing of HTTP, of forms beyond their bytes, or of how secrets
// are made: every secret arrives here as a hash.
//
// A function that a caller passes to a changing method has no effects besides its results: an engine may roll back and call it again.
//
// Each subject has an interface, and each engine a type and a file for it. SQL is written twice and differs: PostgreSQL has many writers,
// SQLite has one.
package store

import (
	"errors"
	"fmt"
	"time"
)

// ErrNotFound is returned when the requested row does not exist.
var ErrNotFound = errors.New("not found")

// ErrConflict is returned when a row with that key exists, or when the row is no longer in the state that the caller relied on.
var ErrConflict = errors.New("conflict")

// ErrTooMany is returned when there are as many rows as there may be.
var ErrTooMany = errors.New("too many")

// ErrTooManyOwn is returned when a person has as many rows as one may have.
var ErrTooManyOwn = errors.New("too many of one person")

// ErrTooMuchText is returned with ErrTooMany or ErrTooManyOwn if the limit that is reached is that of the text, not that of the number of rows.
var ErrTooMuchText = errors.New("too much text")

// ErrNewer is returned when the data was written by a newer version of the program.
var ErrNewer = errors.New("the database was written by a newer version")

// ErrOlder is returned when the tables are those of an older version of the program, and the caller asked not to migrate them.
var ErrOlder = errors.New("the database has the tables of an older version")

// ErrNoTables is returned when a database has never been used.
var ErrNoTables = errors.New("the database has no tables of formgraph")

// ErrInUse is returned when the database must be used exclusively and another process uses it.
var ErrInUse = errors.New("the database is in use by another process")

// ErrUnavailable is returned when a database is unreachable or cannot respond at present. It is then unknown whether a change was made. The
// same call may succeed later.
var ErrUnavailable = errors.New("the database is not available")

// ErrFull is the ErrUnavailable of a database whose disk is full. The change was not made. Reads continue to work, and changes work again
// once there is space.
var ErrFull = fmt.Errorf("%w for changes: its disk is full, free some space", ErrUnavailable)

// ErrReadOnly is the ErrUnavailable of a database that refuses changes: its files or its disk are read-only, or it is a standby. The change
// was not made. Reads continue to work.
var ErrReadOnly = fmt.Errorf("%w for changes: it is read-only, check the disk and the permissions", ErrUnavailable)

// Resolution is the precision of all stored times: they are truncated to it, in UTC.
const Resolution = time.Millisecond

// After returns the time to record for a change made at now to a row last changed at last. The result is always later than last: if the
// clock stands still or has gone back, it is one Resolution after last.
func After(last, now time.Time) time.Time {
	now = now.UTC().Truncate(Resolution)
	if now.After(last) {
		return now
	}
	return last.UTC().Truncate(Resolution).Add(Resolution)
}
