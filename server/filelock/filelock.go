// Package filelock locks files and folders among processes.
package filelock

import "errors"

// ErrTaken means that another process, or another opening of the file in this one, has the lock. Systems without such locks never return it.
var ErrTaken = errors.New("the lock is taken")
