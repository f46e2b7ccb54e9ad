//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockFolder locks the data folder for one server until the returned file is closed or the process ends. A second server would
// change the addresses of the editor's client and of the APIs to its own. Commands that work beside a server do not take the
// lock.
func lockFolder(folder string) (*os.File, error) {
	f, err := os.OpenFile(lockFile(folder), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errors.Join(fmt.Errorf("the data folder %s is in use by another formgraph serve or tenant: "+
			"stop it first, or choose another folder with --data", folder), f.Close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock data folder: %w", err), f.Close())
	}
	return f, nil
}
