//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Take locks an open file or folder until unlock is called or the process ends; unlock also closes the file. It does not wait: it returns
// ErrTaken. If it returns an error, it has closed the file.
func Take(f *os.File) (unlock func() error, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, errors.Join(ErrTaken, f.Close())
	case err != nil:
		return nil, errors.Join(fmt.Errorf("lock %s: %w", f.Name(), err), f.Close())
	}
	return func() error {
		// Closing alone might keep the lock: a child process that is just being started has the file open until it runs its program.
		return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
	}, nil
}
