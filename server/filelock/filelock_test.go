//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/formgraph/formgraph/server/filelock"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// One at a time has the lock. It is free once it is given back, even while a child process that is being started still has the file open.
func TestOneAtATimeHasTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	f := open(t, path)
	child, err := syscall.Dup(int(f.Fd())) // as a child has it until it runs its program
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child) //nolint:errcheck // nothing was written to it
	unlock, err := filelock.Take(f)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filelock.Take(open(t, path)); !errors.Is(err, filelock.ErrTaken) {
		t.Errorf("a second one: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
	unlock, err = filelock.Take(open(t, path))
	if err != nil {
		t.Fatalf("after it was given back: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}
