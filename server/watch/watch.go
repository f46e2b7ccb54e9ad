// Package watch follows files that are replaced while the server runs. It does not know their content.
package watch

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Source defines how files are read and followed. All fields are required.
type Source[T any] struct {
	Paths []string
	// Every is the minimum time between two checks of the files. A check costs microseconds.
	Every time.Duration
	Now   func() time.Time
	Read  func() (*T, error)
	// Changed is called after the files have changed, with their content or with the reason why they cannot be read.
	Changed func(*T, error)
}

// Files returns the content of files, at most a few seconds late. It has no goroutine: callers that ask for the content check the files. It
// is safe for concurrent use.
type Files[T any] struct {
	source  Source[T]
	current atomic.Pointer[T]

	mu     sync.Mutex
	looked time.Time
	seen   []os.FileInfo
}

// Follow reads files, which must exist, and follows them from then on. Its errors are those of Read.
func Follow[T any](s Source[T]) (*Files[T], error) {
	// The state is recorded before the files are read, so a change in between is noticed the next time.
	f := &Files[T]{source: s, looked: s.Now(), seen: facts(s.Paths)}
	v, err := s.Read()
	if err != nil {
		return nil, err
	}
	f.current.Store(v)
	return f, nil
}

// Get returns the content of the files. While a file is missing or wrong, it returns the content read last: a running server must not stop
// because somebody is copying a file. The caller must not change the content.
func (f *Files[T]) Get() *T {
	if f.mu.TryLock() { // while another caller checks the files, this one gets the content read before
		defer f.mu.Unlock()
		if now := f.source.Now(); now.Sub(f.looked) >= f.source.Every || now.Before(f.looked) {
			f.looked = now
			f.look()
		}
	}
	return f.current.Load()
}

func (f *Files[T]) look() {
	now := facts(f.source.Paths)
	if slices.EqualFunc(now, f.seen, same) {
		return
	}
	f.seen = now
	v, err := f.source.Read()
	if err == nil {
		f.current.Store(v)
	}
	f.source.Changed(v, err)
}

// facts returns what distinguishes each file from its predecessor, or nil for a file that does not exist.
func facts(paths []string) []os.FileInfo {
	out := make([]os.FileInfo, len(paths))
	for i, path := range paths {
		if fi, err := os.Stat(path); err == nil {
			out[i] = fi
		}
	}
	return out
}

// same reports whether a file is unchanged. A replaced file is a different one, even with the same size and date.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}
