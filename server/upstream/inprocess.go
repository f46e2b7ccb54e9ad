package upstream

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"github.com/formgraph/formgraph/server/clientip"
)

// heldBytes is how much of an answer is held until its handler ends. It is larger than nearly every form, and small compared with the 8 MiB
// that a caller may read.
const heldBytes = 1 << 20

// InProcess is a round tripper that calls a handler of this process instead of an address. The embedded tenant is called this way: by its
// protocol, but without a port that must be reachable from inside. When the caller's context ends, so does the handler's.
//
// The request body streams. An answer is passed on whole when the handler returns, unless the handler flushes it or it is large: then it
// streams from that point. With a pipe from the first byte, each read by the caller would switch goroutines, and reading a whole answer
// takes a dozen reads.
type InProcess struct {
	// Origin is scheme://host[:port] of the handler. Every other address fails.
	Origin  string
	Handler http.Handler
}

// RoundTrip implements http.RoundTripper. It returns when the handler returns, flushes, or has written more than is held. A handler that
// panics appears as a cut connection.
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
	in := served(ctx, r, body)
	reader, writer := io.Pipe()
	w := &answer{header: http.Header{}, body: writer, head: make(chan struct{}), noBody: r.Method == http.MethodHead}
	go func() {
		defer func() {
			if v := recover(); v != nil {
				// The caller would see no more than this over a real connection.
				w.fail(io.ErrUnexpectedEOF)
			}
			_ = body.Close()
			cancel()
		}()
		p.Handler.ServeHTTP(w, in)
		// A handler that stopped because its caller left has not written everything.
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
	if w.status == 0 {
		return nil, w.failed
	}
	res := &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, ContentLength: w.length(), Request: r,
	}
	if w.whole {
		res.Body = &heldBody{left: w.held, end: w.failed}
		return res, nil
	}
	// A caller whose context ends must not hang in Read.
	stop := context.AfterFunc(r.Context(), func() { _ = writer.CloseWithError(context.Cause(r.Context())) })
	res.Body = &pipeBody{PipeReader: reader, done: func() { stop(); cancel() }}
	return res, nil
}

// served returns a client's request as a server would see it.
func served(ctx context.Context, r *http.Request, body io.ReadCloser) *http.Request {
	in := r.Clone(ctx)
	in.Body = body
	in.RequestURI = r.URL.RequestURI()
	// A server's request has only the path in its URL.
	in.URL = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery, ForceQuery: r.URL.ForceQuery}
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	// The call is made for the client whose request caused it, and is counted and logged as that client's.
	from := clientip.From(ctx)
	if from == "" {
		from = "127.0.0.1"
	}
	in.RemoteAddr = net.JoinHostPort(from, "0")
	in.Proto, in.ProtoMajor, in.ProtoMinor = "HTTP/1.1", 1, 1
	return in
}

// heldBody is the body of an answer that was passed on whole.
type heldBody struct {
	left []byte
	end  error // the error after the last byte; nil means io.EOF
}

func (b *heldBody) Read(p []byte) (int, error) {
	if len(b.left) == 0 {
		if b.end != nil {
			return 0, b.end
		}
		return 0, io.EOF
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func (b *heldBody) Close() error { return nil }

// pipeBody ends the handler's context when the caller closes the answer.
type pipeBody struct {
	*io.PipeReader

	done func()
}

func (b *pipeBody) Close() error {
	b.done()
	return b.PipeReader.Close()
}

// answer is the handler's side. The header is passed on once; as with net/http, later changes by the handler have no effect. Only the
// handler's goroutine writes to it. The caller's goroutine reads it after head is closed: held, whole and failed do not change from then
// on.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	noBody bool

	head   chan struct{} // closed when the answer is passed on
	open   bool          // head is closed
	status int           // 0 until the header is written
	sent   http.Header
	held   []byte
	whole  bool  // held is all of the body, up to failed
	failed error // the error that cut the answer
}

// Header implements http.ResponseWriter.
func (w *answer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter. Informational answers are dropped.
func (w *answer) WriteHeader(status int) {
	if w.status != 0 || status >= 100 && status < 200 {
		return
	}
	w.status, w.sent = status, w.header.Clone()
}

// Write implements http.ResponseWriter. If the answer streams, it blocks until the caller reads.
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
	if !w.open && len(w.held)+len(b) <= heldBytes {
		w.held = append(w.held, b...)
		return len(b), nil
	}
	if err := w.stream(); err != nil {
		return 0, err
	}
	return w.body.Write(b)
}

// Flush implements http.Flusher: the answer streams from here on.
func (w *answer) Flush() {
	w.WriteHeader(http.StatusOK)
	_ = w.stream() // the next Write fails in the same way
}

// stream passes on the header and the held bytes; from then on nothing is held.
func (w *answer) stream() error {
	if w.open {
		return nil
	}
	w.open = true
	close(w.head)
	if len(w.held) == 0 {
		return nil
	}
	_, err := w.body.Write(w.held)
	return err
}

func (w *answer) finish() {
	w.WriteHeader(http.StatusOK)
	w.end(nil)
}

func (w *answer) fail(err error) { w.end(err) }

// end completes an answer. If err is nil, the answer is whole.
func (w *answer) end(err error) {
	if w.open {
		_ = w.body.CloseWithError(err) // nil reads as io.EOF
		return
	}
	w.open, w.whole, w.failed = true, true, err
	close(w.head)
}

// length returns the length of the body for http.Response, or -1 if it is unknown.
func (w *answer) length() int64 {
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0
	}
	if w.whole && !w.noBody && w.failed == nil {
		return int64(len(w.held))
	}
	if n, err := strconv.ParseInt(w.sent.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		return n
	}
	return -1
}
