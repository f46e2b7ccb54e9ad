// Package watch follows files that are replaced while the server runs. It does not know what they hold.
package watch

import (
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Source is how files are read and followed. All fields are required.
type Source[T any] struct {
	Paths []string
	// Every is how often the files are looked at, at most. A look costs microseconds.
	Every time.Duration
	Now   func() time.Time
	Read  func() (*T, error)
	// Changed is called after the files changed: with what they hold now, or with why they cannot be read.
	Changed func(*T, error)
}

// Files returns what files hold, at most some seconds late. It owns no goroutine: a caller that asks looks at the files.
// It is safe for concurrent use.
type Files[T any] struct {
	source  Source[T]
	current atomic.Pointer[T]

	mu     sync.Mutex
	looked time.Time
	seen   []os.FileInfo
}

// Follow reads files that must exist, and follows them from then on. Its error is that of Read.
func Follow[T any](s Source[T]) (*Files[T], error) {
	// The facts are taken before the files are read: a change between the two is seen the next time.
	f := &Files[T]{source: s, looked: s.Now(), seen: facts(s.Paths)}
	v, err := s.Read()
	if err != nil {
		return nil, err
	}
	f.current.Store(v)
	return f, nil
}

// Get returns what the files hold. While one is missing or wrong, that is what was read last: a server that runs must not
// stop because somebody copies a file. The caller must not change it.
func (f *Files[T]) Get() *T {
	if f.mu.TryLock() { // a caller that comes while another looks takes what was read before
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

// facts returns what tells a file from the one before, nil for a file that is not there.
func facts(paths []string) []os.FileInfo {
	out := make([]os.FileInfo, len(paths))
	for i, path := range paths {
		if fi, err := os.Stat(path); err == nil {
			out[i] = fi
		}
	}
	return out
}

// same reports whether a file is as it was. One that was replaced is another, even with the same size and date.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}
