package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
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

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
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
	if testing.Short() {
		t.Skip("it waits for the limit of the server, which TestServerBounds checks")
	}
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
	must(t, slow.SetReadDeadline(began.Add(waittest.Limit(30*time.Second))))
	if _, err := io.Copy(io.Discard, slow); err != nil && strings.Contains(err.Error(), "timeout") {
		t.Errorf("the slow client is still connected: %v", err)
	}
	if took := time.Since(began); took < 4*time.Second {
		t.Errorf("the slow client was closed after %v, want 5 s or little more", took)
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
		must(t, c.SetDeadline(time.Now().Add(waittest.Limit(time.Minute))))
		must(t, c.HandshakeContext(t.Context()))
		if p := c.ConnectionState().NegotiatedProtocol; p != "h2" {
			t.Fatalf("%s speaks %q", address, p)
		}
		// GET / of the host by the static table. RFC 7541, appendix A.
		request := append([]byte{0x82, 0x87, 0x84, 0x41, byte(len(host))}, host...)
		var all bytes.Buffer
		all.WriteString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
		all.Write(frame(4, 0, 0, nil)) // SETTINGS
		for n := range uint32(sizetest.Of(0, 2_000, 10_000)) {
			all.Write(frame(1, 5, 2*n+1, request))            // HEADERS, END_HEADERS and END_STREAM
			all.Write(frame(3, 0, 2*n+1, []byte{0, 0, 0, 8})) // RST_STREAM, CANCEL
		}
		done := make(chan struct{})
		go func() { _, _ = io.Copy(io.Discard, c); close(done) }()
		_, _ = c.Write(all.Bytes()) // the server may hang up first
		client := &http.Client{Timeout: waittest.Limit(30 * time.Second), Transport: &http.Transport{
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

// killEarly starts a program and kills it when what it has written so far has changed so many times, or when it has ended or is ready.
func killEarly(t *testing.T, changes int, written func() string, args ...string) {
	t.Helper()
	c := program(t, args...)
	out, in, err := os.Pipe()
	must(t, err)
	c.Stdout = in
	must(t, c.Start())
	must(t, in.Close())
	ended := make(chan struct{})
	go func() {
		_, _ = out.Read(make([]byte, 1)) // the ready line, or the end
		close(ended)
	}()
	last := written()
	for seen := 0; seen < changes; {
		if now := written(); now != last {
			last = now
			seen++
		}
		select {
		case <-ended:
			seen = changes
		default:
			time.Sleep(100 * time.Microsecond) // a change may be the last one that it could be killed at
		}
	}
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()
	<-ended
	must(t, out.Close())
}

// files describes the files of a folder by their names and sizes.
func files(folder string) string {
	var all []string
	entries, _ := os.ReadDir(folder) // it may not exist yet
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			all = append(all, fmt.Sprint(e.Name(), " ", info.Size()))
		}
	}
	return strings.Join(all, ", ")
}

// If a server is killed during its first start, while it creates its keys, tables and first accounts, the next start completes the work.
func TestKilledDuringMigration(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		t.Run(engine, func(t *testing.T) {
			for range sizetest.Of(0, 1, 12) {
				folder := filepath.Join(t.TempDir(), "data")
				listen := []string{"--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0"}
				written := func() string { return files(folder) }
				if engine == "PostgreSQL" {
					url := postgrestest.Empty(t)
					conn, err := pgx.Connect(t.Context(), url)
					must(t, err)
					defer conn.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // the test is over
					listen = append(listen, "--database", url)
					written = func() string {
						var tables, rows int
						must(t, conn.QueryRow(t.Context(), `SELECT count(*), coalesce(sum(pg_stat_get_live_tuples(oid)), 0)::bigint FROM pg_class
							WHERE relnamespace = 'public'::regnamespace`).Scan(&tables, &rows))
						return fmt.Sprint(files(folder), tables, rows)
					}
				}
				args := append([]string{"serve", "--data", folder, "--print-ready", "--sample-listen", "127.0.0.1:0"}, listen...)
				for range 3 {
					killEarly(t, rand.N(12), written, args...)
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
	for range sizetest.Of(0, 4, 24) {
		killEarly(t, rand.N(4), func() string { return files(folder) }, "keys", "rotate", "--data", folder)
		now, err := keys.Read(path)
		if err != nil {
			t.Fatalf("after a kill: %v", err)
		}
		if now.Signing[len(now.Signing)-1].ID != before.Signing[0].ID || !bytes.Equal(now.Master[0].Secret, before.Master[0].Secret) {
			t.Fatal("after a kill the first key is gone")
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(time.Minute))
	defer cancel()
	if code := run(ctx, process{stdout: io.Discard, stderr: io.Discard, lookup: noEnv}, []string{"keys", "rotate", "--data", folder}); code != exitOK {
		t.Errorf("a rotation afterwards ends with %d", code)
	}
}
