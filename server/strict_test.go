package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"database/sql"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/database"
)

// smuggled holds a request that two readers end at different places, and one behind it.
func smuggled(host string) string {
	return "POST /healthz HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
		"GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
}

// answers sends text over a connection and returns all that comes back until the server closes it.
func answers(t *testing.T, c net.Conn, text string) string {
	t.Helper()
	defer func() { _ = c.Close() }()
	must(t, c.SetDeadline(time.Now().Add(waittest.Limit(30*time.Second))))
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("the connection stays open: %v after %q", err, all)
	}
	return string(all)
}

func dialed(t *testing.T, address string) (net.Conn, string) {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+u.Port())
	must(t, err)
	return c, u.Host
}

// After a request with Content-Length and Transfer-Encoding the connection closes, and the
// request behind it is not served. RFC 9112, section 6.1.
func TestSecondRequestIsNotSmuggled(t *testing.T) {
	r := start(t, newData(t))
	for name, address := range map[string]string{"editor": r.at.Editor, "tenant": r.at.Tenant, "sample API": r.at.Sample} {
		c, host := dialed(t, address)
		if got := answers(t, c, smuggled(host)); strings.Count(got, "HTTP/1.1 ") != 1 || !strings.Contains(got, "\r\nConnection: close\r\n") {
			t.Errorf("%s answers\n%s", name, got)
		}
		// Two requests with lengths share their connection as ever.
		c, host = dialed(t, address)
		two := strings.Repeat("GET /healthz HTTP/1.1\r\nHost: "+host+"\r\nContent-Length: 0\r\n\r\n", 2)
		if got := answers(t, c, two+"GET /healthz HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"); strings.Count(got,
			"HTTP/1.1 200") != 3 {
			t.Errorf("%s answers three requests with\n%s", name, got)
		}
	}
}

func TestStrictOverTLS(t *testing.T) {
	r := start(t, newData(t), "--tls-local")
	insecure := &tls.Config{InsecureSkipVerify: true}
	for _, address := range []string{r.at.Editor, r.at.Tenant, r.at.Sample} {
		c, host := dialed(t, address)
		if got := answers(t, tls.Client(c, insecure), smuggled(host)); strings.Count(got, "HTTP/1.1 ") != 1 {
			t.Errorf("%s answers\n%s", address, got)
		}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: insecure, ForceAttemptHTTP2: true}}
	post := func(address string) (proto string, header http.Header) {
		t.Helper()
		// A body of unknown length is not chunked in HTTP/2.
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, io.MultiReader(strings.NewReader("x")))
		must(t, err)
		res, err := client.Do(req)
		must(t, err)
		_ = res.Body.Close()
		return res.Proto, res.Header
	}
	for _, address := range []string{r.at.Tenant + "/authorize?client_id=x", r.at.Editor + "/healthz"} {
		proto, header := post(address)
		if proto != "HTTP/2.0" || header.Get("Connection") != "" {
			t.Errorf("%s: %s, %v", address, proto, header)
		}
		if strings.HasPrefix(address, r.at.Tenant) && header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("the tenant's page lets browsers come back without TLS: %v", header)
		}
	}
}

// refused runs a command that must end by itself, and returns what it wrote to stderr.
func refused(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(time.Minute))
	defer cancel()
	if code := run(ctx, process{stdout: io.Discard, stderr: &out, lookup: noEnv}, args); code != want {
		t.Errorf("%v ends with %d, want %d: %s", args, code, want, &out)
	}
	return out.String()
}

func TestOneServerPerDataFolder(t *testing.T) {
	folder := newData(t)
	r := start(t, folder)
	for _, command := range []string{"serve", "tenant"} {
		args := []string{command, "--data", folder, "--tenant-listen", "127.0.0.1:0"}
		if command == "serve" {
			args = append(args, "--listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0")
		}
		if text := refused(t, exitUnusable, args...); !strings.Contains(text, folder+" is in use by another formgraph") {
			t.Errorf("a second %s: %q", command, text)
		}
	}
	// The first keeps running, and the commands that work beside it still do.
	first := r.first()
	r.person().signIn(first.Admin.Email, first.Admin.Password)
	for _, args := range [][]string{{"user", "list"}, {"client", "list"}, {"keys", "list"}} {
		refused(t, exitOK, append(args, "--data", folder)...)
	}
	if code := r.stop(); code != exitOK {
		t.Fatalf("the first ends with %d", code)
	}
	start(t, folder).stop()
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	folder := newData(t)
	start(t, folder).stop()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, database.File))
	must(t, err)
	_, err = db.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	must(t, err)
	must(t, db.Close())
	for _, args := range [][]string{{"serve"}, {"tenant"}, {"user", "list"}} {
		text := refused(t, exitUnusable, append(args, "--data", folder)...)
		if !strings.Contains(text, "the database was written by a newer version") || !strings.Contains(text, "9999") {
			t.Errorf("%v: %q", args, text)
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
