package httpx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// bodyTime is how long a body may take to arrive. It is shorter than the server's own limit, so that a slow client gets an
// answer.
const bodyTime = 25 * time.Second

// firstRead is how many bytes of memory are reserved for a body before it arrives.
const firstRead = 64 << 10

// ReadJSON reads a whole body of at most limit bytes whose type is application/json in UTF-8. It does not parse the body.
func ReadJSON(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *Problem) {
	if p := only(r, "application/json"); p != nil {
		return nil, p
	}
	return readBody(w, r, limit)
}

// ReadForm reads the fields of a submitted form, whose body has at most limit bytes and the type application/x-www-form-urlencoded in UTF-8.
func ReadForm(w http.ResponseWriter, r *http.Request, limit int64) (url.Values, *Problem) {
	if p := only(r, "application/x-www-form-urlencoded"); p != nil {
		return nil, p
	}
	body, p := readBody(w, r, limit)
	if p != nil {
		return nil, p
	}
	fields, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, NewProblem(http.StatusBadRequest, CodeInvalidBody, "The body is not a submitted form.")
	}
	return fields, nil
}

// readBody reads a whole body of at most limit bytes. If it is large, it waits for its turn; see Turns.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *Problem) {
	tooLarge := func() *Problem {
		// The rest of the body is not read, so the connection cannot be reused.
		w.Header().Set("Connection", "close")
		return NewProblem(http.StatusRequestEntityTooLarge, CodeTooLarge, fmt.Sprintf("The body must be at most %d bytes.", limit))
	}
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	// Not every writer supports deadlines: one in the same process needs none.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime))
	var buf bytes.Buffer
	// A client may announce any length, so only a part is allocated.
	buf.Grow(int(min(max(r.ContentLength, 0), firstRead)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r.Body, min(limit+1, LargeBody)))
	if err == nil && n == LargeBody {
		if p := turnOf(r).takePlace(); p != nil {
			w.Header().Set("Connection", "close")
			return nil, p
		}
		var rest int64
		rest, err = buf.ReadFrom(io.LimitReader(r.Body, limit+1-n))
		n += rest
	}
	switch {
	case n > limit:
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, NewProblem(http.StatusRequestTimeout, CodeTimeout, "The body did not arrive in time.")
	case err != nil:
		w.Header().Set("Connection", "close")
		return nil, NewProblem(http.StatusBadRequest, CodeInvalidBody, "The body is incomplete.")
	}
	if of := turnOf(r); of != nil && n >= LargeBody && of.release == nil {
		if p := of.begin(r.Context()); p != nil {
			return nil, p
		}
	}
	return buf.Bytes(), nil
}

// What nobody needs of a body is read nevertheless before a refusal, up to a size and for a time. Otherwise the connection would end while a
// proxy is still sending, which would then answer in place of this server, most with 502.
const (
	maxRest  = 8 << 20
	restTime = 5 * time.Second
)

// SkipBody reads the rest of a body before a refusal is written, unless there may be too much of it or the client waits for leave to send it.
func SkipBody(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > maxRest || r.Header.Get("Expect") != "" {
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(restTime)) // see readBody
	_, _ = io.CopyN(io.Discard, r.Body, maxRest)
}

// only returns a problem unless the body of a request has a type, in UTF-8.
func only(r *http.Request, want string) *Problem {
	deny := NewProblem(http.StatusUnsupportedMediaType, CodeMediaType, "The body must be "+want+" in UTF-8.")
	if len(r.Header.Values("Content-Type")) != 1 || r.Header.Get("Content-Encoding") != "" {
		return deny
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != want {
		return deny
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return deny
	}
	return nil
}
