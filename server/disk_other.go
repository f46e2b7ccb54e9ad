//go:build !(linux || darwin)

package main

import "errors"

// diskSpace returns errors.ErrUnsupported: package syscall of this system does not tell.
func diskSpace(string) (free, whole uint64, err error) { return 0, 0, errors.ErrUnsupported }
