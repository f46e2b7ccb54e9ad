package upstream_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/upstream"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// tokens returns token-1, then token-2 and so on for each refused one.
type tokens struct {
	asked []string
	err   error
	key   *dpop.Key
}

func (s *tokens) Token(_ context.Context, refused string) (upstream.Credential, error) {
	s.asked = append(s.asked, refused)
	if refused != "" && s.err != nil {
		return upstream.Credential{}, s.err
	}
	return upstream.Credential{Token: fmt.Sprint("token-", len(s.asked)), Key: s.key}, nil
}

type stub struct {
	calls atomic.Int32
	url   string
}

func start(t *testing.T, h http.HandlerFunc) *stub {
	t.Helper()
	s := &stub{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		h(w, r)
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

func client(t *testing.T, base string, waited *[]time.Duration) *upstream.Client {
	t.Helper()
	transport := upstream.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	c, err := upstream.NewClient(upstream.Config{
		BaseURL: base, Transport: transport, Now: func() time.Time { return now },
		Wait: func(_ context.Context, d time.Duration) error {
			if waited != nil {
				*waited = append(*waited, d)
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

var patch = upstream.Request{Method: http.MethodPatch, Path: []string{"forms", "ap_1"}, Body: []byte(`{"name":"x"}`)}

func TestBaseURL(t *testing.T) {
	for _, suffix := range []string{"", "/", "/api/v2", "/api/v2/"} {
		var path string
		s := start(t, func(w http.ResponseWriter, r *http.Request) { path = r.URL.Path; answer(200, `{}`)(w, r) })
		if _, err := client(t, s.url+suffix, nil).Do(t.Context(), patch, &tokens{}); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimRight(suffix, "/") + "/forms/ap_1"; path != want {
			t.Errorf("base ending in %q calls %q, want %q", suffix, path, want)
		}
	}
	for _, bad := range []string{"", "/api/v2", "ftp://x/", "https://u:p@x/", "http://\x00"} {
		if _, err := upstream.NewClient(upstream.Config{BaseURL: bad}); err == nil {
			t.Errorf("%q must be refused", bad)
		}
	}
}

func TestRequestIsSent(t *testing.T) {
	var got http.Header
	var body, query string
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		got, query = r.Header, r.URL.RawQuery
		b, _ := io.ReadAll(r.Body)
		body = string(b)
		answer(200, `{}`)(w, r)
	})
	r := patch
	r.IfMatch, r.Query = `"v1"`, url.Values{"page": {"1"}}
	if _, err := client(t, s.url, nil).Do(t.Context(), r, &tokens{}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for k := range got {
		names = append(names, k)
	}
	slices.Sort(names)
	if d := cmp.Diff(names, []string{"Accept", "Authorization", "Content-Length", "Content-Type", "If-Match", "User-Agent"}); d != "" {
		t.Error(d)
	}
	if got.Get("Authorization") != "Bearer token-1" || got.Get("If-Match") != `"v1"` || body != `{"name":"x"}` || query != "page=1" {
		t.Errorf("got %v %q %q", got, body, query)
	}
}

// Only the body and a few headers of an answer are passed on.
func TestAnswerIsReturned(t *testing.T) {
	s := start(t, answer(200, `{"id":"ap_1"}`, "ETag", `"v2"`, "X-RateLimit-Limit", "50", "X-RateLimit-Remaining", "49", "X-RateLimit-Reset",
		"1",
		"Set-Cookie", "a=b", "Location", "https://evil.example", "Access-Control-Allow-Origin", "*", "Content-Security-Policy", "x",
		"Clear-Site-Data", `"*"`, "Server", "x", "WWW-Authenticate", "Bearer"))
	res, err := client(t, s.url, nil).Do(t.Context(), patch, &tokens{})
	if err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Etag": {`"v2"`}, "X-Ratelimit-Limit": {"50"}, "X-Ratelimit-Remaining": {"49"}, "X-Ratelimit-Reset": {"1"}}
	if d := cmp.Diff(res.Header, want); d != "" {
		t.Error(d)
	}
	for name, x := range map[string]struct {
		h    http.HandlerFunc
		want error
		body string
	}{
		"html with 200":           {answer(200, "<html>", "Content-Type", "text/html"), upstream.ErrAnswer, ""},
		"html with 500":           {answer(500, "<html>", "Content-Type", "text/html"), nil, ""},
		"json with 400":           {answer(400, `{"a":1}`), nil, `{"a":1}`},
		"no body":                 {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, nil, ""},
		"our token":               {answer(200, `{"seen":"token-1"}`), upstream.ErrAnswer, ""},
		"our token in a 400":      {answer(400, `{"seen":"token-1"}`), upstream.ErrAnswer, ""},
		"compressed unasked":      {answer(200, "x", "Content-Encoding", "gzip"), upstream.ErrAnswer, ""},
		"attack 59: redirect":     {answer(301, "", "Location", "https://evil.example/"), upstream.ErrAnswer, ""},
		"attack 59: not modified": {answer(304, ""), upstream.ErrAnswer, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, x.h)
			res, err := client(t, s.url, nil).Do(t.Context(), patch, &tokens{})
			if !errors.Is(err, x.want) || (x.want == nil) != (err == nil) {
				t.Fatalf("got %v, want %v", err, x.want)
			}
			if err == nil && string(res.Body) != x.body {
				t.Errorf("got body %q", res.Body)
			}
			if s.calls.Load() != 1 {
				t.Errorf("%d calls", s.calls.Load())
			}
		})
	}
}

func TestRedirectDoesNotForwardTheToken(t *testing.T) {
	other := start(t, answer(200, `{}`))
	s := start(t, answer(307, "", "Location", other.url))
	if _, err := client(t, s.url, nil).Do(t.Context(), patch, &tokens{}); !errors.Is(err, upstream.ErrAnswer) {
		t.Errorf("got %v", err)
	}
	if other.calls.Load() != 0 {
		t.Error("the redirect was followed")
	}
}

// After a 401 the call is made once more with a new token, but not a third time.
func TestUnauthorized(t *testing.T) {
	s := start(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer token-2" {
			answer(200, `{}`)(w, r)
			return
		}
		answer(401, `{}`)(w, r)
	})
	src := &tokens{}
	res, err := client(t, s.url, nil).Do(t.Context(), patch, src)
	if err != nil || res.Status != 200 || s.calls.Load() != 2 || !slices.Equal(src.asked, []string{"", "token-1"}) {
		t.Errorf("got %v, %v after %d calls, %v", res, err, s.calls.Load(), src.asked)
	}
	s = start(t, answer(401, `{}`))
	res, err = client(t, s.url, nil).Do(t.Context(), patch, &tokens{})
	if err != nil || res.Status != 401 || s.calls.Load() != 2 {
		t.Errorf("no loop: got %v, %v after %d calls", res, err, s.calls.Load())
	}
	over := errors.New("session is over")
	if _, err := client(t, s.url, nil).Do(t.Context(), patch, &tokens{err: over}); !errors.Is(err, over) {
		t.Errorf("got %v", err)
	}
}

// Every fault of a tenant is an error, and no PATCH is sent twice.
func TestFaults(t *testing.T) {
	hijack := func(send string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, send)
			if tcp, ok := conn.(*net.TCPConn); ok && send == "" {
				_ = tcp.SetLinger(0) // close with a reset
			}
			_ = conn.Close()
		}
	}
	for _, x := range []struct {
		name string
		h    http.HandlerFunc
		want error
	}{
		{"500", answer(500, `{}`), nil},
		{"502", answer(502, `{}`), nil},
		{"reset", hijack(""), upstream.ErrUnreachable},
		{"cut body", hijack("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"), upstream.ErrUnreachable},
		{
			"cut chunks", hijack("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"),
			upstream.ErrUnreachable,
		},
		{"no HTTP", hijack("hello\r\n\r\n"), upstream.ErrUnreachable},
		{"20 MiB", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			block := bytes.Repeat([]byte(" "), 1<<20)
			for range 20 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}, upstream.ErrAnswer},
		{"gzip bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			block := bytes.Repeat([]byte(" "), 1<<20)
			for range 20 {
				_, _ = z.Write(block)
			}
			_ = z.Close()
		}, upstream.ErrAnswer},
		{"huge header", answer(200, `{}`, "X-Big", strings.Repeat("a", 100<<10)), upstream.ErrUnreachable},
	} {
		t.Run(x.name, func(t *testing.T) {
			s := start(t, x.h)
			_, err := client(t, s.url, nil).Do(t.Context(), patch, &tokens{})
			if !errors.Is(err, x.want) || (x.want == nil) != (err == nil) {
				t.Errorf("got %v, want %v", err, x.want)
			}
			if s.calls.Load() != 1 {
				t.Errorf("%d calls, want 1", s.calls.Load())
			}
		})
	}
	t.Run("no listener", func(t *testing.T) {
		srv := httptest.NewServer(nil)
		srv.Close()
		if _, err := client(t, srv.URL, nil).Do(t.Context(), patch, &tokens{}); !errors.Is(err, upstream.ErrUnreachable) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		c, err := upstream.NewClient(upstream.Config{BaseURL: "http://localhost", Transport: failing{context.DeadlineExceeded}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Do(t.Context(), patch, &tokens{}); !errors.Is(err, upstream.ErrTimeout) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the caller leaves", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan struct{})
		s := start(t, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body)
			cancel()
			<-r.Context().Done()
			close(gone)
		})
		if _, err := client(t, s.url, nil).Do(ctx, patch, &tokens{}); !errors.Is(err, context.Canceled) ||
			errors.Is(err, upstream.ErrUnreachable) {
			t.Errorf("got %v", err)
		}
		<-gone
	})
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// Addresses at which clouds hand out credentials are not called, even if a name resolves to one later.
func TestLinkLocal(t *testing.T) {
	for _, host := range []string{"169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]"} {
		_, err := client(t, "http://"+host, nil).Do(t.Context(), patch, &tokens{})
		if err == nil || !strings.Contains(err.Error(), "link-local") {
			t.Errorf("%s: got %v", host, err)
		}
	}
}

func TestCap(t *testing.T) {
	for _, x := range []struct {
		size    int
		chunked bool
		want    error
	}{
		{10, false, nil},
		{10, true, nil},
		{11, false, upstream.ErrTooLarge},
		{11, true, upstream.ErrTooLarge},
		{1 << 20, true, upstream.ErrTooLarge},
	} {
		s := start(t, func(w http.ResponseWriter, _ *http.Request) {
			if x.chunked {
				w.(http.Flusher).Flush()
			}
			_, _ = w.Write(make([]byte, x.size))
		})
		transport := upstream.NewTransport()
		t.Cleanup(transport.CloseIdleConnections)
		hc := &http.Client{Transport: upstream.Cap(transport, 10)}
		res, err := hc.Get(s.url)
		var n int
		if err == nil {
			var b []byte
			b, err = io.ReadAll(res.Body)
			n = len(b)
			_ = res.Body.Close()
		}
		if !errors.Is(err, x.want) || (x.want == nil && n != x.size) || n > 10 {
			t.Errorf("%d bytes, chunked %v: got %d, %v", x.size, x.chunked, n, err)
		}
	}
}
