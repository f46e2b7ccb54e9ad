package clienttests

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// server is a running `formgraph serve`.
type server struct {
	Editor string `json:"editor_url"`
	Tenant string `json:"tenant_url"`
	folder string

	Admin  struct{ Email, Password string }
	Client struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
}

// host is the tenant's host and port, as clients of the vendor are configured.
func (s *server) host() string {
	_, host, _ := strings.Cut(s.Tenant, "://")
	return host
}

// authority is the file of the local authority.
func (s *server) authority() string { return filepath.Join(s.folder, "local-ca.pem") }

// start runs the built program with its embedded tenant until the test ends.
func start(t testing.TB, args ...string) *server {
	t.Helper()
	for _, listener := range []string{"--listen", "--tenant-listen", "--sample-listen"} {
		if !slices.Contains(args, listener) {
			args = append(args, listener, "127.0.0.1:0")
		}
	}
	s := run(t, args...)
	text, err := os.ReadFile(filepath.Join(s.folder, "first-start.json"))
	if err != nil {
		t.Fatal(err)
	}
	first := struct {
		Admin  any `json:"admin"`
		Client any `json:"management_client"`
	}{&s.Admin, &s.Client}
	if err := json.Unmarshal(text, &first); err != nil {
		t.Fatal(err)
	}
	return s
}

// run runs the built program until the test ends. FORMGRAPH_BIN names it; make test-clients builds it.
func run(t testing.TB, args ...string) *server {
	t.Helper()
	bin := os.Getenv("FORMGRAPH_BIN")
	if bin == "" {
		t.Fatal("FORMGRAPH_BIN names no program: run make test-clients")
	}
	s := &server{folder: filepath.Join(t.TempDir(), "data")}
	cmd := exec.CommandContext(t.Context(), bin, append([]string{"serve", "--data", s.folder, "--print-ready"}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	firstLine(t, cmd, s)
	return s
}

// firstLine starts a program and reads the JSON object that it prints first.
func firstLine(t testing.TB, cmd *exec.Cmd, into any) {
	t.Helper()
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() {
		<-done
		_ = cmd.Wait()
		if t.Failed() && errors.Len() > 0 {
			t.Logf("%s:\n%s", filepath.Base(cmd.Path), errors.String())
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadBytes('\n')
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, lines)
	}()
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(cmd.Path), err)
	}
	if err := json.Unmarshal(line, into); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
}
