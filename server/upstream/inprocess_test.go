package upstream_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/upstream"
)

const origin = "http://tenant.example:8081"

func inProcess(h http.HandlerFunc) *http.Client {
	return &http.Client{
		Transport:     upstream.InProcess{Origin: origin, Handler: h},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

//nolint:revive // the test comes first
func send(t *testing.T, c *http.Client, ctx context.Context, method, to string, body io.Reader) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, to, body)
	if err != nil {
		t.Fatal(err)
	}
	return c.Do(r)
}

func fails(t *testing.T, c *http.Client, ctx context.Context, method, to string) error { //nolint:revive // the test comes first
	t.Helper()
	res, err := send(t, c, ctx, method, to, nil)
	if err == nil {
		_ = res.Body.Close()
	}
	return err
}

func TestInProcessRequest(t *testing.T) {
	c := inProcess(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.Host != "tenant.example:8081" || r.URL.Path != "/a b/c" || r.URL.EscapedPath() != "/a%20b/c" || r.RequestURI != "/a%20b/c?x=1" ||
			r.URL.Host != "" || r.RemoteAddr == "" {
			t.Errorf("got host %q path %q uri %q", r.Host, r.URL.Path, r.RequestURI)
		}
		w.Header().Set("X-Late", "before")
		w.WriteHeader(http.StatusCreated)
		w.Header().Set("X-Late", "after")
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write(b)
	})
	res, err := send(t, c, t.Context(), http.MethodPost, origin+"/a%20b/c?x=1", strings.NewReader("ping"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(res.Body)
	if err != nil || string(b) != "ping" || res.StatusCode != http.StatusCreated || res.Header.Get("X-Late") != "before" {
		t.Errorf("got %d %q %v %v", res.StatusCode, b, res.Header, err)
	}
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
}

func TestInProcessEdges(t *testing.T) {
	for _, x := range []struct {
		name, method string
		h            http.HandlerFunc
		status       int
		body         string
	}{
		{"nothing written", "GET", func(http.ResponseWriter, *http.Request) {}, 200, ""},
		{"no content", "DELETE", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := w.Write([]byte("x")); !errors.Is(err, http.ErrBodyNotAllowed) {
				panic("a body with 204")
			}
		}, 204, ""},
		{"head", "HEAD", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "body") }, 200, ""},
		{"early hints", "GET", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNotFound)
		}, 404, ""},
		{
			"redirect", "GET", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) }, http.StatusFound,
			"<a href=\"/x\">Found</a>.\n\n",
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			res, err := send(t, inProcess(x.h), t.Context(), x.method, origin+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != x.status || string(b) != x.body {
				t.Errorf("got %d %q %v", res.StatusCode, b, err)
			}
			_ = res.Body.Close()
		})
	}
}

func TestInProcessStreams(t *testing.T) {
	next, ended := make(chan struct{}), make(chan error, 1)
	c := inProcess(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "one")
		_ = http.NewResponseController(w).Flush()
		<-next
		_, _ = io.WriteString(w, "two")
		<-r.Context().Done()
		_, err := io.WriteString(w, "three")
		ended <- err
	})
	res, err := send(t, c, t.Context(), http.MethodGet, origin+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 3)
	for _, want := range []string{"one", "two"} {
		if _, err := io.ReadFull(res.Body, buf); err != nil || string(buf) != want {
			t.Fatalf("got %q, %v", buf, err)
		}
		if want == "one" {
			close(next)
		}
	}
	// Closing the answer ends the handler, which writes into nothing.
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("a write after the caller left must fail")
	}
}

