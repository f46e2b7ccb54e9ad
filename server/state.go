package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant"
)

// keysMark is the name of the mark in the store that identifies the newest master key the store was used with.
const keysMark = "master_key"

// openFolder creates the data folder for its owner alone. It closes an existing folder that others may enter if the folder is empty or
// ours, and refuses any other: a wrong --data must not change the permissions of somebody's folder.
func openFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil { // #nosec G703 -- the operator names the folder
		return fmt.Errorf("make data folder: %w", err)
	}
	info, err := os.Stat(path) // #nosec G703 -- the operator names the folder
	if err != nil {
		return fmt.Errorf("open data folder: %w", err)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("open data folder: %w", err)
	}
	ours := len(entries) == 0 || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == database.File })
	if !ours {
		return fmt.Errorf("data folder %s is open to other users and holds unrelated files: choose another --data, or run chmod 700 %s",
			path, path)
	}
	if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // a folder must be entered by its owner
		return fmt.Errorf("restrict data folder to its owner: %w", err)
	}
	return nil
}

// openKeys loads the keys, or creates them if the database has never been used. If it has, a missing keys file is an error: new keys would
// end every session and lock out every client, and the old ones may just be elsewhere.
func openKeys(ctx context.Context, file string, marks store.Marks, now time.Time) (*keys.Set, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) { // #nosec G703 -- the operator names the file
		switch _, err := marks.Mark(ctx, keysMark); {
		case err == nil:
			return nil, fmt.Errorf("keys file %s is missing, but the database has been used with one: restore the keys, or name their file with "+
				"--keys", file)
		case !errors.Is(err, store.ErrNotFound):
			return nil, fmt.Errorf("compare keys with the database: %w", err)
		}
	}
	return keys.Load(file, now)
}

// nameOfKey returns the name of a master secret in the store, which does not reveal it.
func nameOfKey(m keys.Master) string { return hex.EncodeToString(m.Derive("name of this key", 16)) }

// belongs reports whether one of the keys has a name.
func belongs(set *keys.Set, name string) bool {
	return slices.ContainsFunc(set.Master, func(m keys.Master) bool { return nameOfKey(m) == name })
}

// matchKeys refuses keys that belong to another database, and records the newest key.
func matchKeys(ctx context.Context, marks store.Marks, set *keys.Set) error {
	known, err := marks.Mark(ctx, keysMark)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return fmt.Errorf("compare keys with the database: %w", err)
	case !belongs(set, known):
		return errors.New("the keys file does not belong to this database: restore the right one, or name it with --keys")
	}
	newest := nameOfKey(set.Master[0])
	if newest == known {
		return nil
	}
	if err := marks.PutMark(ctx, keysMark, newest); err != nil {
		return fmt.Errorf("remember the newest key: %w", err)
	}
	return nil
}

// firstStart is the file data/first-start.json.
type firstStart struct {
	Admin      tenant.Admin       `json:"admin"`
	Management tenant.Credentials `json:"management_client"`
	Editor     string             `json:"editor_url"`
	Tenant     string             `json:"tenant_url"`
	Sample     string             `json:"sample_url"`
}

// lockFile returns the file that a server of a data folder locks.
func lockFile(folder string) string { return filepath.Join(folder, "lock") }

func firstStartFile(folder string) string { return filepath.Join(folder, "first-start.json") }

// writeFirstStart writes the file atomically, readable by its owner alone.
func writeFirstStart(folder string, f tenant.First, at addresses) error {
	text, err := json.MarshalIndent(firstStart{f.Admin, f.Management, at.Editor, at.Tenant, at.Sample}, "", "  ")
	if err != nil {
		return fmt.Errorf("write first start: %w", err)
	}
	if err := writePrivate(firstStartFile(folder), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	}); err != nil {
		return fmt.Errorf("write first start: %w", err)
	}
	return nil
}

// writePrivate makes or replaces a file that only its owner may read. The file appears as a whole, when write has succeeded and the disk has
// all of it.
func writePrivate(name string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) //nolint:errcheck // already renamed on success
	err = write(tmp)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
