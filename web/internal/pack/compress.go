package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/andybalholm/brotli"
)

// quality is how well programs are compressed. A browser on the same machine gains nothing from small programs, and the smallest form of
// one takes a minute.
type quality struct{ brotli, gzip coding }

var (
	quick    = quality{brotliAt(5), gzipAt(6)}
	smallest = quality{brotliAt(brotli.BestCompression), gzipAt(gzip.BestCompression)}
)

// coding is one way to compress.
type coding struct {
	extension string
	level     int
	open      func(io.Writer) (io.WriteCloser, error)
	expand    func(io.Reader) (io.Reader, error)
}

func brotliAt(level int) coding {
	return coding{".br", level, func(w io.Writer) (io.WriteCloser, error) {
		// A window of 16 MiB covers a whole program; RFC 7932, section 9.1.
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: level, LGWin: 24}), nil
	}, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }}
}

func gzipAt(level int) coding {
	return coding{".gz", level, func(w io.Writer) (io.WriteCloser, error) {
		return gzip.NewWriterLevel(w, level)
	}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
}

// maxKept is the number of compressed programs that compressed keeps: several builds of each program in each coding and quality.
const maxKept = 64

// compressed returns src in compressed form. It keeps the results in a folder, by content, and takes them from there: a file that another
// build left there in another state is made again.
func (c coding) compressed(folder string, src []byte) ([]byte, error) {
	name := filepath.Join(folder, fmt.Sprintf("%x.%d%s", sha256.Sum256(src), c.level, c.extension))
	if kept, err := os.ReadFile(name); err == nil { //nolint:gosec // the build names the folder
		if r, err := c.expand(bytes.NewReader(kept)); err == nil {
			if had, err := io.ReadAll(r); err == nil && bytes.Equal(had, src) {
				return kept, nil
			}
		}
	}
	var out bytes.Buffer
	z, err := c.open(&out)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(src)
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, err
	}
	if err := write(name, out.Bytes()); err != nil {
		return nil, err
	}
	return out.Bytes(), forget(folder)
}

// forget removes the oldest files of a folder beyond maxKept.
func forget(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) <= maxKept {
		return err
	}
	var files []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else another build has removed it
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files[min(maxKept, len(files)):] {
		if err := os.Remove(filepath.Join(folder, f.Name())); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// write replaces a file atomically: an interrupted build leaves the old one. A file that has the content stays, with its time.
func write(name string, content []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, content) { //nolint:gosec // the build names the file
		return nil
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), "*.new") // another build may write the same file at the same time
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name) // #nosec G703 -- the build names the file
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // #nosec G703 -- as above
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
