package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// crashFile names the file that this binary writes to when it plays the process that is killed, and openFile the one that it only opens.
const (
	crashFile = "SQLITE_TEST_CRASH_FILE"
	openFile  = "SQLITE_TEST_OPEN_FILE"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		if err := writeForEver(context.Background(), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if path := os.Getenv(openFile); path != "" {
		d, err := sqlite.Open(context.Background(), path)
		if err == nil {
			err = errors.Join(d.Ping(context.Background()), d.Close())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeForEver changes one document again and again and tells of each change that was acknowledged.
func writeForEver(ctx context.Context, path string) error {
	d, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	for {
		got, err := d.Forms().Update(ctx, "a", time.Now(), func(d store.Document) (store.Document, error) {
			n, err := strconv.Atoi(d.Name)
			d.Name = strconv.Itoa(n + 1)
			d.Body = []byte(strings.Repeat(d.Name+" ", 2000))
			return d, err
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(os.Stdout, got.Name); err != nil {
			return err
		}
	}
}

// A process that is killed while it writes loses no acknowledged change and leaves no half change.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Forms().Create(t.Context(), store.Document{ID: "a", Name: "0", Body: []byte("0 ")}); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 5 {
		acknowledged := runAndKill(t, path, 20+7*round)
		d, err := sqlite.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Forms().Get(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(got.Name)
		if err != nil || n < acknowledged {
			t.Errorf("round %d: change %s is stored, want at least %d", round, got.Name, acknowledged)
		}
		if want := strings.Repeat(got.Name+" ", 2000); string(got.Body) != want {
			t.Errorf("round %d: change %s is half stored", round, got.Name)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// runAndKill lets a process write until it has reported some changes, kills it while it continues, and
// returns the last change that it reported.
func runAndKill(t *testing.T, path string, changes int) int {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), crashFile+"="+path)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	last := 0
	lines := bufio.NewScanner(out)
	for seen := 0; lines.Scan(); seen++ {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if seen == changes {
			_ = c.Process.Kill() // it is our own child; what it wrote before is read on
		}
	}
	_ = c.Wait() // killed, as it should be
	if last < changes {
		t.Fatalf("the process reported %d changes, want %d: it ended by itself", last, changes)
	}
	return last
}
