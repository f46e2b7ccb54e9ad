// Package store says what the server keeps and what every engine that keeps it must guarantee.
// It holds interfaces, rows and errors; engines live below it and pass the suite in storetest.
// It knows nothing of HTTP, of forms beyond their bytes, and of how a secret is made: every secret
// arrives here as a hash.
package store

import (
	"errors"
	"time"
)

// ErrNotFound is returned when the row asked for does not exist.
var ErrNotFound = errors.New("not found")

// ErrConflict is returned when a row with that key exists, or when the row is no longer in
// the state that the caller relied on.
var ErrConflict = errors.New("conflict")

// ErrNewer is returned when the data was written by a newer version of the program.
var ErrNewer = errors.New("the database was written by a newer version")

// Resolution is the smallest step of every time kept in a store: times are cut down to it in UTC.
const Resolution = time.Millisecond

// After returns the time to write for a change that happens at now to a row last changed at last.
// It strictly rises: when the clock stands still or went back it is one Resolution after last.
func After(last, now time.Time) time.Time {
	now = now.UTC().Truncate(Resolution)
	if now.After(last) {
		return now
	}
	return last.UTC().Truncate(Resolution).Add(Resolution)
}
