package httpx_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/formgraph/formgraph/server/httpx"
)

// A proxy sends the whole body before it reads the answer. It gets the refusal, and not the end of the connection.
func TestRefusalAfterTheBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/early" {
			httpx.NewProblem(http.StatusUnauthorized, httpx.CodeSession, "No session.").Write(w, r)
			return
		}
		if _, p := httpx.ReadJSON(w, r, 1<<20); p != nil {
			p.Write(w, r)
		}
	}))
	defer server.Close()
	for _, x := range []struct {
		path, length string
		status       int
	}{
		{"/", "Content-Length: 6291456", http.StatusRequestEntityTooLarge},
		{"/", "Transfer-Encoding: chunked", http.StatusRequestEntityTooLarge},
		{"/early", "Content-Length: 6291456", http.StatusUnauthorized},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // the test has its answer
		if err := conn.(*net.TCPConn).SetWriteBuffer(64 << 10); err != nil {
			t.Fatal(err)
		}
		body := bytes.Repeat([]byte{'x'}, 6<<20)
		if x.length[0] == 'T' {
			body = fmt.Appendf(nil, "%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		}
		if _, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s\r\n\r\n", x.path, x.length); err == nil {
			_, err = conn.Write(body)
		}
		if err != nil {
			t.Errorf("%s %s: %v", x.path, x.length, err)
			continue
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s %s: %v", x.path, x.length, err)
			continue
		}
		if _ = res.Body.Close(); res.StatusCode != x.status {
			t.Errorf("%s %s: %d, want %d", x.path, x.length, res.StatusCode, x.status)
		}
	}
}
