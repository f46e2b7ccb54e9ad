package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/formgraph/formgraph/server/filelock"
)

// lockFolder locks the data folder for one server until unlock is called or the process ends. A second server would change the addresses of
// the editor's client and of the APIs to its own. Commands that work beside a server do not take the lock.
func lockFolder(folder string) (unlock func() error, err error) {
	f, err := os.OpenFile(lockFile(folder), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		unlock, err = filelock.Take(f)
	}
	switch {
	case errors.Is(err, filelock.ErrTaken):
		return nil, fmt.Errorf("the data folder %s is in use by another formgraph serve or tenant: stop it first, or choose another folder with --data", folder)
	case err != nil:
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	return unlock, nil
}
