// Package database opens the store that the options of a command name. It is the only package that knows all engines.
package database

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// File is the name of the SQLite file in a data folder.
const File = "formgraph.db"

// DB is an open store of any engine. It is safe for concurrent use. Close releases it.
type DB interface {
	store.Tenant
	store.Sessions
	io.Closer
}

// Place is where a store is.
type Place struct {
	Folder string // the data folder
}

// String returns the place for messages.
func (p Place) String() string { return p.file() }

func (p Place) file() string { return filepath.Join(p.Folder, File) }

// Open opens the store, creates it if it does not exist, and migrates its tables. It returns an error that wraps store.ErrNewer if a newer
// version of the program wrote it.
func (p Place) Open(ctx context.Context) (DB, error) { return sqlite.Open(ctx, p.file()) }

// Exists reports whether the store has been created.
func (p Place) Exists() bool {
	_, err := os.Stat(p.file())
	return err == nil
}
