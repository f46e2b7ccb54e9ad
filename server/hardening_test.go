package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// Every listener refuses requests whose end or headers two parsers could interpret differently.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	r := start(t, newData(t))
	for _, address := range []string{r.at.Editor, r.at.Tenant, r.at.Sample} {
		for name, lines := range map[string]string{
			"two lengths":            "Content-Length: 5\r\nContent-Length: 6\r\n",
			"a list of lengths":      "Content-Length: 5, 6\r\n",
			"a length with a sign":   "Content-Length: +5\r\n",
			"folded first header":    " X-A: b\r\n",
			"space before the colon": "Content-Length : 5\r\n",
			"bare CR":                "X-A: b\rContent-Length: 5\r\n",
			"NUL":                    "X-A: b\x00\r\n",
			"unknown coding":         "Transfer-Encoding: xchunked\r\n",
			"two codings":            "Transfer-Encoding: gzip, chunked\r\n",
			"two hosts":              "Host: evil.example\r\n",
		} {
			c, host := dialed(t, address)
			got := answers(t, c, "POST /healthz HTTP/1.1\r\nHost: "+host+"\r\n"+lines+"\r\nhello"+
				"GET /healthz HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if strings.Count(got, "HTTP/1.1 ") != 1 || !strings.HasPrefix(got, "HTTP/1.1 400 ") && !strings.HasPrefix(got, "HTTP/1.1 501 ") {
				t.Errorf("%s: %s answers\n%s", name, address, got)
			}
		}
		// A folded line continues the preceding value: RFC 9112, section 5.2 allows that or a refusal. A line may end without CR, section
		// 2.2. Neither hides a length, so the request that follows is read as a separate request.
		for name, lines := range map[string]string{"folded": "X-A: b\r\n Content-Length: 5\r\n", "bare LF": "X-A: b\nContent-Length: 0\n"} {
			c, host := dialed(t, address)
			got := answers(t, c, "GET /healthz HTTP/1.1\r\nHost: "+host+"\r\n"+lines+"\r\n"+
				"GET /healthz HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if strings.Count(got, "HTTP/1.1 200 ") != 2 {
				t.Errorf("%s: %s answers\n%s", name, address, got)
			}
		}
	}
}

// Clients that send their headers slowly, or send nothing, are disconnected, and other clients are served meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	r := start(t, newData(t))
	const idle = 1000
	for range idle {
		c, _ := dialed(t, r.at.Editor)
		defer c.Close() //nolint:errcheck // the test is over
	}
	began := time.Now()
	slow, host := dialed(t, r.at.Editor)
	defer slow.Close() //nolint:errcheck // the test is over
	_, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: "+host+"\r\n")
	must(t, err)
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := io.WriteString(slow, "X-A: b\r\n"); err != nil {
				return
			}
		}
	}()
	if status, _, body := r.person().send("GET", r.at.Editor+"/readyz", ""); status != http.StatusOK {
		t.Errorf("beside %d idle connections: %d %s", idle, status, body)
	}
	must(t, slow.SetReadDeadline(began.Add(15*time.Second)))
	if _, err := io.Copy(io.Discard, slow); err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the slow client is still connected: %v", err)
	}
	if took := time.Since(began); took < 4*time.Second || took > 12*time.Second {
		t.Errorf("the slow client was closed after %v, want 5 s", took)
	}
}

// frame returns an HTTP/2 frame. RFC 9113, section 4.1.
func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	head = append(head, flags)
	return append(binary.BigEndian.AppendUint32(head, stream), payload...)
}

// A client that opens streams and cancels them immediately is disconnected or served, and other clients are served meanwhile.
func TestRapidResets(t *testing.T) {
	r := start(t, newData(t), "--tls-local")
	for _, address := range []string{r.at.Editor, r.at.Tenant, r.at.Sample} {
		plain, host := dialed(t, address)
		c := tls.Client(plain, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
		must(t, c.SetDeadline(time.Now().Add(30*time.Second)))
		must(t, c.HandshakeContext(t.Context()))
		if p := c.ConnectionState().NegotiatedProtocol; p != "h2" {
			t.Fatalf("%s speaks %q", address, p)
		}
		// GET / of the host by the static table. RFC 7541, appendix A.
		request := append([]byte{0x82, 0x87, 0x84, 0x41, byte(len(host))}, host...)
		var all bytes.Buffer
		all.WriteString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
		all.Write(frame(4, 0, 0, nil)) // SETTINGS
		for n := range uint32(10_000) {
			all.Write(frame(1, 5, 2*n+1, request))            // HEADERS, END_HEADERS and END_STREAM
			all.Write(frame(3, 0, 2*n+1, []byte{0, 0, 0, 8})) // RST_STREAM, CANCEL
		}
		done := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, c); close(done) }()
		_, _ = c.Write(all.Bytes()) // the server may hang up first
		client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
		}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/healthz", http.NoBody)
		must(t, err)
		res, err := client.Do(req)
		must(t, err)
		must(t, res.Body.Close())
		if res.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", address, res.StatusCode)
		}
		must(t, c.NetConn().(*net.TCPConn).Close())
		<-done
	}
}

