//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// poll is how often a process asks whether another has finished its migrations.
const poll = 10 * time.Millisecond

// lockMigrations waits until no other process migrates a database in the folder of path, and keeps others from it until unlock is called
// or the process ends. It locks the folder: closing the database file would drop the locks that SQLite has on it.
func lockMigrations(ctx context.Context, path string) (unlock func() error, err error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	again := time.NewTicker(poll)
	defer again.Stop()
	for {
		err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return folder.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock the folder of the database: %w", err), folder.Close())
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("wait for another process to migrate the database: %w", ctx.Err()), folder.Close())
		}
	}
}
