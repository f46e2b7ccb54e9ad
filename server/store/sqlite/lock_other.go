//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package sqlite

import "context"

// lockMigrations does nothing: this system has no such lock.
func lockMigrations(context.Context, string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}
