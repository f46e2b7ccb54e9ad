package main

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCustomDomain runs the whole program with a second address for its tenant, which the test's network finds on this
// machine: each address issues tokens that are valid there, and the editor and the sample API stay with the canonical one.
func TestCustomDomain(t *testing.T) {
	const custom = "http://login.localhost:7123"
	r := start(t, newData(t), "--custom-url", custom)
	tenant := strings.TrimPrefix(r.at.Tenant, "http://localhost")
	p := r.person()
	var dialer net.Dialer
	p.client.Transport = &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "login.localhost:7123" {
			address = "127.0.0.1" + tenant
		}
		return dialer.DialContext(ctx, network, address)
	}}
	f := r.first()
	p.signIn(f.Admin.Email, f.Admin.Password)
	if status, _, body := p.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("forms in the editor: %d %s", status, body)
	}
	ask := func(at, audience string) string {
		t.Helper()
		form := url.Values{
			"grant_type": {"client_credentials"}, "client_id": {f.Management.ID}, "client_secret": {f.Management.Secret},
			"audience": {audience},
		}
		status, _, body := p.send("POST", at+"/oauth/token", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
		var got struct {
			Token string `json:"access_token"`
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
			t.Fatalf("token at %s for %s: %d %s", at, audience, status, body)
		}
		return got.Token
	}
	for _, at := range []string{r.at.Tenant, custom} {
		if _, _, body := p.send("GET", at+"/.well-known/openid-configuration", ""); !strings.Contains(body, `"issuer":"`+at+`"`) {
			t.Errorf("discovery at %s: %s", at, body)
		}
		token := ask(at, at+"/api/v2/")
		for _, called := range []string{r.at.Tenant, custom} {
			want := 401
			if called == at {
				want = 200
			}
			if status, _, body := p.send("GET", called+"/api/v2/forms", "", "Authorization", "Bearer "+token); status != want {
				t.Errorf("forms at %s by a token of %s: %d %s, want %d", called, at, status, body, want)
			}
		}
		want := 200
		if at == custom {
			want = 401
		}
		if status, _, body := p.send("GET", r.at.Sample+"/api/private", "", "Authorization", "Bearer "+ask(at, sampleAudience)); status != want {
			t.Errorf("sample API by a token of %s: %d %s, want %d", at, status, body, want)
		}
	}
}

// The greeting names the custom domain, and the local certificate covers it.
func TestCustomDomainIsShown(t *testing.T) {
	folder := newData(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	code := make(chan int, 1)
	log := &safeBuffer{}
	go func() {
		code <- run(ctx, process{stdout: in, stderr: log, lookup: noEnv}, []string{
			"serve", "--data", folder, "--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0",
			"--tls-local", "--custom-url", "https://login.localhost:7123",
		})
		_ = in.Close()
	}()
	var lines []string
	read := bufio.NewScanner(out)
	for read.Scan() {
		if lines = append(lines, read.Text()); strings.HasPrefix(read.Text(), "Formgraph is ready") {
			cancel() // the rest is read up to the end
		}
	}
	if status := <-code; status != exitOK || len(lines) < 2 {
		t.Fatalf("ended with %d after %q\n%s", status, lines, log)
	}
	last := lines[len(lines)-2:]
	if !strings.HasPrefix(last[0], "Formgraph is ready: https://localhost:") ||
		last[1] != "The tenant is also at https://login.localhost:7123" {
		t.Errorf("greeting ends %q", last)
	}
	text, err := os.ReadFile(filepath.Join(folder, "local-tls.pem"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.VerifyHostname("login.localhost"); err != nil {
		t.Error(err)
	}
}
