//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import "os"

// lockFolder only opens the folder: this system has no such lock.
func lockFolder(folder string) (*os.File, error) { return os.Open(folder) }
