package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/porttest"
)

// serviceArgs returns the options of an editor in front of a tenant, which calls it by a service client.
func serviceArgs(issuer string, more ...string) []string {
	return append([]string{
		"--listen", "127.0.0.1:0", "--issuer", issuer, "--client-id", "editor", "--client-secret", "sign-in-secret",
		"--audience", issuer + "/api/v2/", "--management-auth", "client", "--allow-subject", "s1",
	}, more...)
}

// ender ends a server that prints its addresses.
type ender struct{ end func() }

func (e ender) Write(text []byte) (int, error) { e.end(); return len(text), nil }

// refusedStart runs serve, which must end with exit code 2 before it is ready, and returns its errors and log.
func refusedStart(t *testing.T, args ...string) string {
	t.Helper()
	var fault bytes.Buffer
	ctx, end := context.WithCancel(t.Context())
	defer end()
	args = append([]string{"serve", "--data", filepath.Join(t.TempDir(), "data")}, args...)
	if code := run(ctx, process{stdout: ender{end}, stderr: &fault, lookup: noEnv}, args); code != exitUnusable {
		t.Errorf("ended with %d", code)
	}
	return fault.String()
}

// issuerWith is an issuer whose clients get this scope.
func issuerWith(t *testing.T, scope string) string {
	t.Helper()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]string{
			"issuer": srv.URL, "authorization_endpoint": srv.URL + "/authorize", "token_endpoint": srv.URL + "/token", "jwks_uri": srv.URL + "/keys",
		})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"access_token": "service-token", "token_type": "Bearer", "expires_in": 600, "scope": scope})
	})
	return srv.URL
}

func TestStartRefusesAPowerfulServiceClient(t *testing.T) {
	text := refusedStart(t, serviceArgs(issuerWith(t, "read:forms update:forms update:client_grants read:users"))...)
	if !strings.Contains(text, "update:client_grants") || !strings.Contains(text, "grant the client") ||
		strings.Contains(text, "service-token") || strings.Contains(text, "sign-in-secret") {
		t.Errorf("printed %s", text)
	}
}

func TestStartRefusesAnUnusableKeyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, []byte("-----BEGIN PRIVATE KEY-----\nc2VjcmV0LWtleQ==\n-----END PRIVATE KEY-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := refusedStart(t, serviceArgs(issuerWith(t, "read:forms"), "--management-client-key", file)...)
	if !strings.Contains(text, file) || !strings.Contains(text, "must hold a private key") || strings.Contains(text, "c2Vjcm") {
		t.Errorf("printed %s", text)
	}
	if text := refusedStart(t, serviceArgs(issuerWith(t, "read:forms"), "--management-client-key", file+"x")...); !strings.Contains(text, file+"x") {
		t.Errorf("printed %s", text)
	}
}

// The tenant may be down at the start, and its administrator may correct what the service client lacks.
func TestStartWithoutAServiceToken(t *testing.T) {
	down := "http://" + porttest.Address(t)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		serviceArgs(down),
		serviceArgs(down, "--management-client-key", file),
		serviceArgs(issuerWith(t, "read:flows")),
	} {
		r := start(t, newData(t), args...)
		if !strings.Contains(r.log.String(), "token of the service client") || strings.Contains(r.log.String(), "sign-in-secret") {
			t.Errorf("log: %s", r.log)
		}
		r.stop()
	}
}

// Service mode against a real tenant, at which the administrator's address is verified.
func TestServiceClientAtARealTenant(t *testing.T) {
	folder := newData(t)
	editor := porttest.Address(t)
	_, port, err := net.SplitHostPort(editor)
	if err != nil {
		t.Fatal(err)
	}
	line, _ := startTenant(t, folder, "--tenant-listen", "127.0.0.1:0", "--public-url", "http://localhost:"+port+"/")
	var at map[string]string
	if err := json.Unmarshal([]byte(line), &at); err != nil {
		t.Fatal(err)
	}
	credentials := keysOutput(t, folder)
	f := (&running{t: t, folder: folder}).first()
	args := []string{
		"--listen", editor, "--issuer", at["tenant_url"], "--client-id", credentials[1], "--client-secret", credentials[2],
		"--audience", at["tenant_url"] + "/api/v2/", "--management-auth", "client",
		"--management-client-id", f.Management.ID, "--management-client-secret", f.Management.Secret,
	}
	data := filepath.Join(t.TempDir(), "editor")
	r := start(t, data, append(args, "--allow-email", strings.ToUpper(f.Admin.Email))...)
	p := r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	if status, _, body := p.app("POST", "/bff/api/forms", `{"name":"By the service"}`); status != 201 {
		t.Errorf("create: %d %s", status, body)
	}
	if status, _, body := p.app("GET", "/bff/user", ""); status != 200 || strings.Contains(body, "clients") || !strings.Contains(body, "create:forms") {
		t.Errorf("user: %d %s", status, body)
	}
	for _, path := range []string{"/bff/api/admin/clients", "/bff/api/me/factors"} {
		if status, _, _ := p.app("GET", path, ""); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if strings.Contains(r.log.String(), f.Management.Secret) {
		t.Error("the secret is in the log")
	}
	// Another rule works at once for the same session.
	r.stop()
	r = start(t, data, append(args, "--allow-subject", "nobody", "--view-email", f.Admin.Email)...)
	if status, _, body := p.app("POST", "/bff/api/forms", `{"name":"x"}`); status != 403 || !strings.Contains(body, `"scope"`) {
		t.Errorf("create as a viewer: %d %s", status, body)
	}
	if status, _, body := p.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("list as a viewer: %d %s", status, body)
	}
	r.stop()
	start(t, data, append(args, "--allow-subject", "nobody")...)
	if status, _, body := p.app("GET", "/bff/user", ""); status != 403 || !strings.Contains(body, "not_allowed") {
		t.Errorf("user: %d %s", status, body)
	}
}
