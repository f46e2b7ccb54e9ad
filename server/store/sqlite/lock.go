package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/formgraph/formgraph/server/filelock"
)

// poll is how often a process asks whether another has finished its migrations.
const poll = 10 * time.Millisecond

// lockMigrations waits until no other process migrates a database in the folder of path, and keeps others from it until unlock is called
// or the process ends. It locks the folder: closing the database file would drop the locks that SQLite has on it.
func lockMigrations(ctx context.Context, path string) (unlock func() error, err error) {
	again := time.NewTicker(poll)
	defer again.Stop()
	for {
		folder, err := os.Open(filepath.Dir(path))
		if err != nil {
			return nil, err
		}
		unlock, err = filelock.Take(folder)
		if err == nil || !errors.Is(err, filelock.ErrTaken) {
			return unlock, err
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for another process to migrate the database: %w", ctx.Err())
		}
	}
}