func TestInProcessCancel(t *testing.T) {
	t.Run("before the header", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		c := inProcess(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done(); close(ended) })
		if err := fails(t, c, ctx, http.MethodGet, origin+"/"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		<-ended
	})
	t.Run("in the body", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		c := inProcess(func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			close(ended)
		})
		res, err := send(t, c, ctx, http.MethodGet, origin+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		<-ended
		if _, err := io.ReadAll(res.Body); err == nil {
			t.Error("a cut answer must not read as whole")
		}
		_ = res.Body.Close()
	})
	t.Run("already over", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c := inProcess(func(http.ResponseWriter, *http.Request) { t.Error("must not be called") })
		if err := fails(t, c, ctx, http.MethodGet, origin+"/"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestInProcessPanic(t *testing.T) {
	c := inProcess(func(http.ResponseWriter, *http.Request) { panic("defect") })
	if err := fails(t, c, t.Context(), http.MethodGet, origin+"/"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	c = inProcess(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	})
	res, err := send(t, c, t.Context(), http.MethodGet, origin+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(res.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
	_ = res.Body.Close()
}

func TestInProcessServesOneAddress(t *testing.T) {
	c := inProcess(func(http.ResponseWriter, *http.Request) { t.Error("must not be called") })
	for _, to := range []string{"https://tenant.example:8081/", "http://tenant.example/", "http://evil.example/"} {
		if err := fails(t, c, t.Context(), http.MethodGet, to); err == nil {
			t.Errorf("%s must fail", to)
		}
	}
}

// held is how much of an answer is passed on whole, as in inprocess.go.
const held = 1 << 20

func TestInProcessAnswerOfAnySize(t *testing.T) {
	for _, x := range []struct {
		name   string
		pieces []int
		length int64 // -1: streams
	}{
		{"one piece", []int{100}, 100},
		{"several pieces", []int{1, 7000, 0, 3}, 7004},
		{"as large as is held", []int{held - 1, 1}, held},
		{"one byte more", []int{held, 1}, -1},
		{"one large piece", []int{3 * held}, -1},
		{"held, large, held", []int{10, 2 * held, 10}, -1},
	} {
		t.Run(x.name, func(t *testing.T) {
			ended := make(chan struct{})
			var want strings.Builder
			for i, n := range x.pieces {
				want.WriteString(strings.Repeat(string(rune('a'+i)), n))
			}
			c := inProcess(func(w http.ResponseWriter, _ *http.Request) {
				defer close(ended)
				piece := make([]byte, 0, 3*held)
				for i, n := range x.pieces {
					piece = append(piece[:0], strings.Repeat(string(rune('a'+i)), n)...)
					// The buffer is reused: what was written must have been copied.
					if got, err := w.Write(piece); got != n || err != nil {
						t.Errorf("Write = %d, %v", got, err)
					}
				}
			})
			res, err := send(t, c, t.Context(), http.MethodGet, origin+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.ContentLength != x.length {
				t.Errorf("length %d, want %d", res.ContentLength, x.length)
			}
			if x.length >= 0 {
				select {
				case <-ended:
				default:
					t.Error("a whole answer comes when its handler has ended")
				}
			}
			b, err := io.ReadAll(res.Body)
			if err != nil || string(b) != want.String() {
				t.Errorf("%d bytes, %v, want %d", len(b), err, want.Len())
			}
			if err := res.Body.Close(); err != nil {
				t.Error(err)
			}
			<-ended
		})
	}
}

// A handler whose caller has left must not wait for a reader forever.
func TestInProcessNobodyReads(t *testing.T) {
	for _, x := range []struct {
		name string
		// early means that the caller leaves before the handler writes.
		early bool
		leave func(cancel func(), body io.ReadCloser) error
	}{
		{"left before the header", true, nil},
		{"left in the body", false, func(cancel func(), body io.ReadCloser) error {
			cancel()
			if _, err := io.ReadAll(body); err == nil {
				return errors.New("a cut answer must not read as whole")
			}
			return body.Close()
		}},
		{"closed unread", false, func(_ func(), body io.ReadCloser) error { return body.Close() }},
	} {
		t.Run(x.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			left, ended := make(chan struct{}), make(chan error, 1)
			c := inProcess(func(w http.ResponseWriter, _ *http.Request) {
				if x.early {
					cancel()
					<-left
				}
				_, err := w.Write(make([]byte, held))
				// What was written before the answer is cut may still be read, so there are many writes.
				for n := 0; err == nil && n < 100_000; n++ {
					_, err = w.Write(make([]byte, 1<<10))
				}
				ended <- err
			})
			res, err := send(t, c, ctx, http.MethodGet, origin+"/", nil)
			if err == nil {
				defer func() { _ = res.Body.Close() }()
			}
			switch {
			case x.early && !errors.Is(err, context.Canceled):
				t.Errorf("got %v", err)
			case !x.early && err != nil:
				t.Fatal(err)
			case !x.early:
				if err := x.leave(cancel, res.Body); err != nil {
					t.Error(err)
				}
			}
			close(left)
			if err := <-ended; err == nil {
				t.Error("a write without a reader must fail")
			}
		})
	}
}

// A call within the process counts as coming from the client whose request caused it, so that limits count that client.
func TestInProcessCarriesTheAddressOfTheClient(t *testing.T) {
	var inner string
	to := upstream.InProcess{Origin: origin, Handler: http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request,
	) {
		inner = clientip.Of(r)
	})}
	call := func(ctx context.Context) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := to.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	if call(t.Context()); inner != "127.0.0.1" {
		t.Errorf("without a client: %s, want 127.0.0.1", inner)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "[2001:db8::1]:80"
	clientip.Locate(nil, http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request,
	) {
		call(r.Context())
	})).ServeHTTP(httptest.NewRecorder(), r)
	if inner != "2001:db8::1" {
		t.Errorf("for a client: %s, want 2001:db8::1", inner)
	}
}
