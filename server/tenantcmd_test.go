package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/porttest"
)

// startTenant runs `formgraph tenant` until stop is called, and returns its ready line.
func startTenant(t *testing.T, folder string, args ...string) (line string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	log := &safeBuffer{}
	go func() {
		code <- run(ctx, process{stdout: in, stderr: log, lookup: noEnv}, append([]string{"tenant", "--data", folder, "--print-ready"}, args...))
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no ready line: %v\n%s", err, log)
	}
	return line, func() int { cancel(); return <-code }
}

// The tenant alone makes the same first start, and an editor that runs elsewhere signs in by it and
// saves.
func TestTenantAlone(t *testing.T) {
	folder := newData(t)
	editor, tenant := porttest.Address(t), porttest.Address(t)
	_, port, err := net.SplitHostPort(editor)
	if err != nil {
		t.Fatal(err)
	}
	line, stop := startTenant(t, folder, "--tenant-listen", tenant, "--public-url", "http://localhost:"+port+"/")
	var at map[string]string
	if err := json.Unmarshal([]byte(line), &at); err != nil || len(at) != 2 || at["data"] != folder ||
		!strings.HasPrefix(at["tenant_url"], "http://localhost:") {
		t.Fatalf("ready line %q, %v", line, err)
	}
	credentials := keysOutput(t, folder)
	r := start(t, newData(t), "--listen", editor, "--issuer", at["tenant_url"], "--client-id", credentials[1],
		"--client-secret", credentials[2],
		"--audience", at["tenant_url"]+"/api/v2/", "--management-url", at["tenant_url"]+"/api/v2", "--me-audience", at["tenant_url"]+"/me/")
	if r.at.Tenant != at["tenant_url"] || r.at.Sample != "" {
		t.Errorf("the editor is at %+v", r.at)
	}
	r.folder = folder
	f := r.first()
	if f.Editor != r.at.Editor || f.Tenant != at["tenant_url"] || f.Sample != "" || f.Admin.Password == "" || f.Management.Secret == "" {
		t.Errorf("first start = %+v, want the editor at %s", f, r.at.Editor)
	}
	p := r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	if status, _, body := p.app("GET", "/bff/api/forms?include_totals=true", ""); status != 200 || !strings.Contains(body, `"total":3`) {
		t.Errorf("forms: %d %s", status, body)
	}
	if status, _, body := p.app("POST", "/bff/api/forms", `{"name":"From elsewhere"}`); status != 201 {
		t.Errorf("create: %d %s", status, body)
	}
	if status, _, body := p.app("GET", "/bff/api/me/factors", ""); status != 200 || !strings.Contains(body, "passkey") {
		t.Errorf("account API: %d %s", status, body)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, _, body := p.send("GET", at["tenant_url"]+path, ""); status != 200 || body != "ok\n" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _, _ := p.send("GET", at["tenant_url"]+"/forms", ""); status != 404 {
		t.Errorf("the tenant alone serves the editor: %d", status)
	}
	if got := stop(); got != exitOK {
		t.Errorf("ended with %d", got)
	}

	// Started again at the same address, it knows its people; what it printed once it does not print again.
	again, stop := startTenant(t, folder, "--tenant-listen", tenant, "--public-url", "http://localhost:"+port)
	if again != line {
		t.Errorf("again %q, want %q", again, line)
	}
	if status, _, body := p.app("GET", "/bff/api/forms?include_totals=true", ""); status != 200 || !strings.Contains(body, `"total":4`) {
		t.Errorf("forms after a start: %d %s", status, body)
	}
	stop()
}

// keysOutput are the credentials that formgraph keys editor prints.
func keysOutput(t *testing.T, folder string) []string {
	t.Helper()
	var out, complaint bytes.Buffer
	code := run(t.Context(), process{stdout: &out, stderr: &complaint, lookup: noEnv}, []string{"keys", "editor", "--data", folder})
	m := regexp.MustCompile(`^client_id      (\S+)\nclient_secret  (\S{43})\n$`).FindStringSubmatch(out.String())
	if code != exitOK || m == nil {
		t.Fatalf("keys editor = %d %s%s", code, out.String(), complaint.String())
	}
	return m
}

func TestTenantOptions(t *testing.T) {
	command := func(args ...string) (int, string) {
		var out, fault bytes.Buffer
		code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv},
			append([]string{"tenant", "--data", filepath.Join(t.TempDir(), "data")}, args...))
		return code, out.String() + fault.String()
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--help"}, 0, "Usage: formgraph tenant"},
		{[]string{"--help"}, 0, "--signup"},
		{[]string{"--print-config", "--admin-password", "long enough"}, 0, `admin-password = "********" (flag)`},
		{[]string{"--print-config"}, 0, `tenant-listen = "127.0.0.1:8081" (default)`},
		{[]string{"--listen", "127.0.0.1:0"}, 2, "--listen: is not an option"},
		{[]string{"--issuer", "https://a.example"}, 2, "--issuer: is not an option"},
		{[]string{"--tenant-listen", "192.0.2.1:1"}, 2, "--tenant-url: must be given"},
		{[]string{"--tenant-listen", "x"}, 2, "--tenant-listen: must be host:port"},
		{[]string{"--tls-cert", "a"}, 2, "--tls-key: must be given"},
		{[]string{"--tls-local", "--tenant-url", "http://localhost:1"}, 2, "--tenant-url: must be https"},
		{[]string{"--signup", "--signup"}, 2, "--signup: must be given once"},
	} {
		code, out := command(tt.args...)
		if code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("tenant %v: %d %s, want %d with %q", tt.args, code, out, tt.code, tt.want)
		}
		if strings.Contains(out, "sample") || strings.Contains(out, "management-url") {
			t.Errorf("tenant %v speaks of other parts:\n%s", tt.args, out)
		}
	}
}

// The tenant does not judge an editor's address without TLS.
func TestTenantBesidePlainEditor(t *testing.T) {
	folder := newData(t)
	line, stop := startTenant(t, folder, "--tenant-listen", "127.0.0.1:0", "--tls-local")
	if !strings.Contains(line, `"tenant_url":"https://localhost:`) {
		t.Errorf("ready line %q", line)
	}
	r := &running{t: t, folder: folder}
	if f := r.first(); f.Editor != "http://localhost:8080" {
		t.Errorf("editor = %q, want the default", f.Editor)
	}
	if code := stop(); code != exitOK {
		t.Errorf("ended with %d", code)
	}
}
