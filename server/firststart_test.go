package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
)

// TestFirstStart checks that the credentials of the first start are random and readable only by the owner, and that a later start keeps
// them.
func TestFirstStart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	r := start(t, folder)
	first := r.first()
	for name, want := range map[string]os.FileMode{"": 0o700, "first-start.json": 0o600, "keys": 0o600, "formgraph.db": 0o600} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%q has mode %o, want %o", name, got, want)
		}
	}
	other := start(t, filepath.Join(t.TempDir(), "data")).first()
	if first.Admin.Password == other.Admin.Password || first.Management == other.Management || len(first.Admin.Password) < 16 {
		t.Error("secrets must be random")
	}
	r.stop()
	start(t, folder)
	if again := r.first(); again != first {
		t.Error("the second start must not write the file")
	}
}

// The first start prints the administrator's password once; neither later starts nor the log show it again.
func TestPasswordIsPrintedOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	serve := func() (out, log string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var stdout, stderr safeBuffer
		code := make(chan int, 1)
		go func() {
			code <- run(ctx, process{stdout: &stdout, stderr: &stderr, lookup: noEnv}, []string{
				"serve", "--data", folder, "--log-level", "debug", "--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0", "--sample-listen",
				"127.0.0.1:0",
			})
		}()
		waittest.Until(t, "the server is ready", func() bool { return strings.Contains(stdout.String(), "http://") || len(code) > 0 })
		cancel()
		if got := <-code; got != exitOK {
			t.Fatalf("ended with %d: %s", got, stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	out, log := serve()
	password := (&running{t: t, folder: folder}).first().Admin.Password
	if strings.Count(out, password) != 1 || strings.Contains(log, password) {
		t.Errorf("the first start prints\n%s\nand logs\n%s", out, log)
	}
	if out, log := serve(); strings.Contains(out+log, password) {
		t.Errorf("the second start prints\n%s\nand logs\n%s", out, log)
	}
}

func TestAdministratorIsChosen(t *testing.T) {
	r := start(t, filepath.Join(t.TempDir(), "data"), "--admin-email", "ana@example.org", "--admin-password", "correct horse")
	p := r.person()
	p.signIn("ana@example.org", "correct horse")
	if status, _, body := p.app("GET", "/bff/user", ""); status != 200 || !strings.Contains(body, "ana@example.org") {
		t.Errorf("got %d %s", status, body)
	}
}
