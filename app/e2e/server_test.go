//go:build e2e && !js

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/childtest"
)

// server is the program in a separate process.
type server struct {
	t     testing.TB
	cmd   *exec.Cmd
	data  string
	log   *logBuffer
	done  chan struct{}
	Ready struct {
		Editor string `json:"editor_url"`
		Tenant string `json:"tenant_url"`
		Sample string `json:"sample_url"`
	}
	First struct {
		Admin struct {
			Email, Password string
		} `json:"admin"`
		Client struct {
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
		} `json:"management_client"`
	}
}

// logBuffer collects the output of the process.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start runs the program on free ports with a data folder and waits until it is
// ready. The same folder can be used again once the process has ended.
func start(tb testing.TB, data string, args ...string) *server {
	tb.Helper()
	s := launchServer(tb, data, args...)
	tb.Cleanup(s.kill)
	return s
}

// launchServer is like start, but the caller ends the server.
func launchServer(tb testing.TB, data string, args ...string) *server {
	tb.Helper()
	bin := os.Getenv("FORMGRAPH_BIN")
	if bin == "" {
		tb.Fatal("FORMGRAPH_BIN is not set: run make e2e")
	}
	s := &server{t: tb, data: data, log: &logBuffer{}, done: make(chan struct{})}
	remote := slices.Contains(args, "--issuer")
	if !slices.Contains(args, "--listen") {
		args = append([]string{"--listen", "localhost:0"}, args...)
	}
	args = append([]string{"serve", "--print-ready", "--data", data}, args...)
	if !remote {
		args = append(args, "--sample-listen", "localhost:0")
		if !slices.Contains(args, "--tenant-listen") {
			args = append(args, "--tenant-listen", "localhost:0")
		}
	}
	s.cmd = exec.Command(bin, args...)
	s.cmd.Stderr = s.log
	childtest.Tie(s.cmd, syscall.SIGKILL)
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	ready := make(chan []byte, 1)
	go func() {
		defer close(s.done)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			_, _ = fmt.Fprintln(s.log, lines.Text())
			if bytes.Contains(lines.Bytes(), []byte(`"editor_url"`)) {
				ready <- bytes.Clone(lines.Bytes())
			}
		}
		_ = s.cmd.Wait()
	}()
	select {
	case line := <-ready:
		if err := json.Unmarshal(line, &s.Ready); err != nil {
			tb.Fatal(err)
		}
	case <-s.done:
		tb.Fatalf("the server ended:\n%s", s.log)
	case <-time.After(waittest.Limit(time.Minute)):
		s.kill()
		tb.Fatalf("the server is not ready:\n%s", s.log)
	}
	if remote {
		return s
	}
	first, err := os.ReadFile(filepath.Join(data, "first-start.json"))
	if err == nil {
		err = json.Unmarshal(first, &s.First)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// kill ends the process at once, like a power failure.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

// token gets an access token with the machine client.
func (s *server) token() string {
	s.t.Helper()
	body := s.post(s.Ready.Tenant+"/oauth/token", "application/x-www-form-urlencoded", "", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {s.First.Client.ID}, "client_secret": {s.First.Client.Secret}, "audience": {"/api/v2/"},
	}.Encode(), http.StatusOK)
	tok, _ := body["access_token"].(string)
	if tok == "" {
		s.t.Fatalf("no token: %v", body)
	}
	return tok
}

// create creates a form through the API and returns its id.
func (s *server) create(form string) string {
	s.t.Helper()
	body := s.post(s.Ready.Tenant+"/api/v2/forms", "application/json", s.token(), form, http.StatusCreated)
	id, _ := body["id"].(string)
	return id
}

// form reads a form from the API.
func (s *server) form(id string) map[string]any {
	s.t.Helper()
	return s.send(http.MethodGet, s.Ready.Tenant+"/api/v2/forms/"+id, "", s.token(), "", http.StatusOK)
}

// patch changes a form through the API, as somebody else would.
func (s *server) patch(id, body string) {
	s.t.Helper()
	s.send(http.MethodPatch, s.Ready.Tenant+"/api/v2/forms/"+id, "application/json", s.token(), body, http.StatusOK)
}

func (s *server) post(address, contentType, token, body string, want int) map[string]any {
	s.t.Helper()
	return s.send(http.MethodPost, address, contentType, token, body, want)
}

// client returns a client that trusts the server's own authority, if it has one.
func (s *server) client() *http.Client {
	s.t.Helper()
	authority, err := os.ReadFile(filepath.Join(s.data, "local-ca.pem"))
	if err != nil {
		return http.DefaultClient
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func (s *server) send(method, address, contentType, token, body string, want int) map[string]any {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Limit(time.Minute))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.HasSuffix(req.URL.Hostname(), ".localhost") { // browsers resolve such names by themselves
		req.Host, req.URL.Host = req.URL.Host, net.JoinHostPort("localhost", req.URL.Port())
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := s.client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if res.StatusCode != want {
		s.t.Fatalf("%s %s: %d %s, want %d", method, address, res.StatusCode, b, want)
	}
	var v map[string]any
	if len(b) > 0 {
		if err := json.Unmarshal(b, &v); err != nil {
			s.t.Fatal(err)
		}
	}
	return v
}
