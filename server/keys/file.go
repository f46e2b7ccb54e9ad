package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Load reads the keys file at path. If it does not exist, Load creates it with new keys and mode 0600, and a missing folder with mode 0700.
// It refuses a file that others may read, with an error that gives the remedy; the group may read a file of root. If two processes start at
// once, both get the same keys.
func Load(path string, now time.Time) (*Set, error) {
	s, err := Read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder of keys file: %w", err)
	}
	if s, err = Create(path, now); errors.Is(err, fs.ErrExist) { // another process was first: use its keys
		return Read(path)
	}
	return s, err
}

// Read reads the keys file at path as Load does, and returns an error that wraps fs.ErrNotExist if there is none.
func Read(path string) (*Set, error) {
	f, err := os.Open(path) //nolint:gosec // the path is the operator's own setting
	if err != nil {
		return nil, fmt.Errorf("open keys file: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read from
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open keys file: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("keys file %s must be a regular file", path)
	}
	if mode := fi.Mode().Perm(); !private(mode, ownedByRoot(fi)) {
		return nil, fmt.Errorf("keys file %s has mode %#o and may be read by others: run chmod 600 %s", path, mode, path)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read keys file: %w", err)
	}
	if len(b) > maxBytes {
		return nil, fmt.Errorf("keys file %s is larger than %d bytes", path, maxBytes)
	}
	s, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return s, nil
}

// private reports whether the mode of a keys file keeps it from other users. In a file of root the group may have the right to read: root
// has granted it on purpose, and has no other way to give the file to a process of another user, as Kubernetes and systemd do with secrets.
// PostgreSQL has the same rule for the file of its private key (ssl_key_file).
func private(mode fs.FileMode, ofRoot bool) bool {
	if ofRoot {
		return mode&0o037 == 0
	}
	return mode&0o077 == 0
}

// Create creates the keys file at path with new keys and mode 0600. It returns an error that wraps fs.ErrExist if the file exists.
func Create(path string, now time.Time) (*Set, error) {
	s, err := New(now)
	if err != nil {
		return nil, err
	}
	if err := create(path, s); err != nil {
		return nil, err
	}
	return s, nil
}

// create writes the whole file in one step: a crash leaves no partial file, and an existing file is never replaced.
func create(path string, s *Set) error { return put(path, s, os.Link) }

// replace is create for a file that may exist.
func replace(path string, s *Set) error { return put(path, s, os.Rename) }

// put writes a set to a temporary file beside path, which into moves to path.
func put(path string, s *Set, into func(from, to string) error) error {
	b, err := s.Encode()
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".keys-*") // mode 0600
	if err != nil {
		return fmt.Errorf("make keys file: %w", err)
	}
	defer os.Remove(tmp.Name()) //nolint:errcheck // a leftover file is harmless and private
	_, err = tmp.Write(b)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write keys file: %w", err)
	}
	if err := into(tmp.Name(), path); err != nil {
		return fmt.Errorf("make keys file: %w", err)
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("make keys file: %w", err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return fmt.Errorf("make keys file: %w", err)
	}
	return nil
}
