package postgrestest_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// child is set in the process that TestServerEndsWithItsTest kills.
const child = "POSTGRES_TEST_CHILD"

// folder returns the folder of the server with a URL.
func folder(t *testing.T, text string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("host")
}

// The server and its folder end with a test binary that is killed.
func TestServerEndsWithItsTest(t *testing.T) {
	if os.Getenv(child) != "" {
		_, _ = fmt.Fprintln(os.Stdout, "folder", folder(t, postgrestest.URL(t)))
		select {} // until it is killed
	}
	c := exec.Command(os.Args[0], "-test.run=^TestServerEndsWithItsTest$")
	c.Env = append(os.Environ(), child+"=1", "FORMGRAPH_POSTGRES=")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	lines := bufio.NewScanner(out)
	for dir == "" && lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "folder %s", &dir)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the folder of the server: %v", err)
	}
	if err := errors.Join(c.Process.Kill(), c.Wait()); err == nil {
		t.Fatal("the process was not killed")
	}
	waittest.Until(t, dir+" is removed, after the server has ended", func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	})
}

// Databases that tests use one after the other are empty.
func TestDatabasesAreEmpty(t *testing.T) {
	for range 2 {
		t.Run("use", func(t *testing.T) {
			d := postgrestest.Open(t)
			if _, err := d.Role(t.Context(), "r"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("Role = %v, want ErrNotFound", err)
			}
			if err := d.CreateRole(t.Context(), store.Role{ID: "r", Name: "R"}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A separate server can be stopped or killed, and started again with its data.
func TestRestart(t *testing.T) {
	server := postgrestest.Start(t, postgrestest.Options{})
	text := server.URL(t)
	if err := postgrestest.OpenURL(t, text).PutMark(t.Context(), "kept", "yes"); err != nil {
		t.Fatal(err)
	}
	server.Stop(t)
	if _, err := postgres.Open(t.Context(), text); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Open of a stopped server = %v, want ErrUnavailable", err)
	}
	server.Resume(t)
	server.Resume(t) // which does nothing
	postgrestest.Check(t, text)
	server.Kill(t)
	server.Resume(t) // which waits until it has recovered
	postgrestest.Check(t, text)
	if v, err := postgrestest.OpenURL(t, text).Mark(t.Context(), "kept"); err != nil || v != "yes" {
		t.Errorf("Mark = %s, %v, want yes", v, err)
	}
}

// Each use of a template starts with the rows that were filled in.
func TestTemplate(t *testing.T) {
	use := postgrestest.Template(t, func(d *postgres.DB) {
		if err := d.PutMark(t.Context(), "filled", "yes"); err != nil {
			t.Fatal(err)
		}
	})
	for range 2 {
		use(2, func(dbs []*postgres.DB) {
			for i, want := range []string{"yes", "changed"} {
				if v, err := dbs[i].Mark(t.Context(), "filled"); err != nil || v != want {
					t.Errorf("Mark = %s, %v, want %s", v, err, want)
				}
				if err := dbs[i].PutMark(t.Context(), "filled", "changed"); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
