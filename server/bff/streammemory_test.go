package bff_test

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
)

// listening serves the world with the limits of a real server, without TLS, and returns the address.
func (w *world) listening(change func(*http.Server)) string {
	w.t.Helper()
	socket, err := (&net.ListenConfig{}).Listen(w.t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	srv := httpx.NewServer(w.h, slog.New(slog.DiscardHandler))
	if change != nil {
		change(srv)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = srv.Serve(socket)
	}()
	w.t.Cleanup(func() {
		w.events.End()
		_ = srv.Close()
		<-ended
	})
	return socket.Addr().String()
}

// dial opens a stream with the session of b on a connection of its own, and reads its first event.
func (b *browser) dial(address, form string) *bufio.Reader {
	b.w.t.Helper()
	at, err := url.Parse(b.w.editor)
	if err != nil {
		b.w.t.Fatal(err)
	}
	var cookies []string
	for _, c := range b.client.Jar.Cookies(at) {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	conn, err := (&net.Dialer{}).DialContext(b.w.t.Context(), "tcp", address)
	if err != nil {
		b.w.t.Fatal(err)
	}
	b.w.t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /bff/events?form=%s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", form, at.Host, strings.Join(cookies, "; ")); err != nil {
		b.w.t.Fatal(err)
	}
	lines := bufio.NewReaderSize(conn, 16) // small, since its memory is measured, too
	b.until(lines, "event: hello")
	return lines
}

// until reads lines until one has a prefix.
func (b *browser) until(lines *bufio.Reader, prefix string) {
	b.w.t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			b.w.t.Fatalf("the stream ends before %q: %v", prefix, err)
		}
		if strings.HasPrefix(line, prefix) {
			return
		}
	}
}

// used returns the memory in use, in bytes, after a collection.
func used() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// A thousand idle streams take less than 100 MB of the server's memory, with those of the test's clients.
func TestIdleStreamsTakeLittleMemory(t *testing.T) {
	const sessions, each, most = 50, 20, 100_000_000
	w := newWorld(t)
	address := w.listening(nil)
	var all []*browser
	for range sessions {
		b := w.browser()
		b.signIn()
		all = append(all, b)
	}
	before := used()
	for _, b := range all {
		for i := range each {
			b.dial(address, fmt.Sprint("ap_", i))
		}
	}
	after := used()
	took := int64(after) - int64(before)
	t.Logf("%d streams take %.1f MB, %d KB each", sessions*each, float64(took)/1e6, took/1000/(sessions*each))
	if took > most {
		t.Errorf("%d streams take %d bytes, want at most %d", sessions*each, took, most)
	}
}

// The limits of the server for a request and its response do not end a stream.
func TestStreamsOutlastTheServersTimeouts(t *testing.T) {
	const timeout = 100 * time.Millisecond
	w := newWorld(t)
	w.restarted(bff.EventsConfig{Heartbeat: timeout})
	address := w.listening(func(s *http.Server) { s.ReadTimeout, s.WriteTimeout, s.IdleTimeout = timeout, timeout, timeout })
	b := w.browser()
	b.signIn()
	lines := b.dial(address, "ap_1")
	for range 5 {
		b.until(lines, "event: beat")
	}
}
