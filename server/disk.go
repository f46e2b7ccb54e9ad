//go:build linux || darwin

package main

import "syscall"

// diskSpace returns how many bytes the owner of a folder can write there, of how many.
func diskSpace(folder string) (free, whole uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), nil //nolint:gosec // sizes are not negative
}
