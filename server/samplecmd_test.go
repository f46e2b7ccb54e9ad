package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// The sample beside the tenant: who may come in, and the example client by both ways.
func TestSampleBeside(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	r := start(t, folder)
	p := r.person()
	if status, _, body := p.send("GET", r.at.Sample+"/api/public", ""); status != 200 || !strings.Contains(body, "Nobody needs a token") {
		t.Errorf("public: %d %s", status, body)
	}
	if status, h, _ := p.send("GET", r.at.Sample+"/api/private", ""); status != 401 || h.Get("WWW-Authenticate") == "" || h.Get("X-Request-Id") == "" {
		t.Errorf("private without a token: %d %v", status, h)
	}
	if first := r.first(); first.Sample != r.at.Sample || first.Sample == "" {
		t.Errorf("first start says %q, want %q", first.Sample, r.at.Sample)
	}
	call := func(args ...string) (int, string) {
		var out, fault bytes.Buffer
		code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv}, append([]string{"sample", "call", "--data", folder}, args...))
		return code, out.String() + fault.String()
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 0, `"scopes":["SCOPE_read:users","SCOPE_write:users","SCOPE_admin"]`},
		{[]string{"--dpop"}, 0, "200 OK"},
		{[]string{"--dpop", "/api/users?x=1", "--scope", "read:users"}, 0, `"scopes":["SCOPE_read:users"]`},
		{[]string{"--dpop", "/api/admin", "--scope", "read:users"}, 0, "403 Forbidden"},
		{[]string{"api/users"}, 2, "must begin with a slash"},
		{[]string{"--help"}, 0, "Usage: formgraph sample call"},
		{[]string{"--data", filepath.Join(folder, "none")}, 2, "name the data folder"},
	} {
		if code, out := call(tt.args...); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("call %v: %d %s, want %d with %q", tt.args, code, out, tt.code, tt.want)
		}
	}
}

func TestSampleRefused(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "--domain: must be given\n--audience: must be given"},
		{[]string{"--domain", "https://tenant.example", "--audience", "a"}, "--domain: must be without a scheme"},
		{[]string{"--domain", "tenant.example/x", "--audience", "a"}, "--domain: must be a host"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--dpop-mode", "allowed"}, "--dpop-mode: must be one of DISABLED, ALLOWED, REQUIRED"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--dpop-iat-offset-seconds", "0"}, "--dpop-iat-offset-seconds: must be a whole number of seconds"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--sample-listen", "192.0.2.1:1"}, "--sample-url: must be given"},
	} {
		var out, fault bytes.Buffer
		if code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv}, append([]string{"sample"}, tt.args...)); code != 2 || !strings.Contains(fault.String(), tt.want) {
			t.Errorf("sample %v: %d %s, want 2 with %q", tt.args, code, fault.String(), tt.want)
		}
	}
}

// The sample alone trusts the tenant that the vendor's names in the environment say.
func TestSampleAlone(t *testing.T) {
	r := start(t, filepath.Join(t.TempDir(), "data"))
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		env := map[string]string{"AUTH0_DOMAIN": strings.TrimPrefix(r.at.Tenant, "http://"), "AUTH0_AUDIENCE": sampleAudience}
		p := process{stdout: in, stderr: io.Discard, lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		code <- run(ctx, p, []string{"sample", "--sample-listen", "127.0.0.1:0", "--print-ready"})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var at addresses
	if err := json.Unmarshal([]byte(line), &at); err != nil || at.Sample == "" {
		t.Fatalf("ready line %q, %v", line, err)
	}
	first := r.first()
	c := &caller{http: http.DefaultClient, first: first}
	c.first.Sample = at.Sample
	token, err := c.token(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := c.call(t.Context(), "/api/admin", token); err != nil || !strings.HasPrefix(answer, "200 OK") {
		t.Errorf("%s, %v", answer, err)
	}
	if status, _, body := r.person().send("GET", at.Sample+"/healthz", ""); status != 200 || body != "ok\n" {
		t.Errorf("health: %d %s", status, body)
	}
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("ended with %d", got)
	}
}