// There is no service worker: no page registers one, no address serves one, and the browser never caches session data.
func TestNoServiceWorker(t *testing.T) {
	r := start(t, newData(t))
	p := r.person()
	for _, path := range []string{"/app-worker.js", "/sw.js", "/service-worker.js", "/web/app-worker.js"} {
		if status, _, _ := p.send("GET", r.at.Editor+path, ""); status != http.StatusNotFound {
			t.Errorf("%s = %d, want 404", path, status)
		}
	}
	script := regexp.MustCompile(`(?:src|href)="(/web/[^"]*\.js[^"]*)"`)
	read := 0
	for _, page := range []string{"/", "/forms", "/account", "/admin"} {
		_, _, text := p.send("GET", r.at.Editor+page, "", "Accept", "text/html")
		for _, m := range script.FindAllStringSubmatch(text, -1) {
			_, _, code := p.send("GET", r.at.Editor+m[1], "")
			read += len(code)
			text += code
		}
		if strings.Contains(text, "serviceWorker") {
			t.Errorf("%s registers a service worker", page)
		}
	}
	if read < 10_000 {
		t.Fatalf("only %d bytes of scripts were read", read)
	}
	p.signIn(r.first().Admin.Email, r.first().Admin.Password)
	for _, path := range []string{"/bff/user", "/bff/api/forms", "/bff/api/me/sessions", "/bff/draft-keys", "/bff/nothing"} {
		if _, header, _ := p.app("GET", path, ""); header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be cached: %v", path, header)
		}
	}
	if _, header, _ := p.app("POST", "/bff/logout", ""); header.Get("Cache-Control") != "no-store" {
		t.Errorf("the sign-out may be cached: %v", header)
	}
}

// A session whose row is deleted ends: the user signs in again, and nothing else is lost.
func TestLostSessions(t *testing.T) {
	r := start(t, newData(t))
	p := r.person()
	path := p.signedIn(r.first())
	_, err := besideServer(t, r.folder).ExecContext(t.Context(), `DELETE FROM sessions`)
	must(t, err)
	status, header, body := p.app("GET", "/bff/user", "")
	if status != http.StatusUnauthorized || !strings.Contains(body, "session_expired") || !strings.Contains(header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("user = %d %v %s", status, header, body)
	}
	p.send("GET", r.at.Editor+"/bff/login", "") // the tenant session still exists
	if status, _, body := p.app("GET", path, ""); status != http.StatusOK {
		t.Errorf("the form after a new sign-in = %d %s", status, body)
	}
}

// killEarly starts a program and kills it after a delay.
func killEarly(t *testing.T, after time.Duration, args ...string) {
	t.Helper()
	c := program(t, args...)
	must(t, c.Start())
	<-time.After(after)
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()
}

// If a server is killed during its first start, while it creates its keys, tables and first accounts, the next start completes the work.
func TestKilledDuringMigration(t *testing.T) {
	t.Parallel()
	const rounds, within = 6, 400 * time.Millisecond
	for engine, place := range map[string]func() []string{
		"SQLite":     func() []string { return nil },
		"PostgreSQL": func() []string { return []string{"--database", postgrestest.Empty(t)} },
	} {
		t.Run(engine, func(t *testing.T) {
			for range rounds {
				folder := filepath.Join(t.TempDir(), "data")
				listen := append([]string{"--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0"}, place()...)
				args := append([]string{"serve", "--data", folder, "--sample-listen", "127.0.0.1:0"}, listen...)
				for range 3 {
					killEarly(t, rand.N(within), args...)
				}
				c := launch(t, folder, listen...)
				if _, err := os.Stat(firstStartFile(folder)); err == nil { // otherwise the killed process has printed the password
					(&running{t: t, at: c.at, folder: folder}).person().signedIn(c.first(t))
				}
				must(t, c.drain())
				if engine == "SQLite" {
					checkFile(t, filepath.Join(folder, database.File))
				}
			}
		})
	}
}

// A key rotation that is killed leaves either the old keys or the new ones, which include the old key.
func TestKilledRotation(t *testing.T) {
	t.Parallel()
	folder := newData(t)
	start(t, folder).stop()
	path := filepath.Join(folder, "keys")
	before, err := keys.Read(path)
	must(t, err)
	for range 12 {
		killEarly(t, rand.N(400*time.Millisecond), "keys", "rotate", "--data", folder)
		now, err := keys.Read(path)
		if err != nil {
			t.Fatalf("after a kill: %v", err)
		}
		if now.Signing[len(now.Signing)-1].ID != before.Signing[0].ID || !bytes.Equal(now.Master[0].Secret, before.Master[0].Secret) {
			t.Fatal("after a kill the first key is gone")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if code := run(ctx, process{stdout: io.Discard, stderr: io.Discard, lookup: noEnv}, []string{"keys", "rotate", "--data", folder}); code != exitOK {
		t.Errorf("a rotation afterwards ends with %d", code)
	}
}
