package upstream

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
)

// InProcess is a round tripper that calls a handler of this process in place of
// one address. The embedded tenant is called so: by its protocol, but without a
// port that would have to be reachable from inside. Bodies stream in both
// directions; when the caller's context ends, so does the handler's.
type InProcess struct {
	// Origin is scheme://host[:port] of the handler. Every other address fails.
	Origin  string
	Handler http.Handler
}

// RoundTrip implements http.RoundTripper. It returns when the handler writes its
// header or returns. A handler that panics looks like a cut connection.
func (p InProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	body := r.Body
	if body == nil {
		body = http.NoBody
	}
	if err := r.Context().Err(); err != nil {
		_ = body.Close()
		return nil, err
	}
	if got := r.URL.Scheme + "://" + r.URL.Host; got != p.Origin {
		_ = body.Close()
		return nil, fmt.Errorf("call %s: only %s is served in this process", got, p.Origin)
	}
	ctx, cancel := context.WithCancel(r.Context())
	in := r.Clone(ctx)
	in.Body = body
	in.RequestURI = r.URL.RequestURI()
	// A server's request has the path alone in its URL.
	in.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery, ForceQuery: r.URL.ForceQuery}
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	in.RemoteAddr = "127.0.0.1:0"
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1

	reader, writer := io.Pipe()
	w := &answer{header: http.Header{}, body: writer, head: make(chan struct{}), noBody: r.Method == http.MethodHead}
	go func() {
		defer func() {
			if v := recover(); v != nil {
				// The sender of a real connection sees no more than this either.
				w.fail(io.ErrUnexpectedEOF)
			}
			_ = body.Close()
			cancel()
		}()
		p.Handler.ServeHTTP(w, in)
		// A handler that stops because its caller left has not said all.
		if err := r.Context().Err(); err != nil {
			w.fail(err)
			return
		}
		w.finish()
	}()

	select {
	case <-w.head:
	case <-ctx.Done():
		select {
		case <-w.head: // the handler ended first, which cancels too
		default:
			_ = reader.CloseWithError(ctx.Err())
			return nil, ctx.Err()
		}
	}
	if w.failed != nil {
		return nil, w.failed
	}
	// A caller whose context ends must not hang in Read.
	stop := context.AfterFunc(r.Context(), func() { _ = writer.CloseWithError(context.Cause(r.Context())) })
	return &http.Response{
		Status:        strconv.Itoa(w.status) + " " + http.StatusText(w.status),
		StatusCode:    w.status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        w.sent,
		Body:          &pipeBody{PipeReader: reader, done: func() { stop(); cancel() }},
		ContentLength: w.length(),
		Request:       r,
	}, nil
}

// pipeBody ends the handler's context when the caller is done with the answer.
type pipeBody struct {
	*io.PipeReader
	done func()
}

func (b *pipeBody) Close() error {
	b.done()
	return b.PipeReader.Close()
}

// answer is the handler's side. The header is handed over once; what the handler
// changes in it afterwards goes nowhere, as with net/http.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	noBody bool

	once   sync.Once
	head   chan struct{} // closed when status and sent, or failed, are set
	status int
	sent   http.Header
	failed error
}

// Header implements http.ResponseWriter.
func (w *answer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter. Informational answers are dropped.
func (w *answer) WriteHeader(status int) {
	if status >= 100 && status < 200 {
		return
	}
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.head)
	})
}

// Write implements http.ResponseWriter. It blocks until the caller reads.
func (w *answer) Write(b []byte) (int, error) {
	if w.status == 0 {
		if w.header.Get("Content-Type") == "" && len(b) > 0 {
			w.header.Set("Content-Type", http.DetectContentType(b))
		}
		w.WriteHeader(http.StatusOK)
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if w.noBody {
		return len(b), nil
	}
	return w.body.Write(b)
}

// Flush implements http.Flusher: nothing is held back.
func (w *answer) Flush() { w.WriteHeader(http.StatusOK) }

func (w *answer) finish() {
	w.WriteHeader(http.StatusOK)
	_ = w.body.Close()
}

func (w *answer) fail(err error) {
	w.once.Do(func() {
		w.failed = err
		close(w.head)
	})
	_ = w.body.CloseWithError(err)
}

func (w *answer) length() int64 {
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0
	}
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		return n
	}
	return -1
}
