package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The sample API beside the tenant: which tokens it accepts, and both kinds of the example client.
func TestSampleBeside(t *testing.T) {
	folder := newData(t)
	r := start(t, folder)
	p := r.person()
	if status, _, body := p.send("GET", r.at.Sample+"/api/public", ""); status != 200 || !strings.Contains(body, "No token is needed") {
		t.Errorf("public: %d %s", status, body)
	}
	if status, h, _ := p.send("GET", r.at.Sample+"/api/private", ""); status != 401 || h.Get("WWW-Authenticate") == "" ||
		h.Get("X-Request-Id") == "" {
		t.Errorf("private without a token: %d %v", status, h)
	}
	if first := r.first(); first.Sample != r.at.Sample || first.Sample == "" {
		t.Errorf("first start says %q, want %q", first.Sample, r.at.Sample)
	}
	alone := t.TempDir() // of formgraph tenant
	if err := os.WriteFile(filepath.Join(alone, "first-start.json"), []byte(`{"tenant_url":"http://localhost:1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) (int, string) {
		var out, fault bytes.Buffer
		code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv},
			append([]string{"sample", "call", "--data", folder}, args...))
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
		{[]string{"--url", r.at.Sample + "/", "/api/users"}, 0, "200 OK"},
		{[]string{"--url", r.at.Tenant, "/nowhere"}, 0, "404 Not Found"},
		{[]string{"--data", alone}, 2, "has no sample API beside it: give the address of one with --url"},
	} {
		if code, out := call(tt.args...); code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("call %v: %d %s, want %d with %q", tt.args, code, out, tt.code, tt.want)
		}
	}
}

// Beside the tenant both remember proofs in the database, for other replicas.
func TestSampleNotesProofs(t *testing.T) {
	folder := newData(t)
	start(t, folder)
	db, err := sql.Open("sqlite", filepath.Join(folder, "formgraph.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()                      //nolint:errcheck // the test is over
	for want := 2; want <= 4; want += 2 { // one for the token, one for the call
		var out, fault bytes.Buffer
		if code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv},
			[]string{"sample", "call", "--data", folder, "--dpop"}); code != exitOK {
			t.Fatalf("%d %s", code, &fault)
		}
		n := 0
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM proofs`).Scan(&n); err != nil || n != want {
			t.Errorf("%d proofs in the database, %v, want %d", n, err, want)
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
		{
			[]string{"--domain", "tenant.example", "--audience", "a", "--dpop-mode", "allowed"},
			"--dpop-mode: must be one of DISABLED, ALLOWED, REQUIRED",
		},
		{
			[]string{"--domain", "tenant.example", "--audience", "a", "--dpop-iat-offset-seconds", "0"},
			"--dpop-iat-offset-seconds: must be a whole number of seconds",
		},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--sample-listen", "192.0.2.1:1"}, "--sample-url: must be given"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--tls-cert", "c.pem"}, "--tls-key: must be given together with --tls-cert"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--tls-key", "c.key"}, "--tls-cert: must be given together with --tls-key"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--tls-cert", "none.pem", "--tls-key", "none.key"}, "none.pem"},
		{[]string{"--domain", "tenant.example", "--audience", "a", "--tls-trust", "none.pem"}, "read authority"},
		{
			[]string{"--domain", "tenant.example", "--audience", "a", "--tls-cert", "c", "--tls-key", "k", "--sample-url", "http://api.example"},
			"--sample-url: must be https",
		},
	} {
		var out, fault bytes.Buffer
		if code := run(t.Context(), process{stdout: &out, stderr: &fault, lookup: noEnv}, append([]string{"sample"}, tt.args...)); code != 2 ||
			!strings.Contains(fault.String(), tt.want) {
			t.Errorf("sample %v: %d %s, want 2 with %q", tt.args, code, fault.String(), tt.want)
		}
	}
}

// alone is `formgraph sample` in this process, on a free port.
type alone struct {
	at   string
	stop func() int
}

func startSample(t *testing.T, env map[string]string, args ...string) alone {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		p := process{stdout: in, stderr: io.Discard, lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
		code <- run(ctx, p, append([]string{"sample", "--sample-listen", "127.0.0.1:0", "--print-ready"}, args...))
		_ = in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var at addresses
	if err := json.Unmarshal([]byte(line), &at); err != nil || at.Sample == "" {
		t.Fatalf("ready line %q, %v", line, err)
	}
	stop := sync.OnceValue(func() int { cancel(); return <-code })
	t.Cleanup(func() { stop() })
	return alone{at.Sample, stop}
}

// The sample API alone trusts the tenant that the vendor's environment variables name.
func TestSampleAlone(t *testing.T) {
	r := start(t, newData(t))
	s := startSample(t, map[string]string{"AUTH0_DOMAIN": strings.TrimPrefix(r.at.Tenant, "http://"), "AUTH0_AUDIENCE": sampleAudience})
	c := &caller{http: http.DefaultClient, first: r.first()}
	c.first.Sample = s.at
	token, err := c.token(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := c.call(t.Context(), "/api/admin", token); err != nil || !strings.HasPrefix(answer, "200 OK") {
		t.Errorf("%s, %v", answer, err)
	}
	if status, _, body := r.person().send("GET", s.at+"/healthz", ""); status != 200 || body != "ok\n" {
		t.Errorf("health: %d %s", status, body)
	}
	if got := s.stop(); got != exitOK {
		t.Errorf("ended with %d", got)
	}
}

// With TLS the sample API alone uses https, and trusts a tenant whose local authority it is configured to trust, and no other.
func TestSampleTLS(t *testing.T) {
	folder := newData(t)
	r := start(t, folder, "--tls-local")
	file := func(name string) string { return filepath.Join(folder, name) }
	own := []string{
		"--domain", strings.TrimPrefix(r.at.Tenant, "https://"), "--audience", sampleAudience, "--tls-cert", file("local-tls.pem"),
		"--tls-key", file("local-tls.key"),
	}
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"trusted", append(own, "--tls-trust", file("local-ca.pem")), "200 OK"},
		{"not trusted", own, "401 Unauthorized"}, // a tenant on loopback is one of http, and this token another's
	} {
		s := startSample(t, nil, tt.args...)
		if !strings.HasPrefix(s.at, "https://127.0.0.1:") {
			t.Errorf("%s: the address is %s", tt.name, s.at)
		}
		for _, bound := range []bool{false, true} {
			c, err := newCaller(folder, bound)
			if err != nil {
				t.Fatal(err)
			}
			c.first.Sample = s.at
			token, err := c.token(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := c.call(t.Context(), "/api/private", token); err != nil || !strings.HasPrefix(answer, tt.want) {
				t.Errorf("%s: %s, %v, want %s", tt.name, answer, err, tt.want)
			}
		}
		status, _, _ := r.person().send("GET", strings.Replace(s.at, "https:", "http:", 1)+"/healthz", "")
		if status == http.StatusOK {
			t.Errorf("%s: plain HTTP is served", tt.name)
		}
		if got := s.stop(); got != exitOK {
			t.Errorf("%s: ended with %d", tt.name, got)
		}
	}
}
