package keys

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// lookEvery is how often the file is looked at, at most: a stat costs microseconds, and Lead is long
// beside it.
const lookEvery = 5 * time.Second

// Watched is a keys file that is followed: Set returns what it holds now, at most some seconds late.
// It owns no goroutine: who asks for the keys looks at the file. It is safe for concurrent use.
type Watched struct {
	path string
	now  func() time.Time
	log  *slog.Logger
	set  atomic.Pointer[Set]

	mu     sync.Mutex
	looked time.Time
	seen   os.FileInfo
}

// Watch reads a keys file that exists, and follows it from then on.
func Watch(path string, now func() time.Time, log *slog.Logger) (*Watched, error) {
	w := &Watched{path: path, now: now, log: log, looked: now()}
	// The file's facts are taken before it is read: a change between the two is seen the next time.
	fi, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("watch keys file: %w", err)
	}
	s, err := read(path)
	if err != nil {
		return nil, err
	}
	w.seen = fi
	w.set.Store(s)
	return w, nil
}

// Set returns the keys. While the file is missing or wrong, it returns those that were read last and
// logs why, once a change: a tenant that runs must not stop since somebody copies a file.
func (w *Watched) Set() *Set {
	// Whoever comes while another looks takes what is there.
	if w.mu.TryLock() {
		defer w.mu.Unlock()
		if now := w.now(); now.Sub(w.looked) >= lookEvery || now.Before(w.looked) {
			w.looked = now
			w.look()
		}
	}
	return w.set.Load()
}

func (w *Watched) look() {
	fi, err := os.Stat(w.path)
	if err != nil {
		if w.seen != nil {
			w.log.LogAttrs(context.Background(), slog.LevelError, "keys file cannot be read, keeping the keys", slog.Any("error", err))
		}
		w.seen = nil
		return
	}
	// A file that was replaced is another one, even when size and date are the same.
	if w.seen != nil && os.SameFile(fi, w.seen) && fi.ModTime().Equal(w.seen.ModTime()) && fi.Size() == w.seen.Size() && fi.Mode() == w.seen.Mode() {
		return
	}
	w.seen = fi
	s, err := read(w.path)
	if err != nil {
		w.log.LogAttrs(context.Background(), slog.LevelError, "keys file cannot be read, keeping the keys", slog.Any("error", err))
		return
	}
	w.set.Store(s)
	w.log.LogAttrs(context.Background(), slog.LevelInfo, "keys file read again",
		slog.Int("signing_keys", len(s.Signing)), slog.String("signs", s.Signer(w.now()).ID))
}
