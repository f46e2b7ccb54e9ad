package keys_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
)

// ids names signing keys.
func ids(ks []keys.Signing) []string {
	var out []string
	for _, k := range ks {
		out = append(out, k.ID)
	}
	return out
}

// When keys sign and verify does not depend on their content, so these have none.
func TestTimes(t *testing.T) {
	at := func(hours float64) time.Time { return noon.Add(time.Duration(hours * float64(time.Hour))) }
	s := &keys.Set{Signing: []keys.Signing{
		{ID: "d", Created: at(50), From: at(51)},
		{ID: "c", Created: at(10), From: at(11)},
		{ID: "b", Created: at(9), From: at(10)},
		{ID: "a", Created: at(0)},
	}}
	for _, tt := range []struct {
		hours     float64
		signs     string
		published string
	}{
		{-1, "a", "d c b a"}, // a clock that is wrong
		{0, "a", "d c b a"},
		{9.99, "a", "d c b a"},
		{10, "b", "d c b a"},
		{11, "c", "d c b a"},
		{33.99, "c", "d c b a"}, // a is kept for 24 hours after b began
		{34, "c", "d c b"},
		{35, "c", "d c"},
		{50.99, "c", "d c"},
		{51, "d", "d c"},
		{75, "d", "d"},
		{1000, "d", "d"},
	} {
		if got := s.Signer(at(tt.hours)).ID; got != tt.signs {
			t.Errorf("after %v h %s signs, want %s", tt.hours, got, tt.signs)
		}
		if got := strings.Join(ids(s.Published(at(tt.hours))), " "); got != tt.published {
			t.Errorf("after %v h published are %s, want %s", tt.hours, got, tt.published)
		}
	}
	if got := append(s.Published(at(51)), keys.Signing{ID: "x"}); s.Signing[2].ID != "b" || len(got) != 3 {
		t.Error("appending to what is published changes the set")
	}
}

func TestRotateSigning(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	if _, err := keys.RotateSigning(path, noon); err == nil {
		t.Error("RotateSigning without a file = nil, want an error")
	}
	first, err := keys.Load(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	now := noon.Add(time.Hour)
	k, err := keys.RotateSigning(path, now)
	if err != nil {
		t.Fatal(err)
	}
	s, err := keys.Load(path, now)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{k.ID, first.Signing[0].ID}; !slices.Equal(ids(s.Signing), want) || !s.Signing[0].Key.Equal(k.Key) {
		t.Errorf("keys = %v, want %v", ids(s.Signing), want)
	}
	if !s.Signing[0].From.Equal(now.Add(keys.Lead)) || s.Signer(now.Add(keys.Lead-time.Second)).ID != first.Signing[0].ID ||
		s.Signer(now.Add(keys.Lead)).ID != k.ID {
		t.Errorf("the new key signs from %v, want %v", s.Signing[0].From, now.Add(keys.Lead))
	}
	if !bytes.Equal(s.Master[0].Secret, first.Master[0].Secret) {
		t.Error("the master secret changed")
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("file after rotation: %v, %v, want mode 600", fi.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("folder holds %v (%v), want the keys file alone", left, err)
	}
	// Keys whose tokens are over go.
	later := now.Add(keys.Lead + keys.Keep)
	third, err := keys.RotateSigning(path, later)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = keys.Load(path, later); err != nil || !slices.Equal(ids(s.Signing), []string{third.ID, k.ID}) {
		t.Errorf("keys = %v (%v), want the third and the second", ids(s.Signing), err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := keys.RotateSigning(path, later); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("RotateSigning of a readable file = %v, want an error with what to do", err)
	}
}

// A running process sees a rotation and another file, and keeps its keys for a broken or missing one.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	var log bytes.Buffer
	var mu sync.Mutex
	now := noon
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	wait := func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
	logger := slog.New(slog.NewTextHandler(&log, nil))
	if _, err := keys.Watch(path, clock, logger); err == nil {
		t.Error("Watch of nothing = nil, want an error")
	}
	first, err := keys.Load(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	w, err := keys.Watch(path, clock, logger)
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, want string) {
		t.Helper()
		if got := w.Get().Signing[0].ID; got != want {
			t.Errorf("%s: newest key is %s, want %s", name, got, want)
		}
	}
	check("at first", first.Signing[0].ID)
	second, err := keys.RotateSigning(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	wait(4 * time.Second)
	check("too early to look", first.Signing[0].ID)
	wait(time.Second)
	check("after five seconds", second.ID)
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wait(time.Minute)
		check("broken", second.ID)
	}
	if n := strings.Count(log.String(), "cannot be read"); n != 1 {
		t.Errorf("a broken file is logged %d times, want once", n)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		wait(time.Minute)
		check("missing", second.ID)
	}
	if n := strings.Count(log.String(), "cannot be read"); n != 2 {
		t.Errorf("a broken and a missing file are logged %d times, want twice", n)
	}
	third, err := keys.Load(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	wait(time.Minute)
	check("there again", third.Signing[0].ID)
	wait(-time.Hour) // a clock that went back does not stop the watch
	fourth, err := keys.RotateSigning(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	check("after the clock went back", fourth.ID)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				wait(time.Second)
				if len(w.Get().Signing) == 0 {
					t.Error("no key")
				}
			}
		})
	}
	wg.Wait()
	if strings.Contains(log.String(), "PRIVATE") {
		t.Error("log holds a key")
	}
}

// Two files of one size are distinguished by their dates, and by being two files.
func TestWatchSameSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	now := noon
	a, err := keys.New(noon)
	if err != nil {
		t.Fatal(err)
	}
	b, err := keys.New(noon)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, first, second keys.Signing, date time.Time) {
		t.Helper()
		text, err := (&keys.Set{Signing: []keys.Signing{first, second}, Master: a.Master}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, date, date); err != nil {
			t.Fatal(err)
		}
	}
	write(path, a.Signing[0], b.Signing[0], noon)
	w, err := keys.Watch(path, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	write(path, b.Signing[0], a.Signing[0], noon.Add(time.Second))
	now = now.Add(time.Minute)
	if got := w.Get().Signing[0].ID; got != b.Signing[0].ID {
		t.Errorf("after a change in place: %s, want %s", got, b.Signing[0].ID)
	}
	write(path+"2", a.Signing[0], b.Signing[0], noon.Add(time.Second))
	if err := os.Rename(path+"2", path); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	if got := w.Get().Signing[0].ID; got != a.Signing[0].ID {
		t.Errorf("after another file took its place: %s, want %s", got, a.Signing[0].ID)
	}
}
